"""A subagent's text is separated from the client's frame around it."""

import json
from pathlib import Path
from typing import Any

from hookd.events.delegation import Report, report, resume_hint
from hookd.events.model import PostToolUse
from support.parametrize import parametrize_all

PAYLOAD = Path(__file__).parent.parent / "payloads" / "PostToolUse.Agent.completed.json"
NOTE = {"type": "text", "text": "<tools-used-before-summary>Read</tools-used-before-summary>\n"}
SAID = {"type": "text", "text": "It holds."}


def heard(response: Any, tool: str = "Agent") -> Report | None:
    return report(PostToolUse(tool_name=tool, tool_input={}, tool_response=response))


def test_the_real_report_is_the_subagents_own_text_and_its_id() -> None:
    known = report(PostToolUse.model_validate(json.loads(PAYLOAD.read_text())))
    assert known is not None
    assert (known.text, known.error, known.agent_id) == (
        "sub: it says hello",
        "",
        "a3f80ee08b1849471",
    )
    assert known.stats is not None
    assert known.stats["editFileCount"] == 0


TEXTS = [
    ({"content": [NOTE], "harnessNoteCount": 1}, ""),
    ({"content": [NOTE]}, ""),
    ({"content": [SAID, SAID], "harnessTailCount": 1}, "It holds."),
    ({"content": [SAID], "harnessNoteCount": 5}, ""),
    ({"content": [SAID], "harnessNoteCount": "x", "harnessTailCount": -3}, "It holds."),
    ({"content": "It holds."}, "It holds."),
    ("It holds.", "It holds."),
    ([], ""),
    ({"status": "async_launched", "content": "x"}, None),
    ({"status": "remote_launched"}, None),
    ({"status": ["x"], "content": "x"}, None),
    ({"something": "new"}, None),
    (None, None),
]


@parametrize_all(("response", "text"), TEXTS)
def test_only_what_the_subagent_said_is_its_report(response: Any, text: str | None) -> None:
    known = heard(response)
    assert known is not None
    assert (known.text, known.error) == (text, "")


@parametrize_all(
    ("response", "error"),
    [
        ("Error: no", "Error: no"),
        ({"status": "failed", "error": "no"}, "no"),
        ({"status": "completed", "content": "API Error: 529"}, "API Error: 529"),
    ],
)
def test_a_call_that_ended_by_an_error_has_no_report(response: Any, error: str) -> None:
    assert heard(response) == Report(error=error)


def test_a_subagent_can_be_asked_again_unless_the_client_says_that_it_cannot() -> None:
    asked = {"content": [SAID], "agentId": "a1"}
    known, gone = heard(asked), heard({**asked, "canContinueAgent": False})
    assert known is not None
    assert gone is not None
    assert "its id is a1." in resume_hint(known)
    assert resume_hint(gone) == ""


def test_a_call_of_another_tool_delegates_nothing() -> None:
    assert heard("It holds.", "Bash") is None
    assert heard("It holds.", "Task") == Report(text="It holds.")
