"""Subscriptions: the connections that receive notifications, by topic."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import Any, Protocol

from hookd.lazy_dataclass import dataclass
from hookd.log.logger import LOG
from hookd.rpc import jsonrpc

_FASTER = {
    "fleet": "the fleet changes; subscribe again for the whole of it",
    "events": "events arrive; subscribe again with the last number as `after`",
    "approvals": "requests come and end; subscribe again for those that wait",
    "mail": "mail is sent; subscribe again, and look at the inbox",
    "run": "its notifications arrive; attach again",
}
"""What a slow subscriber did not keep up with, by the namespace of its notifications."""


class Subscriber(Protocol):
    """A connection that receives notifications; `pid` is the process that opened it."""

    pid: int | None

    def send(self, line: bytes) -> bool:
        """Send a line without waiting; return False if the client reads too slowly."""

    def close_with(self, line: bytes) -> None:
        """Send a last line, and close the connection."""


@dataclass
class Subscriptions:
    """Subscribers by topic: `fleet`, `events`, `mail`, or `run:` and a supervised run's id.

    `removed` is called after a connection has left its topics.
    """

    removed: Callable[[], None] = field(default=lambda: None)
    _by_topic: dict[str, set[Subscriber]] = field(default_factory=dict)

    def add(self, topic: str, subscriber: Subscriber) -> None:
        """Subscribe a connection to a topic."""
        self._by_topic.setdefault(topic, set()).add(subscriber)

    def remove(self, subscriber: Subscriber) -> None:
        """Remove a connection from all topics."""
        if not self.has(subscriber):
            return
        for topic, subscribers in tuple(self._by_topic.items()):
            subscribers.discard(subscriber)
            if not subscribers:
                del self._by_topic[topic]
        self.removed()

    def has(self, subscriber: Subscriber) -> bool:
        """Return whether a connection is subscribed to any topic."""
        return any(subscriber in subscribers for subscribers in self._by_topic.values())

    def runs(self) -> frozenset[str]:
        """Return the supervised runs whose supervisor is connected."""
        topics = (topic.partition(":") for topic in self._by_topic)
        return frozenset(run for kind, _, run in topics if kind == "run")

    def of(self, topic: str) -> tuple[Subscriber, ...]:
        """Return the subscribers of a topic."""
        return tuple(self._by_topic.get(topic, ()))

    def any(self, topic: str) -> bool:
        """Return whether a topic has a subscriber."""
        return topic in self._by_topic

    def publish(self, topic: str, method: str, params: Mapping[str, Any]) -> None:
        """Send a notification to all subscribers of a topic."""
        self.send(self.of(topic), method, params)

    def send(self, links: Iterable[Subscriber], method: str, params: Mapping[str, Any]) -> None:
        """Send subscribers a notification; close connections that read too slowly.

        The last line of those is the notification `dropped` of the method's namespace.
        """
        line = jsonrpc.notification(method, params)
        for link in links:
            if not link.send(line):
                self._drop(link, method.partition(".")[0])

    def _drop(self, link: Subscriber, namespace: str) -> None:
        reason = f"it reads more slowly than {_FASTER[namespace]}"
        LOG.warning("slow subscriber disconnected", extra={"about": {"reason": reason}})
        self.remove(link)
        link.close_with(jsonrpc.notification(f"{namespace}.dropped", {"reason": reason}))
