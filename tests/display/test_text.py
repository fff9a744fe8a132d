"""Hostile texts become safe values: one line or several, and JSON that is still the same JSON."""

import json
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.display.text import cut, one_line, safe_json, several_lines, words

HOSTILE = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from("\x1b\x07\x9b\u202e\u2066\u200f\ufeff\ud800\U000e0041\r\n\t"),
    )
)


def is_safe(line: str) -> bool:
    """Return whether a line has no character that a terminal or a browser would act on."""
    hidden = {"\u200b", "\u00ad", "\u2028", "\u2029"}
    return all(
        unicodedata.category(one) not in ("Cc", "Cs")
        and unicodedata.bidirectional(one) not in ("RLO", "LRO", "RLE", "LRE", "PDF", "RLI", "LRI")
        and one not in hidden
        for one in line
    )


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("ls -la", "ls -la"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("a\nb\tc\r", "a\\nb\\tc\\r"),
        ("gpj.\u202eexe", "gpj.\\u202eexe"),
        ("half \ud83d", "half \\ud83d"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("[red]<b>&amp;", "[red]<b>&amp;"),
        ("ümläut 日本 👩‍💻", "ümläut 日本 👩‍💻"),
        (None, "null"),
        (True, "true"),
        ({"a": [1]}, '{"a": [1]}'),
        (1.5, "1.5"),
    ],
)
def test_a_value_is_one_safe_line(value: Any, expected: str) -> None:
    assert one_line(value) == expected


@given(HOSTILE, st.none() | st.integers(1, 50))
def test_any_text_is_one_safe_line_of_the_asked_length(text: str, limit: int | None) -> None:
    for line in (one_line(text, limit), words(text, limit)):
        assert is_safe(line)
        assert limit is None or len(line) <= limit


@given(HOSTILE)
def test_any_text_is_several_safe_lines(text: str) -> None:
    lines = several_lines(text, lines=3, chars=20)
    assert len(lines) <= 4
    assert all(is_safe(line) for line in lines)
    assert all(len(line) <= 20 for line in lines[:3])


def test_of_many_lines_the_rest_is_counted() -> None:
    assert several_lines("a\n\tb\nc\nd", lines=2) == ("a", "    b", "… 2 more lines")


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("abcd", 1, "…"), ("abc", None, "abc")],
)
def test_a_long_text_is_cut(text: str, limit: int | None, expected: str) -> None:
    assert cut(text, limit) == expected


@given(st.recursive(HOSTILE, lambda inner: st.dictionaries(HOSTILE, inner), max_leaves=5))
def test_json_stays_the_same_and_becomes_safe(value: Any) -> None:
    text = safe_json(json.dumps(value, ensure_ascii=False, indent=1))
    assert all(map(is_safe, text.split("\n")))
    assert json.loads(text) == json.loads(json.dumps(value))
