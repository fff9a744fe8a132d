"""Hints: what redaction looks for first. A text without a hint is kept as it is, unread."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.redaction.hints import find_hints, fold, hints_among
from hookd.redaction.patterns import ANYWHERE, PATTERNS, RUN
from hookd.redaction.redact import record, redact, redact_json

pytestmark = pytest.mark.usefixtures("engine")

HINTS = sorted({hint for pattern in PATTERNS for hint in pattern.hints})
FRAGMENTS = st.sampled_from(
    [*HINTS, *map(str.upper, HINTS), "a" * RUN, "1B" * RUN, "é", "😀", "\x00"]
)
TEXTS = st.lists(FRAGMENTS | st.text(max_size=5), max_size=20).map("".join)


@pytest.mark.parametrize("hint", HINTS)
def test_each_hint_is_found_in_either_case_before_a_key(hint: str) -> None:
    for text in (f"é12{hint}{'a' * RUN}", f"x{{[{hint.upper()}{'7' * RUN} y"):
        assert hint in find_hints(fold(text))


@pytest.mark.parametrize(
    "hint", [hint for hint in HINTS if re.search(r"\w[_.-]\Z", hint) and hint not in ANYWHERE]
)
def test_a_hint_that_ends_in_a_separator_does_not_count_before_a_word(hint: str) -> None:
    assert hint not in find_hints(f"x {hint}{'a' * (RUN - 1)} y")


def test_a_folded_text_has_the_length_of_the_text() -> None:
    odd = [chr(one) for one in range(0x110000) if len(chr(one).lower()) != 1]
    assert odd == ["İ"]  # redact.py counts on its being the only one
    assert fold("İKey Ω") == "İkey Ω"
    assert fold("\u212aEY Ω") == "key ω"


@given(TEXTS.filter(lambda text: "İ" not in text and not re.search("[\ud800-\udfff]", text)))
def test_the_hints_of_a_text_are_among_those_of_the_json_that_holds_it(text: str) -> None:
    whole = json.dumps({"a": ["x", text]}, ensure_ascii=False)
    assert find_hints(fold(text)) <= find_hints(fold(whole))


@given(TEXTS, st.sampled_from(["token", "token \u0130"]))
def test_a_text_within_a_payload_is_redacted_as_it_is_alone(text: str, more: str) -> None:
    kept = json.loads(record({"a": {"b": [text]}, "c": more}).text)["a"]["b"][0]
    assert kept == redact(text.encode("utf-8", "replace").decode())


def test_a_very_long_text_is_searched_to_its_end() -> None:
    text = "x é\n" * 1_000_000
    assert find_hints(text) == frozenset()
    assert find_hints(f"{text}token") == {"token"}


@given(TEXTS, TEXTS)
def test_the_hints_among_known_ones_are_those_of_the_text(text: str, more: str) -> None:
    low = fold(text)
    known = find_hints(low) | find_hints(fold(more))
    assert hints_among(low, known) - {"."} == find_hints(low) - {"."}


def test_a_prefix_before_another_text_s_key_does_not_count() -> None:
    short, key = "ya29.dp.ct." + "x" * 12, "ya29." + "a1B2" * 10  # alone, the first is kept
    assert json.loads(record({"a": short, "b": key}).text)["a"] == redact(short) == short


def test_a_hint_behind_an_escape_of_json_counts() -> None:
    text = json.dumps({"a": "to\u212aen=abc123", "b": "key"})
    assert json.loads(redact_json(text)) == {"a": "to\u212aen=[redacted:value]", "b": "key"}
