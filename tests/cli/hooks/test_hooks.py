"""What the terminal shows of hooks: which there are, what they did, if they are trusted."""

import json
import subprocess
from pathlib import Path

import pytest

from support import forkserver
from support.home import HOOKD, Home, Window, until
from support.screen import on_screen
from support.shared_hooks import hook, hookd, runs, shares


def test_the_table_tells_event_action_matcher_source_timeout_and_state(window: Window) -> None:
    Path(window.project, ".git").mkdir()
    shares(window, "PreToolUse", hook("look", id="look", timeout=5), matcher="Bash")
    done = hookd(window, "hooks", "list")
    assert hookd(window, "hooks").stdout == done.stdout
    head, row = done.stdout.splitlines()[:2]
    columns = ["event", "action", "matcher", "id", "source", "timeout", "state", "why"]
    assert head.split() == columns
    told = ["PreToolUse", "look", "Bash", "look", "project .hookd/settings.json", "5 s"]
    assert " ".join(row.split()).startswith(" ".join([*told, "untrusted"]))
    assert f"1 of them waits for your trust; next: hookd trust {window.project}" in done.stderr


def test_what_is_wrong_with_a_file_is_said_beside_the_table(window: Window) -> None:
    shares(window, "Stop", hook("a"), {"type": "command"})
    done = hookd(window, "hooks", "list")
    assert "/.hookd/settings.json: hooks.Stop[0].hooks[1].command: is missing" in done.stderr
    told = json.loads(hookd(window, "hooks", "list", "--json").stdout)
    assert [one["action"] for one in told["hooks"]] == ["a"]
    assert told["problems"][0]["fatal"] is True


def test_claude_codes_own_hooks_are_listed(window: Window) -> None:
    path = Path(window.project, ".claude", "settings.json")
    path.parent.mkdir()
    path.write_text(json.dumps({"hooks": {"Stop": [{"hooks": [hook("theirs")]}]}}))
    told = json.loads(hookd(window, "hooks", "list", "--json").stdout)
    assert [(one["action"], one["state"]) for one in told["hooks"]] == [("theirs", "listed")]


def test_without_a_terminal_trust_takes_a_yes(window: Window) -> None:
    shares(window, "PreToolUse", hook("echo no >&2; exit 2"))
    done = hookd(window, "trust", check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "not a terminal" in done.stderr
    assert "--yes" in done.stderr
    assert window.bash("ls") is None


def test_a_trusted_project_runs_its_hooks_until_trust_is_taken_back(window: Window) -> None:
    shares(window, "PreToolUse", hook("echo no >&2; exit 2"))
    assert "apply from now on" in hookd(window, "trust", "--yes").stdout
    assert "no" in window.bash("ls")["hookSpecificOutput"]["permissionDecisionReason"]
    assert "trusted already" in hookd(window, "trust").stdout
    assert "is no longer trusted" in hookd(window, "trust", "--remove").stdout
    assert window.bash("ls") is None


def test_a_project_without_hooks_has_nothing_to_trust(window: Window) -> None:
    assert "nothing to trust" in hookd(window, "trust").stdout


def test_files_that_change_after_they_were_trusted_are_not_trusted_any_more(window: Window) -> None:
    shares(window, "PreToolUse", hook("true"))
    hookd(window, "trust", "--yes")
    shares(window, "PreToolUse", hook("touch pwned"))
    until(lambda: json.loads(hookd(window, "hooks", "list", "--json").stdout)["trusted"] is False)
    window.bash("ls")
    assert not Path(window.project, "pwned").exists()


def test_a_terminal_is_shown_what_would_run_and_asked(window: Window) -> None:
    shares(window, "PreToolUse", hook("look", id="look"))
    env = window.home.env | {"COLUMNS": "200"}
    code, told = forkserver.at_a_terminal(("trust",), env, window.project, "y\n")
    assert code == 0
    assert "look" in told
    assert "apply from now on" in told


def test_the_log_tells_what_each_run_came_to(window: Window) -> None:
    name = Path(window.project).name
    entries = [
        hook("echo never >&2; exit 2", id=f"no-{name}", statusMessage="looking"),
        hook("true", id=f"yes-{name}"),
    ]
    shares(window, "PreToolUse", *entries)
    hookd(window, "trust", "--yes")
    window.bash("ls")
    (one,) = runs(window, "--hook", f"no-{name}")
    assert (one["event"], one["exitCode"], one["decision"]) == ("PreToolUse", 2, "deny")
    assert one["stderrHead"] == "never"
    lines = hookd(window, "hooks", "log", "--hook", f"no-{name}").stdout.splitlines()
    assert lines[0].startswith(f"Running hooks... (#{one['eventId']}, ")
    assert lines[1] == "▶ PreToolUse: looking"
    assert lines[2].startswith(f"✗ never  (no-{name}, exit 2, ")
    assert f"hookd why {one['eventId']}" in lines[3]
    lines = hookd(window, "hooks", "log", "--hook", f"yes-{name}").stdout.splitlines()
    assert lines[2].startswith(f"✓ (yes-{name}, exit 0, ")


def test_runs_are_chosen_by_their_event(window: Window) -> None:
    assert runs(window, "--event", "worktreecreate") == []
    done = hookd(window, "hooks", "log", "--event", "Nothing", check=False)
    assert (done.returncode, done.stdout) == (2, "")


def test_new_runs_are_followed(window: Window) -> None:
    name = Path(window.project).name
    shares(window, "PreToolUse", hook("true", id=name))
    hookd(window, "trust", "--yes")
    command = [HOOKD, "hooks", "log", "--follow", "--hook", name, "--json"]
    with subprocess.Popen(command, env=window.home.env, stdout=subprocess.PIPE, text=True) as tail:
        assert tail.stdout is not None
        window.bash("ls")
        assert json.loads(tail.stdout.readline())["hook"] == name
        window.bash("ls")
        assert json.loads(tail.stdout.readline())["hook"] == name
        tail.kill()


def test_without_a_daemon_a_list_says_what_to_do(home: Home) -> None:
    for args in (["hooks", "list"], ["hooks", "log"], ["trust", "--yes"]):
        done = home.hookd(*args, check=False)
        assert (done.returncode, done.stdout) == (1, "")
        assert "next: hookd start" in done.stderr


@pytest.mark.parametrize("width", [80, 110, 140])
def test_a_terminal_of_any_width_says_why_a_hook_does_not_run(window: Window, width: int) -> None:
    shares(window, "PreToolUse", hook("look " * 20, id="look"), hook("b", id="b", disabled=True))
    lines = on_screen(
        (
            "hooks",
            "list",
        ),
        window.home.env,
        window.project,
        width,
    )
    assert "untrusted: look: not trusted: hookd trust" in lines
    assert "off: b: its own entry says disabled" in lines
    assert lines[0].split()[-1] == "state"


def test_hooks_that_the_settings_do_not_let_through_are_off(window: Window) -> None:
    url = {"type": "http", "url": "https://x.example/", "id": "sent"}
    shares(window, "Stop", url, {"type": "prompt", "prompt": "done?", "id": "asked"})
    hookd(window, "trust", "--yes")
    told = json.loads(hookd(window, "hooks", "list", "--json").stdout)["hooks"]
    assert {one["id"]: (one["state"], one["why"]) for one in told} == {
        "sent": ("off", "user_hooks.http_allow is not set"),
        "asked": ("off", "neither user_hooks.prompt.endpoint nor user_hooks.prompt.command is set"),
    }
