"""The status line's percentage is the client's; it names the level of a handover."""

from typing import Any

import pytest

from hookd.core.context_window.status_line import read_status, status_line
from hookd.core.model.facts import Facts, Session


def window(percent: object = None, tokens: int | None = None) -> dict[str, Any]:
    usage = {} if tokens is None else {"current_usage": {"input_tokens": tokens}}
    return {"used_percentage": percent, "context_window_size": 200_000, **usage}


@pytest.mark.parametrize(
    ("told", "colour", "percent"),
    [
        (window(42), 2, 42),
        (window(42, 84_900), 2, 42),  # the client rounds down: 42.45 % by tokens
        (window(None, 84_900), 2, 42),
        (window(76), 2, 76),
        (window(77), 33, 77),
        (window(89), 33, 89),
        (window(90), 31, 90),
        (window(140), 31, 100),
    ],
)
def test_it_shows_the_clients_own_percentage(
    told: dict[str, Any], colour: int, percent: int
) -> None:
    line = status_line(
        read_status({"context_window": told}), Facts(session=Session(1, "s")), full=0.9
    )
    assert line == f"\x1b[{colour}mctx {percent} %\x1b[0m · \x1b[2mhandover at 90 %\x1b[0m"


def test_it_says_where_the_user_has_set_the_handover() -> None:
    told = read_status({"context_window": window(42)})
    assert "handover at 65 %" in status_line(told, Facts(session=Session(1, "s")), full=0.65)


def test_a_fleet_that_gets_nothing_precedes_all_else() -> None:
    line = status_line(read_status({}), Facts(session=Session(1, "s")), 0.9, "nothing is sent")
    assert line.startswith("\x1b[31mfleet: nothing is sent")
