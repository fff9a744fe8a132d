"""Events for a person's screen: a line for each, below a heading for each day."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

import click

from hookd.cli.lib.output import fitted
from hookd.display.event_text import about, who
from hookd.display.text import one_line

DECISIONS = ("deny", "ask", "allow", "block", "defer")
"""Decisions that an event can have."""

_COLOURS = {
    "deny": "red",
    "block": "red",
    "ask": "yellow",
    "defer": "yellow",
    "timed out": "yellow",
    "allow": "green",
}
_ID_CHARS = 6
_MAX_ABOUT_CHARS = 400
_NARROW = 70
"""Columns below which the agent is left out."""


class EventLines:
    """Lines of events, oldest first, for a screen of so many columns."""

    def __init__(self, width: int, *, colours: bool) -> None:
        self._width, self._colours = width, colours
        self._day = ""
        self._who = 0 if width < _NARROW else min(16, 6 + width // 20)
        self._event = min(28, max(14, width // 5))

    def of(self, event: Mapping[str, Any]) -> Iterator[str]:
        """Yield the day's heading if another day begins, then the event's line."""
        day, clock = _local(str(event["at"]))
        if day != self._day:
            self._day = day
            yield self._styled(day, bold=True)
        cells = [f"{event['id']:>{_ID_CHARS}}", clock]
        if self._who:
            cells.append(fitted(one_line(who(event)) or "-", self._who))
        tool = event["toolName"]
        name = f"{event['event']} {tool}" if tool else event["event"]
        cells.append(fitted(one_line(name), self._event))
        start = " ".join(cells)
        room = self._width - len(start) - 1
        yield f"{start} {self._subject(event, room)}".rstrip()

    def _subject(self, event: Mapping[str, Any], room: int) -> str:
        """Return the decision and what the event is about, in at most so many columns."""
        text = one_line(about(event, _MAX_ABOUT_CHARS))
        decision = decision_of(event)
        if not decision:
            return fitted(text, room).rstrip()
        rule = f" {event['rule']}" if event["rule"] else ""
        said = one_line(f"{decision}{rule}:")
        shown = fitted(f"{said} {text}", room).rstrip()
        colour = _COLOURS.get(decision.partition(",")[0])
        return self._styled(shown[: len(said)], fg=colour) + shown[len(said) :]

    def _styled(self, text: str, **style: Any) -> str:
        return click.style(text, **style) if self._colours else text


def decision_of(event: Mapping[str, Any]) -> str:
    """Return the decision on an event, with what kept it from counting; empty: silence."""
    parts = [event["decision"]] if event["decision"] else []
    if event.get("lost") and parts:
        parts.append("lost")
    if event.get("timedOut"):
        parts.append("timed out")
    return ", ".join(parts)


def _local(timestamp: str) -> tuple[str, str]:
    """Return the day and the time of a stored timestamp, in the terminal's time zone."""
    try:
        moment = datetime.fromisoformat(timestamp).astimezone()
    except (ValueError, OverflowError, OSError):
        return timestamp[:10], "-"
    return moment.strftime("%Y-%m-%d, %A"), moment.strftime("%H:%M:%S")
