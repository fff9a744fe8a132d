"""A stop tells the usage of a window, if the client reports both figures."""

from typing import Any

import pytest

from hookd.core.context_window.context_events import usage_at_stop
from hookd.core.model.effects.sessions import SetContextUsage
from hookd.core.model.facts import Facts, Session
from hookd.events.model import Stop


@pytest.mark.parametrize(
    ("tokens", "window", "usage"),
    [(50_000, 200_000, 0.25), (300_000, 200_000, 1.0), (0, 200_000, 0.0)],
)
def test_the_usage_is_a_share_of_the_window(tokens: int, window: int, usage: float) -> None:
    event = Stop(context_tokens=tokens, context_window=window)
    facts = Facts(session=Session(7, "s"))
    assert usage_at_stop(event, facts) == (SetContextUsage(7, usage, "event", window=window),)


@pytest.mark.parametrize(
    ("tokens", "window"), [(None, 200_000), (7, None), (7, 0), ("many", 200_000), (True, 7)]
)
def test_what_is_not_a_figure_is_not_stored(tokens: Any, window: Any) -> None:
    event = Stop.model_validate({"context_tokens": tokens, "context_window": window})
    assert usage_at_stop(event, Facts(session=Session(7, "s"))) == ()


def test_an_exact_figure_stays() -> None:
    event = Stop(context_tokens=7, context_window=200_000)
    known = Facts(session=Session(7, "s", context_usage=0.5, context_source="statusline"))
    assert usage_at_stop(event, known) == ()
    assert usage_at_stop(event, Facts()) == ()
