"""Size of a text as its client counts it: what fits by this count, the client's encoder leaves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.clients.adapters import ADAPTERS
from hookd.core.context_window.text_size import beginning, text_size
from hookd.core.model.verdict import Outcome
from hookd.events.model import SessionStart

MOST = 10_000


@pytest.mark.parametrize("client", ADAPTERS)
@pytest.mark.parametrize("sign", ["x", "ü", "漢", "🚀"])
def test_a_text_of_the_greatest_size_arrives_whole(client: str, sign: str) -> None:
    text = sign * (MOST // text_size(sign, client))
    assert text_size(text, client) <= MOST
    start = SessionStart(hook_event_name="SessionStart", session_id="s", source="startup")
    answer = ADAPTERS[client].encode.render(start, Outcome(context=text), 0)
    assert answer.overflow_text is None
    assert text in str(answer.output)


@given(st.text(max_size=40), st.integers(4, 60), st.sampled_from(list(ADAPTERS)))
def test_a_beginning_fits_and_is_as_long_as_it_can_be(text: str, most: int, client: str) -> None:
    head = beginning(text, most, client)
    assert text.startswith(head)
    assert text_size(head, client) <= most
    rest = text[len(head) :]
    assert not rest or text_size(head + rest[0], client) > most
