"""The texts of an answer, each with who reads it."""

from typing import Any

import pytest

from hookd.clients.claude_code.answer_texts import told


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
    ],
)  # fmt: skip
def test_the_texts_of_an_answer(name: str, answer: Any, expected: list[tuple[str, str]]) -> None:
    assert [(one.to, one.text) for one in told(name, answer)] == expected
