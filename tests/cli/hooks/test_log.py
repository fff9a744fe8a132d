"""`hookd hook log`: each run once, with its actual result."""

import json
from pathlib import Path
from typing import Any

import pytest

from hookd.cli.hooks.log import RunHistory, run_lines
from support.home import Window, until
from support.shared_hooks import hook, hookd, runs, shares


def kept(number: int, name: str = "late", event: int = 7, **more: Any) -> dict[str, Any]:
    row = {"id": number, "eventId": event, "hook": name, "event": "Stop", "at": f"at {number}"}
    row |= {"exitCode": 0, "fault": None, "background": False, "durationMs": 2.0, "decision": None}
    return (
        row | {"command": "a", "statusMessage": None, "stderrHead": None, "truncated": False} | more
    )


BEGUN = {"exitCode": None, "background": True, "durationMs": 0.1}


@pytest.mark.parametrize(("began", "ended"), [(1, 3), (3, 1)])
def test_a_run_in_the_background_is_one_story(began: int, ended: int) -> None:
    rows = sorted(
        [kept(began, **BEGUN), kept(2, "other"), kept(ended, exitCode=3)],
        key=lambda row: int(row["id"]),
    )
    found = RunHistory().join(rows)
    assert {one["hook"] for one in found} == {"late", "other"}
    (late,) = (one for one in found if one["hook"] == "late")
    assert (late["exitCode"], late["background"], late["at"]) == (3, True, f"at {began}")
    assert [one["hook"] for one in found].index("late") == (0 if began == 1 else 1)


def test_a_run_that_is_followed_goes_on_with_its_end() -> None:
    history = RunHistory()
    (begun,) = history.join([kept(1, **BEGUN)])
    assert run_lines(begun)[1].startswith("… has started  (late, ")
    (end,) = history.join([kept(2)])
    assert "in the background" in run_lines(end)[1]
    assert history.join([kept(3, event=8)])[0]["background"] is False


def test_a_run_whose_end_was_told_does_not_begin_afterwards() -> None:
    history = RunHistory()
    assert len(history.join([kept(1)])) == 1
    assert history.join([kept(2, **BEGUN)]) == []


def test_two_events_are_two_history() -> None:
    rows = [kept(1, **BEGUN), kept(2, event=8, **BEGUN), kept(3, event=8)]
    assert [(one["eventId"], one["exitCode"]) for one in RunHistory().join(rows)] == [
        (7, None),
        (8, 0),
    ]


def test_notes_are_told_but_for_what_is_said_already() -> None:
    notes = ["it was for Stop", "Hook failed with exit code 1", "timed out"]
    lines = run_lines(kept(1, notes=notes, fault="timed out", exitCode=None))
    assert [line for line in lines if "note" in line] == ["  note: it was for Stop"]


@pytest.mark.parametrize("first", ["", "echo '{\"async\": true}'; "])
def test_what_ran_in_the_background_is_listed_once(first: str, window: Window) -> None:
    name = Path(window.project).name
    late = {} if first else {"async": True}
    entries = [hook(f"{first}echo late >&2", id=f"l-{name}", **late), hook("true", id=f"w-{name}")]
    shares(window, "PreToolUse", *entries)
    hookd(window, "trust", "--yes")
    window.bash("ls")
    which = ("--hook", f"l-{name}")
    (one,) = until(lambda: [run for run in runs(window, *which) if run["exitCode"] == 0])
    assert one["background"] is True
    assert one["truncated"] is False
    assert one["stderrHead"] == "late"
    lines = hookd(window, "hooks", "log", *which).stdout.splitlines()
    assert lines[2].startswith(f"✓ late  (l-{name}, exit 0, ")
    assert lines[2].endswith(", in the background)")
    assert len(lines) == 3


def test_an_agent_that_was_let_go_was_not_told_to_go_on(window: Window) -> None:
    name = Path(window.project).name
    shares(window, "Stop", hook("echo not yet >&2; exit 2", id=name))
    hookd(window, "trust", "--yes")
    for number in range(6):
        answer = window.says("Stop", prompt_id="one")
        assert ("decision" in answer) == (number < 5)
    lines = hookd(window, "hooks", "log", "--hook", name).stdout.splitlines()
    ends = [line for line in lines if "hookd why" in line]
    assert [line.startswith("  The agent was asked to continue. ") for line in ends] == [
        True
    ] * 5 + [False]
    assert ends[-1].startswith("  The agent stopped anyway: it was blocked too often")
    assert [one["decision"] for one in runs(window, "--hook", name)] == ["deny"] * 6


def test_an_event_is_named_as_files_may_name_it(window: Window) -> None:
    assert isinstance(runs(window, "--event", "tool.pre"), list)
    done = hookd(window, "hooks", "test", "stop", "--json")
    assert json.loads(done.stdout)["event"] == "Stop"
