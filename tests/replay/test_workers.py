"""Replay in several processes: the same report as in one, byte for byte."""

import json

import pytest

from hookd.replay.report import report_lines, report_object
from hookd.replay.sources import ExportSource
from hookd.replay.workers import replay
from support.replays import denying, plan

pytestmark = pytest.mark.gate

COMMANDS = ("ls", "git push a", "git reset --hard", "rm -rf build", "cat .env", "echo {}")


def source(sessions: int, each: int) -> ExportSource:
    rows = [
        {
            "id": session * each + number,
            "at": f"2026-01-31T08:00:{number % 60:02}.{session:03}Z",
            "event": "PreToolUse",
            "payload": {
                "session_id": f"s{session}",
                "cwd": "/work",
                "tool_name": "Bash",
                "tool_input": {"command": COMMANDS[number % len(COMMANDS)].format(number)},
            },
        }
        for session in range(sessions)
        for number in range(each)
    ]
    return ExportSource([("events", json.dumps(rows).encode())], "")


def test_two_processes_find_the_same() -> None:
    events = source(8, 100)
    change = denying("Bash(git push *)")
    told: list[int] = []
    found = [
        replay(plan(change), events, units, processes, told.append)
        for processes, units in ((1, events.units()), (2, list(reversed(events.units()))))
    ]
    assert sum(told) == 2 * 800
    texts = ["\n".join(report_lines(one, change.words(), 5)) for one in found]
    assert texts[0] == texts[1]
    objects = [json.dumps(report_object(one, change.words(), ())) for one in found]
    assert objects[0] == objects[1]
    assert found[0].events == 800
    assert len(found[0].of("newDeny")) == 8 * 17


def test_nothing_to_replay() -> None:
    assert replay(plan(), source(0, 0), (), 2, lambda _events: None).events == 0
