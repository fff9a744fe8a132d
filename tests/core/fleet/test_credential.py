"""The credential for a central store: read and written as JSON, and never shown."""

import json
from typing import Any

import pytest

from hookd.core.fleet.credential import Credential, credential, credential_text

SERVER = {"host": "db.example", "port": "5432", "dbname": "hookd"}
GIVEN = Credential("acme", "ann", SERVER, "ann_1", "secret-1", "key-1", "mark-1", ("fleet-1",))


def test_it_is_read_as_it_was_written() -> None:
    assert credential(credential_text(GIVEN)) == GIVEN
    assert GIVEN.address == {**SERVER, "user": "ann_1"}


def test_its_secrets_are_not_in_its_text_for_people() -> None:
    shown = f"{GIVEN} {GIVEN!r}"
    assert "ann of acme" in shown
    assert not [secret for secret in ("secret-1", "key-1") if secret in shown]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"password": None}, "lacks password"),
        ({"tenant": "", "host": 4}, "lacks tenant, host"),
        ({"server": {"port": 5432}}, "server"),
        ({"version": 2}, "another version"),
        ({"fleet_keys": "key"}, "fleet_keys"),
    ],
)
def test_what_is_wrong_is_named_without_values(change: dict[str, Any], said: str) -> None:
    text = json.dumps(json.loads(credential_text(GIVEN)) | change)
    with pytest.raises(ValueError, match=said) as error:
        credential(text)
    assert "secret-1" not in str(error.value)


@pytest.mark.parametrize("text", ["", "{", "[]", "null"])
def test_no_object_is_no_credential(text: str) -> None:
    with pytest.raises(ValueError, match="JSON"):
        credential(text)
