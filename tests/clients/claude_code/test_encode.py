"""Every verdict on every event is exactly the JSON that the client takes there, or silence."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hookd.core.model.verdict import Outcome
from hookd.events.protocol import EVENTS, MAX_TEXT_UNITS, truncate
from support.claude_code import render
from support.parametrize import parametrize_all

SAID = "not here (hookd #7)"
BLOCK = {"decision": "block", "reason": SAID}

# What the client's documentation says, written down apart from the table in the code.
BLOCKED = {
    "UserPromptSubmit",
    "UserPromptExpansion",
    "PostToolUse",
    "PostToolBatch",
    "SubagentStop",
    "TaskCreated",
    "Stop",
    "PreCompact",
    "ConfigChange",
}
TAKES_CONTEXT = {
    "SessionStart",
    "Setup",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "SubagentStart",
    "PostModelSwitch",
}
# Stop and SubagentStop take it, too, but as a reason to continue.
SHOWS_MESSAGE = TAKES_CONTEXT | {
    "Stop",
    "SubagentStop",
    "PermissionRequest",
    "PermissionDenied",
    "TaskCreated",
    "TaskCompleted",
    "TeammateIdle",
    "MessageDisplay",
    "PreModelSwitch",
}
ALL = {
    *(SHOWS_MESSAGE | BLOCKED),
    "InstructionsLoaded",
    "StopFailure",
    "Notification",
    "PostCompact",
    "Elicitation",
    "ElicitationResult",
    "CwdChanged",
    "FileChanged",
    "DirectoryAdded",
    "WorktreeCreate",
    "WorktreeRemove",
    "SessionEnd",
}
VERDICTS = ("deny", "defer", "ask", "allow")


def specific(event: str, **more: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event} | more}


def permission(event: str, verdict: str) -> dict[str, Any]:
    return specific(event, permissionDecision=verdict, permissionDecisionReason=SAID)


ANSWERS: dict[tuple[str, str], dict[str, Any]] = {
    **{(event, "deny"): BLOCK for event in BLOCKED},
    **{("PreToolUse", verdict): permission("PreToolUse", verdict) for verdict in VERDICTS},
    ("PermissionRequest", "deny"): specific(
        "PermissionRequest", decision={"behavior": "deny", "message": SAID}
    ),
    ("PermissionRequest", "allow"): specific("PermissionRequest", decision={"behavior": "allow"}),
    **{
        ("PreModelSwitch", verdict): permission("PreModelSwitch", verdict)
        for verdict in ("deny", "ask", "allow")
    },
}
"""What each verdict becomes; where an event stands not here with a verdict, it is silence."""


def test_the_client_has_these_events() -> None:
    assert set(EVENTS) == ALL
    assert len(ALL) == 33


@parametrize_all("verdict", VERDICTS)
@parametrize_all("event", sorted(ALL))
def test_a_verdict_is_the_json_that_this_event_accepts(event: str, verdict: Any) -> None:
    answer = render(event, Outcome(verdict, "not here"), 7)
    assert answer == ANSWERS.get((event, verdict))


@parametrize_all("event", sorted(ALL))
def test_nothing_to_say_is_silence(event: str) -> None:
    assert render(event, Outcome(), 7) is None
    assert render(event, Outcome(reason="a reason of nobody", rule="nobody"), 7) is None


@parametrize_all("event", sorted(ALL))
def test_context_goes_only_where_it_is_taken(event: str) -> None:
    expected = specific(event, additionalContext="so it stands") if event in TAKES_CONTEXT else None
    assert render(event, Outcome(context="so it stands"), 7) == expected


@parametrize_all("event", sorted(ALL))
def test_a_message_for_the_user_goes_only_where_it_is_shown(event: str) -> None:
    expected = {"systemMessage": "look"} if event in SHOWS_MESSAGE else None
    assert render(event, Outcome(system_message="look"), 7) == expected


@parametrize_all("event", sorted(ALL))
def test_a_new_input_goes_only_where_a_tool_is_about_to_run(event: str) -> None:
    new = {"command": "ls"}
    expected = specific(event, updatedInput=new) if event == "PreToolUse" else None
    assert render(event, Outcome(updated_input=new), 7) == expected


def test_a_permission_that_is_given_may_change_the_input() -> None:
    answer = render("PermissionRequest", Outcome("allow", updated_input={"command": "ls"}), 7)
    decision = {"behavior": "allow", "updatedInput": {"command": "ls"}}
    assert answer == specific("PermissionRequest", decision=decision)


@parametrize_all("event", ["", "Unheard", "pretooluse", "hooks.preToolUse"])
def test_an_event_that_is_not_known_gets_silence_whatever_is_decided(event: str) -> None:
    assert render(event, Outcome("deny", "no", "context", "message", {"a": 1}), 7) is None


def test_all_that_can_be_said_is_said_in_one_object() -> None:
    outcome = Outcome("ask", "not here", "so it stands", "look", {"command": "ls"})
    assert render("PreToolUse", outcome, 7) == {
        "systemMessage": "look",
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "ask",
            "permissionDecisionReason": SAID,
            "updatedInput": {"command": "ls"},
            "additionalContext": "so it stands",
        },
    }
    assert render("Stop", Outcome("deny", "not here", "so it stands", "look"), 7) == {
        "decision": "block",
        "reason": SAID,
        "systemMessage": "look",
    }


@parametrize_all("event", sorted(ALL))
def test_the_object_always_names_its_own_event(event: str) -> None:
    answer = render(event, Outcome("deny", "no", "context", "message", {"a": 1}), 7) or {}
    assert answer.get("hookSpecificOutput", {}).get("hookEventName", event) == event


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


LONG = {
    "letters": "a" * 10_001,
    "characters of two units": "\U0001f600" * 5_001,
    "characters of two units, out of step": "a" + "\U0001f600" * 5_000,
    "a mixture": "a\U0001f600\u00e9" * 4_000,
}


@parametrize_all("name", LONG)
@parametrize_all("number", [7, 123_456_789])
def test_no_text_is_longer_than_the_client_takes_and_the_number_stays(
    name: str, number: int
) -> None:
    text = LONG[name]
    answer = render("PreToolUse", Outcome("deny", text, text, text), number)
    assert answer is not None
    said = answer["hookSpecificOutput"]
    texts = (
        said["permissionDecisionReason"],
        said["additionalContext"],
        answer["systemMessage"],
    )
    assert all(MAX_TEXT_UNITS - 2 <= units(one) <= MAX_TEXT_UNITS for one in texts)
    assert all("[cut by hookd" in one for one in texts)
    assert texts[0].endswith(f" (hookd #{number})")


@parametrize_all("text", ["a" * 10_000, "\U0001f600" * 5_000, ""])
def test_a_text_that_just_fits_is_not_touched(text: str) -> None:
    assert truncate(text) == text


@given(st.text(max_size=200), st.integers(100, 150))
def test_a_cut_is_never_inside_a_character(text: str, room: int) -> None:
    cut = truncate(text, room)
    assert units(cut) <= room
    assert cut == text or text.startswith(cut.partition("\n[cut by hookd")[0])
