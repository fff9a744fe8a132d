"""Approval publisher: sends subscribers the permission requests that come and end."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hookd.daemon.publisher import Publisher
from hookd.rpc.subscriptions import Subscriber, Subscriptions

_ANSWERING = "approvals:answer"
"""Topic of those subscribers that can answer."""

Row = Mapping[str, Any]


class ApprovalPublisher(Publisher):
    """Sends each subscriber first all requests that wait, then what is new and what has ended.

    `rows` returns those that wait.
    """

    def __init__(self, subscriptions: Subscriptions) -> None:
        super().__init__(subscriptions, "approvals", 0.0)
        self.rows: Callable[[], Sequence[Row]] = tuple
        self._told: set[Subscriber] = set()

    def can_answer(self) -> bool:
        """Return whether a viewer is connected that can answer."""
        return bool(self._subscriptions.of(_ANSWERING))

    def subscriber_added(self, link: Subscriber, params: Any) -> None:
        """Note a subscriber that has received nothing yet, and whether it can answer."""
        if params.can_answer:
            self._subscriptions.add(_ANSWERING, link)
        super().subscriber_added(link, params)

    def mark_changed(self, _who: object = None) -> None:
        """Do nothing: what changes is sent by `send`."""

    def send(self, pending: Sequence[Row], ended: Sequence[Row]) -> None:
        """Send rows of requests to the subscribers that know the earlier ones."""
        self._send(self._told.intersection(self.links), pending, ended)

    async def publish(self) -> None:
        """Send new subscribers all requests that wait."""
        links = set(self.links)
        self._send(links - self._told, self.rows(), ())
        self._told = links

    def _send(self, links: set[Subscriber], pending: Sequence[Row], ended: Sequence[Row]) -> None:
        params = {"pending": list(pending), "ended": list(ended)}
        self._subscriptions.send(links, "approvals.changed", params)
