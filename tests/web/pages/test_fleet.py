"""The fleet page's columns: an optional one is shown if any row fills it."""

from hookd.web.pages.fleet import filled

EMPTY = {"branch": None, "skill": "", "contextUsage": None, "claims": None}


def test_a_column_that_is_empty_in_all_rows_is_left_out() -> None:
    assert filled([]) == filled([EMPTY, EMPTY]) == set()
    assert filled([EMPTY, EMPTY | {"branch": "main"}]) == {"branch"}
    assert filled([EMPTY | {"contextUsage": 0.0}, EMPTY | {"skill": "tdd"}]) == {"context", "task"}
    assert filled([EMPTY, EMPTY | {"claims": "src/**"}]) == {"claims"}
