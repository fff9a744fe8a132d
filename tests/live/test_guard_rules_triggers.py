"""Live: guard rules with triggers, files, ways out, and the built-in ones, through the terminal."""

import json
from contextlib import closing
from pathlib import Path
from sqlite3 import connect
from typing import Any

import pytest

from support.flows import after_clear, put, skill, typed, within
from support.home import Home, Window, window_in
from support.payloads import context, verdict


def sets(window: Window, name: str, *more: str, check: bool = True, **rule: Any) -> Any:
    """Set a rule in the window's project."""
    args = ("guard", "add", name, "--scope", "local", "--rule", json.dumps(rule), *more)
    return window.home.hookd(*args, env=window.identity, check=check)


def fills(window: Window, usage: float) -> None:
    window.rpc("session.updateContextUsage", claudeSessionId=window.id, usage=usage)


def test_a_full_window_is_closed_but_for_its_ways_out(window: Window) -> None:
    window.says("SessionStart")
    window.home.hookd(
        "guard",
        "add",
        "overflow-dehydration",
        "--builtin",
        "--scope",
        "project",
        env=window.identity,
    )
    assert verdict(window.bash())[0] == ""
    fills(window, 0.91)
    decision, reason = verdict(window.bash())
    assert decision == "deny"
    assert reason.startswith("guard overflow-dehydration: the context window is 91% full")
    assert "\nRun: hookd handover save FILE" in reason
    file = f"{window.project}/handover.json"
    assert verdict(window.calls("Write", file_path=file, content="{}"))[0] == ""
    assert verdict(window.bash("hookd handover save /work/handover.json"))[0] == ""


def test_two_closing_rules_share_their_ways_out(window: Window) -> None:
    sets(window, "logs", urgency="block", whitelist=["Bash(hookd *)"])
    assert verdict(window.calls("Read", file_path="/work/a"))[0] == "deny"
    sets(window, "reads", urgency="block", whitelist=["Read"])
    assert verdict(window.calls("Read", file_path="/work/a"))[0] == ""
    assert verdict(window.bash("hookd log x"))[0] == ""
    assert verdict(window.bash())[0] == "deny"
    sets(window, "named", urgency="block", toolFilter={"include": ["Read"]})
    assert verdict(window.calls("Read", file_path="/work/a"))[0] == "deny"


def test_a_rule_brings_files_of_the_project_and_no_others(window: Window) -> None:
    project = Path(window.project)
    (project / "docs").mkdir()
    (project / "docs" / "style.md").write_text("Lines end at 100.\n")
    outside = project.parent.parent / "secret.md"
    outside.write_text("a secret\n")
    (project / "docs" / "link.md").symlink_to(outside)
    files = ["docs/style.md", "docs/link.md", str(outside)]
    sets(window, "style", payload={"text": "Mind the style.", "files": files})
    told = context(window.bash())
    assert told.startswith("[hookd:style] Mind the style.\n")
    assert f"[File: {project}/docs/style.md]\nLines end at 100." in told
    assert f"Missing: {project}/docs/link.md" in told
    assert f"Missing: {outside}" in told
    assert "a secret" not in told
    (project / "docs" / "style.md").write_text("Lines end at 80.\n")
    assert "Lines end at 80." in context(window.bash())


def test_a_preloaded_file_comes_once_and_is_read_anew_in_the_next_window(window: Window) -> None:
    window.says("SessionStart")
    (Path(window.project) / "a.md").write_text("alpha\n")
    sets(window, "a", mode="preload", payload={"text": "See.", "files": ["a.md"]})
    assert f"[Preloaded: {window.project}/a.md]\nalpha" in context(window.bash())
    assert context(window.bash()) == "[hookd:a] See."
    window.says("SessionStart", source="clear")
    assert "alpha" in context(window.bash())


def test_what_is_told_once_is_told_once_in_a_window(window: Window) -> None:
    window.says("SessionStart")
    sets(window, "hello", "--tell", "Hello.", inject="once")
    assert [context(window.bash()) for _ in range(3)] == ["[hookd:hello] Hello.", "", ""]
    window.says("SessionStart", source="clear")
    assert context(window.bash()) == "[hookd:hello] Hello."


def test_an_interruption_denies_and_asks_for_the_user(window: Window) -> None:
    rule = {"urgency": "interrupt", "toolFilter": {"include": ["Bash(make deploy)"]}}
    sets(window, "prod", payload={"text": "Production, in the phase $phase."}, **rule)
    decision, reason = verdict(window.bash("make deploy"))
    assert decision == "deny"
    assert "Production, in the phase none.\nStop here" in reason
    assert verdict(window.bash("make test"))[0] == ""


def test_a_rule_over_edit_holds_for_write(window: Window) -> None:
    args = ("guard", "add", "tests", "Edit(*/tests/*)", "--deny", "No.", "--scope", "local")
    window.home.hookd(*args, env=window.identity)
    for tool in ("Edit", "Write", "MultiEdit"):
        assert verdict(window.calls(tool, file_path="/work/tests/a.py"))[0] == "deny"
    assert window.calls("Read", file_path="/work/tests/a.py") is None


def spoils(window: Window, table: str, setting: str, where: str) -> None:
    """Write into the database what no hookd would write."""
    with closing(connect(window.home.database, timeout=30)) as db, db:
        assert db.execute(f"UPDATE {table} SET {setting} WHERE {where}").rowcount == 1


def test_a_rule_that_cannot_be_read_asks_and_takes_nothing_else_with_it(daemon: Home) -> None:
    window = window_in(daemon)
    window.says("SessionStart")
    sets(window, "no-rm", "--deny", "No.", toolFilter={"include": ["Bash(rm *)"]})
    sets(window, "odd", payload={"text": "Hello."})
    odd = """rule_json = '{"ruleId": "odd", "future": 1}'"""
    spoils(window, "guards", odd, "name = 'odd'")
    assert verdict(window.bash("rm x"))[0] == "deny"
    decision, reason = verdict(window.bash("ls"))
    assert decision == "ask"
    why = "guard odd cannot be read, so it asks about every call. To remove it: "
    assert reason.startswith(f"{why}hookd guard remove odd --scope project")
    assert window.count == 2
    event = window.event("PreToolUse", tool_name="Bash", tool_input={"command": "rm x"})
    result = daemon.rpc("hooks.preToolUse", event | {"env": window.identity})
    assert [one["ruleId"] for one in result["firedRules"]] == ["no-rm"]
    daemon.hookd("guard", "remove", "odd", "--scope", "local", env=window.identity)
    assert window.bash("ls") is None


def test_a_skill_that_is_kept_unreadably_is_read_anew_from_its_file(daemon: Home) -> None:
    window = window_in(daemon)
    skill(window)
    window.says("SessionStart")
    assert "1: Build" in context(typed(window, "implement", "pages"))
    spoils(window, "skills", "phases_json = '[{}]'", "name = 'implement'")
    following, text = after_clear(window)
    assert "Skill: implement" in text
    assert following.sessions("ended_at") == [(None,)]
    step = within(following, "effort.phase", phase="0: Setup")
    assert step["phases"] == ["0: Setup", "1: Build", "2: Check"]
    assert daemon.logged("event failed") == []


def test_a_phase_s_title_leads_no_rule_to_another_file(window: Window) -> None:
    put(f"{window.project}/.env", "TOKEN_OF=mine")
    put(f"{window.project}/docs/Build", "How we build.")
    window.says("SessionStart")
    window.starts("nope")
    sets(window, "how", payload={"files": ["docs/$phase"]})
    within(window, "effort.phase", phase="../.env")
    assert context(window.bash()) == "[hookd:how] Missing: docs/$phase"
    within(window, "effort.phase", phase="Build")
    assert "How we build." in context(window.bash())


def test_what_changes_hookd_itself_is_asked_about_once_that_rule_is_set(window: Window) -> None:
    args = ("guard", "add", "hookd-self", "--builtin", "--scope", "local")
    window.home.hookd(*args, env=window.identity)
    for command in ("hookd guard remove hookd-self", "hookd rpc guards.remove '{}'", "hookd stop"):
        decision, reason = verdict(window.bash(command))
        assert decision == "ask"
        assert "guard hookd-self: this changes hookd itself" in reason
    assert window.bash("hookd guard list") is None


def test_what_fired_is_reported_beside_the_answer(window: Window) -> None:
    sets(window, "a", payload={"text": "Hello, $tool.", "command": "make"}, priority=2)
    sets(window, "b", "--deny", "No.", priority=1)
    event = window.event("PreToolUse", tool_name="Bash", tool_input={"command": "ls"})
    result = window.home.rpc("hooks.preToolUse", event | {"env": window.identity})
    assert result["firedRules"] == [
        {"ruleId": "b", "payload": {"text": "No."}},
        {"ruleId": "a", "payload": {"text": "Hello, $tool.", "command": "make"}},
    ]


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (
            {"trigger": {"type": "contextThreshold", "condition": {"gte": 90}}},
            "trigger.condition.gte: Input should be less than or equal to 1",
        ),
        ({"trigger": {"type": "time"}}, "trigger.type: expected 'contextThreshold', "),
        ({"payload": {"text": "In $fase."}}, "payload.text: there is no $fase, only $heartbeat,"),
        ({"payload": {"files": "a.md"}}, "payload.files: give a list of paths, or one $name"),
        ({"inject": "twice"}, "inject: expected 'always' or 'once'"),
        ({"mode": "type"}, "mode: expected 'inline', "),
    ],
    ids=str,
)
def test_what_is_wrong_with_a_rule_is_said_by_its_path(
    window: Window, rule: dict[str, Any], said: str
) -> None:
    done = sets(window, "bad", check=False, **rule)
    assert done.returncode == 1
    assert done.stderr.startswith(f"hookd: The daemon refuses this rule: {said}")
    assert "Traceback" not in done.stderr
    assert window.bash() is None


@pytest.mark.parametrize("rule", [{"payload": 5}, {"toolFilter": "Bash"}], ids=str)
def test_a_part_that_is_no_object_is_refused_at_the_terminal(
    window: Window, rule: dict[str, Any]
) -> None:
    args = ("guard", "add", "bad", "Bash", "--deny", "No.", "--rule", json.dumps(rule))
    done = window.home.hookd(*args, check=False)
    (key,) = rule
    assert done.returncode == 2
    assert f"--rule: {key} is a JSON object." in done.stderr


def test_the_built_in_rules_are_listed_and_shown(window: Window) -> None:
    told = window.home.hookd("guard", "builtin").stdout
    assert "overflow-dehydration  denies" in told
    assert "from the start" in told
    listed = json.loads(window.home.hookd("guard", "builtin", "--json").stdout)
    names = {one["name"]: one["policy"] for one in listed}
    assert names["session-gate"] is None
    assert names["heartbeat-block"] == "heartbeat"
    rule = json.loads(window.home.hookd("guard", "builtin", "read-throttle", "--json").stdout)
    assert rule["id"] == "read-throttle"
    assert rule["toolFilter"] == {"include": ["Read"]}
    shown = window.home.hookd("guard", "builtin", "read-throttle").stdout
    assert "Add it: hookd guard add read-throttle --builtin" in shown


def test_a_built_in_rule_can_be_set_otherwise(window: Window) -> None:
    window.says("SessionStart")
    fills(window, 0.6)
    limit = {"type": "contextThreshold", "condition": {"gte": 0.5}}
    done = sets(window, "read-throttle", "--builtin", "--ask", "All of it?", trigger=limit)
    assert done.stdout.startswith("read-throttle now asks about Read on its trigger,")
    decision, reason = verdict(window.calls("Read", file_path="/work/a"))
    assert (decision, reason.partition(" (hookd")[0]) == ("ask", "guard read-throttle: All of it?")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nope", "There is no built-in rule 'nope'."),
        ("heartbeat-block", "heartbeat-block is not a rule: it is the policy heartbeat"),
    ],
)
def test_what_is_no_built_in_rule_is_refused(window: Window, name: str, said: str) -> None:
    for args in (("guard", "add", name, "--builtin"), ("guard", "builtin", name)):
        done = window.home.hookd(*args, check=False)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith(f"hookd: {said}")
        assert "\n  next: " in done.stderr


@pytest.mark.parametrize("text", ["no JSON", "[1]", "5", '{"toolFilter": [], "payload": {}}'])
def test_a_rule_that_somebody_s_hand_broke_is_listed_and_can_be_removed(
    daemon: Home, text: str
) -> None:
    window = window_in(daemon)
    daemon.hookd("guard", "add", "odd", "Bash", "--tell", "x")
    with closing(connect(daemon.database, timeout=30)) as db, db:
        db.execute("UPDATE guards SET rule_json = ?", (text,))
    assert "cannot be read" in daemon.hookd("guard", "list").stdout
    assert "guard odd cannot be read" in verdict(window.bash())[1]
    daemon.hookd("guard", "remove", "odd")
    assert verdict(window.bash()) == ("", "")
