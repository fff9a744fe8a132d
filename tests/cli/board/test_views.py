"""Lines of the board's panes: they fit at any width, and no text of a session gets through raw."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.cli.board import (
    approval_lines,
    chrome,
    fleet_lines,
    stream_lines,
    theme,
    timeline_lines,
    views,
)
from hookd.cli.board.filter import parse
from hookd.cli.board.help import lines as help_lines
from hookd.cli.board.state import BoardState, Group
from hookd.cli.board.text import Line, width_of
from support.board import ROWS, FixedFeed
from support.hostile_texts import TEXTS

NOW = datetime(2026, 11, 21, 9, 41, 30, tzinfo=UTC)
HOSTILE = st.sampled_from([one.text for one in TEXTS]) | st.text(st.characters(), max_size=30)
WIDTHS = st.integers(60, 240)


def hostile(row: dict[str, Any], text: str) -> dict[str, Any]:
    """Return a row with a text in every field that is one."""
    return {key: text if isinstance(value, str) else value for key, value in row.items()}


def check(line: Line, width: int) -> None:
    assert width_of(line) <= width
    for span in line:
        assert span.text.isprintable(), span
        span.text.encode()
        assert span.style in theme.COLOURED
        assert span.style in theme.PLAIN


@given(HOSTILE, WIDTHS)
def test_no_hostile_text_gets_through_and_every_line_fits(text: str, width: int) -> None:
    for row in (*ROWS["agents"][:2], *ROWS["agents"][-1:]):
        for shown in (row, hostile(row, text)):
            news = hostile(ROWS["events"][0], text)
            check(fleet_lines.row(shown, news, width, NOW), width)
    check(fleet_lines.heading(Group(text, 2, 1.5), width, "/home/mia"), width)
    check(fleet_lines.titles(width), width)
    for row in ROWS["events"][:3]:
        check(stream_lines.line(row, width // 2), max(width // 2, 60))
        check(stream_lines.line(hostile(row, text), width), width)
    request = ROWS["pending"][0]
    told = hostile(request, text) | {"diff": text, "input": {"command": text, text: text}}
    risk = {"kind": text, "severity": text, "reason": text, "rules": [text, text]}
    for shown in (request, told, told | {"risk": risk, "input": text}, told | {"input": None}):
        check(approval_lines.line(shown, width, NOW), width)
        for item in approval_lines.detail(shown, width):
            check(item.value, width)
    check(chrome.heading("x", text, width, focus=True), width)
    check(chrome.foot("fleet", text, text, width), width)
    for line in chrome.alert_lines([chrome.Alert("bad", text)] * 5, width):
        check(line, width)


def text_of(line: Line) -> str:
    return "".join(span.text for span in line)


def test_every_status_and_decision_has_a_sign_and_a_word() -> None:
    for status, (sign, _) in fleet_lines.SIGNS.items():
        assert fleet_lines.status(status, 12).text.split() == [sign, status]
    assert len({sign for sign, _ in fleet_lines.SIGNS.values()}) == len(fleet_lines.SIGNS)
    for decision, (word, _) in stream_lines.DECISIONS.items():
        assert word.split()[1] == decision
    assert fleet_lines.status("unheard of", 12).text == "· unheard of"


def test_mail_that_was_not_delivered_is_counted_beside_the_agent() -> None:
    shown = {"agent": "builder", "status": "idle", "mail": 2}
    line = fleet_lines.row(shown, None, 80, None)
    assert "✉2 builder" in "".join(span.text for span in line)
    line = fleet_lines.row(shown | {"mail": 0}, None, 80, None)
    assert "✉" not in "".join(span.text for span in line)


def test_the_claims_of_a_session_are_shown_above_its_time_line() -> None:
    shown = {"agent": "builder", "status": "idle", "claims": "src/** resource:staging"}
    lines = [text_of(item.value) for item in timeline_lines.facts(shown, 80)]
    assert " claims src/** resource:staging" in lines
    lines = [text_of(item.value) for item in timeline_lines.facts(shown | {"claims": None}, 80)]
    assert "claims" not in "".join(lines)


def test_files_of_the_project_are_shown_by_their_relative_path() -> None:
    event = {"text": "/work/shop/api.py", "project": "/work/shop"}
    assert stream_lines.about(event) == "api.py"
    assert stream_lines.about(event | {"project": None}) == "/work/shop/api.py"
    assert stream_lines.about({}) == ""


@pytest.mark.parametrize(
    ("risk", "shown"),
    [
        (None, "none known"),
        (
            {"kind": "delete", "severity": "deny", "reason": "It deletes.", "rules": ["rm-root"]},
            "delete, severe: It deletes. [rm-root]",
        ),
        ({"kind": "delete", "severity": "ask"}, "delete, to check"),
    ],
)
def test_a_request_shows_its_risk(risk: Any, shown: str) -> None:
    request = ROWS["pending"][0] | {"risk": risk}
    lines = [text_of(item.value) for item in approval_lines.detail(request, 80)]
    assert f" risk     {shown}" in lines


def test_a_request_shows_its_whole_call_and_diff() -> None:
    told = {"input": {"command": "a\nb", "timeout": 3}, "diff": "-x\n+y\n@ z"}
    request = ROWS["pending"][0] | told
    items = approval_lines.detail(request, 80)
    lines = [text_of(item.value) for item in items]
    call = [" call", "   a", "   b", "   {", '     "timeout": 3', "   }"]
    assert lines[-11:] == [*call, "", " diff", "   -x", "   +y", "   @ z"]
    assert [item.value[0].style for item in items[-3:]] == ["removed", "added", "accent"]


@pytest.mark.parametrize(
    ("daemon", "link", "stop", "levels", "says"),
    [
        ({"version": "1"}, "connected", "", [], ""),
        (None, "connected", "", [], ""),
        ({"version": "1", "pausedUntil": "2026-01-31T08:00:00Z"}, "connected", "", ["bad"],
         "hookd is paused until 09:00:00"),
        ({"version": "1"}, "connected", "hookd is stopped.", ["bad"], "Next: hookd start"),
        ({"version": "1"}, "reconnecting", "", ["bad"], "Not connected: No daemon"),
        ({"version": "1"}, "stopped", "hookd is stopped.", ["bad"], "stopped"),
        ({"version": "1"}, "older", "", ["warn"], "No daemon"),
        ({"version": "0"}, "connected", "", ["warn"], "hookd restart"),
        ({"version": "1", "suspended": ["x"]}, "connected", "", ["bad"], "Suspended policies: x"),
        ({"version": "1", "mail": {"held": 2}}, "connected", "", ["warn"], "Mail that is held: 2."),
        ({"version": "1", "mail": {"forYou": 1}}, "connected", "", ["warn"], "Mail for you: 1."),
        (
            {"version": "1", "mail": {"waiting": 3, "unreachable": 2}},
            "connected",
            "",
            ["warn"],
            "Mail that no open session gets: 2. Next: hookd mail list --state waiting.",
        ),
        ({"version": "1", "problem": "p", "unkept": "u"}, "connected", "", ["warn", "warn"],
         "settings are not used: p"),
    ],
)  # fmt: skip
def test_guards_that_are_not_in_force_are_named(
    daemon: Any, link: str, stop: str, levels: list[str], says: str
) -> None:
    feed = FixedFeed()
    feed.daemon, feed.link, feed.why, feed.stop = daemon, link, "No daemon.", stop
    found = chrome.alerts(feed, "1")
    assert [alert.level for alert in found] == levels
    assert says in (found[0].text if found else "")


def test_more_warnings_than_lines_are_counted() -> None:
    found = [chrome.Alert("warn", str(number)) for number in range(5)]
    lines = [text_of(line).rstrip() for line in chrome.alert_lines(found, 80)]
    assert lines == [" ▲ 0", " ▲ 1", " ▲ 2  (and 2 more)"]


def test_the_first_line_keeps_the_connection_where_room_is_short() -> None:
    state = BoardState()
    state.replace_agents(ROWS["agents"])
    state.add_events(ROWS["events"])
    state.change_approvals(ROWS["pending"], [])
    feed = FixedFeed()
    feed.daemon = {"work": {"taken": 2, "open": 3, "blocked": 1}}
    wide = text_of(chrome.top(state, feed, 160))
    assert "1 idle" in wide
    counts = "work: 1 blocked, 3 open, 2 taken  ✗ 3 denied  ? 2 asked  ? 1 to approve  ● live"
    assert counts in wide
    feed.link = "reconnecting"
    narrow = text_of(chrome.top(state, feed, 60))
    assert narrow.endswith("○ not connected ")
    assert "▲ 1 need you" in narrow


def test_empty_panes_say_why_and_what_to_do() -> None:
    state, size = BoardState(), (80, 20)

    def said(view: views.View) -> str:
        return " ".join(text_of(view.render(item, 80)) for item in view.items)

    assert "hookd install" in said(views.fleet(state, NOW, size, "", focus=True))
    state.replace_agents([ROWS["agents"][-1]])
    assert "z shows them" in said(views.fleet(state, NOW, size, "", focus=True))
    state.choose(filter_=parse("agent:unknown"))
    assert "f changes it" in said(views.fleet(state, NOW, size, "", focus=True))
    assert "No event matches" in said(views.stream(state, 80, focus=True, follows=True))
    assert "approvals.hold" in said(views.approvals(state, NOW, 80, focus=True))


def test_the_list_of_requests_says_in_its_only_line_that_none_waits() -> None:
    shown = views.approvals(BoardState(), NOW, 80, focus=True)
    assert "No request waits" in text_of(shown.render(shown.items[0], 80))


def test_the_keys_of_the_help_fit_80_columns() -> None:
    for line in help_lines():
        assert width_of(line) <= 79, text_of(line)
