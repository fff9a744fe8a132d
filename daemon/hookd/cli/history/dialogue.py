"""`hookd dialogue`: export a conversation as Markdown."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import click

from hookd.cli.lib import args
from hookd.cli.lib.client import Refused, call, identity
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.groups import Commands
from hookd.cli.lib.options import session_option
from hookd.cli.lib.private_file import private_file
from hookd.display.amounts import local_time

_PAGE_ROWS = 100
_MAX_PREMISE_CHARS = 2_000
_TITLES = {"user": "User", "assistant": "Assistant", "log": "Log"}
_QUESTION = "AskUserQuestion"
# Control characters could rewrite the terminal that a conversation is printed on.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@click.group(
    cls=Commands,
    epilog="""\b
    Examples:
      hookd dialogue export
      hookd dialogue export --session 12 -o dialogue.md
    """,
)
def dialogue() -> None:
    """Export conversations: prompts, answers, log entries."""


@dialogue.command(
    epilog="""\b
    Examples:
      hookd dialogue export      of your effort, or your session
      hookd dialogue export --effort 3 -o dialogue.md
      hookd dialogue export --session 6f1f0a3e | less
    """
)
@click.option("--effort", "number", type=click.IntRange(min=1), metavar="ID")
@session_option()
@click.option("-o", "--output", metavar="FILE", help="Write to FILE.  [default: print]")
@click.option("--force", is_flag=True, help="Overwrite FILE.")
def export(number: int | None, session: str | None, output: str | None, force: bool) -> None:
    """Export messages of an effort or a session as Markdown."""
    if number is not None and session is not None:
        raise click.UsageError("Choose one of --effort and --session.")
    which, title = _which(number, session)
    messages = _messages(which)
    if not messages:
        raise Problem(f"No messages: {title}.", "hookd message list")
    text = render(title, messages)
    if output is None or output == "-":
        click.echo(text, nl=False)
        return
    with private_file(output, force=force) as file:  # a conversation is private to its user
        file.write(text)
    click.echo(f"Wrote {output}: {title}.")


def _which(number: int | None, session: str | None) -> tuple[dict[str, Any], str]:
    """Return the params of messages.list that select the conversation, and its title."""
    if session is not None:
        return args.session_params(session), f"Session {session}"
    if number is not None:
        return {"effortId": number}, f"Effort {number}"
    try:
        own = call("effort.phase")["effortId"]
    except Refused as refused:
        running = identity().get("CLAUDE_CODE_SESSION_ID")
        if running is not None:
            return {"claudeSessionId": running}, f"Session {running}"
        step = "hookd dialogue export --session ID, which hookd session list shows; or --effort ID"
        raise Problem(refused.message, step) from None
    return {"effortId": own}, f"Effort {own}"


def _messages(which: dict[str, Any]) -> list[dict[str, Any]]:
    """Return all messages, oldest first; read in pages, so that no answer is too long."""
    messages: list[dict[str, Any]] = []
    while True:
        after = messages[-1]["id"] if messages else 0
        params = {**which, "after": after, "oldestFirst": True, "limit": _PAGE_ROWS}
        page = call("messages.list", params)["messages"]
        messages += page
        if len(page) < _PAGE_ROWS:
            return messages


def render(title: str, messages: Iterable[Mapping[str, Any]]) -> str:
    """Return a conversation as Markdown, in the order of its timestamps.

    Tool calls of the assistant and notes of the system are left out.
    """
    ordered = sorted(messages, key=lambda message: (message["timestamp"], message["id"]))
    parts = [f"# {title}", *(part for message in ordered if (part := _part(message)))]
    return _CONTROL.sub("", "\n\n".join(parts)) + "\n"


def brief(message: Mapping[str, Any]) -> str:
    """Return a message on one line: questions with their answers, or the tool and its text."""
    content, tool = message["content"], message["toolName"]
    asked = questions(content) if tool == _QUESTION and message["role"] == "user" else None
    if asked is not None:
        pairs = (
            (_one_line(row.get("question")), _one_line(row.get("answer")))
            for row in asked["questions"]
        )
        return "; ".join(f"{question} -> {answer or '-'}" for question, answer in pairs)
    text = _one_line(content)
    return f"{tool}: {text}" if tool else text


def questions(content: str) -> Mapping[str, Any] | None:
    """Return stored questions with their answers; None if the content is something else."""
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return None
    rows = value.get("questions") if isinstance(value, dict) else None
    whole = isinstance(rows, list) and all(isinstance(row, dict) for row in rows)
    return value if whole else None


def _part(message: Mapping[str, Any]) -> str:
    role, tool = message["role"], message["toolName"]
    if tool == _QUESTION and role == "user":
        asked = questions(message["content"])
        if asked is not None:
            return "\n\n".join([_heading(message, "Question"), *_question_lines(asked)])
    elif tool or role not in _TITLES:
        return ""
    content = message["content"].strip()
    # A log entry has headings, which would look like those of the conversation.
    text = _quoted(content) if role == "log" else content
    return f"{_heading(message, _TITLES[role])}\n\n{text}"


def _heading(message: Mapping[str, Any], title: str) -> str:
    return f"## [{local_time(message['timestamp'])}] {title}"


def _question_lines(asked: Mapping[str, Any]) -> Iterator[str]:
    """Yield the premise, then each question with its options and its answer."""
    premise = str(asked.get("preamble") or "").strip()
    if len(premise) > _MAX_PREMISE_CHARS:
        premise = premise[: _MAX_PREMISE_CHARS - 1] + "…"
    if premise:
        yield _quoted(premise)
    rows = asked["questions"]
    for number, row in enumerate(rows, 1):
        index = str(number) if len(rows) > 1 else ""
        answer = _one_line(row.get("answer")) or "-"
        yield f"**A{index}**: {_question(row)}\n**U{index}**: {answer}"


def _question(row: Mapping[str, Any]) -> str:
    options = row.get("options")
    choices = " / ".join(map(_one_line, options)) if isinstance(options, list) else ""
    text = _one_line(row.get("question")) + (f" — {choices}" if choices else "")
    return f"{text} *(multi)*" if row.get("multiSelect") is True else text


def _one_line(value: Any) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())
