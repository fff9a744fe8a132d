"""A subscription receives notifications after its result, from a small real server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hookd.cli.lib.client import Notification, Refused, subscribe
from hookd.cli.lib.errors import Problem
from hookd.paths import IDENTITY
from support.home import Home
from support.scripted_daemon import Peer, at, told


@pytest.fixture
def peer(home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[Peer]:
    monkeypatch.setenv("HOOKD_HOME", str(home.path))
    for name in IDENTITY:
        monkeypatch.delenv(name, raising=False)
    with at(home.socket) as peer:
        yield peer
    home.socket.unlink()


def test_what_is_told_comes_as_it_is_told(peer: Peer) -> None:
    result, news = subscribe("fleet.subscribe", {"x": 1})
    assert result == {"attached": True}
    assert peer.asked[-1]["method"] == "fleet.subscribe"
    assert peer.asked[-1]["params"].items() >= {"x": 1}.items()
    assert "env" in peer.asked[-1]["params"]
    peer.tell("fleet.changed", agents=[1])
    assert next(news) == Notification("fleet.changed", {"agents": [1]})
    peer.links[-1].sendall(told("a") + told("b", text="ü" * 20_000) + b'{"method":')
    assert [next(news).method, len(next(news).params["text"])] == ["a", 20_000]
    peer.links[-1].sendall(b'"c"}\n')
    assert next(news) == Notification("c", None)


def test_what_was_told_before_the_answer_is_not_lost(peer: Peer) -> None:
    peer.answer = told("early") + peer.answer + told("late")
    result, news = subscribe("fleet.subscribe")
    assert result == {"attached": True}
    assert [next(news).method, next(news).method] == ["early", "late"]


def test_it_ends_when_the_connection_does(peer: Peer) -> None:
    _, news = subscribe("fleet.subscribe")
    peer.tell("last")
    peer.drop()
    assert [one.method for one in news] == ["last"]


def test_an_answer_to_nobody_is_no_news(peer: Peer) -> None:
    peer.answer += b'{"jsonrpc":"2.0","id":2,"result":{}}\n' + told("news")
    _, news = subscribe("fleet.subscribe")
    assert next(news).method == "news"


def test_what_is_no_message_is_a_problem(peer: Peer) -> None:
    peer.answer += b"hello\n"
    _, news = subscribe("fleet.subscribe")
    with pytest.raises(Problem, match="does not speak JSON-RPC"):
        next(news)


def test_a_refusal_is_a_problem(peer: Peer) -> None:
    error = b'{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}\n'
    peer.answer = error
    with pytest.raises(Refused, match=r"has no method fleet\.subscribe"):
        subscribe("fleet.subscribe")


def test_without_a_daemon_it_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOOKD_HOME", str(tmp_path))
    with pytest.raises(Problem, match="No daemon is running"):
        subscribe("fleet.subscribe")


def test_it_lets_go_of_the_connection_when_nobody_wants_more(peer: Peer) -> None:
    _, news = subscribe("fleet.subscribe")
    peer.tell("one")
    assert next(news).method == "one"
    del news
    peer.threads[-1].join(timeout=30)
    assert not peer.threads[-1].is_alive()
