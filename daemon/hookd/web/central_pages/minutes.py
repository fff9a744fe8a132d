"""Events of all hosts, or of one, by minute: counts that shipping adds up, over a chosen time."""

from collections.abc import Callable
from datetime import datetime, timedelta

from hookd.central import board
from hookd.central.board import Row
from hookd.central.viewer import View
from hookd.display import figures
from hookd.lazy_dataclass import dataclass
from hookd.web.central_pages.fields import clean
from hookd.web.page import Ask, Page, Values


@dataclass(frozen=True, slots=True)
class Window:
    """A time until now: so many steps of so many minutes."""

    name: str
    steps: int
    minutes: int

    def times(self, now: datetime) -> list[datetime]:
        """Return the beginning of each step."""
        step = timedelta(minutes=self.minutes)
        last = now - (now - now.replace(hour=0, minute=0, second=0, microsecond=0)) % step
        return [last - step * number for number in reversed(range(self.steps))]


HOUR = Window("1 hour", 60, 1)
WINDOWS = (HOUR, Window("6 hours", 72, 5), Window("1 day", 96, 15))


def reader(window: Window, times: list[datetime], host: str | None) -> Callable[[View], list[Row]]:
    """Return the query of a chart."""
    return lambda view: board.minutes(view, times[0], f"{window.minutes} minutes", host)


def chart(rows: list[Row], times: list[datetime]) -> figures.Figure:
    """Return the counts as a chart."""
    return figures.events_by_minute(rows, [f"{at:%H:%M}" for at in times])


async def view(ask: Ask) -> Values:
    """Return the chart of a chosen time, of all hosts or of one."""
    host, name = clean(ask, "host"), ask.text("time")
    window = next((one for one in WINDOWS if one.name == name), HOUR)
    times = window.times(ask.context.clock())
    rows = await ask.read(reader(window, times, host))
    return {
        "figure": chart(rows, times),
        "total": sum(row["events"] for row in rows),
        "window": window.name,
        "windows": [one.name for one in WINDOWS],
        "host": host or "",
    }


PAGE = Page("minutes", "Minutes", "central_minutes.html", view, ("fleet",), menu="Minutes")
