"""Deadlines of events grow with the hooks that run on them, within the client's limits."""

from typing import Any

from hookd.clients.claude_code.registration import register, waiting
from hookd.clients.hook_groups import Shim
from hookd.core.hook_rules.model import Hook, Source
from hookd.core.model.deadlines import client_cutoff, client_timeout, hook_deadlines, shim_deadline
from hookd.core.model.shim_config import event_rules
from hookd.events.protocol import EVENTS
from support.parametrize import parametrize_all


def hook(event: str, seconds: float, name: str = "a", **more: Any) -> Hook:
    source = Source("user", "/s", f"hooks.{name}")
    return Hook(name, event, "command", source, timeout=seconds, **more)


NEEDS = [
    ([hook("PreToolUse", 120)], {"PreToolUse": 122}),
    ([hook("PreToolUse", 10)], {"PreToolUse": 13}),
    ([hook("PreToolUse", 0.5), hook("PreToolUse", 30.2, "b")], {"PreToolUse": 33}),
    ([hook("PreToolUse", 120, background=True)], {}),
    (
        [hook("Stop", 40, "a", chain="c"), hook("Stop", 40, "b", chain="c"), hook("Stop", 50, "d")],
        {"Stop": 82},
    ),
    ([hook("SessionEnd", 30)], {"SessionEnd": 1}),
    ([hook("PermissionRequest", 600)], {"PermissionRequest": 602}),
    ([hook("NoSuchEvent", 600)], {}),
]


@parametrize_all(("hooks", "expected"), NEEDS)
def test_an_event_waits_for_the_longest_of_its_hooks(
    hooks: list[Hook], expected: dict[str, int]
) -> None:
    assert hook_deadlines(hooks) == expected


@parametrize_all("spec", EVENTS.values())
def test_the_client_waits_longer_than_the_shim_and_never_less_than_usual(spec: Any) -> None:
    for wanted in ({}, {spec.name: 5}, {spec.name: 122}):
        assert client_timeout(spec, wanted) > shim_deadline(spec, wanted) >= spec.deadline
        assert client_timeout(spec, wanted) >= spec.timeout


@parametrize_all(
    ("given", "seconds"),
    [
        (hook("SessionEnd", 30), 0.5),
        (hook("SessionEnd", 0.4), None),
        (hook("SessionEnd", 30, background=True), None),
        (hook("PostModelSwitch", 60), 2.5),
        (hook("PreToolUse", 600), None),
    ],
)
def test_a_limit_of_the_client_cuts_a_hook(given: Hook, seconds: float | None) -> None:
    assert client_cutoff(given) == seconds


def test_a_deadline_is_registered_with_the_client_and_with_the_shim() -> None:
    shim = Shim("/data/shims/user", deadlines={"PreToolUse": 122})
    value = register({}, shim, ["PreToolUse", "Stop"])
    seconds = {name: groups[0]["hooks"][0]["timeout"] for name, groups in value["hooks"].items()}
    assert seconds == {"PreToolUse": 124, "Stop": 30}
    ruled = event_rules(["PreToolUse", "Stop"], (), shim.deadlines)
    assert {name: rule.deadline for name, rule in ruled.items()} == {"PreToolUse": 122, "Stop": 28}


def test_registered_entries_grow_and_nothing_else_changes() -> None:
    other = {"type": "command", "command": "/home/ana/bin/lint", "timeout": 5}
    value = register(
        {"a": 1, "hooks": {"Stop": [{"hooks": [other]}]}}, Shim("/d/shims/user"), EVENTS
    )
    grown = waiting(value, {"Stop": 60})
    assert grown["hooks"].pop("Stop")[0]["hooks"] == [other]
    assert value["hooks"].pop("Stop")[-1]["hooks"][0]["timeout"] == 30
    assert grown == value
    assert waiting(value, {"PreToolUse": 5}) == value
