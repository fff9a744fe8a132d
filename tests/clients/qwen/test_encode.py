"""Each intention in the words that Qwen Code reads."""

from typing import Any

import pytest

from hookd.clients.qwen.decode import normalize
from hookd.clients.qwen.encode import render
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput, parse_event
from hookd.methods import HOOKS
from support.payloads import payload


def event(name: str, **more: Any) -> HookInput:
    made = normalize(payload(f"qwen/{name}", **more), "")
    own = made["hook_event_name"]
    parsed: HookInput = parse_event(made, HOOKS[own].params if own in HOOKS else HookInput)
    return parsed


def specific(name: str, **fields: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": name, **fields}}


SAID = "not here (hookd #7)"
BLOCK = {"decision": "block", "reason": SAID}


@pytest.mark.parametrize(
    ("name", "outcome", "expected"),
    [
        (
            "PreToolUse",
            Outcome("deny", "not here"),
            specific("PreToolUse", permissionDecision="deny", permissionDecisionReason=SAID),
        ),
        (
            "PreToolUse",
            Outcome("ask", "sure?"),
            specific(
                "PreToolUse",
                permissionDecision="ask",
                permissionDecisionReason="sure? Without a person to answer, Qwen Code denies the"
                " call. (hookd #7)",
            ),
        ),
        (
            "PreToolUse",
            Outcome("allow", "fine"),
            specific(
                "PreToolUse",
                permissionDecision="allow",
                permissionDecisionReason="fine (hookd #7)",
            ),
        ),
        ("PreToolUse", Outcome(context="more"), None),
        (
            "PermissionRequest",
            Outcome("allow", updated_input={"command": "ls", "run_in_background": False}),
            specific(
                "PermissionRequest",
                decision={
                    "behavior": "allow",
                    "updatedInput": {"command": "ls", "is_background": False},
                },
            ),
        ),
        (
            "PermissionRequest",
            Outcome("deny", "not here"),
            specific("PermissionRequest", decision={"behavior": "deny", "message": SAID}),
        ),
        ("PostToolUse", Outcome(context="more"), specific("PostToolUse", additionalContext="more")),
        ("PostToolUse", Outcome("deny", "no"), specific("PostToolUse", additionalContext="no")),
        ("PostToolUse", Outcome(event_fields={"tool_output": "x"}), None),
        (
            "PostToolUseFailure",
            Outcome(context="more"),
            specific("PostToolUseFailure", additionalContext="more"),
        ),
        (
            "PostToolBatch",
            Outcome(context="more"),
            specific("PostToolBatch", additionalContext="more"),
        ),
        ("UserPromptSubmit", Outcome("deny", "not here"), BLOCK),
        (
            "UserPromptSubmit",
            Outcome(context="more"),
            specific("UserPromptSubmit", additionalContext="more"),
        ),
        ("UserPromptSubmit.continuation", Outcome("deny", "not here", context="more"), None),
        (
            "SessionStart",
            Outcome(context="more"),
            specific("SessionStart", additionalContext="more"),
        ),
        ("Stop", Outcome("deny", "not here"), BLOCK),
        ("Stop", Outcome(event_fields={"stop_feedback": "not here"}), BLOCK),
        ("SessionEnd", Outcome(system_message="note"), None),
    ],
)
def test_an_outcome_is_what_the_client_reads(name: str, outcome: Outcome, expected: Any) -> None:
    assert render(event(name), outcome, 7).output == expected


def test_a_failed_command_is_answered_in_the_clients_event() -> None:
    said = "Exit Code: 2\nSignal: (none)\nProcess Group PGID: 7"
    failed = event("PostToolUse", tool_response={"llmContent": said})
    assert failed.hook_event_name == "PostToolUseFailure"
    made = render(failed, Outcome(context="more"), 7).output
    assert made == specific("PostToolUse", additionalContext="more")


def test_a_text_that_is_too_long_is_kept_in_a_file() -> None:
    made = render(event("PreToolUse"), Outcome("deny", "w" * 20_000), 7, "/spill/7.txt")
    assert made.overflow_text == "w" * 20_000
    reason = (made.output or {})["hookSpecificOutput"]["permissionDecisionReason"]
    assert "the whole text is in /spill/7.txt" in reason
