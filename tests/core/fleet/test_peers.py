"""Addresses of agents of other hosts."""

import pytest

from hookd.core.fleet.peers import Peer, peer_of, peer_of_key


@pytest.mark.parametrize(
    ("address", "peer"),
    [
        ("builder@beta", Peer("builder", "beta")),
        ("a@b@beta", Peer("a@b", "beta")),
        ("session 7@beta", Peer("session 7", "beta")),
        ("person@beta.example", Peer("person", "beta.example")),
        ("builder", None),
        ("@task", None),
        ("@beta", None),
        ("builder@", None),
        ("builder@be ta", None),
        (" @beta", None),
        ("x\n@beta", None),
        (f"{'x' * 201}@beta", None),
    ],
)
def test_an_address_names_an_agent_and_a_host(address: str, peer: Peer | None) -> None:
    assert peer_of(address) == peer


@pytest.mark.parametrize("peer", [Peer("builder", "beta"), Peer("a:b@c", "beta")])
def test_a_key_stands_for_one_peer(peer: Peer) -> None:
    assert peer_of_key(peer.key) == peer
    assert peer_of(peer.address) == peer


@pytest.mark.parametrize("conversation", [None, "", "0190c2a4-5f3e", "@beta", "@beta:"])
def test_a_local_conversation_is_no_peer(conversation: str | None) -> None:
    assert peer_of_key(conversation) is None
