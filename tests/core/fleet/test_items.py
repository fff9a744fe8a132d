"""Items of a fleet: their canonical bytes, and what is no item."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.core.fleet.items import (
    ACCEPT_OF,
    KINDS,
    LONGEST,
    MAX_BODY_BYTES,
    InvalidItemError,
    canonical,
    from_wire,
    is_name,
    to_wire,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=10,
)
BODIES = st.dictionaries(TEXT, VALUES, max_size=5)


def wire(**more: Any) -> dict[str, Any]:
    """Return an item as it is sent."""
    return {
        "v": 1,
        "id": "7d1f3c58-5a0e-4d0b-9f6d-2f1d1f6f0001",
        "kind": "mail",
        "tenant": "acme",
        "sender": "alpha",
        "recipient": "beta",
        "created_at": "2026-01-31T08:00:00.000Z",
        "expires_at": "2026-02-01T08:00:00.000Z",
        "body": {"text": "hello"},
    } | more


@given(BODIES)
def test_canonical_bytes_survive_any_transport(body: dict[str, Any]) -> None:
    """A store that reorders keys and spaces, as jsonb does, does not change what was signed."""
    item = from_wire(wire(body=body))
    shuffled = json.loads(json.dumps(dict(reversed(to_wire(item).items())), indent=2))
    assert (
        canonical(to_wire(from_wire(shuffled)))
        == canonical(to_wire(item))
        == canonical(wire(body=body))
    )


@given(BODIES, BODIES)
def test_two_values_have_different_bytes(one: dict[str, Any], other: dict[str, Any]) -> None:
    same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    assert (canonical(one) == canonical(other)) == same


def test_every_field_is_signed() -> None:
    changes = {
        "id": "7d1f3c58-5a0e-4d0b-9f6d-2f1d1f6f0002",
        "kind": "claim",
        "tenant": "other",
        "sender": "gamma",
        "recipient": None,
        "created_at": "2026-01-31T08:00:00.001Z",
        "expires_at": "2026-02-01T08:00:00.001Z",
        "body": {"text": "bye"},
    }
    signed = {canonical(to_wire(from_wire(wire(**{key: value})))) for key, value in changes.items()}
    assert len(signed | {canonical(to_wire(from_wire(wire())))}) == len(changes) + 1


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"v": 2}, "version 2"),
        ({"more": 1}, "unknown field more"),
        ({"kind": "approval"}, "unknown kind 'approval'"),
        ({"kind": None}, "unknown kind"),
        ({"id": "1"}, "UUID"),
        ({"id": "7D1F3C58-5A0E-4D0B-9F6D-2F1D1F6F0001"}, "UUID"),
        ({"id": None}, "UUID"),
        ({"tenant": "a b"}, "tenant"),
        ({"tenant": None}, "tenant"),
        ({"sender": "x\n"}, "sender"),
        ({"recipient": ""}, "recipient"),
        ({"created_at": "2026-01-31T08:00:00"}, "created_at"),
        ({"created_at": "2026-01-31T09:00:00.000+01:00"}, "created_at"),
        ({"expires_at": "never"}, "expires_at"),
        ({"expires_at": 7}, "expires_at"),
        ({"body": []}, "body"),
        ({"body": {"text": "x" * MAX_BODY_BYTES}}, "bytes"),
    ],
)
def test_what_is_no_item_says_why(change: dict[str, Any], why: str) -> None:
    with pytest.raises(InvalidItemError, match=why):
        from_wire(wire(**change))


@pytest.mark.parametrize("value", [float("nan"), "\ud800", object()])
def test_a_value_without_canonical_bytes_is_refused(value: object) -> None:
    with pytest.raises(InvalidItemError):
        canonical({"a": value})


def test_every_kind_has_its_rules() -> None:
    assert set(LONGEST) == set(KINDS)
    assert set(ACCEPT_OF) == set(KINDS) - {"key"}


@pytest.mark.parametrize(
    ("text", "ok"), [("beta-2.example", True), ("", False), ("-x", False), ("a@b", False)]
)
def test_names(text: str, ok: bool) -> None:
    assert is_name(text) == ok


def test_times_are_read_as_utc() -> None:
    assert from_wire(wire()).created_at == datetime(2026, 1, 31, 8, tzinfo=UTC)
