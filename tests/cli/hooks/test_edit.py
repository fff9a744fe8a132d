"""Hooks are added, removed, switched off and on: in hookd's own files, and in no other."""

import json
from pathlib import Path
from typing import Any

import pytest

from support.home import Home, Window, until


def own(home: Home) -> Any:
    return json.loads((home.path / "settings.json").read_text())


def refused(home: Home, *args: str, code: int = 1) -> str:
    done = home.hookd("hook", *args, check=False, cwd=home.path)
    assert (done.returncode, done.stdout) == (code, "")
    assert "Traceback" not in done.stderr
    return done.stderr


def test_a_hook_is_added_and_stands_in_the_users_settings(home: Home) -> None:
    home.settings({"log": {"level": "debug"}})
    args = ["PostToolUse", "lint it", "--matcher", "Edit|Write", "--id", "lint", "--timeout", "5"]
    said = home.hookd("hook", "add", *args, "--on-failure", "block", "--background").stdout
    assert said.startswith("lint now runs on PostToolUse (Edit|Write)")
    entry = {"id": "lint", "type": "command", "command": "lint it", "timeout": 5}
    entry |= {"on_failure": "block", "async": True}
    group = {"matcher": "Edit|Write", "hooks": [entry]}
    assert own(home) == {"log": {"level": "debug"}, "hooks": {"PostToolUse": [group]}}


def test_the_name_of_an_event_may_be_cased_as_one_likes(home: Home) -> None:
    told = json.loads(home.hookd("hook", "add", "stop", "true", "--json").stdout)
    assert told["event"] == "Stop"
    assert told["id"].startswith("Stop-")
    told = json.loads(home.hookd("hook", "add", "tool.pre", "true", "--json").stdout)
    assert told["event"] == "PreToolUse"


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["Stop", "  "], "command: must not be empty"),
        (["Stop", "a", "--id", "no spaces"], "id: must be made of letters"),
        (["Stop", "a", "--if", "Bash(git *)"], "if: Stop has no `if`"),
        (["PreToolUse", "a", "--if", "Bash(git"], "if: the condition"),
        (["Stop", "a", "--timeout", "-1"], "timeout: must be a number above 0"),
        (["Stop", "/x/hookd-hook"], "hookd's own shim"),
        (["PreToolUse", "a", "--matcher", "("], "matcher: the matcher '(' never matches"),
        (["WorktreeCreate", "a"], "WorktreeCreate is not hookd's: Claude Code alone runs hooks"),
    ],
)
def test_what_would_not_hold_is_not_written(home: Home, args: list[str], said: str) -> None:
    assert said in refused(home, "add", *args)
    assert not (home.path / "settings.json").exists()


def test_an_event_that_there_is_not_is_a_question_of_use(home: Home) -> None:
    assert "Did you mean Stop" in refused(home, "add", "Stopp", "a", code=2)
    said = refused(home, "add", "error", "a", code=2)
    assert "error is PostToolUseFailure and StopFailure: choose one." in said


def test_the_same_hook_is_not_added_twice(home: Home) -> None:
    home.hookd("hook", "add", "Stop", "a", "--id", "one")
    said = refused(home, "add", "Stop", "a", "--on-failure", "block")
    assert "exists already: one" in said
    assert "change hooks.Stop[0].hooks[0] in ~/settings.json" in said
    assert "hookd hook remove one --scope user" in said
    assert "The id one is taken" in refused(home, "add", "Stop", "b", "--id", "one")


def test_a_matcher_that_does_not_do_what_it_seems_to_is_told_of(home: Home) -> None:
    done = home.hookd("hook", "add", "PreToolUse", "a", "--matcher", "mcp__github")
    assert "note: 'mcp__github' is a server, no tool" in done.stderr


def test_a_tool_that_is_not_known_is_set_and_warned_about(shared: Home) -> None:
    add = ("hooks", "add", "PreToolUse", "true", "--id", "one", "--matcher", "Bsh|Edit|mcp__x__y")
    done = shared.hookd(*add)
    warning = "no tool called 'Bsh' is known, so the hook does not run for it. Did you mean Bash?"
    assert [line for line in done.stderr.splitlines() if "warning" in line] == [
        f"hookd: warning: {warning}"
    ]
    assert done.stdout.endswith("Remove it: hookd hook remove one\n")
    shared.hookd("hook", "remove", "one")
    done = shared.hookd("guard", "add", "two", "Foo", "--deny", "No.")
    assert done.stdout == (
        "two is added, with a warning: it denies Foo, everywhere."
        " Remove it: hookd guard remove two\n"
    )
    assert done.stderr == (
        "hookd: warning: no tool called 'Foo' is known, so this matches no call unless Claude Code"
        " adds it.\n"
    )
    shared.hookd("guard", "remove", "two")


@pytest.mark.parametrize("hooks", [[], {"Stop": {}}])
def test_settings_of_an_odd_shape_are_left_alone(home: Home, hooks: Any) -> None:
    home.settings({"hooks": hooks})
    assert "hookd hook import" in refused(home, "add", "Stop", "a")
    assert own(home) == {"hooks": hooks}


def test_a_hook_is_removed_and_the_file_is_as_before(home: Home) -> None:
    home.settings('{"log": {"level": "debug"}}\n')
    home.hookd("hook", "add", "Stop", "a", "--id", "one")
    assert "no longer runs on Stop" in home.hookd("hook", "remove", "one").stdout
    assert own(home) == {"log": {"level": "debug"}}


def test_a_hook_that_there_is_not_is_not_removed(home: Home) -> None:
    home.hookd("hook", "add", "Stop", "a", "--id", "lint")
    assert "Did you mean lint?" in refused(home, "remove", "lent")


def test_a_hook_of_another_program_stays_where_it_is(home: Home) -> None:
    theirs = home.path / ".gen" / "settings.json"
    theirs.parent.mkdir()
    theirs.write_text('{"hooks": {"Stop": [{"type": "command", "command": "a", "id": "one"}]}}')
    before = theirs.read_bytes()
    assert "which hookd does not write" in refused(home, "remove", "one")
    project = home.path / "p"
    (project / ".git").mkdir(parents=True)
    said = home.hookd("hook", "disable", "one", "--project-dir", str(project)).stdout
    assert ".hookd/settings.local.json" in said
    assert theirs.read_bytes() == before


def test_a_hook_of_ones_own_is_switched_off_in_its_entry_and_on_again(home: Home) -> None:
    home.hookd("hook", "add", "Stop", "a", "--id", "one")
    before = (home.path / "settings.json").read_bytes()
    assert "one: is off" in home.hookd("hook", "disable", "one").stdout
    assert own(home)["hooks"]["Stop"][0]["hooks"][0]["disabled"] is True
    assert "was off already" in home.hookd("hook", "disable", "one").stdout
    assert "is on again" in home.hookd("hook", "enable", "one").stdout
    assert (home.path / "settings.json").read_bytes() == before
    assert "nothing in hookd's own settings" in home.hookd("hook", "enable", "one").stdout


def test_a_hook_of_a_plugin_is_switched_off_by_the_user(home: Home) -> None:
    plugin = home.path / "plugins" / "notes" / "hooks.json"
    plugin.parent.mkdir(parents=True)
    entry = {"type": "command", "command": "a", "id": "notes-stop"}
    plugin.write_text(json.dumps({"hooks": {"Stop": [{"hooks": [entry]}]}}))
    home.hookd("hook", "disable", "notes-stop")
    assert own(home) == {"disabled_hooks": ["notes-stop"]}
    home.hookd("hook", "enable", "notes-stop")
    assert own(home) == {}


def test_a_glob_is_taken_out_by_hand(home: Home) -> None:
    plugin = home.path / "plugins" / "notes" / "hooks.json"
    plugin.parent.mkdir(parents=True)
    entry = {"type": "command", "command": "a", "id": "notes-stop"}
    plugin.write_text(json.dumps({"hooks": {"Stop": [{"hooks": [entry]}]}}))
    home.settings({"disabled_hooks": ["notes-*"]})
    assert "is switched off by notes-* in" in refused(home, "enable", "notes-stop")


def test_a_layer_that_cannot_switch_it_off_says_who_can(home: Home) -> None:
    project = home.path / "p"
    (project / ".hookd").mkdir(parents=True)
    shared = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a", "id": "one"}]}]}}
    (project / ".hookd" / "settings.json").write_text(json.dumps(shared))
    where = ("--project-dir", str(project))
    assert "--scope local" in refused(home, "disable", "one", "--scope", "user", *where)
    home.hookd("hook", "disable", "one", *where)
    local = json.loads((project / ".hookd" / "settings.local.json").read_text())
    assert local == {"disabled_hooks": ["one"]}


def test_what_is_added_to_a_project_is_trusted_and_runs(window: Window) -> None:
    home, project = window.home, window.project
    add = ("hooks", "add", "PreToolUse", "echo no >&2; exit 2", "--matcher", "Bash")
    done = home.hookd(*add, "--scope", "project", "--project-dir", project)
    assert "not trusted" not in done.stderr
    until(lambda: window.bash("ls"))
    done = home.hookd("hook", "add", "Stop", "true", "--scope", "local", "--project-dir", project)
    assert "not trusted" not in done.stderr


def test_a_change_to_files_that_nobody_trusts_does_not_make_them_trusted(window: Window) -> None:
    own_file = Path(window.project, ".hookd", "settings.json")
    own_file.parent.mkdir()
    hook = {"type": "command", "command": "touch pwned"}
    own_file.write_text(json.dumps({"hooks": {"PreToolUse": [{"hooks": [hook]}]}}))
    where = ("--scope", "local", "--project-dir", window.project)
    done = window.home.hookd("hook", "add", "Stop", "true", *where)
    assert f"do not apply yet: hookd trust {window.project}" in done.stderr
    window.bash("ls")
    assert not Path(window.project, "pwned").exists()


def test_a_hook_that_claude_code_runs_itself_is_not_said_to_be_off(home: Home) -> None:
    theirs = home.path / ".claude" / "settings.json"
    theirs.parent.mkdir()
    entry = {"type": "command", "command": "a", "id": "one"}
    theirs.write_text(json.dumps({"hooks": {"Stop": [{"hooks": [entry]}]}}))
    for verb in ("disable", "remove"):
        said = refused(home, verb, "one")
        assert f"one is in {theirs}: Claude Code runs it itself" in said
        assert "next: remove hooks.Stop[0].hooks[0] from that file" in said
    assert not (home.path / "settings.json").exists()
    home.hookd("hook", "add", "Stop", "b", "--id", "one")
    assert "one: is off" in home.hookd("hook", "disable", "one").stdout
    assert "was off already" in home.hookd("hook", "disable", "one").stdout
