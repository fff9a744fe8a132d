"""`hookd status` names the clients that do not run hookd's hooks."""

import shutil
from pathlib import Path

import pytest

from hookd.cli.doctor.checks.other_clients import (
    check_other_client,
    check_record,
    registered_here,
)
from hookd.cli.install.clients import OTHER_CLIENTS
from hookd.cli.lifecycle.status import other_clients
from support.installation import done, furnish, record, shims


def test_a_client_whose_program_is_missing_is_named_with_the_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = furnish(tmp_path, monkeypatch)
    done("install")
    done("install", "--client", "copilot")
    assert other_clients() == []
    shutil.rmtree(shims(home))
    (found,) = other_clients()
    file = home / ".copilot" / "hooks" / "hookd.json"
    assert (found["client"], found["settings"]) == ("copilot", str(file))
    assert "Copilot CLI denies every tool call" in found["problem"]
    assert found["next"].startswith("hookd install --client copilot")


def test_a_damaged_record_is_told_and_nothing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = furnish(tmp_path, monkeypatch)
    done("install", "--client", "codex")
    record(home).write_text("{")
    (found,) = other_clients()
    assert "The record of installs cannot be read" in found["problem"]
    assert found["next"].startswith(f"move {record(home)} away")
    (finding,) = check_record()
    assert finding.what == found["problem"]
    assert [client.name for client in registered_here(home)] == ["codex"]
    assert any(
        "11 of 11 events" in one.what
        for one in check_other_client(OTHER_CLIENTS["codex"], home, listening=False)
    )
