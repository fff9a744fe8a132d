"""SQL statements are separated as a server does: outside of texts and comments."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.risk.inline.sql import Dialect, harms, statements
from support.parametrize import parametrize_all

DIALECTS = st.sampled_from(["", "mysql", "postgres"])
WORDS = st.sampled_from(["select", "a", "1", "(", ")", "x.y", "from", "=", "*", "where"])
PLAIN = st.lists(WORDS, min_size=1, max_size=8).map(" ".join)
INNER = st.text(st.sampled_from("ab ;-#*/\n()$drop"), max_size=12)
TEXTS = INNER.map(lambda text: f"'{text}'")
COMMENTS = INNER.map(lambda text: f"/*{text.replace('*/', '').replace('!', '').rstrip('*')} */")
PIECES = st.one_of(PLAIN, TEXTS, COMMENTS)
ANYTHING = st.text(st.sampled_from("'\"`[]$\\;/*-# \nabdroptable(!E1"), max_size=60)


def seen(text: str, dialect: Dialect = "") -> list[list[str]]:
    return [[token.text for token in one] for one in statements(text, dialect)]


@given(st.lists(st.lists(PIECES, min_size=1, max_size=4), max_size=5), DIALECTS)
def test_as_many_statements_as_were_joined_are_found(
    parts: list[list[str]], dialect: Dialect
) -> None:
    alone = [seen(" ".join(part), dialect) for part in parts]
    assert seen(" ; ".join(" ".join(part) for part in parts), dialect) == [
        one for found in alone for one in found
    ]


@given(st.lists(PIECES, max_size=4), DIALECTS)
def test_a_statement_after_any_text_is_found(parts: list[str], dialect: Dialect) -> None:
    found = harms(f"{' '.join(parts)} ; drop table x", dialect)
    assert "drops a table" in [harm.why for harm in found]


@given(INNER, DIALECTS)
def test_a_statement_in_a_text_is_none(text: str, dialect: Dialect) -> None:
    assert harms(f"select '{text}; drop table x'", dialect) == []


@given(ANYTHING, DIALECTS)
def test_no_text_fails(text: str, dialect: Dialect) -> None:
    for statement in statements(text, dialect):
        assert statement
        assert all(token.depth >= 0 for token in statement)


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    [
        "'",
        '"',
        "`",
        "[",
        "$a$",
        "$",
        "/*",
        "--",
        "(",
        "\\",
        "''",
        "delete from a ",
        "update a set b ",
        "(delete from a where b ",
    ],
)
@pytest.mark.parametrize("dialect", ["", "mysql", "postgres"])
def test_a_long_text_is_read_to_its_end(piece: str, dialect: Dialect) -> None:
    text = f"drop table x; {piece * (64_000 // len(piece))}"
    assert "drops a table" in [harm.why for harm in harms(text, dialect)]


@parametrize_all(
    ("text", "dialect", "expected"),
    [
        ("a;b", "", [["a"], ["b"]]),
        ("a\nGO\nb", "", [["a"], ["b"]]),
        ("a 'b;c' d", "", [["a", "b;c", "d"]]),
        ("'it''s'; b", "", [["it''s"], ["b"]]),
        (r"'it\'s; b'", "mysql", [[r"it\'s; b"]]),
        (r"'it\'; b", "", [["it\\"], ["b"]]),
        (r"E'it\'s; b' c", "postgres", [[r"it\'s; b", "c"]]),
        ("$x$ a; b $x$; c", "postgres", [[" a; b "], ["c"]]),
        ("a # ; b", "mysql", [["a"]]),
        ("a # ; b", "postgres", [["a"], ["b"]]),
        ("5--1; b", "mysql", [["5", "1"], ["b"]]),
        ("5--1; b", "postgres", [["5"]]),
        ("/* a /* b */ c", "", [["c"]]),
        ("/*!40000 a */", "mysql", [["a", "*"]]),
        ("a `b;c` [d;e]", "", [["a", "b;c", "d;e"]]),
        ("", "", []),
        (" ;; ", "", []),
    ],
)
def test_statements_are_read_as_their_dialect_does(
    text: str, dialect: Dialect, expected: list[list[str]]
) -> None:
    assert seen(text, dialect) == expected
