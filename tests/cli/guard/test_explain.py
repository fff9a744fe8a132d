"""`hookd guard explain` shows what a call would run and who says what of it, as for a real call."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from hookd import paths
from hookd.cli.guard.guard import guard
from support.home import Home, Window


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project below a home of its own, and a daemon's home without a daemon."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("HOOKD_HOME", str(tmp_path / "hookd"))
    folder = tmp_path / "work" / "shop"
    (folder / ".git").mkdir(parents=True)
    (folder / "web").mkdir()
    return folder


def explain(command: str, folder: Path, *more: str) -> Result:
    return CliRunner().invoke(guard, ["explain", command, "--cwd", str(folder), *more])


def told(command: str, folder: Path) -> dict[str, Any]:
    done = explain(command, folder, "--json")
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.output)
    return found


def test_the_tree_the_effects_and_the_verdict_are_shown(shop: Path) -> None:
    done = explain("cd / && sudo rm -rf * > /etc/x", shop)
    assert done.exit_code == 0
    said = done.output
    assert "  sudo rm -rf *" in said
    assert "    rm -rf *   (by sudo, in /, some words are not known from the text)" in said
    assert "  > /etc/x" in said
    assert "deletes * (the whole file system)" in said
    assert "rm.recursive        rm -rf *" in said
    assert "    rule: files.write-system" in said
    assert "Verdict: deny, by destructive-guard" in said


def test_a_harmless_command_is_met_by_silence(shop: Path) -> None:
    done = explain("rm -rf node_modules && npm ci", shop)
    assert done.exit_code == 0
    assert "Verdict: silence. The call goes its usual way." in done.output
    assert "Effects" not in done.output


def test_the_answer_is_in_the_words_of_the_client(shop: Path) -> None:
    done = explain("git reset --hard", shop, "--client", "codex", "--json")
    answer = json.loads(done.output)["answer"]["hookSpecificOutput"]
    assert answer["permissionDecision"] == "deny"
    assert "let the user decide" in answer["permissionDecisionReason"]
    unknown = explain("ls", shop, "--client", "cursor")
    assert (unknown.exit_code, "'cursor' is not one of" in unknown.output) == (2, True)


def test_json_tells_all_of_it(shop: Path) -> None:
    found = told("cd web; docker exec x rm -rf /data > out.log", shop)
    assert found["project"] == str(shop)
    assert found["unreadable"] is None
    assert [(one["words"][0], one["through"], one["where"]) for one in found["commands"]] == [
        ("cd", [], "here"),
        ("docker", [], "here"),
        ("rm", found["commands"][2]["through"], "container"),
    ]
    assert found["commands"][1]["folders"] == [str(shop / "web")]
    assert found["redirects"] == [{"operator": ">", "path": "out.log", "writes": True}]
    assert [(one["kind"], one["weight"], one["rule"]) for one in found["effects"]] == [
        ("deletes", "ask", "rm.recursive")
    ]
    assert found["opinions"][0]["ruleIds"] == ["rm.recursive"]
    assert found["verdict"]["decision"] == "ask"
    assert found["verdict"]["policy"] == "destructive-guard"


def test_a_text_that_cannot_be_read_says_why(shop: Path) -> None:
    assert "It cannot be read: " in explain("if (", shop).output
    assert told("if (", shop)["verdict"]["decision"] == "ask"


def test_the_project_is_the_folder_above_that_is_under_version_control(shop: Path) -> None:
    assert told("ls", shop / "web")["project"] == str(shop)


def test_the_options_that_are_set_hold(shop: Path) -> None:
    settings = shop.parents[1] / "hookd" / "settings.json"
    settings.parent.mkdir()
    option = {"destructive-guard": {"ignore": ["deletes"]}}
    settings.write_text(json.dumps({"policies": {"options": option}}), "utf-8")
    assert told("rm -rf src", shop)["verdict"]["decision"] is None


def test_what_is_read_or_written_is_judged_by_where_it_leads(shop: Path) -> None:
    (shop / "notes.md").write_text("notes")
    (shop / "key.md").symlink_to("/home/me/.ssh/id_rsa")
    assert told("cat notes.md", shop)["verdict"]["decision"] is None
    assert told("echo hi > notes.md", shop)["verdict"]["decision"] is None
    assert told("cat key.md", shop)["verdict"]["policy"] == "secrets-guard"


def test_hookd_s_own_guard_is_asked(shop: Path) -> None:
    asked = told("hookd policy disable secrets-guard", shop)["verdict"]
    assert (asked["decision"], asked["policy"]) == ("ask", "self-guard")
    asked = told(f"echo > {paths.paths().settings}", shop)["verdict"]
    assert asked["decision"] is not None
    assert "self-guard" in asked["policy"]


def test_what_a_trusted_project_says_of_the_guards_counts(window: Window) -> None:
    args = ("guard", "explain", "git push --force", "--cwd", window.project, "--json")
    assert json.loads(window.home.hookd(*args).stdout)["verdict"]["decision"] == "deny"
    change = ("policies", "set", "destructive-guard", "ignore", "--add", "force-push")
    window.home.hookd(*change, "--scope", "local", "--project-dir", window.project)
    assert json.loads(window.home.hookd(*args).stdout)["verdict"]["decision"] is None


def test_settings_that_do_not_hold_are_told_in_a_sentence(shop: Path) -> None:
    settings = shop.parents[1] / "hookd" / "settings.json"
    settings.parent.mkdir()
    settings.write_text("{", "utf-8")
    done = explain("ls", shop)
    assert done.exit_code == 1
    assert "are not JSON" in done.output
    assert "hookd settings check" in done.output


@pytest.mark.parametrize("command", ["", "  ", "\n"])
def test_no_command_is_no_question(shop: Path, command: str) -> None:
    done = explain(command, shop)
    assert done.exit_code == 1
    assert "There is no command to explain." in done.output


def test_it_says_where_the_options_of_the_guards_come_from(shop: Path) -> None:
    assert told("ls", shop)["settings"] is None
    assert "Options: the defaults, and what a trusted project" in explain("ls", shop).output
    settings = paths.paths().settings
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text("{}", "utf-8")
    assert told("ls", shop)["settings"] == str(settings)


def by_daemon(window: Window, *args: str) -> dict[str, Any]:
    done = window.home.hookd("guard", "explain", *args, "--json", env=window.identity)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_rules_of_the_users_own_are_asked_for_any_tool(window: Window) -> None:
    guard = ("guard", "add", "src", "Edit(/src/**)", "--deny", "Not there.", "--scope", "local")
    window.home.hookd(*guard, env=window.identity)
    call = {"file_path": f"{window.project}/src/a.py", "content": "x"}
    args = ("--tool", "Write", "--input", json.dumps(call))
    found = by_daemon(window, *args)
    assert found["daemon"] is True
    assert (found["verdict"]["decision"], found["verdict"]["policy"]) == ("deny", "src")
    assert [one["matches"] for one in found["rules"] if one["ruleId"] == "src"] == ["yes"]
    assert found["answer"]["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert "secrets-guard" in found["asked"]
    shown = window.home.hookd("guard", "explain", *args, env=window.identity).stdout
    assert "  src: deny\n    guard src: Not there." in shown
    assert "Verdict: deny, by src" in shown


def test_it_says_what_a_real_call_is_answered(window: Window) -> None:
    window.home.hookd(
        *("guard", "add", "mine", "Bash(make *)", "--deny", "No.", "--scope", "local"),
        env=window.identity,
    )
    command = "make x; git push --force"
    answer = by_daemon(window, command)["answer"]["hookSpecificOutput"]
    real = window.bash(command)["hookSpecificOutput"]
    assert real["permissionDecisionReason"].startswith(answer["permissionDecisionReason"])
    assert real["permissionDecision"] == answer["permissionDecision"]


def test_the_client_is_that_of_the_session(home: Home, tmp_path: Path) -> None:
    home.settings({"policies": {"options": {"guard-rules": {"clients": ["codex"]}}}})
    home.serves()
    event = {"hook_event_name": "SessionStart", "session_id": "one", "cwd": str(tmp_path)}
    params = {"event": event | {"source": "startup"}, "env": {}, "client": "codex"}
    home.rpc("hooks.dispatch", params)
    home.hookd("guard", "add", "mine", "Bash(make *)", "--deny", "No.")
    for given, decision in ((("--session", "one"), "deny"), ((), None)):
        done = home.hookd("guard", "explain", "make all", "--json", *given, cwd=tmp_path)
        assert json.loads(done.stdout)["verdict"]["decision"] == decision


def test_it_records_nothing_and_runs_no_hook_but_names_it(window: Window) -> None:
    window.says("SessionStart")
    mark = f"{window.project}/ran"
    add = ("hooks", "add", "PreToolUse", "--matcher", "Bash", "--scope", "local")
    window.home.hookd(*add, f"touch {mark}", "--project-dir", window.project, env=window.identity)
    before = window.home.rows("SELECT count(*) FROM events"), window.count
    found = by_daemon(window, "ls", "--session", window.id)
    assert [one["action"] for one in found["hooks"]] == [f"touch {mark}"]
    assert not Path(mark).exists()
    assert (window.home.rows("SELECT count(*) FROM events"), window.count) == before


def test_without_a_daemon_the_rules_are_read_from_the_database(home: Home) -> None:
    home.serves()
    home.hookd("guard", "add", "mine", "Bash(make *)", "--deny", "No.")
    home.hookd("stop", "--yes")
    done = home.hookd("guard", "explain", "make all")
    assert "No daemon is running: evaluated here" in done.stdout
    assert "hookd is stopped: a real call is not evaluated, until hookd start." in done.stdout
    assert "Verdict once hookd is started: deny, by mine" in done.stdout


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["ls", "--tool", "Edit", "--input", "{}"], "Give a COMMAND, or --tool with --input."),
        (["--tool", "Edit", "--input", "[]"], "is not a JSON object"),
        (["--tool", "Edit", "--input", "{"], "Invalid JSON: line 1"),
        (["--tool", "Bash", "--input", "{}"], "has no command"),
        (["--tool", "Edit"], "There is no command to explain"),
    ],
)
def test_a_call_that_is_none_is_refused_in_a_sentence(args: list[str], said: str) -> None:
    done = CliRunner().invoke(guard, ["explain", *args])
    assert done.exit_code in (1, 2)
    assert said in done.output
