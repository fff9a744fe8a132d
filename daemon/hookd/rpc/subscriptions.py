"""Subscriptions: the connections that receive notifications, by topic."""

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Protocol

from hookd.lazy_dataclass import dataclass
from hookd.log.logger import LOG
from hookd.rpc import jsonrpc


class Subscriber(Protocol):
    """A connection that receives notifications; `pid` is the process that opened it."""

    pid: int | None

    def send(self, line: bytes) -> bool:
        """Send a line without waiting; return False if the client reads too slowly."""

    def close_with(self, line: bytes) -> None:
        """Send a last line, and close the connection."""


@dataclass
class Subscriptions:
    """Subscribers by topic: `fleet`, or `run:` and the id of a supervised run."""

    _by_topic: dict[str, set[Subscriber]] = field(default_factory=dict)

    def add(self, topic: str, subscriber: Subscriber) -> None:
        """Subscribe a connection to a topic."""
        self._by_topic.setdefault(topic, set()).add(subscriber)

    def remove(self, subscriber: Subscriber) -> None:
        """Remove a connection from all topics."""
        for topic, subscribers in tuple(self._by_topic.items()):
            subscribers.discard(subscriber)
            if not subscribers:
                del self._by_topic[topic]

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

    def publish(self, topic: str, method: str, params: Mapping[str, Any]) -> None:
        """Send a notification to all subscribers of a topic."""
        for subscriber in self.of(topic):
            self.send(subscriber, method, params)

    def send(self, subscriber: Subscriber, method: str, params: Mapping[str, Any]) -> None:
        """Send one subscriber a notification; close its connection if it reads too slowly."""
        if subscriber.send(jsonrpc.notification(method, params)):
            return
        reason = "it reads more slowly than the fleet changes; subscribe again for the whole of it"
        LOG.warning("slow subscriber disconnected", extra={"about": {"reason": reason}})
        self.remove(subscriber)
        subscriber.close_with(jsonrpc.notification("fleet.dropped", {"reason": reason}))
