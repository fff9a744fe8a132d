"""A tool has run: what it read is remembered, and answered questions are kept.

A file that Read has read joins the session's loaded files. The questions of AskUserQuestion and the
user's answers become one message of the session, once per call.
"""

import json
from typing import Any

from hookd.core.effects import AddMessage, Effect, SetLoadedFiles
from hookd.core.events import PostToolUse
from hookd.core.facts import Facts
from hookd.core.method import Decision, Example, HookMethod, HookResult
from hookd.core.outcome import Outcome
from hookd.core.redaction import redact
from hookd.core.windows import working


class Result(HookResult):
    """The counter as it stands, and the dialogue that the call was."""

    heartbeat_count: int = 0
    pending_injections: list[dict[str, Any]] = []
    dialogue_entry: dict[str, Any] | None = None


def decide(event: PostToolUse, facts: Facts) -> Decision:
    """Keep the dialogue and the loaded file."""
    effects: list[Effect] = list(working(facts))
    session, entry = facts.session, dialogue(event)
    if session is not None and entry is not None:
        said = json.dumps(entry, ensure_ascii=False)
        effort_id = facts.effort.id if facts.effort else None
        effects.append(
            AddMessage(session.id, effort_id, "user", said, event.tool_name, event.tool_use_id)
        )
    path = redact(event.call.primary or "") if event.tool_name == "Read" else None
    if session is not None and path and path not in session.loaded_files:
        effects.append(SetLoadedFiles(session.id, (*session.loaded_files, path)))
    return Decision(facts, tuple(effects))


def dialogue(event: PostToolUse) -> dict[str, Any] | None:
    """Return the questions with their options and answers, or None if the call asked nothing.

    A missing or malformed answer is an empty one; answers to other questions are left out.
    """
    questions = event.tool_input.get("questions")
    if event.tool_name != "AskUserQuestion" or not isinstance(questions, list):
        return None
    response = event.tool_response if isinstance(event.tool_response, dict) else {}
    answers = response.get("answers")
    given = answers if isinstance(answers, dict) else {}
    return {
        "preamble": "",
        "questions": [_question(one, given) for one in questions if isinstance(one, dict)],
    }


def _question(one: dict[str, Any], answers: dict[str, Any]) -> dict[str, Any]:
    text = str(one.get("question", ""))
    options = one.get("options")
    labels = (
        [o.get("label", "") for o in options if isinstance(o, dict)]
        if isinstance(options, list)
        else []
    )
    said = answers.get(text)
    return {"question": text, "options": labels, "answer": said if isinstance(said, str) else ""}


def answer(event: PostToolUse, facts: Facts, _outcome: Outcome) -> Result:
    """Report the counter and the dialogue."""
    count = facts.session.heartbeat_counter if facts.session else 0
    return Result(heartbeat_count=count, dialogue_entry=dialogue(event))


METHOD = HookMethod(
    name="hooks.postToolUse",
    event="PostToolUse",
    params=PostToolUse,
    result=Result,
    decide=decide,
    answer=answer,
    examples=(
        Example(
            {
                "session_id": "11c8d28b-c95a-42d8-86b9-1f4e8aa7a4b7",
                "hook_event_name": "PostToolUse",
                "tool_name": "Read",
                "tool_input": {"file_path": "/work/orders/README.md"},
                "tool_response": {"type": "text"},
                "tool_use_id": "toolu_01",
            },
            says="silent; the file is among the session's loaded files",
        ),
    ),
)
