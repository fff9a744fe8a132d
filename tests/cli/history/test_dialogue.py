"""How a conversation is written as markdown, and a message on one line."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.cli.history.dialogue import brief, render


def said(role: str, content: Any, tool: str | None = None, **more: Any) -> dict[str, Any]:
    text = content if isinstance(content, str) else json.dumps(content)
    at = "2026-01-31T08:00:00.123Z"
    return {"id": 1, "timestamp": at, "role": role, "content": text, "toolName": tool} | more


def asked(*questions: dict[str, Any], preamble: str = "") -> dict[str, Any]:
    return said("user", {"preamble": preamble, "questions": list(questions)}, "AskUserQuestion")


WHICH = {"question": "Which one?", "options": ["A", "B"], "multiSelect": False, "answer": "A"}
SOME = {"question": "Which\nones?", "options": ["C", "D"], "multiSelect": True, "answer": "C, D"}
OPEN = {"question": "Why?", "options": [], "answer": ""}
TIME = "[2026-01-31 09:00:00+01:00]"

PARTS = [
    ("a prompt", said("user", " Go on. \n"), f"## {TIME} User\n\nGo on."),
    ("an answer", said("assistant", "Done."), f"## {TIME} Assistant\n\nDone."),
    ("a log entry", said("log", "## Parser\n\ndone"), f"## {TIME} Log\n\n> ## Parser\n>\n> done"),
    ("a tool call", said("assistant", "{}", "Bash"), ""),
    ("a call that asks", said("assistant", "{}", "AskUserQuestion"), ""),
    ("a note", said("system", "compacted"), ""),
    ("an unknown role", said("other", "x"), ""),
    ("a question", asked(WHICH), f"## {TIME} Question\n\n**A**: Which one? — A / B\n**U**: A"),
    (
        "several questions",
        asked(WHICH, SOME),
        f"## {TIME} Question\n\n**A1**: Which one? — A / B\n**U1**: A"
        "\n\n**A2**: Which ones? — C / D *(multi)*\n**U2**: C, D",
    ),
    (
        "a premise",
        asked(OPEN, preamble="First.\nSecond."),
        f"## {TIME} Question\n\n> First.\n> Second.\n\n**A**: Why?\n**U**: -",
    ),
    (
        "a long premise",
        asked(OPEN, preamble="x" * 2_001),
        f"## {TIME} Question\n\n> {'x' * 1_999}…\n\n**A**: Why?\n**U**: -",
    ),
    (
        "what is no question",
        said("user", "{", "AskUserQuestion"),
        f"## {TIME} User\n\n{{",
    ),
    ("what could move a cursor", said("user", "a\x1b[2Jb\tc\r\n"), f"## {TIME} User\n\na[2Jb\tc"),
]


@pytest.mark.parametrize(
    ("message", "expected"), [one[1:] for one in PARTS], ids=[p[0] for p in PARTS]
)
def test_a_message_is_written_as(message: dict[str, Any], expected: str) -> None:
    assert render("T", [message]) == (f"# T\n\n{expected}\n" if expected else "# T\n")


def test_messages_come_in_the_order_in_which_they_were_said() -> None:
    late = said("assistant", "two", id=1, timestamp="2026-01-31T08:00:02.000Z")
    early = said("user", "one", id=2, timestamp="2026-01-31T08:00:01.000Z")
    same = said("user", "three", id=3, timestamp="2026-01-31T08:00:02.000Z")
    text = render("T", [same, late, early])
    assert text.index("one") < text.index("two") < text.index("three")


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (said("user", "a\n b"), "a b"),
        (said("assistant", '{"command": "ls"}', "Bash"), 'Bash: {"command": "ls"}'),
        (asked(WHICH, OPEN), "Which one? -> A; Why? -> -"),
        (said("user", "[]", "AskUserQuestion"), "AskUserQuestion: []"),
    ],
)
def test_a_message_on_one_line(message: dict[str, Any], expected: str) -> None:
    assert brief(message) == expected


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)
QUESTION = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("question", "options", "multiSelect", "answer"), JSON)
)
KEPT = st.fixed_dictionaries(
    {}, optional={"preamble": JSON, "questions": JSON | st.lists(QUESTION | JSON)}
)


@given(KEPT | JSON)
def test_whatever_was_kept_of_a_question_can_be_written(content: Any) -> None:
    message = said("user", content, "AskUserQuestion")
    assert render("T", [message]).startswith(f"# T\n\n## {TIME} ")
    assert "\n" not in brief(message)
