"""Live: connections that say nothing, or half of it, however many, keep no hook from its guards."""

import json
import resource
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from support.bad_payloads import of
from support.home import HOOKD, Home, serving, until, window_in
from support.payloads import header, verdict

pytestmark = pytest.mark.gate

MANY = 1_500


@contextmanager
def files(soft: int) -> Iterator[None]:
    """Let this process open more files for a while."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, before[1]), before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def joins(home: Home, open_ones: ExitStack) -> bool:
    """Connect, and say nothing; False where too many wait to be let in."""
    try:
        open_ones.enter_context(home.link())
    except BlockingIOError:
        return False
    return True


def left(link: socket.socket) -> bool:
    """Whether the daemon has hung up."""
    link.setblocking(False)
    try:
        return link.recv(1) == b""
    except BlockingIOError:
        return False


def test_quiet_connections_make_room_and_who_listens_stays(home: Home) -> None:
    home.serves()
    window = window_in(home)
    with ExitStack() as open_ones:
        watcher = open_ones.enter_context(home.link())
        ask = {"jsonrpc": "2.0", "id": 1, "method": "fleet.subscribe", "params": {}}
        watcher.sendall(json.dumps(ask).encode() + b"\n")
        heard = open_ones.enter_context(watcher.makefile("rb"))
        assert b"result" in heard.readline()
        open_ones.enter_context(files(4 * MANY))
        first = open_ones.enter_context(home.link())
        for _ in range(MANY):
            until(lambda: joins(home, open_ones))
        assert verdict(window.bash("rm -rf /"))[0] == "deny"
        until(lambda: joins(home, open_ones) and left(first))
        assert verdict(window.bash("rm -rf /"))[0] == "deny"
        window.starts()
        assert b"fleet" in heard.readline(), "who listens is no idle connection"


def announced(home: Home, open_ones: ExitStack) -> socket.socket:
    """Connect and announce a payload; it does not follow."""
    link: socket.socket = open_ones.enter_context(home.link())
    link.sendall(header("PreToolUse"))
    return link


def answers(link: socket.socket) -> dict[str, Any]:
    """Return what the daemon answers an event with on a connection."""
    link.settimeout(30)
    with link.makefile("rb") as lines:
        assert b"hooks.accepted" in lines.readline()
        result: dict[str, Any] = json.loads(lines.readline())["result"]
        return result


def test_payloads_that_never_come_take_no_files_from_hooks(home: Home) -> None:
    few = ("/bin/sh", "-c", f"ulimit -n 256 && exec {HOOKD} serve")
    with ExitStack() as open_ones, serving(home, *few):
        home.hookd("guard", "add", "no-force", "Bash(git push --force*)", "--deny", "No.")
        open_ones.enter_context(files(1_024))
        links = [announced(home, open_ones) for _ in range(400)]
        assert verdict(home.said(of(tool_input={"command": "rm -rf /"})))[0] == "deny"
        for link in (links[0], links[-1]):
            decision, reason = verdict(answers(link))
            assert (decision, "did not arrive" in reason) == ("ask", True)
        told = {one["name"] for one in home.rpc("daemon.status")["incidents"]}
        assert told == {"connections", "message arrival"}
        assert "message arrival" in home.hookd("status").stdout


def test_a_client_that_does_not_read_its_answer_loses_its_connection(daemon: Home) -> None:
    ask = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "rpc.discover"})
    with daemon.link() as link:
        link.sendall(f"[{','.join([ask] * 20)}]\n".encode())
        until(lambda: daemon.logged("a limit was reached"))
        assert verdict(window_in(daemon).bash("rm -rf /"))[0] == "deny"
        with link.makefile("rb") as lines:
            assert not lines.read().endswith(b"\n"), "what was not sent is not sent later"
    (logged,) = daemon.logged("a limit was reached")
    assert logged["limit"] == "unread answers"
    assert "unread answers" in daemon.hookd("status").stdout


def test_a_line_without_its_end_is_answered_once(daemon: Home) -> None:
    with daemon.link() as link:
        link.sendall(b'{"jsonrpc": "2.0", "id": 1, "method": "daemon.status"}')
        link.shutdown(socket.SHUT_WR)
        with link.makefile("rb") as lines:
            assert json.loads(lines.read())["id"] == 1
    assert verdict(window_in(daemon).bash("rm -rf /"))[0] == "deny"


def test_half_sent_payloads_are_bounded_and_given_up_the_oldest_first(daemon: Home) -> None:
    daemon.hookd("guard", "add", "no-force", "Bash(git push --force*)", "--deny", "No.")
    before, half = memory(daemon), b'{"padding": "' + b"x" * (14 << 20)
    with ExitStack() as open_ones:
        links = [announced(daemon, open_ones) for _ in range(40)]
        sent = dict.fromkeys(links, 0)
        until(lambda: feed(sent, half) > 70 << 20)
        assert verdict(daemon.said(of(tool_input={"command": "rm -rf /"})))[0] == "deny"
        decision, reason = verdict(answers(links[0]))
        assert (decision, "did not arrive" in reason) == ("ask", True)
        feed(sent, half)
        whole = json.dumps(of(tool_input={"command": "rm -rf /", "why": "x" * (4 << 20)}))
        assert verdict(daemon.said(json.loads(whole)))[0] == "deny", "a large one comes through"
        assert memory(daemon) - before < 220_000


def feed(sent: dict[socket.socket, int], data: bytes) -> int:
    """Send more on each connection, as much as goes; return how much was sent in all."""
    for link, count in sent.items():
        link.setblocking(False)
        with suppress(BlockingIOError, BrokenPipeError):
            sent[link] += link.send(data[count:])
    return sum(sent.values())


def memory(home: Home) -> int:
    """Return the most kB that the daemon ever had; 0 where there is no /proc."""
    status = Path(f"/proc/{home.pid}/status")
    lines = status.read_text().splitlines() if status.exists() else ()
    return next((int(one.split()[1]) for one in lines if one.startswith("VmHWM")), 0)
