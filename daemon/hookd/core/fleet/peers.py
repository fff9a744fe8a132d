"""Agents of other hosts: their address NAME@HOST, and the key that replaces a conversation.

A client's id of a conversation never begins with `@`, so the key of a peer is none.
"""

from hookd.core.fleet.items import is_name
from hookd.lazy_dataclass import dataclass

PERSON = "person"
"""The name that reaches the person of a host, and that a person's mail has."""

MAX_NAME = 200
"""Characters of an agent's name."""


@dataclass(frozen=True, slots=True)
class Peer:
    """An agent, a session or the person of another host."""

    name: str
    host: str

    @property
    def address(self) -> str:
        """The address for `hookd send`."""
        return f"{self.name}@{self.host}"

    @property
    def key(self) -> str:
        """The text that is stored in place of the id of a conversation.

        >>> Peer("builder", "beta").key
        '@beta:builder'
        """
        return f"@{self.host}:{self.name}"


def peer_of(address: str) -> Peer | None:
    """Return the peer of an address NAME@HOST, None for any other address.

    >>> peer_of("builder@beta").host
    'beta'
    """
    name, at, host = address.rpartition("@")
    name = name.strip(" ")
    if not at or not name or len(name) > MAX_NAME or not name.isprintable() or not is_name(host):
        return None
    return None if address.startswith("@") else Peer(name, host)


def peer_of_key(conversation: str | None) -> Peer | None:
    """Return the peer of a stored conversation, None if it is a local one."""
    if not conversation or not conversation.startswith("@"):
        return None
    host, colon, name = conversation[1:].partition(":")
    return Peer(name, host) if colon and name else None
