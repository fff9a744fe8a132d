"""An outcome is reduced to what the client carries out on the event."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.clients.claude_code import encode
from hookd.clients.claude_code.capabilities import denial_template, feasible, intentions
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput
from hookd.events.protocol import EVENTS
from support.parametrize import parametrize_all

EVERYTHING = Outcome(
    "ask",
    "reason",
    "context",
    "message",
    {"command": "ls"},
    rule="rule",
    stops_turn=True,
    stop_reason="spent",
    event_fields={"interrupt": True, "permission_updates": [], "watch_paths": ["/a"]},
)


@parametrize_all(
    ("event", "possible"),
    [
        (
            "PreToolUse",
            "deny defer ask allow rewrite_input add_context notify_user stop_turn",
        ),
        ("PermissionRequest", "deny allow rewrite_input notify_user stop_turn"),
        ("PreModelSwitch", "deny ask allow notify_user stop_turn"),
        ("Stop", "deny notify_user stop_turn"),
        ("PostToolUse", "deny add_context notify_user stop_turn"),
        ("PreCompact", "deny"),
        ("SessionEnd", ""),
        ("Unknown", ""),
    ],
)
def test_each_event_has_its_intentions(event: str, possible: str) -> None:
    assert intentions(event) == {word.replace("_", " ") for word in possible.split()}


@parametrize_all(
    ("event", "expected"),
    [
        ("SessionEnd", Outcome(rule="rule")),
        ("FileChanged", Outcome(rule="rule", event_fields={"watch_paths": ["/a"]})),
        (
            "PermissionRequest",
            Outcome(system_message="message", rule="rule", stops_turn=True, stop_reason="spent"),
        ),
    ],
)
def test_the_rest_becomes_silence(event: str, expected: Outcome) -> None:
    assert feasible(HookInput(hook_event_name=event), EVERYTHING) == expected


@parametrize_all(
    ("verdict", "fields"), [("deny", {"interrupt": True}), ("allow", {"permission_updates": []})]
)
def test_a_permission_request_takes_the_fields_of_its_verdict(
    verdict: Any, fields: dict[str, Any]
) -> None:
    outcome = Outcome(verdict, "reason", event_fields=EVERYTHING.event_fields)
    assert feasible(HookInput(hook_event_name="PermissionRequest"), outcome).event_fields == fields


@given(st.sampled_from(sorted(EVENTS)), st.sampled_from([None, "deny", "defer", "ask", "allow"]))
def test_what_is_feasible_stays(event: str, verdict: Any) -> None:
    given = HookInput(hook_event_name=event)
    once = feasible(given, Outcome(verdict, "reason", "context", "message", {"a": 1}))
    assert feasible(given, once) == once


@pytest.mark.parametrize("event", [*sorted(EVENTS), "Unknown"])
def test_the_template_of_a_denial_is_the_denial(event: str) -> None:
    template = denial_template(event)
    denied = encode.render(HookInput(hook_event_name=event), Outcome("deny", "no @"), 0).output
    assert (json.loads(template.replace("@", '"no @"', 1)) if template else None) == denied
