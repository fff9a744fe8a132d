"""Credential of a host for the central store: its shape, as JSON."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from hookd.lazy_dataclass import dataclass

VERSION = 1
"""Version of the file."""


@dataclass(frozen=True, slots=True)
class Credential:
    """The login of a host in the central store, its own key, and the keys that it pins.

    `server` has parameters of libpq: host, port, dbname, sslmode, sslrootcert. `host_key` is the
    host's private key, `certificate` the fleet key's signature of its public key, `fleet_keys` are
    public keys.
    """

    tenant: str
    host: str
    server: Mapping[str, str]
    role: str
    password: str
    host_key: str
    certificate: str
    fleet_keys: tuple[str, ...]

    @property
    def address(self) -> dict[str, str]:
        """The address of the central store with the login, without the password."""
        return {**self.server, "user": self.role}

    def __repr__(self) -> str:
        """Name the host without its secrets."""
        return f"Credential({self.host} of {self.tenant})"


def credential(text: str) -> Credential:
    """Return the credential in a JSON text. Raise ValueError with a sentence without its values."""
    try:
        found = json.loads(text)
    except ValueError:
        raise ValueError("it is not JSON") from None
    if not isinstance(found, dict):
        raise ValueError("it is not a JSON object")
    if found.get("version", VERSION) != VERSION:
        raise ValueError("it is of another version of hookd")
    texts = {name: found.get(name) for name in _TEXTS}
    if wrong := [name for name, value in texts.items() if not isinstance(value, str) or not value]:
        raise ValueError(f"it lacks {', '.join(wrong)}")
    server, keys = found.get("server"), found.get("fleet_keys")
    if not isinstance(server, dict) or not _are_texts(server.values()):
        raise ValueError("server must be an object of texts")
    if not isinstance(keys, list) or not _are_texts(keys):
        raise ValueError("fleet_keys must be a list of texts")
    known: dict[str, Any] = {**texts, "server": server, "fleet_keys": tuple(keys)}
    return Credential(**known)


def credential_text(of: Credential) -> str:
    """Return a credential as JSON, for its file."""
    return json.dumps({"version": VERSION} | asdict(of) | {"server": dict(of.server)}) + "\n"


_TEXTS = ("tenant", "host", "role", "password", "host_key", "certificate")


def _are_texts(values: Iterable[Any]) -> bool:
    return all(isinstance(one, str) for one in values)
