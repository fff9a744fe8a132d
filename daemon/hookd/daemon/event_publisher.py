"""Event publisher: sends subscribers the events that were committed since the last time.

Nothing is read without a subscriber: an event then costs one look at an empty set.
"""

import asyncio
from typing import Any

from hookd.daemon.publisher import Publisher
from hookd.display.event_subject import payload_line
from hookd.rpc.subscriptions import Subscriber, Subscriptions
from hookd.store.event_feed import MAX_EVENTS, EventFeed, Page, Row
from hookd.store.reader import Reader

_MIN_INTERVAL_S = 0.05
"""Time between two reads: all events in between are sent together."""

_MAX_TEXT_CHARS = 200
_MAX_FIELD_CHARS = 1_000
"""Characters of another text, such as a tool's name: a notification has at most 16 MiB."""

_MAX_ON_LOOP = 20
"""Events whose payloads are parsed on the event loop's thread."""

_MAX_PENDING = 200
"""Events with running user hooks that are sent again once they are complete."""


class EventPublisher(Publisher):
    """Keeps the number up to which subscribers have every event, and those that are pending."""

    def __init__(self, reader: Reader, subscriptions: Subscriptions) -> None:
        super().__init__(subscriptions, "events", _MIN_INTERVAL_S)
        self._feed = EventFeed(reader)
        self._new: dict[Subscriber, int | None] = {}
        self._position = 0
        self._pending: set[int] = set()

    def subscriber_added(self, link: Subscriber, params: Any) -> None:
        """Note a subscriber, and the number after which its events begin; None: from now on."""
        self._new[link] = params.after
        super().subscriber_added(link, params)

    async def publish(self) -> None:
        """Send new events to the subscribers, and its first notification to each new one."""
        links, new = set(self.links), dict(self._new)
        if known := links - new.keys():
            await self._send_new(known)
        else:
            self._position = await self._feed.newest()
            self._pending = await self._feed.pending(self._position)
        for link, after in new.items():
            if link in links:
                await self._send_first(link, after)
            if self._new.get(link) == after:  # else it has subscribed again meanwhile
                self._new.pop(link, None)

    async def _send_new(self, links: set[Subscriber]) -> None:
        page = await self._feed.after(self._position)
        completed = await self._feed.completed(self._pending) if self._pending else ()
        if not page.rows and not completed:
            return
        self._position = max([self._position, *(row["id"] for row in page.rows)])
        self._pending -= {row["id"] for row in completed}
        self._pending |= {row["id"] for row in page.rows if row["pending"]}
        self._pending = set(sorted(self._pending)[-_MAX_PENDING:])
        await self._send(links, Page((*completed, *page.rows), page.skipped))

    async def _send_first(self, link: Subscriber, after: int | None) -> None:
        # A higher number is of a database that was replaced.
        after = self._position if after is None else min(after, self._position)
        await self._send({link}, await self._feed.after(after, self._position))

    async def _send(self, links: set[Subscriber], page: Page) -> None:
        if len(page.rows) > _MAX_ON_LOOP:
            events = await asyncio.to_thread(_shown, page.rows)
        else:
            events = _shown(page.rows)
        told = {"events": events, "skipped": page.skipped, "last": self._last()}
        self._subscriptions.send(links, "events.added", told)

    def _last(self) -> int:
        """Return the number from which on a new subscription misses nothing."""
        first = min(self._pending, default=self._position + 1)
        return max(first - 1, self._position - MAX_EVENTS, 0)


def _shown(rows: tuple[Row, ...]) -> list[Row]:
    """Return rows with the subject of their payload instead of the payload."""
    return [_with_text(row) for row in rows]


def _with_text(row: Row) -> Row:
    shown = {key: _bounded(value) for key, value in row.items() if key != "payload"}
    text = payload_line(row["payload"], _MAX_TEXT_CHARS)
    return shown | {"text": text, "pending": bool(row["pending"])}


def _bounded(value: Any) -> Any:
    return value[:_MAX_FIELD_CHARS] if isinstance(value, str) else value
