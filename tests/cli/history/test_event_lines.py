"""Events on a screen: a line each, a heading for each day, at three widths."""

from typing import Any

import pytest

from hookd.cli.history.event_lines import EventLines

_CALL: dict[str, Any] = {
    "id": 4711,
    "at": "2026-11-21T05:39:14.000Z",
    "event": "PreToolUse",
    "toolName": "Bash",
    "sessionId": 3,
    "agent": "orders",
    "agentId": None,
    "decision": "deny",
    "rule": "no-force",
    "payload": {"tool_input": {"command": "git push --force origin"}},
}
EVENTS = (
    _CALL
    | {
        "id": 9,
        "event": "UserPromptSubmit",
        "toolName": None,
        "decision": None,
        "rule": None,
        "payload": {"prompt": "Ship\x1b[31m 日本語 [red]it[/red]."},
    },
    _CALL,
    _CALL
    | {"at": "2026-11-22T05:39:14.000Z", "lost": True, "agent": None, "agentId": "a1b2c3d4e5"},
    _CALL
    | {
        "id": 123456,
        "event": "PostToolUseFailure",
        "decision": None,
        "timedOut": True,
        "at": "2026-11-22T05:39:14.000Z",
    },
)

SCREENS = {
    60: """\
2026-11-21, Saturday
     9 06:39:14 UserPromptSub… Ship\\x1b[31m 日本語 [red]it[…
  4711 06:39:14 PreToolUse Ba… deny no-force: git push --fo…
2026-11-22, Sunday
  4711 06:39:14 PreToolUse Ba… deny, lost no-force: git pus…
123456 06:39:14 PostToolUseFa… timed out no-force: git push…""",
    80: """\
2026-11-21, Saturday
     9 06:39:14 orders     UserPromptSubmit Ship\\x1b[31m 日本語 [red]it[/red].
  4711 06:39:14 orders     PreToolUse Bash  deny no-force: git push --force ori…
2026-11-22, Sunday
  4711 06:39:14 session 3… PreToolUse Bash  deny, lost no-force: git push --for…
123456 06:39:14 orders     PostToolUseFail… timed out no-force: git push --forc…""",
    120: """\
2026-11-21, Saturday
     9 06:39:14 orders       UserPromptSubmit         Ship\\x1b[31m 日本語 [red]it[/red].
  4711 06:39:14 orders       PreToolUse Bash          deny no-force: git push --force origin
2026-11-22, Sunday
  4711 06:39:14 session 3/a… PreToolUse Bash          deny, lost no-force: git push --force origin
123456 06:39:14 orders       PostToolUseFailure Bash  timed out no-force: git push --force origin""",  # noqa: E501
}


@pytest.mark.parametrize("width", SCREENS)
def test_each_event_is_a_line_below_its_day(width: int) -> None:
    lines = EventLines(width, colours=False)
    assert "\n".join(line for event in EVENTS for line in lines.of(event)) == SCREENS[width]


def test_only_the_decision_has_a_colour() -> None:
    (_, line) = EventLines(80, colours=True).of(_CALL)
    assert "\x1b[31mdeny no-force:\x1b[0m git push" in line


def test_a_time_that_cannot_be_read_is_shown_as_it_is() -> None:
    first, line = EventLines(80, colours=False).of(_CALL | {"at": "not a time"})
    assert (first, line.split()[:2]) == ("not a time", ["4711", "-"])
