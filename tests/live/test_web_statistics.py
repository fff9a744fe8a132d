"""Live: pages of statistics, work and health, without a daemon: they read the database file."""

from collections.abc import Iterator

import pytest

from support import large_database
from support.home import place
from support.web_page import Web, web


@pytest.fixture(scope="module")
def page() -> Iterator[Web]:
    """A server beside a database with a little of everything, and no daemon."""
    with place() as home:
        large_database.make(home.database, events=3_000, sessions=100)
        with web(home) as served:
            yield served.enters()


def shown(page: Web, path: str) -> str:
    answer = page.get(path)
    assert answer.status == 200, answer.body
    return answer.body


def test_statistics_are_charts_with_tables(page: Web) -> None:
    body = shown(page, "statistics?days=90")
    assert body.count('<svg class="chart"') == 6
    assert body.count("Numbers of the chart") == 6
    assert "destructive-guard" in body
    assert "style=" not in body


def test_statistics_of_an_unknown_project_are_empty(page: Web) -> None:
    body = shown(page, "statistics?days=90&project=%3Cb%3E")
    assert body.count("Nothing in this time.") == 6
    assert "<b>" not in body
