"""The home of how a conversation is written: messages as markdown."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from hookd.cli.lib.output import local_time

_PREMISE = 2_000
_TITLES = {"user": "User", "assistant": "Assistant", "log": "Log"}
_QUESTION = "AskUserQuestion"
# What could rewrite the terminal that a conversation is printed on.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def render(title: str, messages: Iterable[Mapping[str, Any]]) -> str:
    """Return a conversation as markdown: who said what, in the order in which it was said.

    Tool calls of the assistant, and what the system noted, are left out.
    """
    said = sorted(messages, key=lambda one: (one["timestamp"], one["id"]))
    parts = [f"# {title}", *(part for one in said if (part := _part(one)))]
    return _CONTROL.sub("", "\n\n".join(parts)) + "\n"


def _part(message: Mapping[str, Any]) -> str:
    role, tool = message["role"], message["toolName"]
    if tool == _QUESTION and role == "user":
        asked = questions(message["content"])
        if asked is not None:
            return "\n\n".join([_heading(message, "Question"), *_dialogue(asked)])
    elif tool or role not in _TITLES:
        return ""
    content = message["content"].strip()
    # A log entry has headings of its own, which would look like those of the conversation.
    text = _quoted(content) if role == "log" else content
    return f"{_heading(message, _TITLES[role])}\n\n{text}"


def _heading(message: Mapping[str, Any], title: str) -> str:
    return f"## [{local_time(message['timestamp'])}] {title}"


def brief(message: Mapping[str, Any]) -> str:
    """Return a message on one line: questions with their answers, and whose tool it was."""
    content, tool = message["content"], message["toolName"]
    asked = questions(content) if tool == _QUESTION and message["role"] == "user" else None
    if asked is not None:
        pairs = (
            (_plain(one.get("question")), _plain(one.get("answer"))) for one in asked["questions"]
        )
        return "; ".join(f"{question} -> {answer or '-'}" for question, answer in pairs)
    text = _plain(content)
    return f"{tool}: {text}" if tool else text


def questions(content: str) -> Mapping[str, Any] | None:
    """Return questions as they were kept; None where the text is something else."""
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return None
    listed = value.get("questions") if isinstance(value, dict) else None
    whole = isinstance(listed, list) and all(isinstance(one, dict) for one in listed)
    return value if whole else None


def _dialogue(asked: Mapping[str, Any]) -> Iterator[str]:
    """Yield the premise, and each question with its options and its answer."""
    premise = str(asked.get("preamble") or "").strip()
    if premise:
        cut = premise if len(premise) <= _PREMISE else premise[: _PREMISE - 1] + "…"
        yield _quoted(cut)
    listed = asked["questions"]
    for number, one in enumerate(listed, 1):
        place = str(number) if len(listed) > 1 else ""
        yield f"**A{place}**: {_question(one)}\n**U{place}**: {_plain(one.get('answer')) or '-'}"


def _question(one: Mapping[str, Any]) -> str:
    options = one.get("options")
    listed = " / ".join(map(_plain, options)) if isinstance(options, list) else ""
    text = _plain(one.get("question")) + (f" — {listed}" if listed else "")
    return f"{text} *(multi)*" if one.get("multiSelect") is True else text


def _plain(value: Any) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())
