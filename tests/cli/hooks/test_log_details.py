"""A stored run of a hook has its notes and its output."""

import json
from pathlib import Path

import pytest

from support.home import Home, Window, until
from support.shared_hooks import hook, hookd, runs, shares


def test_what_of_an_answer_did_not_count_is_in_the_log(window: Window) -> None:
    name = Path(window.project).name
    answer = {"hookSpecificOutput": {"hookEventName": "Stop"}}
    shares(window, "PreToolUse", hook(f"echo '{json.dumps(answer)}'", id=name))
    hookd(window, "trust", "--yes")
    assert window.bash() is None
    lines = hookd(window, "hooks", "log", "--hook", name).stdout.splitlines()
    assert lines[-1] == '  note: its "hookSpecificOutput" is for Stop'


def test_what_a_hook_that_failed_printed_on_stdout_is_in_the_log(window: Window) -> None:
    name = Path(window.project).name
    shares(window, "PreToolUse", hook("echo undefined name; exit 1", id=name))
    hookd(window, "trust", "--yes")
    assert window.bash() is None
    (one,) = runs(window, "--hook", name)
    assert (one["exitCode"], one["stderrHead"]) == (1, "undefined name")


def test_the_end_of_what_went_to_the_background_by_itself_says_so(window: Window) -> None:
    name = Path(window.project).name
    shares(window, "PreToolUse", hook("echo '{\"async\": true}'", id=name))
    hookd(window, "trust", "--yes")
    assert window.bash() is None
    sql = "SELECT background FROM hook_runs WHERE hook_id = ? AND exit_code = 0"
    assert until(lambda: window.home.rows(sql, name)) == [(1,)]


def test_a_file_that_was_named_at_the_start_and_cannot_be_read_is_told_of(home: Home) -> None:
    bad = home.path / "bad.json"
    bad.write_text("{")
    for args in (["start", "--settings", str(bad)], ["start"]):
        assert "hookd: ~/bad.json: it is no JSON: " in home.hookd(*args).stderr
    assert "~/bad.json: it is no JSON: " in home.hookd("status").stdout
    assert len(json.loads(home.hookd("status", "--json").stdout)["unread"]) == 1


@pytest.mark.parametrize("command", [["events"], ["hooks", "log"]])
def test_the_last_few_are_asked_for_alike(window: Window, command: list[str]) -> None:
    assert hookd(window, *command, "-n", "3").returncode == 0
