"""The asynchronous client: calls, and subscriptions that survive the daemon's end."""

import asyncio
import os
import signal
import socket
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing, asynccontextmanager, contextmanager

import pytest

from hookd import paths
from hookd.socket_client import client, link
from hookd.socket_client.client import Connection, SocketClient, Status, Wanted
from hookd.socket_client.errors import (
    ConnectionEndedError,
    NoDaemonError,
    ProtocolError,
    RefusedError,
    State,
)
from hookd.socket_client.messages import Notification
from hookd.system import stop_marker
from support.home import Home, until, window_in
from support.scripted_daemon import Peer, at, told

EVENTS = Wanted("events.subscribe")
Item = Connection | Notification


def client_of(home: Home) -> SocketClient:
    return SocketClient(paths.under(home.path))


@asynccontextmanager
async def listening(home: Home, *wanted: Wanted) -> AsyncIterator[AsyncGenerator[Item, None]]:
    """Subscribe, with a limit of time for the whole block."""
    async with asyncio.timeout(40), aclosing(client_of(home).subscribe(*wanted)) as items:
        yield items


async def events(items: AsyncGenerator[Item, None]) -> list[int]:
    """Return the numbers of the next notification that has events."""
    async for item in items:
        if isinstance(item, Notification) and item.params["events"]:
            return [row["id"] for row in item.params["events"]]
    raise AssertionError


async def status(items: AsyncGenerator[Item, None], wanted: Status) -> Connection:
    """Return the next state with this status."""
    async for item in items:
        if isinstance(item, Connection) and item.status is wanted:
            return item
    raise AssertionError


@pytest.fixture
def peer(home: Home) -> Iterator[Peer]:
    with at(home.socket) as peer:
        yield peer
    home.socket.unlink(missing_ok=True)


@contextmanager
def answering(home: Home, **refusals: int) -> Iterator[Peer]:
    """A scripted daemon that refuses methods, written with `_`, with these codes."""
    with at(home.socket) as peer:
        peer.refusals = {name.replace("_", "."): code for name, code in refusals.items()}
        yield peer
    home.socket.unlink()


class TestCall:
    async def test_a_result_and_an_error_of_a_real_daemon(self, daemon: Home) -> None:
        calls = client_of(daemon)
        assert (await calls.call("daemon.status"))["pid"] == daemon.pid
        with pytest.raises(RefusedError, match=r"has no method x\.y") as refused:
            await calls.call("x.y")
        assert (refused.value.code, refused.value.step[:5]) == ("-32601", "check")
        with pytest.raises(RefusedError, match="Limit is too small: 1 at least") as refused:
            await calls.call("events.list", {"limit": 0})

    async def test_what_is_told_meanwhile_is_no_answer(self, home: Home, peer: Peer) -> None:
        peer.answer = told("early") + peer.answer
        assert await client_of(home).call("x") == {"attached": True}

    async def test_without_a_daemon_the_next_step_is_named(self, home: Home) -> None:
        with pytest.raises(NoDaemonError, match="there is no socket") as absent:
            await client_of(home).call("x")
        assert (absent.value.state, absent.value.step) == (State.NONE, "hookd start")
        stop_marker.write(home.stopped)
        with pytest.raises(NoDaemonError, match="is stopped, by hookd stop"):
            await client_of(home).call("x")

    async def test_a_file_and_a_dead_socket_are_no_daemon(self, home: Home) -> None:
        home.socket.parent.mkdir()
        home.socket.touch()
        with pytest.raises(NoDaemonError, match="not a socket of yours"):
            await client_of(home).call("x")
        home.socket.unlink()
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(home.socket))
        with pytest.raises(NoDaemonError, match="no process listens"):
            await client_of(home).call("x")

    async def test_a_daemon_of_another_user_is_not_ours(
        self, home: Home, peer: Peer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(link, "uid_of", lambda _: os.geteuid() + 1)
        with pytest.raises(NoDaemonError, match="not a socket of yours"):
            await client_of(home).call("x")

    async def test_what_is_no_message_is_an_error(self, home: Home, peer: Peer) -> None:
        for answer in (b"hello\n", b"[1]\n", b"[" * 100_000 + b"\n"):
            peer.answer = answer
            with pytest.raises(ProtocolError, match="does not speak JSON-RPC"):
                await client_of(home).call("x")

    async def test_a_line_is_bounded(
        self, home: Home, peer: Peer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(link, "LIMIT", 1_000)
        peer.answer = b"x" * 5_000
        with pytest.raises(ProtocolError, match="longer than 16 MiB"):
            await client_of(home).call("x")
        with pytest.raises(ProtocolError, match="more than the 16 MiB"):
            await client_of(home).call("x", {"text": "x" * 17_000_000})

    async def test_a_hung_daemon_is_an_error(
        self, home: Home, peer: Peer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(link, "_SILENCE_S", 0.05)
        peer.answer = b""
        with pytest.raises(NoDaemonError, match="does not answer") as hung:
            await client_of(home).call("x")
        assert hung.value.state is State.HUNG

    async def test_an_end_before_the_answer_is_an_error(self, home: Home, peer: Peer) -> None:
        peer.answer = b'{"jsonrpc":"2.0","id":1,'
        call = asyncio.create_task(client_of(home).call("x"))
        await asyncio.to_thread(until, lambda: peer.links)
        peer.drop()
        with pytest.raises(ConnectionEndedError, match="ended the connection"):
            await call


class TestSubscribe:
    async def test_no_event_is_missed_over_a_restart(self, daemon: Home) -> None:
        window = window_in(daemon)
        async with listening(daemon, Wanted("events.subscribe")) as items:
            await status(items, Status.CONNECTED)
            await asyncio.to_thread(window.bash, "echo 1")
            assert await events(items) == [1]
            await asyncio.to_thread(daemon.restarts)
            await asyncio.to_thread(window.bash, "echo 2")
            await asyncio.to_thread(window.bash, "echo 3")
            lost = await anext(items)
            assert isinstance(lost, Connection)
            assert lost.status in (Status.RECONNECTING, Status.STOPPED)
            await status(items, Status.CONNECTED)
            assert await events(items) == [2, 3]

    async def test_a_stop_and_a_start_are_told(self, daemon: Home) -> None:
        async with listening(daemon, Wanted("fleet.subscribe")) as items:
            assert await anext(items) == Connection(Status.CONNECTED)
            await asyncio.to_thread(daemon.ends)
            stopped = await status(items, Status.STOPPED)
            assert (stopped.step, stopped.since is not None) == ("hookd start", True)
            assert "every call runs unchecked" in stopped.reason
            await asyncio.to_thread(daemon.serves)
            await status(items, Status.CONNECTED)

    async def test_a_killed_daemon_is_told_until_another_runs(self, daemon: Home) -> None:
        async with listening(daemon, Wanted("events.subscribe")) as items:
            await status(items, Status.CONNECTED)
            os.kill(daemon.pid, signal.SIGKILL)
            lost = await status(items, Status.RECONNECTING)
            assert lost.reason == "The daemon ended the connection."
            gone = await status(items, Status.RECONNECTING)
            assert "no process listens" in gone.reason
            assert gone.step == "hookd start"
            await asyncio.to_thread(daemon.serves)
            await status(items, Status.CONNECTED)

    async def test_a_client_may_be_there_before_the_daemon(self, home: Home) -> None:
        async with listening(home, Wanted("events.subscribe")) as items:
            absent = await status(items, Status.RECONNECTING)
            assert "there is no socket" in absent.reason
            await asyncio.to_thread(home.serves)
            await status(items, Status.CONNECTED)

    async def test_what_an_older_daemon_lacks_is_named_and_the_rest_works(self, home: Home) -> None:
        with answering(home, events_subscribe=-32601) as peer:
            async with listening(home, Wanted("fleet.subscribe"), EVENTS) as items:
                older = await anext(items)
                assert isinstance(older, Connection)
                assert (older.status, older.missing) == (Status.OLDER, ("events.subscribe",))
                assert "older than this hookd" in older.reason
                assert older.step == "hookd restart"
                peer.tell("fleet.changed", agents=[], gone=[])
                assert await anext(items) == Notification(
                    "fleet.changed", {"agents": [], "gone": []}
                )

    async def test_a_refusal_is_an_error(self, home: Home) -> None:
        with answering(home, events_subscribe=-32602):
            async with listening(home, EVENTS) as items:
                with pytest.raises(RefusedError):
                    await anext(items)

    async def test_a_fault_of_the_daemon_is_tried_again(self, home: Home) -> None:
        with answering(home, events_subscribe=-32603) as peer:
            async with listening(home, EVENTS) as items:
                failed = await anext(items)
                assert isinstance(failed, Connection)
                assert (failed.status, failed.step) == (
                    Status.RECONNECTING,
                    "hookd daemon logs -n 20",
                )
                peer.refusals = {}
                await status(items, Status.CONNECTED)

    async def test_a_slow_reader_subscribes_again_after_the_last_event(self, home: Home) -> None:
        with answering(home) as peer:
            async with listening(home, Wanted("events.subscribe", {"after": 3})) as items:
                await status(items, Status.CONNECTED)
                assert peer.asked[-1]["params"] == {"after": 3}
                peer.tell("events.added", events=[{"id": 7}], skipped=0, last=7)
                assert await events(items) == [7]
                peer.tell("events.dropped", reason="it reads more slowly than events arrive")
                dropped = await status(items, Status.RECONNECTING)
                assert "more slowly" in dropped.reason
                await status(items, Status.CONNECTED)
                assert peer.asked[-1]["params"] == {"after": 7}

    async def test_a_daemon_that_hangs_is_noticed(
        self, home: Home, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(client, "_QUIET_S", 0.05)
        monkeypatch.setattr(client, "_PATIENCE_S", 0.2)
        with answering(home) as peer:
            async with listening(home, EVENTS) as items:
                await status(items, Status.CONNECTED)
                peer.hangs = True
                hung = await status(items, Status.RECONNECTING)
                assert "does not answer" in hung.reason

    async def test_who_answers_nothing_after_an_attempt_is_told_once(
        self, home: Home, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(client, "_PATIENCE_S", 0.05)
        monkeypatch.setattr(client, "_MIN_BACK_OFF_S", 0.01)
        monkeypatch.setattr(client, "_MAX_BACK_OFF_S", 0.01)
        with answering(home) as peer:
            peer.hangs = True
            async with listening(home, EVENTS) as items:
                await status(items, Status.RECONNECTING)
                following = asyncio.create_task(anext(items))
                await asyncio.to_thread(until, lambda: len(peer.asked) > 2)
                assert not following.done(), "the same state is not told again"
                peer.hangs = False
                assert await following == Connection(Status.CONNECTED)
