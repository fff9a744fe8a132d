"""Each intention in the words that Gemini CLI reads."""

from typing import Any

import pytest

from hookd.clients.gemini.decode import normalize
from hookd.clients.gemini.encode import render
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput, parse_event
from hookd.methods import HOOKS
from support.payloads import payload


def event(name: str, *, interactive: bool = False) -> HookInput:
    made = normalize(payload(f"gemini/{name}"), "")
    own = made["hook_event_name"]
    parsed: HookInput = parse_event(made, HOOKS[own].params if own in HOOKS else HookInput)
    return parsed.model_copy(update={"interactive": interactive})


SAID = "not here (hookd #7)"
DENIED = {"decision": "deny", "reason": SAID}
CONTEXT = {"additionalContext": "more"}


@pytest.mark.parametrize(
    ("name", "outcome", "expected"),
    [
        ("BeforeTool", Outcome("deny", "not here"), DENIED),
        ("BeforeTool", Outcome("allow", "fine"), None),
        ("BeforeTool", Outcome(context="more"), None),
        ("BeforeTool", Outcome(system_message="note"), {"systemMessage": "note"}),
        (
            "BeforeTool",
            Outcome(updated_input={"command": "ls", "run_in_background": False}),
            {
                "hookSpecificOutput": {
                    "hookEventName": "BeforeTool",
                    "tool_input": {"command": "ls", "is_background": False},
                }
            },
        ),
        (
            "BeforeTool",
            Outcome("deny", "not here", stops_turn=True, stop_reason="end"),
            DENIED | {"continue": False, "stopReason": "end (hookd #7)"},
        ),
        (
            "AfterTool",
            Outcome(context="more"),
            {"hookSpecificOutput": {"hookEventName": "AfterTool"} | CONTEXT},
        ),
        (
            "AfterTool.read_file",
            Outcome(context="more"),
            {"hookSpecificOutput": {"hookEventName": "AfterTool"} | CONTEXT},
        ),
        (
            "AfterTool",
            Outcome("deny", "more"),
            {"hookSpecificOutput": {"hookEventName": "AfterTool"} | CONTEXT},
        ),
        (
            "AfterTool",
            Outcome(event_fields={"tool_output": {"content": "short", "returnDisplay": ""}}),
            {
                "decision": "deny",
                "reason": "The call has run. hookd replaces its result by this:\nshort",
            },
        ),
        ("BeforeAgent", Outcome("deny", "not here"), DENIED),
        (
            "BeforeAgent",
            Outcome(context="more"),
            {"hookSpecificOutput": {"hookEventName": "BeforeAgent"} | CONTEXT},
        ),
        ("AfterAgent", Outcome("deny", "not here"), DENIED),
        ("AfterAgent", Outcome(event_fields={"stop_feedback": "not here"}), DENIED),
        (
            "AfterAgent.active",
            Outcome(event_fields={"stop_feedback": "not here"}),
            {"systemMessage": "not here"},
        ),
        (
            "SessionStart",
            Outcome(context="more"),
            {"hookSpecificOutput": {"hookEventName": "SessionStart"} | CONTEXT},
        ),
        ("PreCompress", Outcome("deny", "not here"), None),
        ("PreCompress.manual", Outcome("deny", "not here"), None),
        ("SessionEnd", Outcome(system_message="note"), None),
        ("Notification", Outcome(system_message="note"), None),
        ("AfterModel", Outcome(context="more"), None),
    ],
)
def test_an_outcome_is_what_the_client_reads(name: str, outcome: Outcome, expected: Any) -> None:
    assert render(event(name), outcome, 7).output == expected


def test_a_question_is_shown_in_the_dialog() -> None:
    asked = Outcome("ask", "It deletes.", allowable=True, system_message="note")
    answer = render(event("BeforeTool", interactive=True), asked, 7).output or {}
    reason = "It deletes. The user can allow this: hookd allow 7 (hookd #7)"
    assert answer == {
        "decision": "ask",
        "reason": reason,
        "systemMessage": f"{reason}\n\nnote",
    }


def test_a_question_in_headless_mode_names_the_command_that_allows_the_call() -> None:
    answer = render(event("BeforeTool"), Outcome("ask", "It deletes.", allowable=True), 7).output
    assert answer is not None
    assert answer["decision"] == "deny"
    assert answer["reason"].endswith("The user can allow this: hookd allow 7 (hookd #7)")


def test_a_text_that_is_too_long_is_kept_in_a_file() -> None:
    made = render(event("BeforeTool"), Outcome("deny", "w" * 20_000), 7, "/spill/7.txt")
    assert made.overflow_text == "w" * 20_000
    assert made.output is not None
    assert "the whole text is in /spill/7.txt" in made.output["reason"]
    assert made.output["reason"].endswith("(hookd #7)")


def test_only_another_input_counts_as_one() -> None:
    assert render(event("BeforeTool"), Outcome(updated_input={"command": "ls"}), 7).rewrites
    assert not render(event("BeforeTool"), Outcome("deny", updated_input={}), 7).rewrites
