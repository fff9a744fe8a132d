"""Which events `hookd install` registers: those that are named, those that stand, or the usual."""

import json
from pathlib import Path
from typing import Any

import pytest

from hookd.cli.install import options
from hookd.events.protocol import EVENTS
from support.installation import EVERY, done, furnish, hookd, refused


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return furnish(tmp_path, monkeypatch)


@pytest.fixture
def file(home: Path) -> Path:
    return home / ".claude" / "settings.json"


def hooks(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text())["hooks"]
    return found


def test_exactly_the_named_events_are_registered(file: Path) -> None:
    facts = done("install", "--events", "Stop, PreToolUse", "--events", "SessionEnd,Stop,")
    assert facts["events"] == ["PreToolUse", "Stop", "SessionEnd"]
    assert list(hooks(file)) == facts["events"]


def test_default_stands_for_the_usual_ones_and_can_be_added_to(file: Path) -> None:
    assert done("install", "--events", "default")["events"] == EVERY
    facts = done("install", "--events", "default,MessageDisplay,WorktreeRemove")
    assert set(hooks(file)) == {*EVERY, "MessageDisplay", "WorktreeRemove"}
    assert facts["events"] == [name for name in EVENTS if name != "WorktreeCreate"]


def test_a_later_install_keeps_the_set_until_another_is_named(file: Path) -> None:
    done("install", "--events", "PreToolUse,Stop")
    before = file.read_bytes()
    facts = done("install")
    assert (facts["events"], facts["changed"]) == (["PreToolUse", "Stop"], False)
    assert facts["notes"] == [
        "the events are those registered before; --events default registers all 30"
    ]
    assert file.read_bytes() == before
    assert list(hooks(file)) == done("install", "--fail-closed")["events"]
    assert done("install", "--events", "default")["events"] == EVERY
    assert done("install")["notes"] == []


def test_a_set_with_more_than_the_usual_is_kept_without_a_word(file: Path) -> None:
    done("install", "--events", "default,MessageDisplay")
    facts = done("install")
    assert ("MessageDisplay" in facts["events"], facts["notes"]) == (True, [])
    assert "  events     31, the default and MessageDisplay\n" in hookd("install").stdout


def test_other_events_than_before_leave_foreign_hooks_alone_and_lead_back(file: Path) -> None:
    original = b'{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/bin/true"}]}]}}'
    file.parent.mkdir()
    file.write_bytes(original)
    done("install")
    done("install", "--events", "PreToolUse")
    assert hooks(file)["Stop"] == json.loads(original)["hooks"]["Stop"]
    assert set(hooks(file)) == {"Stop", "PreToolUse"}
    facts = done("uninstall")
    assert (facts["events"], facts["restored"]) == (["PreToolUse"], True)
    assert file.read_bytes() == original


@pytest.mark.parametrize(
    ("named", "sentence"),
    [
        ("pretooluse", '"pretooluse" is not an event of Claude Code. Did you mean PreToolUse?'),
        ("Stop,STOPFAILURE", "is not an event of Claude Code. Did you mean StopFailure?"),
        ("PreTolUse", '"PreTolUse" is not an event of Claude Code. Did you mean PreToolUse'),
        ("Default", '"Default" is not an event of Claude Code. Did you mean default?'),
        ("qqq", '"qqq" is not an event of Claude Code.'),
        (" , ", "--events names no event."),
        ("", "--events names no event."),
    ],
)
def test_a_name_that_is_none_is_refused_with_the_nearest(
    home: Path, named: str, sentence: str
) -> None:
    assert sentence in refused("install", "--events", named)
    assert not (home / ".claude").exists()
    assert not (home / "hookd-home").exists()


@pytest.mark.parametrize("named", ["WorktreeCreate", "default,WorktreeCreate"])
def test_a_hook_that_would_break_every_worktree_is_refused(home: Path, named: str) -> None:
    said = refused("install", "--events", named)
    assert "replaces git worktree add" in said
    assert "every creation would fail" in said
    assert not (home / ".claude").exists()


def test_an_entry_that_hookd_does_not_serve_goes_with_a_note(file: Path) -> None:
    done("install", "--events", "PreToolUse")
    value = json.loads(file.read_text())
    value["hooks"] |= dict.fromkeys(["WorktreeCreate", "Later"], value["hooks"]["PreToolUse"])
    file.write_text(json.dumps(value))
    facts = done("install")
    assert facts["events"] == list(hooks(file)) == ["PreToolUse"]
    assert facts["notes"][1:] == [
        "WorktreeCreate: its entry is removed, hookd does not serve it",
        "Later: its entry is removed, hookd does not serve it",
    ]


def test_a_set_without_the_event_that_guards_need_says_so(file: Path) -> None:
    (note,) = done("install", "--events", "Stop")["notes"]
    assert note == "PreToolUse is not registered: no guard rule is asked about a call"


@pytest.mark.parametrize(
    ("events", "text"),
    [
        (EVERY, "30, the default"),
        (["Stop"], "1: Stop"),
        (["PreToolUse", "MessageDisplay"], "2: PreToolUse, MessageDisplay"),
        (EVERY[2:], "28, the default without SessionStart, Setup"),
        ([*EVERY[1:], "WorktreeRemove"], "30, the default without SessionStart and WorktreeRemove"),
        ([*EVERY, "Later"], "31, the default and Later"),
    ],
)
def test_a_set_is_told_by_the_shorter_way(events: list[str], text: str) -> None:
    assert options.events_text(events) == text


def test_a_dry_run_says_in_one_line_which_entries_come_change_and_go(file: Path) -> None:
    done("install", "--events", "PreToolUse,PostToolUse,Stop")
    value = json.loads(file.read_text())
    value["hooks"]["Stop"][0]["hooks"][0]["timeout"] = 1
    file.write_text(json.dumps(value))
    before = file.read_bytes()
    command = ("install", "--dry-run", "--events", "PreToolUse,Stop,Setup")
    facts = done(*command)
    changes = {"put_in": ["Setup"], "renewed": ["Stop"], "taken_out": ["PostToolUse"]}
    assert facts["changes"] == changes
    summary = hookd(*command).stdout.partition("\n\n")[0]
    line = "  changes    added 1: Setup; updated 1: Stop; removed 1: PostToolUse"
    assert line in summary.splitlines()
    assert file.read_bytes() == before
    assert "  changes    removed 3: " in hookd("uninstall", "--dry-run").stdout
