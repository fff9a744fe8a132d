"""What Copilot CLI gets: a file of hookd's own, with its names in camelCase and no shell."""

import json
from typing import Any

import pytest

from hookd.clients.copilot.registration import (
    NAMES,
    bare,
    changes,
    entry,
    notes,
    program,
    programs,
    register,
    registered,
    unregister,
)
from hookd.clients.hook_groups import Changes, ShapeError, Shim
from hookd.core.model.shim_paths import link_event
from hookd.events.protocol import EVENTS
from support.parametrize import parametrize_all

SHIM = Shim("/my data/shims/copilot-user-0123abcd")
FOREIGN = {"type": "command", "bash": "/home/ana/bin/lint"}


def test_an_entry_starts_the_link_without_a_shell() -> None:
    assert entry(EVENTS["Stop"], SHIM) == {
        "type": "command",
        "exec": "/my data/shims/copilot-user-0123abcd/Stop",
        "args": [],
        "timeoutSec": 30,
    }


def test_every_event_runs_the_link_that_hookd_s_name_gives() -> None:
    value = register({}, SHIM, NAMES)
    assert value["version"] == 1
    assert all(name[0].islower() for name in value["hooks"])
    links = {theirs: link_event(path) for theirs, path in programs(value)}
    assert links == {theirs: name for name, theirs in NAMES.items()}
    assert registered(value) == list(NAMES)
    assert set(NAMES) <= set(EVENTS)


def test_a_file_of_hookd_s_own_is_empty_without_it() -> None:
    assert unregister(register({}, SHIM, NAMES)) == {}
    assert unregister({"version": 1}) == {"version": 1}


def test_entries_of_others_keep_their_place() -> None:
    mine = {"version": 1, "hooks": {"preToolUse": [FOREIGN], "agentStop": [], "_why": "mine"}}
    there = register(mine, SHIM, NAMES)
    assert there["hooks"]["preToolUse"] == [FOREIGN, entry(EVENTS["PreToolUse"], SHIM)]
    assert json.dumps(register(there, SHIM, NAMES)) == json.dumps(there)
    assert unregister(there, bare(mine)) == mine
    assert changes(mine, register(mine, SHIM, ["Stop"])) == Changes(["agentStop"], [], [])


@parametrize_all(
    "hook",
    [
        {"type": "command", "exec": SHIM.link("Stop"), "args": ["x"]},
        {"type": "command", "bash": SHIM.link("Stop")},
        {"type": "prompt", "exec": SHIM.link("Stop")},
        {"type": "command", "exec": ["/x/shims/user/Stop"]},
    ],
)
def test_what_only_looks_like_ours_is_left_alone(hook: dict[str, Any]) -> None:
    assert program(hook) is None


@parametrize_all(
    ("value", "message"),
    [
        ({"hooks": []}, "hooks must be an object, but is a list"),
        ({"hooks": {"preToolUse": {}}}, "hooks.preToolUse must be a list, but is an object"),
    ],
)
def test_another_shape_is_refused_by_its_key_path(value: Any, message: str) -> None:
    with pytest.raises(ShapeError) as refused:
        register(value, SHIM, NAMES)
    assert str(refused.value) == message


def test_a_person_s_matcher_is_told() -> None:
    value = register({}, SHIM, NAMES)
    assert notes(value) == []
    value["hooks"]["preToolUse"][0]["matcher"] = "bash"
    assert [note.split(":")[0] for note in notes(value)] == ["preToolUse"]
