"""Trust of hooks as Codex 0.169.0 has it: the hashes are those that its `hooks/list` printed."""

from typing import Any

from hookd.clients.codex.registration import NAMES, entry, register
from hookd.clients.codex.trust import (
    Trust,
    definition_hash,
    entries,
    in_config,
    snake_case,
    switched_off,
    trusts_project,
)
from hookd.clients.hook_groups import Shim
from hookd.events.protocol import EVENTS
from support.parametrize import parametrize_all

FILE = "/home/ana/.codex/hooks.json"
PRINTED = Shim("/data/shi ms/codex-user-0123abcd")
"""The folder of the entries whose hashes were printed."""

SHIM = Shim("/data/shims/codex-user-0123abcd")
KEY = f"{FILE}:pre_tool_use:0:0"
HASHES = {
    "PreToolUse": "c066e349ff93c7dfcb0b687f0c3a9ab8833a6bef723eaae418f0018f9ced9e85",
    "PermissionRequest": "259cc514cd7f31ccbb6a33f63682b08a2dbe19cbad97b8e116e457c9ff03046b",
    "PostToolUse": "535410369c484201bc93e1118ce029e332447bb78b9c6ce24ea0db79ad593b76",
    "PreCompact": "c7111e837f3f9c94f2e7ce3ec9e1f86ea01cf8e6a21de61799a044f243777a75",
    "PostCompact": "e345362abd853ad4b8ca68c69ea62808972f52b9154976d9d79006484fcf74bd",
    "SessionStart": "582bf4ed223d79461c31439eec3907945e4e31c7b689875e5409f3e8b2f4bb71",
    "SessionEnd": "c80ae7f14277c153859d84475b60306f0e638b19eb79b72b6a706eea07096c44",
    "UserPromptSubmit": "04af4a065c963cbd8632a2aea31f40499d7d8685577ed60e96d61a466559e74c",
    "SubagentStart": "ef1d4d72fda95ed018f75950feeb5d60308ae3e859a7790390d6d623a13d8511",
    "SubagentStop": "75701df90f6dea6525ec8b39a0b782690e91682087c0baa706f3900b6efdf9be",
    "Stop": "d38816b23c41d1d5981b426f8f77fd845d5fb01f92ea13883423d0bdfc517cdf",
}


def test_our_own_entries_have_the_hashes_that_codex_computes() -> None:
    hooks = register({}, PRINTED, NAMES)["hooks"]
    made = {name: definition_hash(name, *_first(groups)) for name, groups in hooks.items()}
    assert made == {name: f"sha256:{digest}" for name, digest in HASHES.items()}


@parametrize_all(
    ("event", "group", "handler", "digest"),
    [
        (
            "PreToolUse",
            {"matcher": "Bash"},
            {"command": "/bin/true", "statusMessage": "größe"},
            "92f171c1153ab141b66cfa615904afd76fe15ec41c8cc8f405b0c80a08a53eb6",
        ),
        (
            "Stop",
            {"matcher": "x"},
            {"command": "echo ü"},
            "d1230fd5a6f9b6de40344da5a762f35cdf59d5e51cb750f59ea4fe54dacf5541",
        ),
        (
            "PostModelRequest",
            {"matcher": "b"},
            {"command": "/bin/true", "async": True},
            "f99a6237b03e3703c3920c6e0f70620aba50eeac8b79ea0100af90f5ff6d9bc0",
        ),
        (
            "Interrupt",
            {},
            {"command": "/bin/true", "timeout": 9, "commandWindows": "x"},
            "ef1c86835d2a04ec45af9d3e5f48b788aff61e070d754d733f6581b3b0ffaa98",
        ),
    ],
)
def test_definitions_of_others_have_the_hashes_that_codex_computes(
    event: str, group: dict[str, Any], handler: dict[str, Any], digest: str
) -> None:
    assert definition_hash(event, group, {"type": "command"} | handler) == f"sha256:{digest}"


OURS = definition_hash("PreToolUse", {}, entry(EVENTS["PreToolUse"], SHIM))


@parametrize_all(
    ("state", "trust"),
    [
        ({}, "untrusted"),
        ({KEY: {"trusted_hash": OURS}}, "trusted"),
        ({KEY: {"trusted_hash": "sha256:0", "enabled": True}}, "changed"),
        ({KEY: {"trusted_hash": OURS, "enabled": False}}, "disabled"),
        ({KEY: {"enabled": True}}, "untrusted"),
        ({KEY: "?"}, "untrusted"),
        ({f"{FILE}:pre_tool_use:1:0": {"trusted_hash": OURS}}, "moved"),
    ],
)
def test_an_entry_is_trusted_by_its_place_and_its_definition(
    state: dict[str, Any], trust: Trust
) -> None:
    there = register({}, SHIM, ["PreToolUse"])
    found = list(entries(FILE, there, {"hooks": {"state": state}}))
    assert [(one.event, one.key, one.trust) for one in found] == [("PreToolUse", KEY, trust)]


def test_hooks_of_others_have_no_entry_but_count_for_the_place() -> None:
    foreign = {"hooks": [{"type": "command", "command": "/bin/true"}]}
    there = register({"hooks": {"Stop": [foreign], "_why": "mine"}}, SHIM, ["Stop"])
    found = list(entries(FILE, there, {}))
    assert [one.key for one in found] == [f"{FILE}:stop:1:0"]


@parametrize_all(
    ("config", "off", "inside"),
    [
        ({}, False, []),
        ({"features": {"hooks": False}, "hooks": {"state": {"x": {}}}}, True, []),
        ({"features": {"hooks": True}, "hooks": {"Stop": [{}], "PreToolUse": []}}, False, ["Stop"]),
        ({"features": 3, "hooks": "?"}, False, []),
    ],
)
def test_config_toml_has_switches_and_hooks_of_its_own(
    config: dict[str, Any], off: bool, inside: list[str]
) -> None:
    assert switched_off(config) is off
    assert in_config(config) == inside


def test_a_project_is_trusted_by_its_own_folder() -> None:
    config = {"projects": {"/src/x": {"trust_level": "trusted"}, "/y": {"trust_level": "no"}}}
    assert trusts_project(config, "/src/x")
    assert not any(trusts_project(config, one) for one in ("/src", "/src/x/y", "/y", "/z"))
    assert not trusts_project({"projects": []}, "/src/x")


def test_keys_have_the_event_in_snake_case() -> None:
    assert snake_case("PreToolUse") == "pre_tool_use"
    assert snake_case("Stop") == "stop"


def _first(groups: list[dict[str, Any]]) -> tuple[dict[str, Any], dict[str, Any]]:
    return groups[0], groups[0]["hooks"][0]
