"""Signatures: what they cover, and what is refused."""

import pytest

from hookd.core.fleet import signing
from hookd.core.fleet.items import canonical
from support.parametrize import parametrize_all

ITEM = {
    "tenant": "team",
    "kind": "mail",
    "id": "0b6e3c9e-2f1a-4a52-9d7e-3f7f8f6f0a11",
    "sender": "alpha",
    "recipient": "beta",
    "created_at": "2026-01-02T03:04:05.678Z",
    "expires_at": None,
    "body": "Grüße {}",
}


@pytest.fixture
def private() -> str:
    return signing.new_key()


def test_an_item_is_verified_by_the_public_key(private: str) -> None:
    signature = signing.sign_item(private, ITEM)
    assert signing.verify_item(signing.public_key(private), ITEM, signature)


def test_the_order_of_keys_and_what_is_not_signed_do_not_matter(private: str) -> None:
    signature = signing.sign_item(private, ITEM)
    other = dict(reversed(ITEM.items())) | {"received_at": "now"}
    assert signing.verify_item(signing.public_key(private), other, signature)


@pytest.mark.parametrize("field", signing.FIELDS)
def test_each_field_is_covered(private: str, field: str) -> None:
    signature = signing.sign_item(private, ITEM)
    public = signing.public_key(private)
    assert not signing.verify_item(public, ITEM | {field: "other"}, signature)
    less = {name: value for name, value in ITEM.items() if name != field}
    assert not signing.verify_item(public, less, signature)


def test_another_key_is_refused(private: str) -> None:
    signature = signing.sign_item(signing.new_key(), ITEM)
    assert not signing.verify_item(signing.public_key(private), ITEM, signature)


@parametrize_all(
    ("public", "signature"),
    [
        ("ä", "ä"),
        ("AAAA", "AAAA"),
        ("", ""),
        (signing.public_key(signing.new_key()), "AAAA"),
    ],
)
def test_a_malformed_key_or_signature_is_refused(public: str, signature: str) -> None:
    assert not signing.verify(public, b"text", signature)


def test_a_body_that_is_not_utf_8_is_refused_without_an_error(private: str) -> None:
    signature = signing.sign_item(private, ITEM)
    assert not signing.verify_item(
        signing.public_key(private), ITEM | {"body": "\ud800"}, signature
    )


def test_canonical_bytes_are_fixed() -> None:
    assert canonical({"b": "ü", "a": [1, None, True]}) == '{"a":[1,null,true],"b":"ü"}'.encode()
    with pytest.raises(ValueError, match="JSON"):
        canonical({"a": float("nan")})


def test_a_certificate_names_tenant_host_and_key(private: str) -> None:
    host_key = signing.public_key(signing.new_key())
    mark = signing.certificate(private, tenant="team", host="alpha", host_key=host_key)
    pinned = [signing.public_key(signing.new_key()), signing.public_key(private)]
    names = {"tenant": "team", "host": "alpha", "host_key": host_key}
    assert signing.verify_certificate(pinned, mark, **names)
    assert not signing.verify_certificate(pinned[:1], mark, **names)
    for name in names:
        assert not signing.verify_certificate(pinned, mark, **(names | {name: "other"}))


def test_a_key_has_a_short_name(private: str) -> None:
    name = signing.key_id(signing.public_key(private))
    assert len(name) == 16
    assert name == signing.key_id(signing.public_key(private))
    with pytest.raises(ValueError, match=r"."):
        signing.public_key("no key")
