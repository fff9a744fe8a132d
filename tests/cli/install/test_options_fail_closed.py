"""`hookd install --fail-closed`: which events are refused without an answer, and that it lasts."""

import json
from pathlib import Path
from typing import Any

import pytest

from hookd.core.model.fail_policy import CLOSABLE, USUAL, WHY_NOT
from hookd.events.protocol import EVENTS
from support.installation import CLAUDE, EVERY, config, done, furnish, hookd, program, refused


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return furnish(tmp_path, monkeypatch)


@pytest.fixture
def file(home: Path) -> Path:
    return home / ".claude" / "settings.json"


def entries(file: Path) -> dict[str, dict[str, Any]]:
    hooks = json.loads(file.read_text())["hooks"]
    return {name: groups[0]["hooks"][0] for name, groups in hooks.items()}


def closed(file: Path) -> list[str]:
    """Return what fails closed; both halves of it must agree."""
    found = entries(file)
    shim = list(config(file.parent.parent).closed)
    client = [name for name, hook in found.items() if hook.get("onFailure") == "block"]
    assert shim == client
    return shim


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ((), []),
        (("--fail-closed",), ["PreToolUse", "PermissionRequest"]),
        (("--fail-closed", "default"), ["PreToolUse", "PermissionRequest"]),
        (("--fail-closed", "PreToolUse"), ["PreToolUse"]),
        (("--fail-closed", "default,UserPromptSubmit"), ["UserPromptSubmit", *USUAL]),
        (("--fail-closed", " TaskCreated ,PreModelSwitch"), ["TaskCreated", "PreModelSwitch"]),
        (("--fail-closed", "--events", "Stop,PreToolUse"), ["PreToolUse"]),
        (("--fail-open",), []),
    ],
)
def test_the_events_that_are_named_fail_closed_and_no_others(
    file: Path, args: tuple[str, ...], expected: list[str]
) -> None:
    assert done("install", *args)["fail_closed"] == expected
    assert closed(file) == expected


def test_it_stays_until_it_is_undone(file: Path) -> None:
    done("install", "--fail-closed", "PreToolUse,UserPromptSubmit")
    before = file.read_bytes()
    done("install")
    assert file.read_bytes() == before
    done("install", "--fail-closed", "PreToolUse")
    assert closed(file) == ["PreToolUse"]
    done("install", "--fail-open")
    assert closed(file) == []
    assert "onFailure" not in file.read_text()


def test_what_an_older_hookd_registered_to_fail_closed_is_asked_of_the_client_too(
    file: Path,
) -> None:
    done("install", "--fail-closed")
    value = json.loads(file.read_text())
    for name in USUAL:
        del value["hooks"][name][0]["hooks"][0]["onFailure"]
    file.write_text(json.dumps(value))
    done("install")
    assert closed(file) == list(USUAL)


def test_an_on_failure_of_a_person_s_own_is_left_alone(file: Path) -> None:
    done("install")
    value = json.loads(file.read_text())
    value["hooks"]["PreToolUse"][0]["hooks"][0]["onFailure"] = "block"
    file.write_text(json.dumps(value))
    done("install", "--fail-open")
    assert entries(file)["PreToolUse"]["onFailure"] == "block"


@pytest.mark.parametrize("name", [name for name in EVENTS if name not in CLOSABLE])
def test_an_event_that_must_not_or_cannot_be_refused_is_no_choice(file: Path, name: str) -> None:
    said = refused("install", "--fail-closed", f"PreToolUse,{name}")
    assert said == f"hookd: {name} cannot fail closed: {WHY_NOT.get(name, NEVER)}."
    assert not file.exists()


NEVER = "hookd never denies it"


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("--fail-closed", "pretooluse"), "Did you mean PreToolUse?"),
        (("--fail-closed", ","), "--fail-closed names no event."),
        (("--fail-closed", "--fail-open"), "exclude each other"),
        (("--fail-closed", "--events", "Stop"), "not registered"),
        (
            ("--fail-closed", "default,TaskCreated", "--events", "PreToolUse"),
            "TaskCreated cannot fail closed: not",
        ),
    ],
)
def test_a_wish_that_cannot_be_met_is_said_and_nothing_is_written(
    file: Path, args: tuple[str, ...], sentence: str
) -> None:
    assert sentence in refused("install", *args)
    assert not file.exists()


@pytest.mark.parametrize(
    ("version", "noted"), [("2.1.294", True), ("2.1.295", False), ("2.2.0", False)]
)
def test_a_client_that_ignores_the_key_is_named(home: Path, version: str, noted: bool) -> None:
    program(home, "claude", CLAUDE.format(f"{version} (Claude Code)"))
    assert done("install")["notes"] == []
    notes = done("install", "--fail-closed")["notes"]
    assert [note.startswith(f"Claude Code {version} ignores onFailure") for note in notes] == (
        [True] if noted else []
    )


def test_without_a_client_it_is_said_which_ones_ignore_the_key(home: Path) -> None:
    (home / "bin" / "claude").unlink()
    assert any("before 2.1.295" in note for note in done("install", "--fail-closed")["notes"])


def test_a_person_is_told_which_events_fail_closed() -> None:
    lines = hookd("install", "--fail-closed").stdout.splitlines()
    assert "  closed     PreToolUse, PermissionRequest" in lines


def test_what_fails_closed_can_be_refused_by_its_event() -> None:
    assert set(CLOSABLE) <= {name for name, spec in EVENTS.items() if spec.decides}
    assert set(CLOSABLE) <= set(EVERY)
    assert not set(CLOSABLE) & set(WHY_NOT)
