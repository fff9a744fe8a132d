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


def test_efforts_have_a_list_and_a_page(page: Web) -> None:
    body = shown(page, "efforts?lifecycle=active")
    assert "efforts/600" in body
    one = shown(page, "efforts/100")
    assert "2: Build" in one
    assert "sessions/99" in one
    assert page.get("efforts/999999").status == 404


def test_handovers_are_listed(page: Web) -> None:
    assert "Half of 100." in shown(page, "handovers")


def test_work_items_have_a_list(page: Web) -> None:
    assert "No work items. Add one:" in shown(page, "work?state=done")


def test_hook_runs_are_summed_and_listed(page: Web) -> None:
    body = shown(page, "hooks?failed=1&hook=hook-1")
    assert "lint --all" in body
    assert "exit 1" in body
    assert "exit 0" not in body


def test_health_is_shown_without_a_daemon(page: Web) -> None:
    body = shown(page, "health")
    assert "3,000" in body
    assert "90 days" in body
    assert "hookd start" in body
