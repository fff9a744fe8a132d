"""Facts of a membership: what is said where the daemon cannot read it."""

from pathlib import Path
from typing import Any

import pytest

from hookd.cli.fleet.membership import membership_facts
from hookd.cli.lib.client import NO_METHOD, Refused
from hookd.paths import Paths, paths


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Paths:
    monkeypatch.setenv("HOOKD_HOME", str(tmp_path))
    return paths()


def facts(places: Paths, code: str) -> dict[str, Any]:
    """Return the facts where the daemon refuses to name the membership."""

    def ask(_method: str) -> Any:
        raise Refused("The disk is full.", "hookd doctor", code)

    return membership_facts(places, ask)


@pytest.mark.parametrize("code", ["STATEMENT_FAILED", NO_METHOD])
def test_a_host_without_a_credential_is_in_no_fleet(places: Paths, code: str) -> None:
    found = facts(places, code)
    assert (found["membership"], found["problem"], found["next"]) == (None, None, None)


def test_an_unreadable_membership_of_a_host_with_a_credential_is_said(places: Paths) -> None:
    places.credential.parent.mkdir(parents=True)
    places.credential.touch()
    found = facts(places, "STATEMENT_FAILED")
    assert found["problem"] == "The membership cannot be read: The disk is full."
    assert found["next"] == "hookd doctor"
