"""What an entry of ours looks like, and that nothing else in the settings ever moves."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.clients.claude_code.registration import (
    bare,
    blocked,
    changes,
    entry,
    notes,
    program,
    register,
    registered,
    unregister,
)
from hookd.clients.hook_groups import Changes, ShapeError, Shim
from hookd.core.model.shim_paths import is_shim
from hookd.events.protocol import EVENTS
from support.parametrize import parametrize_all

SHIM = Shim("/data/shims/user")
NEWER = Shim("/new/shims/local-0123abcd", ("PreToolUse", "PermissionRequest"))
EVERY = [name for name, spec in EVENTS.items() if spec.registered]
TOOLS = {
    "PreToolUse",
    "PermissionRequest",
    "PermissionDenied",
    "PostToolUse",
    "PostToolUseFailure",
}
FOREIGN: dict[str, Any] = {"type": "command", "command": "/home/ana/bin/lint", "timeout": 5}
OURS: dict[str, Any] = {"type": "command", "command": "/old/hookd-hook", "args": []}


def settings(**events: Any) -> dict[str, Any]:
    return {"model": "opus", "hooks": events, "env": {}}


def ordered(value: Any) -> str:
    """Two values with the same text are equal, key order included."""
    return json.dumps(value)


def test_an_entry_runs_a_link_that_is_named_after_its_event_and_says_no_more() -> None:
    assert entry(EVENTS["PreToolUse"], SHIM) == {
        "type": "command",
        "command": "/data/shims/user/PreToolUse",
        "args": [],
        "timeout": 15,
    }


def test_a_path_that_a_shell_would_change_is_quoted_and_has_no_arguments() -> None:
    made = entry(EVENTS["Stop"], Shim("/my data/it's/shims/user"))
    assert made["command"] == "'/my data/it'\"'\"'s/shims/user/Stop'"
    assert "args" not in made
    assert program(made) == "/my data/it's/shims/user/Stop"


def test_what_fails_closed_is_asked_of_the_client_too() -> None:
    closed = {name for name in EVENTS if entry(EVENTS[name], NEWER).get("onFailure") == "block"}
    assert closed == {"PreToolUse", "PermissionRequest"}


def test_all_entries_take_little_room() -> None:
    """A line of 300 characters was shown with every block, and settings grew by 27 kB."""
    assert max(len(entry(spec, SHIM)["command"]) for spec in EVENTS.values()) < 50
    assert len(json.dumps(register({}, SHIM, EVERY))) < 5_000


def test_tool_events_match_every_tool_and_other_events_have_no_matcher() -> None:
    hooks = register({}, SHIM, EVERY)["hooks"]
    assert list(hooks) == EVERY
    assert {name for name, (group,) in hooks.items() if group.get("matcher") == "*"} == TOOLS
    assert all("matcher" not in hooks[name][0] for name in set(EVERY) - TOOLS)


def test_our_group_stands_behind_foreign_groups() -> None:
    foreign = {"matcher": "Bash", "hooks": [FOREIGN]}
    groups = register(settings(PreToolUse=[foreign]), SHIM, ["PreToolUse"])["hooks"]["PreToolUse"]
    assert groups == [foreign, {"matcher": "*", "hooks": [entry(EVENTS["PreToolUse"], SHIM)]}]


def test_an_older_entry_is_renewed_where_it_stands_and_keeps_what_a_person_added() -> None:
    mixed = {"matcher": "", "note": "mine", "hooks": [FOREIGN, OURS | {"statusMessage": "…"}]}
    after = {"hooks": [FOREIGN]}
    groups = register(settings(Stop=[mixed, after]), SHIM, ["Stop"])["hooks"]["Stop"]
    renewed = {**OURS, "statusMessage": "…", **entry(EVENTS["Stop"], SHIM)}
    assert ordered(groups) == ordered([{**mixed, "hooks": [FOREIGN, renewed]}, after])


@parametrize_all("form", [OURS, OURS | {"args": ["--event", "Stop"]}, entry(EVENTS["Stop"], NEWER)])
@parametrize_all("folder", ["/data/shims/user", "/my data/shims/user"])
def test_an_entry_of_any_form_is_renewed_to_the_form_of_the_path(
    form: dict[str, Any], folder: str
) -> None:
    shim = Shim(folder)
    there = register(settings(Stop=[{"hooks": [form]}]), shim, ["Stop"])["hooks"]["Stop"]
    assert there == [{"hooks": [entry(EVENTS["Stop"], shim)]}]


def test_only_an_on_failure_that_came_with_failing_closed_goes_with_it() -> None:
    there = register({}, Shim(SHIM.folder, ("PreToolUse",)), ["PreToolUse"])
    for before, kept in ((("PreToolUse",), False), ((), True)):
        opened = register(there, Shim(SHIM.folder, (), before), ["PreToolUse"])
        assert (blocked(opened) == ["PreToolUse"]) is kept


def test_entries_of_ours_that_stand_doubled_become_one_for_each_matcher() -> None:
    groups = [{"matcher": m, "hooks": [OURS, OURS]} for m in ("*", "", "Bash", "Bash", "Edit")]
    left = register(settings(PreToolUse=groups), SHIM, ["PreToolUse"])["hooks"]["PreToolUse"]
    new = OURS | entry(EVENTS["PreToolUse"], SHIM)
    assert left == [{"matcher": matcher, "hooks": [new]} for matcher in ("*", "Bash", "Edit")]


def test_events_that_are_not_wanted_any_more_lose_our_entry() -> None:
    old = register(settings(Stop=[{"hooks": [FOREIGN]}]), SHIM, ["Stop", "SessionStart"])
    assert register(old, SHIM, ["SessionEnd"])["hooks"] == {
        "Stop": [{"hooks": [FOREIGN]}],
        "SessionEnd": [{"hooks": [entry(EVENTS["SessionEnd"], SHIM)]}],
    }


@parametrize_all(
    "hook",
    [
        {"type": "command", "command": "/x/hookd-hook-old"},
        {"type": "command", "command": "/x/hookd-hook --event Stop"},
        {"type": "command", "command": "/x/hookd-hook/run"},
        {"type": "command", "command": ["hookd-hook"]},
        {"type": "command", "command": "/x/shims/user/Later", "args": []},
        {"type": "command", "command": "/x/shims/users/Stop", "args": []},
        {"type": "command", "command": "/x/shims/local-0123/Stop", "args": []},
        {"type": "command", "command": "/x/shims/user/Stop/x", "args": []},
        {"type": "command", "command": "bash /x/shims/user/Stop"},
        {"type": "command", "command": "'/x y/shims/user/Stop' -v"},
        {"type": "command", "command": "'/x y/shims/user/Stop'", "args": []},
        {"type": "command"},
        {"type": "prompt", "command": "/x/hookd-hook", "args": None},
        {"command": "hookd-hook"},
        {},
    ],
)
def test_what_only_looks_like_ours_is_left_alone(hook: dict[str, Any]) -> None:
    value = settings(Stop=[{"hooks": [hook]}])
    assert unregister(value) == value
    assert registered(value) == []


@parametrize_all(
    ("before", "after"),
    [
        ({"hooks": {"Stop": [{"hooks": [OURS]}]}}, {}),
        (
            {"hooks": {"Stop": [{"hooks": [OURS, FOREIGN]}]}},
            {"hooks": {"Stop": [{"hooks": [FOREIGN]}]}},
        ),
        (
            {"hooks": {"Stop": [{"hooks": []}, {"hooks": [OURS]}]}},
            {"hooks": {"Stop": [{"hooks": []}]}},
        ),
        ({"hooks": {"Stop": [], "Setup": [{"hooks": [OURS]}]}}, {"hooks": {"Stop": []}}),
        (
            {"hooks": {"Later": [{"hooks": [OURS]}], "_comment": "mine"}},
            {"hooks": {"_comment": "mine"}},
        ),
        ({"hooks": {}}, {"hooks": {}}),
        ({}, {}),
    ],
)
def test_unregister_takes_out_ours_and_only_what_that_empties(
    before: dict[str, Any], after: dict[str, Any]
) -> None:
    assert unregister(before) == after


@parametrize_all("hooks", [{}, {"Stop": []}, {"Stop": [], "Setup": [{"hooks": [FOREIGN]}]}])
def test_containers_that_stood_empty_before_survive_if_they_are_named(hooks: Any) -> None:
    value = {"hooks": hooks, "model": "opus"}
    there = register(value, SHIM, EVERY)
    assert ordered(unregister(there, bare(value))) == ordered(value)


@parametrize_all(
    ("before", "after", "expected"),
    [
        ([], ["Stop", "Setup"], Changes(["Stop", "Setup"], [], [])),
        (["Stop", "Setup"], [], Changes([], [], ["Stop", "Setup"])),
        (["Stop"], ["Stop"], Changes([], [], [])),
        (["Stop", "Setup"], ["SessionEnd", "Setup"], Changes(["SessionEnd"], [], ["Stop"])),
    ],
)
def test_changes_are_the_events_whose_entry_comes_and_goes(
    before: list[str], after: list[str], expected: Changes
) -> None:
    old = register(settings(Stop=[{"hooks": [FOREIGN]}]), SHIM, before)
    assert changes(old, register(old, SHIM, after)) == expected


def test_an_entry_that_differs_is_renewed_and_a_foreign_one_is_no_change() -> None:
    old = register(settings(Stop=[{"hooks": [FOREIGN]}]), SHIM, ["Stop", "PreToolUse"])
    assert changes(old, register(old, NEWER, ["Stop", "PreToolUse"])).renewed == [
        "Stop",
        "PreToolUse",
    ]
    assert changes(old, unregister(old)).taken_out == ["Stop", "PreToolUse"]
    assert changes(old, old | {"model": "sonnet"}) == Changes([], [], [])


@parametrize_all(
    ("value", "message"),
    [
        ({"hooks": []}, "hooks must be an object, but is a list"),
        ({"hooks": None}, "hooks must be an object, but is missing or null"),
        ({"hooks": {"Stop": {}}}, "hooks.Stop must be a list, but is an object"),
        ({"hooks": {"Stop": ["x"]}}, "hooks.Stop[0] must be an object, but is text"),
        ({"hooks": {"Stop": [{}]}}, "hooks.Stop[0].hooks must be a list, but is missing or null"),
        (
            {"hooks": {"New": [{"hooks": []}, {"hooks": [{}, 3]}]}},
            "hooks.New[1].hooks[1] must be an object, but is a number",
        ),
    ],
)
def test_a_bad_shape_is_named_by_its_key_path_and_nothing_is_changed(
    value: dict[str, Any], message: str
) -> None:
    before = copy.deepcopy(value)
    with pytest.raises(ShapeError) as registering:
        register(value, SHIM, EVERY)
    with pytest.raises(ShapeError) as unregistering:
        unregister(value)
    assert str(registering.value) == str(unregistering.value) == message
    assert value == before


def test_notes_tell_of_a_narrow_matcher_and_of_hooks_switched_off() -> None:
    value = register({}, NEWER, ["PreToolUse", "Stop"]) | {"disableAllHooks": True}
    value["hooks"]["PreToolUse"][0]["matcher"] = "Bash"
    assert [note.split()[0] for note in notes(value)] == [
        "PreToolUse:",
        "disableAllHooks",
    ]
    assert notes(register({}, SHIM, EVERY)) == []
    assert notes(settings(Stop=[{"hooks": [OURS | {"args": None}]}])) == []


# Below: any settings whatever.

names = st.sampled_from(["Stop", "PreToolUse", "PermissionRequest", "SessionEnd", "Später", "x.y"])
leaves = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
unknown = st.dictionaries(st.text(min_size=1, max_size=5).map("x".__add__), values, max_size=2)
commands = st.sampled_from(["/bin/true", "hookd-hook x", "/hookd-hook/", "HOOKD-HOOK"]) | st.text()


@st.composite
def hooks(draw: st.DrawFn) -> dict[str, Any]:
    kind = draw(st.sampled_from(["command", "http", "prompt", ""]))
    return draw(unknown) | {"type": kind, "command": draw(commands.filter(not_ours))}


def not_ours(command: str) -> bool:
    return not is_shim(command)


@st.composite
def groups(draw: st.DrawFn, inside: st.SearchStrategy[dict[str, Any]]) -> dict[str, Any]:
    matcher = draw(
        st.sampled_from([{}, {"matcher": ""}, {"matcher": "*"}, {"matcher": "Bash|Edit"}])
    )
    return draw(unknown) | matcher | {"hooks": draw(st.lists(inside, max_size=3))} | draw(unknown)


@st.composite
def documents(draw: st.DrawFn, *, ours: bool = False) -> dict[str, Any]:
    """Draw settings with foreign hooks; `ours` mixes older entries of hookd among them."""
    inside = hooks() | st.just(OURS) if ours else hooks()
    events = st.dictionaries(names, st.lists(groups(inside), max_size=3), max_size=4)
    there = draw(st.just({}) | st.builds(lambda found: {"hooks": found}, events))
    return draw(unknown) | there | draw(unknown)


@given(documents())
def test_register_then_unregister_gives_back_any_settings_key_order_included(
    value: dict[str, Any],
) -> None:
    assert ordered(unregister(register(value, SHIM, EVERY), bare(value))) == ordered(value)


@given(documents(), st.lists(st.sets(names.filter(EVENTS.__contains__)), max_size=3))
def test_any_sets_of_events_one_after_the_other_lead_back_to_any_settings(
    value: dict[str, Any], sets: list[set[str]]
) -> None:
    kept, there = bare(value), value
    for wanted in sets:
        there = register(there, NEWER, sorted(wanted), kept)
        assert set(registered(there)) == wanted
    assert ordered(unregister(there, kept)) == ordered(value)


@given(documents(ours=True), st.sets(names.filter(EVENTS.__contains__)))
def test_registering_twice_is_registering_once(value: dict[str, Any], wanted: set[str]) -> None:
    once = register(value, NEWER, sorted(wanted))
    assert ordered(register(once, NEWER, sorted(wanted))) == ordered(once)
    assert set(registered(once)) == wanted


@given(documents(ours=True))
def test_foreign_entries_are_the_same_at_every_step(value: dict[str, Any]) -> None:
    def others(settings: dict[str, Any]) -> Any:
        found = settings.get("hooks", {}).items()
        return [
            (name, [hook for group in event for hook in group["hooks"] if not is_ours(hook)])
            for name, event in found
            if any(not is_ours(hook) for group in event for hook in group["hooks"])
        ]

    def is_ours(hook: dict[str, Any]) -> bool:
        return program(hook) is not None

    before = others(value)
    for step in (register(value, SHIM, EVERY), register(value, NEWER, ["Stop"]), unregister(value)):
        assert others(step) == before


@given(documents(ours=True))
def test_the_settings_that_are_passed_in_are_never_changed(value: dict[str, Any]) -> None:
    before = copy.deepcopy(value)
    register(value, NEWER, EVERY)
    unregister(value)
    assert ordered(value) == ordered(before)
