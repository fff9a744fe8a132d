"""`hookd install` asks which Claude Code is there, and what it does about an old or unknown one."""

from pathlib import Path

import pytest

from hookd.cli.lib import claude_version
from hookd.events.protocol import EVENTS
from support.installation import CLAUDE, done, furnish, hookd, program, refused


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return furnish(tmp_path, monkeypatch)


@pytest.mark.parametrize(
    ("version", "more"),
    [
        ("2.1.100", ()),
        ("1.0.120", ("--events", "Stop")),
        ("2.0.999", ("--dry-run",)),
        ("0.9.9", ("--json",)),
    ],
)
def test_a_client_that_would_drop_the_whole_file_is_refused(
    home: Path, version: str, more: tuple[str, ...]
) -> None:
    program(home, "claude", CLAUDE.format(f"{version} (Claude Code)"))
    said = refused("install", *more)
    assert f"Claude Code {version} ignores a whole settings file" in said
    assert "2.1.101 or newer" in said
    assert "claude update" in hookd("install").stderr
    assert not (home / ".claude").exists()
    assert not (home / "hookd-home").exists()


@pytest.mark.parametrize("version", ["2.1.101", "2.2.0", "3.0.0", "10.0.1"])
def test_a_client_that_skips_what_it_does_not_know_is_taken(home: Path, version: str) -> None:
    program(home, "claude", CLAUDE.format(f"{version} (Claude Code)"))
    facts = done("install")
    assert (facts["client_version"], facts["notes"]) == (version, [])


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("echo hello", "printed no version"),
        ("exit 3", "printed no version"),
        ("printf '\\377\\376'", "printed no version"),
        ("echo 2.1.329 >&2", "printed no version"),
        ("exec /nowhere/node", "printed no version"),
    ],
)
def test_a_version_that_cannot_be_read_is_noted_and_it_goes_on(
    home: Path, script: str, why: str
) -> None:
    place = program(home, "claude", f"#!/bin/sh\n{script}\n")
    facts = done("install")
    assert (facts["changed"], facts["client_version"]) == (True, None)
    rest = "not checked whether Claude Code is 2.1.101 or newer"
    assert facts["notes"] == [f"{place} --version {why}: {rest}"]


def test_a_client_that_cannot_be_started_is_noted(home: Path) -> None:
    program(home, "claude", "#!/nowhere/node\n")
    (note,) = done("install")["notes"]
    assert "claude cannot be run (No such file or directory)" in note


def test_no_client_is_noted(home: Path) -> None:
    (home / "bin" / "claude").unlink()
    out = hookd("install").stdout
    assert "\n  note       claude is not on the PATH: not checked whether" in out
    assert "\n  client " not in out


def test_a_client_that_hangs_is_given_up_with_all_that_it_started(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claude_version, "_TIMEOUT_S", 0.2)
    # The child holds the pipe: who waits for it, waits a minute.
    program(home, "claude", "#!/bin/sh\n/bin/sleep 60\necho 2.1.329\n")
    (note,) = done("install")["notes"]
    assert "did not answer within 0.2 seconds" in note


def test_uninstall_never_asks(home: Path) -> None:
    done("install")
    asked = home / "asked"
    program(home, "claude", f"#!/bin/sh\n: >{asked}\necho 1.0.0\n")
    assert done("uninstall")["restored"] is True
    assert not asked.exists()


def test_no_hint_of_the_environment_is_told_by_a_client_that_shouts_it(home: Path) -> None:
    program(home, "claude", "#!/bin/sh\necho TOKEN-abc\necho TOKEN-abc >&2\n")
    assert "TOKEN-abc" not in hookd("install").output


@pytest.mark.parametrize(
    ("said", "version"),
    [
        ("2.1.329 (Claude Code)\n", (2, 1, 329)),
        ("v2.1.101", (2, 1, 101)),
        (" \n2.1.101-beta.3 (Claude Code)", (2, 1, 101)),
        ("2.1", None),
        ("2.1.3.4", None),
        ("Claude Code 2.1.329", None),
        ("٢.١.٣", None),
        ("9" * 5000 + ".1.1", None),
        ("", None),
    ],
)
def test_a_version_is_read_where_the_client_prints_it(
    said: str, version: tuple[int, int, int] | None
) -> None:
    assert claude_version.parse(said) == version


SECONDS = {
    600: {"PermissionRequest"},
    60: {"Setup"},
    30: {"Stop", "SubagentStop", "TaskCompleted", "TeammateIdle", "WorktreeCreate"},
    15: {"PreToolUse", "PostToolUse"},
    5: {
        *("Notification", "ConfigChange", "CwdChanged", "FileChanged", "DirectoryAdded"),
        *("StopFailure", "InstructionsLoaded", "PostModelSwitch", "MessageDisplay"),
    },
    3: {"SessionEnd"},
}


@pytest.mark.parametrize("name", EVENTS)
def test_the_client_waits_as_long_as_the_kind_of_event_is_worth(name: str) -> None:
    expected = next((seconds for seconds, names in SECONDS.items() if name in names), 10)
    assert EVENTS[name].timeout == expected
    assert EVENTS[name].deadline < expected
    # The client gives an exit 1.5 seconds in all unless a hook registers more.
    assert name != "SessionEnd" or EVENTS[name].deadline < 1.5
