"""Subscriptions: who receives a topic's notifications, and what a slow reader receives."""

import json

from hookd.rpc.subscriptions import Subscriber, Subscriptions


class Peer(Subscriber):
    """A connection that accepts so many lines."""

    def __init__(self, accepts: int = 9) -> None:
        self.pid = None
        self.accepts = accepts
        self.lines: list[str] = []
        self.closed = False

    def send(self, line: bytes) -> bool:
        if len(self.lines) >= self.accepts:
            return False
        self.lines.append(json.loads(line)["method"])
        return True

    def close_with(self, line: bytes) -> None:
        self.lines.append(json.loads(line)["method"])
        self.closed = True


def test_a_notification_reaches_the_subscribers_of_its_topic() -> None:
    subscriptions, fleet, run = Subscriptions(), Peer(), Peer()
    subscriptions.add("fleet", fleet)
    subscriptions.add("run:7", run)
    subscriptions.publish("fleet", "fleet.changed", {})
    assert (fleet.lines, run.lines) == (["fleet.changed"], [])
    assert (subscriptions.any("fleet"), subscriptions.any("events")) == (True, False)
    assert subscriptions.runs() == {"7"}


def test_a_removed_connection_receives_nothing() -> None:
    subscriptions, peer = Subscriptions(), Peer()
    subscriptions.add("run:7", peer)
    assert subscriptions.has(peer)
    subscriptions.remove(peer)
    subscriptions.publish("run:7", "run.restart", {})
    assert not subscriptions.has(peer)
    assert (peer.lines, subscriptions.runs()) == ([], frozenset())


def test_a_slow_reader_receives_the_reason_and_is_closed() -> None:
    subscriptions, slow, quick = Subscriptions(), Peer(accepts=0), Peer()
    for peer in (slow, quick):
        subscriptions.add("fleet", peer)
    subscriptions.publish("fleet", "fleet.changed", {})
    assert (slow.lines, slow.closed) == (["fleet.dropped"], True)
    assert subscriptions.of("fleet") == (quick,)
