"""What Codex gets: no key that it would refuse, and no place that would change."""

import json
from typing import Any

import pytest

from hookd.clients.codex.registration import NAMES, entry, refusal, register, unregister
from hookd.clients.hook_groups import ShapeError, Shim
from hookd.events.protocol import EVENTS
from support.parametrize import parametrize_all

SHIM = Shim("/data/shims/codex-user-0123abcd")
FOREIGN = {"type": "command", "command": "/home/ana/bin/lint"}


def test_an_entry_is_a_command_for_a_shell_with_its_seconds() -> None:
    assert entry(EVENTS["PreToolUse"], SHIM) == {
        "type": "command",
        "command": "/data/shims/codex-user-0123abcd/PreToolUse",
        "timeout": 15,
    }
    quoted = entry(EVENTS["Stop"], Shim("/my data/shims/codex-user"))["command"]
    assert quoted == "'/my data/shims/codex-user/Stop'"


def test_only_what_codex_cuts_at_three_seconds_is_cut() -> None:
    long = Shim(SHIM.folder, deadlines=dict.fromkeys(NAMES, 90))
    assert entry(EVENTS["SessionEnd"], long)["timeout"] == 3
    assert entry(EVENTS["PreToolUse"], long)["timeout"] == 92


def test_a_group_of_others_keeps_its_place_whatever_is_registered_in_turn() -> None:
    foreign = {"matcher": "Bash", "hooks": [FOREIGN]}
    there = register({"hooks": {"Stop": [foreign]}}, SHIM, NAMES)
    there["hooks"]["Stop"].append(foreign)
    for events in (["PreToolUse"], list(NAMES), []):
        there = register(there, SHIM, events)
        places = [at for at, group in enumerate(there["hooks"]["Stop"]) if group == foreign]
        assert places == [0, 2]
    assert unregister(there)["hooks"]["Stop"] == [foreign, {"hooks": []}, foreign]


@parametrize_all(
    ("value", "named"),
    [
        ({"version": 1, "hooks": {}}, "'version'"),
        ({"hooks": {"Stop": [{"hooks": [{"type": "http", "url": ""}]}]}}, "hooks.Stop[0].hooks[0]"),
        ({"hooks": {"Stop": [{"hooks": [FOREIGN, {}]}]}}, "hooks.Stop[0].hooks[1]"),
    ],
)
def test_a_file_that_codex_refuses_whole_is_not_registered_in(
    value: dict[str, Any], named: str
) -> None:
    assert named in refusal(value)
    before = json.dumps(value)
    with pytest.raises(ShapeError, match="Codex"):
        register(value, SHIM, NAMES)
    assert json.dumps(value) == before
    assert unregister(value) == value


@parametrize_all(
    "value",
    [
        {},
        {"description": "mine", "hooks": {"Later": [{"hooks": [{"type": "http"}]}]}},
        {"hooks": {"Stop": [{"hooks": [FOREIGN | {"args": [], "if": "x"}, {"type": "prompt"}]}]}},
    ],
)
def test_what_codex_ignores_is_no_reason_to_refuse(value: dict[str, Any]) -> None:
    assert refusal(value) == ""
