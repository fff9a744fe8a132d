"""`hookd install --no-verdict`: what is registered for calls that no daemon answers, and kept."""

from pathlib import Path

import pytest

from hookd.core.model.fail_policy import USUAL
from support.installation import config, done, furnish, hookd, refused


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return furnish(tmp_path, monkeypatch)


@pytest.mark.parametrize(
    ("args", "choice", "closed"),
    [
        ((), "judge", ()),
        (("--no-verdict", "judge", "--fail-closed", "PreToolUse"), "judge", ("PreToolUse",)),
        (("--no-verdict", "open"), "open", ()),
        (("--no-verdict", "closed"), "closed", USUAL),
        (("--no-verdict", "closed", "--fail-closed", "TaskCreated"), "closed", ("TaskCreated",)),
    ],
)
def test_the_choice_is_registered_with_what_fails_closed(
    home: Path, args: tuple[str, ...], choice: str, closed: tuple[str, ...]
) -> None:
    assert done("install", *args)["no_verdict"] == choice
    assert (config(home).no_verdict, config(home).closed) == (choice, closed)


@pytest.mark.parametrize(
    ("first", "then", "choice"),
    [
        (("--no-verdict", "closed"), (), "closed"),
        (("--no-verdict", "open"), (), "open"),
        (("--no-verdict", "open"), ("--fail-closed",), "closed"),
        (("--no-verdict", "closed"), ("--fail-open",), "judge"),
        (("--fail-closed",), ("--no-verdict", "open"), "open"),
    ],
)
def test_it_is_kept_and_agrees_with_what_fails_closed(
    home: Path, first: tuple[str, ...], then: tuple[str, ...], choice: str
) -> None:
    done("install", *first)
    done("install", *then)
    found = config(home)
    assert (found.no_verdict, bool(found.closed)) == (choice, choice == "closed")


@pytest.mark.parametrize(
    "args",
    [("--no-verdict", "open", "--fail-closed"), ("--no-verdict", "closed", "--fail-open")],
)
def test_what_contradicts_itself_is_refused(args: tuple[str, ...]) -> None:
    assert "contradict each other" in refused("install", *args)


def test_what_it_means_is_said(home: Path) -> None:
    assert "no daemon  the guards judge in a separate process" in hookd("install").stdout
    assert "no daemon  everything is allowed" in hookd("install", "--no-verdict", "open").stdout


def test_where_hookds_files_are_is_registered(home: Path) -> None:
    done("install")
    assert f"HOME={home}" in config(home).environment
    assert f"HOOKD_HOME={home}/hookd-home" in config(home).environment
