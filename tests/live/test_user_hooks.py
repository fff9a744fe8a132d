"""Live: user hooks run on the client's events, and their answers count."""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from sqlite3 import connect
from typing import Any

import pytest

from support.home import Home, until, window_in
from support.payloads import context, verdict
from support.user_hooks import at_work, nested, runs

pytestmark = pytest.mark.gate


def test_a_hook_that_exits_by_2_denies_with_what_it_says(home: Home) -> None:
    command = "case $HOOKD_COMMAND in rm*) echo 'not here' >&2; exit 2;; esac"
    window = at_work(home, nested("PreToolUse", command, matcher="Bash"))
    said, reason = verdict(window.bash("rm x"))
    assert (said, "not here" in reason) == ("deny", True)
    assert window.bash("ls") is None
    assert runs(home) == [(2, "deny"), (0, None)]
    row = home.rows("SELECT decision, decided_by, pending FROM events WHERE event = 'PreToolUse'")
    assert row[0][0] == "deny"
    assert [pending for _, _, pending in row] == [0, 0]
    assert window.count == 2, "a call is counted once, whatever the hooks say"


def test_a_matcher_names_the_tool(home: Home) -> None:
    window = at_work(home, nested("PreToolUse", "exit 2", matcher="Edit|Write"))
    assert window.bash() is None
    assert verdict(window.calls("Edit", file_path="/x"))[0] == "deny"


def test_json_on_stdout_is_an_answer(home: Home) -> None:
    answer = {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit"}}
    answer["hookSpecificOutput"]["additionalContext"] = "It rains."
    window = at_work(home, nested("UserPromptSubmit", f"echo '{json.dumps(answer)}'"))
    assert context(window.says("UserPromptSubmit")) == "It rains."


def test_a_hook_that_fails_does_not_hold_up_the_call_and_is_in_the_log(home: Home) -> None:
    window = at_work(home, nested("PreToolUse", "echo broken >&2; exit 1"))
    assert window.bash() is None
    assert runs(home, "exit_code, stderr_excerpt") == [(1, "broken")]
    (line, *_) = home.hookd("rpc", "userHooks.runs").stdout.splitlines()
    assert json.loads(line)["runs"][0]["event"] == "PreToolUse"


def test_the_deprecated_name_of_a_method_works_with_a_notice(home: Home) -> None:
    at_work(home, nested("Stop", "true"))
    notice = "the method commands.list is deprecated: use userHooks.list"
    for params in ("{}", '{"root": null}'):
        done = home.hookd("rpc", "commands.list", params)
        assert done.stderr == f"hookd: {notice}\n"
        assert json.loads(done.stdout) == home.rpc("userHooks.list")
    assert len(home.logged(notice)) == 1


def test_what_hooks_rewrite_the_guards_judge_again(home: Home) -> None:
    answer = {"hookSpecificOutput": {"hookEventName": "PreToolUse"}}
    answer["hookSpecificOutput"]["updatedInput"] = {"command": "git push --force"}  # type: ignore[assignment]
    window = at_work(home, nested("PreToolUse", f"echo '{json.dumps(answer)}'"))
    home.hookd("guard", "add", "no-force", "Bash(git push --force *)", "--deny", "no")
    said, reason = verdict(window.bash("git push"))
    assert said == "deny"
    assert "no-force" in reason


def test_a_denied_call_runs_no_hook_but_those_that_always_run(home: Home) -> None:
    both = nested("PreToolUse", "echo one >> ran")
    both["hooks"]["PreToolUse"][0]["hooks"].append(
        {"type": "command", "command": "echo always >> ran", "always": True}
    )
    window = at_work(home, both)
    home.hookd("guard", "add", "no-ls", "Bash(ls)", "--deny", "no")
    assert verdict(window.bash("ls"))[0] == "deny"
    assert (Path(window.project) / "ran").read_text() == "always\n"


def test_a_call_delivered_again_runs_its_hooks_once(home: Home) -> None:
    window = at_work(home, nested("PreToolUse", "echo once >> ran; exit 2"))
    event = window.event("PreToolUse.Bash")
    answers = [home.said(event, env=window.identity) for _ in range(2)]
    assert answers[0] == answers[1]
    assert (Path(window.project) / "ran").read_text() == "once\n"


def test_a_prompt_typed_into_a_running_turn_is_given_to_the_hooks(home: Home) -> None:
    window = at_work(home, nested("UserPromptSubmit", "! grep -q forbidden || exit 2"))
    turn = window.event("UserPromptSubmit", prompt="Add pages.")
    assert home.said(turn, env=window.identity) is None
    typed = turn | {"prompt": "the forbidden word"}
    assert home.said(typed, env=window.identity)["decision"] == "block"


def test_a_background_hook_is_not_waited_for_and_is_told_later(home: Home) -> None:
    command = 'read -r _; until [ -e go ]; do :; done; echo "it broke" >&2; exit 2'
    window = at_work(home, nested("PostToolUse", command, **{"async": True, "asyncRewake": True}))
    assert window.says("PostToolUse") is None
    (Path(window.project) / "go").touch()
    until(lambda: home.rows("SELECT 1 FROM injections"))
    assert "it broke" in context(window.says("PostToolBatch"))


def test_settings_that_change_hold_within_a_second(home: Home) -> None:
    window = at_work(home, {})
    assert window.bash() is None
    home.settings(nested("PreToolUse", "exit 2"))
    until(lambda: verdict(window.bash())[0] == "deny")
    home.settings("{")
    until(lambda: home.logged("a file of hooks cannot be read"))
    assert verdict(window.bash())[0] == "deny", "the last good ones hold"


def test_a_project_s_hooks_run_once_they_are_trusted_with_that_content(home: Home) -> None:
    window = at_work(home, {})
    file = Path(window.project) / ".hookd" / "settings.json"
    file.parent.mkdir()
    file.write_text(json.dumps(nested("PreToolUse", "exit 2")))
    assert window.bash() is None
    page = home.rpc("userHooks.list", {"root": window.project})
    assert (page["trusted"], [one["state"] for one in page["hooks"]]) == (False, ["untrusted"])
    home.rpc("userHooks.trust", {"root": window.project, "digest": page["digest"]})
    assert verdict(window.bash())[0] == "deny"
    file.write_text(json.dumps(nested("PreToolUse", "echo other; exit 2")))
    until(lambda: home.rpc("userHooks.list", {"root": window.project})["trusted"] is False)
    assert window.bash() is None
    home.rpc("userHooks.untrust", {"root": window.project})


def test_a_hostile_file_name_is_only_a_name(home: Home) -> None:
    window = at_work(home, nested("PreToolUse", 'echo "$HOOKD_FILE_PATH" > told'))
    name = "a'; touch pwned; '.txt"
    window.calls("Write", file_path=f"{window.project}/{name}", content="x")
    project = Path(window.project)
    assert (project / "told").read_text() == f"{window.project}/{name}\n"
    assert sorted(path.name for path in project.iterdir()) == ["told"]


@pytest.mark.parametrize(
    "event", ["SessionStart", "Stop", "Notification", "SessionEnd", "PreCompact"]
)
def test_a_hook_runs_on_every_kind_of_event(home: Home, event: str) -> None:
    window = at_work(home, nested(event, 'echo "$HOOKD_EVENT" > told'))
    window.says(event)
    assert (Path(window.project) / "told").read_text() == f"{event}\n"


def test_an_answer_that_was_lost_with_the_daemon_is_asked_for_again(home: Home) -> None:
    window = at_work(home, nested("PreToolUse", "exit 2"))
    event = window.event("PreToolUse.Bash")
    first = home.said(event, env=window.identity)
    with closing(connect(home.database, timeout=30)) as db, db:
        db.execute("UPDATE events SET pending = 1, answer = NULL, decision = NULL")
    assert home.said(event, env=window.identity) == first, "it is heard anew, not waved through"


def test_a_text_too_long_for_the_client_is_whole_in_a_file(home: Home) -> None:
    said = {"hookEventName": "SessionStart", "additionalContext": "ü" * 12_000}
    answer = json.dumps({"hookSpecificOutput": said}, ensure_ascii=False)
    (home.path / "answer").write_text(answer)
    command = f"cat {home.path}/answer"
    window = at_work(home, nested("SessionStart", command))
    text = context(window.says("SessionStart"))
    assert len(text) <= 10_000
    (file,) = (home.path / "spill").iterdir()
    assert str(file) in text
    assert file.read_text() == "ü" * 12_000
    assert file.stat().st_mode & 0o777 == 0o600


OPTA = {
    "hooks": [
        {"event": "tool.pre", "matcher": "run_command", "command": "echo no >&2; exit 1"},
        {"event": "tool.post", "command": "env > told; exit 1", "timeout": 15000},
    ]
}


def test_another_agent_s_settings_load_unchanged_and_behave_as_they_did(home: Home) -> None:
    window = at_work(home, {})
    file = Path(window.project) / ".opta" / "config.json"
    file.parent.mkdir()
    file.write_text(json.dumps(OPTA))
    page = home.rpc("userHooks.list", {"root": window.project})
    home.rpc("userHooks.trust", {"root": window.project, "digest": page["digest"]})
    said, reason = verdict(window.bash())
    assert (said, reason.startswith("no")) == ("deny", True), "any code but 0 cancels a call there"
    assert window.says("PostToolUse") is None
    told = (Path(window.project) / "told").read_text()
    assert "OPTA_EVENT=tool.post" in told


MATRIX = {
    "exit 0": None,
    "exit 1": None,
    "echo blocked >&2; exit 2": "deny",
    "exit 127": None,
    "no-such-program-at-all": None,
    "kill -9 $$": None,
    "sleep 30": None,
    "trap '' TERM; sleep 30 & wait": None,
    "head -c 5000000 /dev/zero; exit 2": "deny",
    "printf '\\377\\376'; exit 2": "deny",
    "exec <&-; exit 2": "deny",
}


@pytest.mark.parametrize("command", MATRIX)
def test_whatever_a_hook_does_the_client_has_its_answer(home: Home, command: str) -> None:
    window = at_work(home, nested("PreToolUse", command, timeout=1))
    assert (verdict(window.bash())[0] or None) == MATRIX[command]
    assert home.rpc("daemon.status")
    assert len(runs(home)) == 1


def test_hooks_run_beside_each_other_and_are_heard_in_their_order(home: Home) -> None:
    both = nested("PreToolUse", "until [ -e second ]; do :; done; echo first >&2; exit 2")
    both["hooks"]["PreToolUse"].append(
        {"hooks": [{"type": "command", "command": "touch second; echo second >&2; exit 2"}]}
    )
    window = at_work(home, both)
    reason = verdict(window.bash())[1]
    assert reason.startswith("first second")


def test_without_hooks_nothing_is_kept_of_any(home: Home) -> None:
    window = at_work(home, {})
    window.bash()
    assert runs(home) == []


def test_further_settings_are_a_layer_of_their_own(home: Home) -> None:
    file = home.path / "more.json"
    file.write_text(json.dumps(nested("PreToolUse", "exit 2")))
    home.hookd("start", "--settings", str(file))
    window = window_in(home)
    assert verdict(window.bash())[0] == "deny"
    (hook,) = window.rpc("userHooks.list", root=window.project)["hooks"]
    assert hook["layer"] == "cli"
    done = home.hookd("start", "--settings", "/nowhere.json", check=False)
    assert (done.returncode, "is no file" in done.stderr) == (1, True) or "running" in done.stdout


@pytest.mark.parametrize("how", ["list", "run"])
def test_claude_code_s_own_hooks_are_listed_and_not_run_a_second_time(home: Home, how: str) -> None:
    settings = home.path / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps(nested("PreToolUse", "exit 2")))
    window = at_work(home, {"user_hooks": {"claude_settings": how}})
    assert (verdict(window.bash())[0] == "deny") == (how == "run")
    (hook,) = window.rpc("userHooks.list", root=window.project)["hooks"]
    assert hook["state"] == ("listed" if how == "list" else "on")


@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "huge"])
def test_a_project_cannot_hold_up_its_guards_by_what_its_settings_are(
    home: Home, kind: str
) -> None:
    window = at_work(home, {})
    home.hookd("guard", "add", "no-ls", "Bash(ls)", "--deny", "no")
    file = Path(window.project) / ".hookd" / "settings.json"
    file.parent.mkdir()
    if kind == "pipe":
        os.mkfifo(file)
    elif kind == "device":
        file.symlink_to("/dev/zero")
    elif kind == "folder":
        file.mkdir()
    else:
        file.write_text('{"hooks": ' + "[" * 300_000)
    assert verdict(window.bash("ls"))[0] == "deny"
    page = home.rpc("userHooks.list", {"root": window.project})
    assert page["problems"]
    assert page["digest"] is None


def test_a_file_is_not_trusted_for_what_it_said_once(home: Home) -> None:
    window = at_work(home, {})
    file = Path(window.project) / ".hookd" / "settings.json"
    file.parent.mkdir()

    def listed(text: str) -> Any:
        file.write_text(text)
        return home.rpc("userHooks.list", {"root": window.project})

    good = listed(json.dumps(nested("PreToolUse", "true")))
    home.rpc("userHooks.trust", {"root": window.project, "digest": good["digest"]})
    assert listed("{broken")["digest"] is None
    listed(json.dumps(nested("PreToolUse", "touch pwned")))
    assert [one["state"] for one in listed("{broken")["hooks"]] == []
    window.bash()
    assert not (Path(window.project) / "pwned").exists()


@pytest.mark.parametrize(("key", "decision"), [("block", "deny"), ("ask", "ask"), ("warn", "")])
def test_a_hook_that_cannot_be_heard_decides_as_its_user_says(
    home: Home, key: str, decision: str
) -> None:
    window = at_work(home, nested("PreToolUse", "sleep 30", timeout=0.2, on_error=key))
    assert verdict(window.bash())[0] == decision


def test_a_guard_judges_what_a_hook_makes_of_a_permission(home: Home) -> None:
    answer = {"hookEventName": "PermissionRequest", "decision": {"behavior": "allow"}}
    answer["decision"]["updatedInput"] = {"command": "git push"}  # type: ignore[index]
    (home.path / "answer").write_text(json.dumps({"hookSpecificOutput": answer}))
    window = at_work(home, nested("PermissionRequest", f"cat {home.path}/answer"))
    home.hookd("guard", "add", "no-push", "Bash(git push *)", "Bash(git push)", "--deny", "no")
    said = window.says("PermissionRequest", tool_name="Bash", tool_input={"command": "git fetch"})
    assert said["hookSpecificOutput"]["decision"]["behavior"] == "deny"


def test_a_decision_is_not_switched_off_by_a_twin_that_nobody_waits_for(home: Home) -> None:
    both = nested("PreToolUse", "exit 2", **{"async": True})
    both["hooks"]["PreToolUse"].append(
        {"matcher": "Bash", "hooks": [{"type": "command", "command": "exit 2"}]}
    )
    window = at_work(home, both)
    assert verdict(window.bash())[0] == "deny"


def test_the_hooks_of_a_project_hold_in_its_folders_without_a_word_of_the_client(
    home: Home,
) -> None:
    window = at_work(home, {})
    file = Path(window.project) / ".hookd" / "settings.json"
    file.parent.mkdir()
    file.write_text(json.dumps(nested("PreToolUse", "exit 2")))
    page = home.rpc("userHooks.list", {"root": window.project})
    home.rpc("userHooks.trust", {"root": window.project, "digest": page["digest"]})
    below = Path(window.project) / "src"
    below.mkdir()
    event = window.event("PreToolUse.Bash", cwd=str(below))
    assert verdict(home.said(event))[0] == "deny"


def test_another_event_does_not_confirm_what_waits_for_a_hook(home: Home) -> None:
    slow = "touch begun; until [ -e go ]; do :; done"
    window = at_work(home, nested("PostToolUse", slow, matcher="Read"))
    window.starts()
    window.says("SessionStart")
    with closing(connect(home.database, timeout=30)) as db, db:
        db.execute(
            "INSERT INTO injections (session_id, source, content, created_at)"
            " VALUES (1, 'r', 'It waits.', '2026-01-01T00:00:00.000Z')"
        )
    with ThreadPoolExecutor(1) as other:
        answer = other.submit(window.says, "PostToolUse", tool_name="Read")
        project = Path(window.project)
        until((project / "begun").exists)
        window.bash()
        state = "SELECT delivered_at FROM injections WHERE source = 'r'"
        assert home.rows(state) == [(None,)]
        (project / "go").touch()
        assert "It waits." in context(answer.result(60))


def test_an_agent_is_let_go_where_hooks_would_hold_it_for_ever(home: Home) -> None:
    window = at_work(home, nested("Stop", "echo 'go on' >&2; exit 2"))
    window.says("SessionStart")

    def stops(prompt: str) -> list[Any]:
        again = (at > 0 for at in range(7))  # Claude Code says so from the second stop on
        answers = (window.says("Stop", prompt_id=prompt, stop_hook_active=one) for one in again)
        return [answer.get("decision") for answer in answers]

    assert stops("one") == ["block"] * 5 + [None] * 2
    assert stops("two") == ["block"] * 5 + [None] * 2
