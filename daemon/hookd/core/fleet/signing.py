"""Ed25519 signatures of items and certificates; the only module that imports cryptography.

Keys and signatures are base64 text. A private key is a value here: files keep it, no database does.
"""

import base64
import binascii
import hashlib
from collections.abc import Iterable, Mapping
from typing import Any, Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from hookd.core.fleet.items import VERSION, canonical

FIELDS: Final = ("tenant", "kind", "id", "sender", "recipient", "created_at", "expires_at", "body")
"""Fields of an item that its signature covers, besides the version."""


def new_key() -> str:
    """Return a new private key."""
    return _text(Ed25519PrivateKey.generate().private_bytes_raw())


def public_key(private: str) -> str:
    """Return the public key of a private one. Raise ValueError if it is no key."""
    return _text(_private(private).public_key().public_bytes_raw())


def is_public_key(text: str) -> bool:
    """Return whether a text is a public key."""
    try:
        Ed25519PublicKey.from_public_bytes(base64.b64decode(text, validate=True))
    except (binascii.Error, ValueError):
        return False
    return True


def key_id(public: str) -> str:
    """Return the short name of a public key: 16 hex digits of its SHA-256."""
    return hashlib.sha256(base64.b64decode(public, validate=True)).hexdigest()[:16]


def sign(private: str, content: bytes) -> str:
    """Return the signature of some bytes. Raise ValueError if `private` is no key."""
    return _text(_private(private).sign(content))


def verify(public: str, content: bytes, signature: str) -> bool:
    """Return whether the signature of these bytes is by this key; False for a malformed one."""
    try:
        key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public, validate=True))
        key.verify(base64.b64decode(signature, validate=True), content)
    except (InvalidSignature, binascii.Error, ValueError):
        return False
    return True


def sign_item(private: str, item: Mapping[str, Any]) -> str:
    """Return the signature of an item, which has all FIELDS. Raise KeyError if one is missing."""
    return sign(private, item_bytes(item))


def verify_item(public: str, item: Mapping[str, Any], signature: str) -> bool:
    """Return whether an item has all FIELDS and is signed by this key."""
    try:
        content = item_bytes(item)
    except (KeyError, TypeError, ValueError):
        return False
    return verify(public, content, signature)


def item_bytes(item: Mapping[str, Any]) -> bytes:
    """Return the bytes of an item that are signed: its FIELDS and the version."""
    return canonical({"v": VERSION} | {name: item[name] for name in FIELDS})


def certificate(fleet_key: str, *, tenant: str, host: str, host_key: str) -> str:
    """Return the fleet key's signature that a host of a tenant has this public key."""
    return sign(fleet_key, _certificate_bytes(tenant, host, host_key))


def verify_certificate(
    pinned: Iterable[str], signature: str, *, tenant: str, host: str, host_key: str
) -> bool:
    """Return whether one of the pinned fleet keys certified this key of a host."""
    content = _certificate_bytes(tenant, host, host_key)
    return any(verify(public, content, signature) for public in pinned)


def _certificate_bytes(tenant: str, host: str, host_key: str) -> bytes:
    # `certificate` is no field of an item, so neither can be taken for the other.
    names = {"tenant": tenant, "host": host, "public_key": host_key}
    return canonical({"v": VERSION, "certificate": names})


def _private(private: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(base64.b64decode(private, validate=True))


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode()
