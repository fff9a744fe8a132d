"""Hook entries are read as Claude Code reads them: what it refuses, what runs, what is ours."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.cli.doctor.checks.hook_entries import Hook, parse_hooks
from hookd.events.protocol import EVENTS

FINE: dict[str, Any] = {"type": "command", "command": "/opt/lint.sh"}


def parsed(settings: dict[str, Any]) -> tuple[list[Hook], list[str]]:
    hooks, flaws = parse_hooks(settings, "user", Path("/s.json"), Path("/work"))
    return list(hooks), [flaw.text for flaw in flaws]


def under(event: str, hook: Any, **group: Any) -> dict[str, Any]:
    return {"hooks": {event: [{"hooks": [hook]} | group]}}


def one(hook: dict[str, Any], event: str = "PreToolUse", **group: Any) -> Hook:
    (hooks, flaws) = parsed(under(event, hook, **group))
    assert flaws == []
    return hooks[0]


@pytest.mark.parametrize(
    ("hook", "reason"),
    [
        (7, "must be an object"),
        ({}, "must have a type: one of command, http, mcp_tool, prompt, agent"),
        ({"type": "script"}, "must have a type: one of command, http, mcp_tool, prompt, agent"),
        ({"type": ["command"]}, "must have a type: one of command, http, mcp_tool, prompt, agent"),
        ({"type": "command"}, "must have a text command"),
        ({"type": "http", "url": None}, "must have a text url"),
        ({"type": "mcp_tool", "server": "s"}, "must have a text tool"),
        ({"type": "agent"}, "must have a text prompt"),
        (FINE | {"timeout": 0}, "has a wrong timeout"),
        (FINE | {"timeout": "10"}, "has a wrong timeout"),
        (FINE | {"timeout": True}, "has a wrong timeout"),
        (FINE | {"args": "--fast"}, "has a wrong args"),
        (FINE | {"args": ["--fast", 1]}, "has a wrong args"),
        (FINE | {"args": ["a\0b"]}, "has a wrong args"),
        (FINE | {"command": "/x\0"}, "has a wrong command"),
        (FINE | {"if": 1}, "has a wrong if"),
        (FINE | {"async": "yes"}, "has a wrong async"),
        (FINE | {"onFailure": "deny"}, "has a wrong onFailure"),
        (FINE | {"shell": "zsh"}, "has a wrong shell"),
    ],
)
def test_a_malformed_hook_is_told_with_its_place(hook: Any, reason: str) -> None:
    assert parsed(under("Stop", hook)) == ([], [f"hooks.Stop[0].hooks[0] {reason}"])


@pytest.mark.parametrize(
    ("groups", "text"),
    [
        ({}, "hooks.Stop must be a list"),
        ([7], "hooks.Stop[0] must be an object"),
        ([{}], "hooks.Stop[0].hooks must be a list"),
        ([{"matcher": 1, "hooks": []}], "hooks.Stop[0].matcher must be text"),
    ],
)
def test_a_malformed_group_is_told_with_its_place(groups: Any, text: str) -> None:
    assert parsed({"hooks": {"Stop": groups}}) == ([], [text])


def test_hooks_that_are_no_object_spoil_the_file() -> None:
    _, (flaw,) = parse_hooks({"hooks": []}, "user", Path("/s"), Path("/w"))
    assert (flaw.text, flaw.spoils) == ("hooks must be an object", True)


@pytest.mark.parametrize("event", EVENTS)
def test_only_two_events_spoil_the_whole_file(event: str) -> None:
    _, (flaw,) = parse_hooks(under(event, 7), "user", Path("/s"), Path("/w"))
    assert flaw.spoils is (event in ("PreToolUse", "PermissionRequest"))


def test_a_malformed_hook_kills_its_group_and_no_other() -> None:
    groups = [{"hooks": [FINE, 7]}, {"hooks": [FINE]}]
    hooks, flaws = parsed({"hooks": {"Stop": groups}})
    assert (len(hooks), flaws) == (1, ["hooks.Stop[0].hooks[1] must be an object"])


def test_an_unknown_event_is_a_place_for_comments() -> None:
    assert parsed({"hooks": {"//": "mine", "Future": [7]}}) == ([], [])


def test_every_kind_of_hook_that_is_well_formed_is_taken() -> None:
    for hook in (
        FINE | {"args": [], "timeout": 0.5, "onFailure": "block", "shell": "bash", "async": True},
        {"type": "http", "url": "http://x", "headers": {}},
        {"type": "mcp_tool", "server": "s", "tool": "t", "if": "Bash(*)"},
        {"type": "prompt", "prompt": "Is it?", "once": False},
        {"type": "agent", "prompt": "Look.", "model": "small"},
    ):
        assert one(hook).value == hook


@pytest.mark.parametrize(
    ("command", "ours"),
    [
        ("/x/hookd-hook", True),
        ("hookd-hook", True),
        ("/x/hookd-hook -v", False),
        ("/x/hook", False),
    ],
)
def test_an_entry_is_ours_by_the_name_of_its_program(command: str, ours: bool) -> None:
    assert one(FINE | {"command": command}).ours is ours


def test_the_project_is_filled_in_as_the_client_does() -> None:
    hook = one(FINE | {"command": "${CLAUDE_PROJECT_DIR}/h", "args": ["${CLAUDE_PROJECT_DIR}"]})
    assert hook.words == ("/work/h", "/work")


def test_half_of_a_surrogate_pair_is_no_argument() -> None:
    assert one(FINE | {"args": ["a\ud800b"]}).words == ("/opt/lint.sh", "a?b")


@pytest.mark.parametrize(
    ("event", "more", "wide"),
    [
        ("PreToolUse", {}, True),
        ("PreToolUse", {"matcher": ""}, True),
        ("PreToolUse", {"matcher": "*"}, True),
        ("PreToolUse", {"matcher": ".*"}, True),
        ("PreToolUse", {"matcher": "Bash|Edit"}, False),
        ("SessionStart", {"matcher": "clear"}, False),
        ("Stop", {"matcher": "Bash"}, True),  # an event that has nothing to match
        ("FileChanged", {"matcher": ".env"}, True),  # that is the list of files to watch
    ],
)
def test_a_matcher_is_wide_where_every_delivery_meets_it(
    event: str, more: dict[str, Any], wide: bool
) -> None:
    assert one(FINE, event, **more).wide is wide


def test_a_hook_with_a_condition_is_not_wide() -> None:
    assert not one(FINE | {"if": "Bash(git *)"}).wide


@pytest.mark.parametrize(
    ("more", "event", "closed", "blocked"),
    [
        ({}, "PreToolUse", False, False),
        ({"args": ["--fail-closed"]}, "PreToolUse", True, False),
        ({"args": ["--fail-closed"]}, "Stop", False, False),
        ({"onFailure": "block"}, "PreToolUse", False, True),
        ({"onFailure": "block"}, "Stop", False, False),
        ({"onFailure": "block", "asyncRewake": True}, "PreToolUse", False, False),
        ({"onFailure": "continue"}, "PreToolUse", False, False),
        ({"args": ["--fail-closed"], "onFailure": "block"}, "PreToolUse", True, True),
    ],
)
def test_a_hook_fails_closed_by_its_own_word_and_by_the_client_s(
    more: dict[str, Any], event: str, closed: bool, blocked: bool
) -> None:
    hook = one(FINE | more, event)
    assert (hook.closed, hook.blocked) == (closed, blocked)


@pytest.mark.parametrize(
    ("args", "found"),
    [
        (["--socket", "/s", "--event"], "/s"),
        (["--socket", "/s", "--socket", "/t"], "/t"),
        (["--send", "--socket", "--event", "/s"], None),
        (["--event", "--socket", "--socket", "/s"], "/s"),
        (["--newer", "--socket", "/s"], "/s"),
        (["/s", "--fail-closed", "--socket", "/t"], "/t"),
    ],
)
def test_an_option_is_read_as_the_shim_reads_it(args: list[str], found: str | None) -> None:
    hook = one(FINE | {"args": args})
    assert (hook.option("--socket"), hook.option("--hookd")) == (found, None)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=10,
)
KEYS = ["type", "command", "args", "timeout", "if", "onFailure", "shell", "async", "url"]
HOOK = st.dictionaries(st.sampled_from(KEYS), JSON | st.sampled_from(["command", "http"]))
GROUP = st.fixed_dictionaries({}, optional={"matcher": JSON, "hooks": st.lists(HOOK | JSON)})
EVENT = st.sampled_from(["PreToolUse", "Stop", "Future"])
HOOKS = st.dictionaries(EVENT, st.lists(GROUP | JSON, max_size=3) | JSON) | JSON


@given(HOOKS)
def test_whatever_stands_there_is_read_and_nothing_malformed_runs(hooks: Any) -> None:
    found, flaws = parse_hooks({"hooks": hooks}, "user", Path("/s"), Path("/w"))
    for hook in found:
        assert parsed(under(hook.event, hook.value))[1] == []
        assert hook.ours in (True, False)
        assert hook.wide in (True, False)
    if isinstance(hooks, dict) and not flaws:
        groups = [group for name in EVENTS for group in hooks.get(name, [])]
        assert len(found) == sum(len(group["hooks"]) for group in groups)
