"""The texts of an answer, each with who reads it."""

from typing import Any

import pytest

from hookd.clients.answers import has_rewritten, told, verdict_of


@pytest.mark.parametrize(
    ("name", "answer", "expected"),
    [
        ("Stop", None, []),
        ("Stop", "text", []),
        ("Stop", {"decision": "block", "reason": "Log first."}, [("model", "Log first.")]),
        ("UserPromptSubmit", {"decision": "block", "reason": "No."}, [("user", "No.")]),
        (
            "PreToolUse",
            {"hookSpecificOutput": {"permissionDecision": "ask",
             "permissionDecisionReason": "Sure?", "additionalContext": "Mind."}},
            [("model", "Mind."), ("user", "Sure?")],
        ),
        (
            "PermissionRequest",
            {"hookSpecificOutput": {"decision": {"behavior": "deny", "message": "Not now."}}},
            [("model", "Not now.")],
        ),
        ("Stop", {"systemMessage": "Saved.", "reason": 7}, [("user", "Saved.")]),
        ("PreToolUse", {"decision": "deny", "reason": "No."}, [("model", "No.")]),
        ("PreToolUse", {"decision": "ask", "reason": "Sure?"}, [("user", "Sure?")]),
        (
            "PreToolUse",
            {"permissionDecision": "deny", "permissionDecisionReason": "No.",
             "additionalContext": "Mind."},
            [("model", "No."), ("model", "Mind.")],
        ),
        ("PermissionRequest", {"behavior": "deny", "message": "No."}, [("model", "No.")]),
        ("PreToolUse", {"deny": "No.", "context": "Mind."}, [("model", "No."), ("model", "Mind.")]),
    ],
)  # fmt: skip
def test_the_texts_of_an_answer(name: str, answer: Any, expected: list[tuple[str, str]]) -> None:
    assert [(one.to, one.text) for one in told(name, answer)] == expected


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        (b'{"hookSpecificOutput":{"permissionDecision":"ask"}}', "ask"),
        (b'{"permissionDecision":"deny"}', "deny"),
        (b'{"decision":"deny","reason":"no"}', "deny"),
        (b'{"decision":"block","reason":"no"}', None),
        (b'{"deny":"no"}', "deny"),
        (b"null", None),
    ],
)
def test_the_verdict_of_an_answer(answer: bytes, verdict: str | None) -> None:
    assert verdict_of(answer) == verdict


@pytest.mark.parametrize(
    ("answer", "rewritten"),
    [
        ('{"hookSpecificOutput":{"updatedInput":{}}}', True),
        ('{"modifiedArgs":{}}', True),
        ('{"args":{}}', True),
        ('{"hookSpecificOutput":{"tool_input":{}}}', True),
        ('{"reason":"the \\"tool_input\\" is odd"}', False),
    ],
)
def test_an_answer_with_another_input_is_recognised(answer: str, *, rewritten: bool) -> None:
    assert has_rewritten(answer) is rewritten
