"""Health: the daemon, the database, what was missed, and how long data is kept."""

from collections.abc import Mapping
from typing import Any

from hookd import paths
from hookd.config.load import SettingsError, load
from hookd.store.browse import health
from hookd.web.page import Ask, Page, Values


async def view(ask: Ask) -> Values:
    """Return the state of the daemon and of the database file."""
    context, places = ask.context, paths.paths()
    status: Mapping[str, Any] = context.daemon.status
    found = await ask.read(lambda db: health.health(db, places.database))
    retention, problem = await context.reads.run(_retention)
    return {
        "connection": context.daemon.connection,
        "status": status,
        "health": found,
        "database": str(places.database),
        "retention": retention,
        "problem": problem,
        "topics": ["fleet"],
    }


def _retention() -> tuple[Any, str]:
    """Return the settings of retention, None with a sentence if they cannot be read."""
    try:
        return load(paths.paths().settings).settings.retention, ""
    except SettingsError as error:
        return None, str(error)


PAGE = Page("health", "Health", "health.html", view, menu="Health")
