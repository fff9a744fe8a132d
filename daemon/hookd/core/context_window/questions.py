"""Dialogue: the questions that a model asked with AskUserQuestion, and the user's answers."""

import json
from typing import Any

from pydantic_core import from_json

from hookd.core.model.effects.messages import AddMessage
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.events.model import PostToolUse

TOOL = "AskUserQuestion"


def record_dialogue(event: PostToolUse, facts: Facts) -> tuple[Effect, ...]:
    """Return the effect that stores the dialogue of a call, once per call."""
    entry = dialogue(event)
    if entry is None or facts.session is None:
        return ()
    said = json.dumps(entry, ensure_ascii=False)
    effort_id = facts.effort.id if facts.effort else None
    return (AddMessage(facts.session.id, effort_id, "user", said, TOOL, event.tool_use_id),)


def dialogue(event: PostToolUse) -> dict[str, Any] | None:
    """Return the questions with their options and answers; None if the call asked nothing.

    A missing or malformed answer is empty; answers to other questions are left out.
    """
    questions = event.tool_input.get("questions")
    if event.tool_name != TOOL or not isinstance(questions, list):
        return None
    given = _answers(event.tool_response) or _answers(event.tool_input)
    return {
        "preamble": "",
        "questions": [_question(one, given) for one in questions if isinstance(one, dict)],
    }


def _answers(response: Any) -> dict[str, str]:
    """Return answers by question, from all shapes that clients have used.

    An object with `answers`, itself an object by question or a list of `{question, answer}`; such a
    list alone; or any of these as JSON text.
    """
    if isinstance(response, str):
        try:
            response = from_json(response.encode("utf-8", "replace"))
        except ValueError:
            return {}
    found = response.get("answers") if isinstance(response, dict) else response
    if isinstance(found, list):
        pairs = [one for one in found if isinstance(one, dict)]
        found = {_plain(one.get("question")): one.get("answer") for one in pairs}
    if not isinstance(found, dict):
        return {}
    return {question: _text(answer) for question, answer in found.items()}


def _text(answer: Any) -> str:
    if isinstance(answer, list):  # a question of which several options may be chosen
        return ", ".join(one for one in answer if isinstance(one, str))
    return _plain(answer)


def _plain(value: Any) -> str:
    # Other values cannot always be converted: numbers may be too long, lists too deep.
    return value if isinstance(value, str) else ""


def _question(one: dict[str, Any], answers: dict[str, str]) -> dict[str, Any]:
    text, options = _plain(one.get("question")), one.get("options")
    listed = options if isinstance(options, list) else []
    return {
        "question": text,
        "options": [_plain(each.get("label")) for each in listed if isinstance(each, dict)],
        "multiSelect": one.get("multiSelect") is True,
        "answer": answers.get(text, ""),
    }
