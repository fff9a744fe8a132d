"""Filter of the board: what its words mean, and what is wrong with others."""

from typing import Any

import pytest

from hookd.cli.board.filter import Filter, FilterError, parse

ROW: dict[str, Any] = {
    "agent": "orders",
    "project": "/work/Shop",
    "decision": "deny",
    "toolName": "Bash",
    "text": "git push --force",
    "rule": "no-force",
}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", True),
        ("push", True),
        ("PUSH force", True),
        ("pull", False),
        ("agent:ord", True),
        ("agent:api,orders", True),
        ("agent:api", False),
        ("project:shop", True),
        ("project:work", False),
        ("decision:deny", True),
        ("decision:ask,deny", True),
        ("decision:ask", False),
        ("decision:none", False),
        ("agent:orders decision:deny push", True),
        ("agent:orders decision:deny pull", False),
        ("http://x", False),
        ("no-force", True),
    ],
)
def test_a_filter_shows_an_event(text: str, shown: bool) -> None:
    assert parse(text).shows_event(ROW) is shown


def test_a_session_has_no_decision() -> None:
    assert parse("decision:ask agent:orders").shows_agent(ROW)
    assert not parse("agent:api").shows_agent(ROW)
    assert parse("decision:none").shows_event({"decision": None})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("agents:x", "agents: is not a field; use agent, project, decision"),
        ("agent:", "agent: has no value"),
        ("decision:denied", "decision:denied does not exist; use deny, ask"),
    ],
)
def test_a_filter_that_cannot_be_used_says_what_works(text: str, says: str) -> None:
    with pytest.raises(FilterError, match=says):
        parse(text)


def test_an_empty_filter_is_none() -> None:
    assert not parse("  ")
    assert not Filter()
    assert parse("a  b").text == "a b"
