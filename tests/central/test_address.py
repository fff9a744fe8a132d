"""Addresses: TLS is required but on this machine, and no password is taken."""

import pytest

from hookd.central.address import is_local, read_address, secured, shown
from hookd.central.errors import CentralError
from support.parametrize import parametrize_all


@parametrize_all(
    "text",
    [
        "postgresql://ann@/hookd?host=/run/postgresql",
        "postgresql://ann@127.0.0.1/hookd",
        "postgresql://ann@[::1]/hookd",
        "host=localhost dbname=hookd",
        "host=localhost hostaddr=127.0.0.2",
    ],
)
def test_this_machine_needs_no_tls(text: str) -> None:
    assert read_address(text)["sslmode"] == "prefer"


@parametrize_all(
    "text",
    [
        "postgresql://ann@db.example/hookd",
        "postgresql://ann@10.0.0.7/hookd",
        "postgresql://ann@127.0.0.1,db.example/hookd",
        "host=localhost hostaddr=10.0.0.7",
        "host=db.example hostaddr=127.0.0.1",
        "postgresql://ann@db.example/hookd?sslmode=verify-full",
    ],
)
def test_another_machine_is_verified(text: str) -> None:
    found = read_address(text)
    assert (found["sslmode"], found["sslrootcert"]) == ("verify-full", "system")


@pytest.mark.parametrize("mode", ["disable", "allow", "prefer", "require", "verify-ca"])
def test_less_than_verified_tls_is_refused(mode: str) -> None:
    with pytest.raises(CentralError, match=mode):
        read_address(f"postgresql://ann@db.example/hookd?sslmode={mode}")
    with pytest.raises(CentralError, match=mode):
        secured({"host": "db.example", "sslmode": mode})


def test_the_environment_cannot_lead_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGHOST", "db.example")
    monkeypatch.setenv("PGSSLMODE", "disable")
    assert read_address("dbname=hookd")["sslmode"] == "verify-full"


@parametrize_all(
    "text",
    [
        "postgresql://ann:hunter2@db.example/hookd",
        "host=db.example password=hunter2",
        "postgresql://ann:hunter2@db.example:port/",
        "host=db.example service=x",
        "hunter2",
    ],
)
def test_a_password_and_what_is_malformed_are_refused_without_repeating_them(text: str) -> None:
    with pytest.raises(CentralError) as refused:
        read_address(text)
    assert "hunter2" not in f"{refused.value}{refused.value.step}"


def test_an_address_is_shown_without_the_user() -> None:
    found = read_address("postgresql://ann@db.example:5433/hookd")
    assert shown(found) == "db.example:5433/hookd"
    assert not is_local(found)
