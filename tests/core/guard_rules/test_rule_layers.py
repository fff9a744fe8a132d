"""Layers of rules files: the strongest of one name applies; what spares others is confirmed."""

import json

from hookd.core.guard_rules.rule import fired, in_force
from hookd.core.model.facts import Facts, Guard
from hookd.events.tool_pattern import ToolCall
from support.parametrize import parametrize_all


def guard(name: str, layer: str | None, *, loosens: bool = False, opens: bool = False) -> Guard:
    rule = {"id": name, "deny": name, "whitelist": ["Bash(ls)"] if opens else []}
    source = None if layer is None else f"/{layer}.yaml"
    text = json.dumps(rule)
    return Guard(1, name, "user", text, layer=layer, source=source, loosens=loosens)


def names(*guards: Guard) -> list[str]:
    call = ToolCall("Bash", {"command": "ls"})
    return [one.rule.id for one in fired(call, Facts(guards=guards))]


@parametrize_all(
    ("opener", "closer", "spared"),
    [
        (guard("a", "project", opens=True), guard("b", None), False),
        (guard("a", "project", opens=True, loosens=True), guard("b", None), True),
        (guard("a", "project", opens=True, loosens=True), guard("b", "managed"), False),
        (guard("a", "project", opens=True), guard("b", "project"), True),
        (guard("a", "team", opens=True), guard("b", "user"), False),
        (guard("a", "team", opens=True), guard("b", "project"), True),
        (guard("a", None, opens=True), guard("b", "team"), True),
        (guard("a", None, opens=True), guard("b", None), True),
        (guard("a", None, opens=True), guard("b", "managed"), False),
    ],
)
def test_a_whitelist_spares_calls_from_weaker_layers_or_once_confirmed(
    opener: Guard, closer: Guard, spared: bool
) -> None:
    assert names(opener, closer) == ([] if spared else ["b"])


def test_of_files_with_one_name_the_strongest_applies_and_a_command_replaces_none() -> None:
    managed, team, project = (guard("a", layer) for layer in ("managed", "team", "project"))
    own = guard("a", None)
    assert in_force((project, team, managed)) == (managed,)
    assert in_force((project, own)) == (own, project)
    assert in_force((own,)) == (own,)
