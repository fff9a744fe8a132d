"""The time line of a session: its entries in order, calls with their results, folded runs."""

from typing import Any

import pytest

from hookd.clients.answers import told
from hookd.display.explanation import Told
from hookd.display.timeline import Entry, Parts, folded, time_line, told_only


def row(number: int, event: str = "PreToolUse", **more: Any) -> dict[str, Any]:
    """Return an event as the time line's query does: second N for event N."""
    tool = event in ("PreToolUse", "PostToolUse", "PostToolUseFailure")
    known = {
        "id": number,
        "at": at(number),
        "event": event,
        "text": f"text {number}",
        "toolName": "Bash" if tool else None,
        "toolUseId": None,
        "decision": None,
        "rule": None,
        "durationUs": 700,
        "facts": None,
        "answer": None,
    }
    return known | more


def at(second: int) -> str:
    return f"2026-01-31T08:{second // 60:02}:{second % 60:02}.000Z"


def line(*events: dict[str, Any], **more: Any) -> tuple[Entry, ...]:
    return time_line(Parts(events, **more), told)


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        ("SessionStart", "start"),
        ("UserPromptSubmit", "prompt"),
        ("PreToolUse", "call"),
        ("PermissionRequest", "request"),
        ("PreCompact", "compaction"),
        ("Stop", "stop"),
        ("SubagentStop", "subagent"),
        ("SomethingNew", "event"),
    ],
)
def test_an_event_is_an_entry_of_its_kind(event: str, kind: str) -> None:
    (entry,) = line(row(1, event))
    assert (entry.kind, entry.event, entry.name) == (kind, 1, event)
    assert (entry.text, entry.hook_us) == ("text 1", 700)


def test_a_result_ends_its_call() -> None:
    events = [row(1, toolUseId="a"), row(2, toolUseId="b"), row(5, "PostToolUse", toolUseId="a"),
              row(9, "PostToolUseFailure", toolUseId="b")]  # fmt: skip
    first, second = line(*events)
    assert (first.kind, first.seconds, first.failed) == ("call", 4.0, False)
    assert (second.seconds, second.failed) == (7.0, True)


def test_a_result_that_says_something_or_whose_call_is_elsewhere_is_an_entry() -> None:
    answer = {"hookSpecificOutput": {"additionalContext": "Mind."}}
    events = [row(1, toolUseId="a"), row(2, "PostToolUse", toolUseId="a", answer=answer),
              row(3, "PostToolUse", toolUseId="z")]  # fmt: skip
    assert [entry.kind for entry in line(*events)] == ["call", "result", "result"]


def test_a_decision_has_its_reasons_once_and_what_the_model_was_told() -> None:
    opinions = [
        {"rule": "a", "verdict": "deny", "reason": "No."},
        {"rule": "b", "verdict": "deny", "reason": "No."},
        {"rule": "c", "context": "Mind."},
    ]
    answer = {"hookSpecificOutput": {"permissionDecisionReason": "No. (hookd #1)"}}
    (entry,) = line(
        row(1, decision="deny", rule="a, b", facts={"opinions": opinions}, answer=answer),
        injections=[{"source": "rules", "eventId": 1, "createdAt": at(0), "content": "Mind."}],
        hook_runs=[{"hook": "lint", "eventId": 1, "fault": None, "exitCode": 0, "decision": None,
                    "background": 0}],
    )  # fmt: skip
    assert (entry.decision, entry.rule, entry.reason) == ("deny", "a, b", "No.")
    assert entry.told == (Told("model", "No. (hookd #1)"),)
    assert (entry.sources, entry.hooks[0].result) == (("rules",), "exit 0")
    assert not entry.silent


def message(second: int, role: str, ref: str | None = None) -> dict[str, Any]:
    return {"at": at(second), "role": role, "ref": ref, "content": f"{role} {second}",
            "toolName": None}  # fmt: skip


def test_a_prompt_has_its_whole_text_and_other_messages_are_entries() -> None:
    messages = [message(1, "user", "p1/1"), message(2, "log"), message(3, "user", "p0/99"),
                message(4, "system", "odd")]  # fmt: skip
    entries = line(row(1, "UserPromptSubmit"), messages=messages)
    assert [(entry.kind, entry.text) for entry in entries] == [
        ("prompt", "user 1"), ("log", "log 2"), ("message", "user 3"), ("message", "system 4"),
    ]  # fmt: skip


def test_a_waiting_text_is_an_entry() -> None:
    waits = {"source": "rules", "eventId": None, "createdAt": at(3), "content": "Mind."}
    entries = line(row(1), injections=[waits])
    assert [entry.kind for entry in told_only(entries)] == ["waiting"]


def test_a_held_request_says_who_answered_and_how_long_it_took() -> None:
    approval = {
        "eventId": 1, "text": "make", "tool": "Bash", "status": "denied", "answeredBy": "me",
        "askedAt": at(1), "answeredAt": at(9), "message": "Later.", "reason": "Sure?",
    }  # fmt: skip
    request, entry = line(row(1, "PermissionRequest"), approvals=[approval])
    assert request.kind == "request"
    assert (entry.kind, entry.name, entry.decision) == ("approval", "denied by me", "deny")
    assert (entry.reason, entry.seconds) == ("Later.", 8.0)


def test_the_handover_and_the_subagents_are_entries() -> None:
    session = {
        "handoverAt": at(9),
        "handover": {"summary": "Half."},
        "subagents": [
            {"id": 5, "agentType": "Explore", "agentId": "x", "createdAt": at(2), "endedAt": at(4)},
            {"id": 6, "agentType": None, "agentId": "y", "createdAt": at(50), "endedAt": None},
        ],
    }
    entries = line(row(1), row(9, "Stop"), session=session)
    assert [entry.kind for entry in entries] == ["call", "subagent", "handover", "stop"]
    assert (entries[1].text, entries[1].seconds) == ("Explore", 2.0)
    assert entries[2].text == "Half."


def test_three_silent_calls_in_a_row_are_folded() -> None:
    events = [row(1), row(2, toolName="Read"), row(3), row(4, decision="deny"), row(5), row(6)]
    entries = folded(line(*events))
    assert [entry.kind for entry in entries] == ["calls", "call", "call", "call"]
    assert entries[0].text == "3 calls: Bash 2, Read 1"
    assert [part.event for part in entries[0].parts] == [1, 2, 3]
    assert entries[0].seconds is None


def test_folded_calls_have_the_time_of_all() -> None:
    events = [row(n, toolUseId=str(n)) for n in (1, 2, 3)]
    events += [row(n + 10, "PostToolUse", toolUseId=str(n)) for n in (1, 2, 3)]
    (entry,) = folded(line(*events))
    assert entry.seconds == 30.0


def test_only_what_the_model_was_told_can_be_shown() -> None:
    context = {"hookSpecificOutput": {"additionalContext": "Mind."}}
    shown = {"systemMessage": "Saved."}
    entries = line(row(1), row(2, "Stop", answer=shown), row(3, "SessionStart", answer=context))
    assert [entry.event for entry in told_only(entries)] == [3]
