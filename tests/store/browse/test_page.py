"""A page of rows: the rows, and where the next page begins."""

from hookd.store.browse.page import page_of


def test_a_page_that_is_not_full_is_the_last() -> None:
    page = page_of([{"id": 2}, {"id": 1}], 2)
    assert (len(page.rows), page.before, page.partial) == (2, None, False)


def test_a_full_page_names_its_last_row() -> None:
    page = page_of([{"id": 3}, {"id": 2}, {"id": 1}], 2)
    assert ([row["id"] for row in page.rows], page.before) == ([3, 2], 2)
