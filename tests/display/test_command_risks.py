"""The risks of a recorded command, part by part."""

from typing import Any

import pytest

from hookd.display.command_risks import command_risks


def event(command: Any, **more: Any) -> dict[str, Any]:
    payload = {"cwd": "/work/orders", "tool_input": {"command": command}}
    known = {"payload": payload, "toolName": "Bash", "decision": "deny", "facts": None}
    return known | {"project": "/work/orders"} | more


def test_each_part_of_a_command_has_its_risks() -> None:
    found = command_risks(event("ls && git reset --hard && rm -rf /"))
    assert found[0].verdict == "deny"
    deletes = next(risk for risk in found if risk.command == "rm -rf /")
    assert (deletes.verdict, deletes.kind) == ("deny", "deletes")
    assert deletes.reason
    assert deletes.rule
    assert any(risk.command == "git reset --hard" for risk in found)


@pytest.mark.parametrize(
    "other",
    [
        event("rm -rf /", decision=None),
        event("rm -rf /", toolName="Read"),
        event(["rm"]),
        event("rm -rf / " + "x" * 9_000),
        event("ls"),
    ],
)
def test_other_events_have_none(other: dict[str, Any]) -> None:
    assert command_risks(other) == ()
