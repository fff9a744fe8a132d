"""Texts of an answer are signed, and cut to what the client takes."""

from hypothesis import given
from hypothesis import strategies as st

from hookd.clients.answer_texts import AnswerTexts
from hookd.core.model.verdict import Outcome
from hookd.events.protocol import utf16_length


@given(st.text(max_size=400), st.integers(0, 10**9), st.booleans())
def test_a_signed_reason_never_exceeds_what_the_client_takes(
    reason: str, number: int, allowable: bool
) -> None:
    texts = AnswerTexts(number, "/tmp/7.txt", most=250)  # the mark and the sign take 140
    said = texts.reason(Outcome("deny", reason, allowable=allowable))
    assert utf16_length(said) <= 250
    assert (f"(hookd #{number})" in said) is (number > 0)
    if texts.overflow is None:
        assert reason.strip() in said
    else:
        assert (texts.overflow, "/tmp/7.txt" in said) == (reason, True)


def test_all_texts_that_are_cut_are_kept_once() -> None:
    texts = AnswerTexts(0, most=60)
    assert texts.cut("a" * 61) == texts.cut("a" * 61) != "a" * 61
    assert texts.cut("b" * 60) == "b" * 60
    texts.cut("c" * 70)
    assert texts.overflow == "a" * 61 + "\n\n" + "c" * 70
