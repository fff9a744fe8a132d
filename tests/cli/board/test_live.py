"""The board's connection: what a daemon that refuses its subscriptions leaves of the board."""

import asyncio

import pytest

from hookd.cli.board.live import LiveFeed
from hookd.cli.board.state import BoardState
from support.home import Home
from support.scripted_daemon import at

REFUSED = -32000


async def test_a_refused_subscription_is_shown_and_tried_again(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOOKD_HOME", str(home.path))
    with at(home.socket) as peer:
        peer.refusals = {"events.subscribe": REFUSED}
        feed, seen, recovered = LiveFeed(), asyncio.Event(), asyncio.Event()
        feed.retry_s = 0.01

        def changed() -> None:
            if feed.link == "reconnecting":
                seen.set()
            elif feed.link == "connected":
                recovered.set()

        running = asyncio.create_task(feed.run(BoardState(), changed))
        async with asyncio.timeout(30):
            await seen.wait()
            assert feed.why == "No."
            peer.refusals = {}
            await recovered.wait()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    home.socket.unlink(missing_ok=True)
