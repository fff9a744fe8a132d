"""Statistics: what was stopped, costs, tools, and how long hooks took, as charts with tables."""

from datetime import timedelta

from hookd.core.model.facts import iso
from hookd.display import figures
from hookd.store.browse import rules, statistics
from hookd.web.page import Ask, Page, Values

PERIODS = (1, 7, 30, 90)
"""Days that a person can choose."""

_DEFAULT_DAYS = 7


async def view(ask: Ask) -> Values:
    """Return the figures of the chosen days and project; a figure without numbers has no chart."""
    chosen = ask.number("days")
    days = chosen if chosen in PERIODS else _DEFAULT_DAYS
    project = ask.text("project")
    now = ask.context.clock()
    since = iso(now - timedelta(days=days - 1))[: len("2026-01-31")]
    found = await ask.read(lambda db: statistics.statistics(db, since, project))
    listed = figures.days_between(since, iso(now))
    return {
        "figures": (
            figures.stopped_by_rule(found.stopped),
            figures.stopped_by_day(found.stopped, listed),
            figures.costs_by_day(found.costs, listed),
            figures.tools(found.tools),
            figures.durations(found.durations, found.bounds_us),
            figures.durations_by_hour(found.durations, found.bounds_us),
        ),
        "totals": {
            name: sum(row[name] or 0 for row in found.days)
            for name in ("events", "calls", "denied", "asked", "blocked", "granted", "compactions")
        },
        "usd": sum(row["usd"] for row in found.costs),
        "days": days,
        "periods": PERIODS,
        "project": project,
        "projects": await ask.read(rules.projects),
    }


PAGE = Page("statistics", "Statistics", "statistics.html", view, menu="Statistics")
