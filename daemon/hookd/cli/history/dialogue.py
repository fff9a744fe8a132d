"""The home of `hookd dialogue`: a conversation, written down."""

import errno
import os
from pathlib import Path
from typing import Any

import click

from hookd.cli.history import dialogue_format
from hookd.cli.lib import args
from hookd.cli.lib.client import Refused, call, identity
from hookd.cli.lib.errors import Problem

_PAGE = 100


@click.group(
    epilog="""\b
    Examples:
      hookd dialogue export
      hookd dialogue export --session 12 -o dialogue.md
    """
)
def dialogue() -> None:
    """Write conversations down: prompts, answers, questions, log entries."""


@dialogue.command(
    epilog="""\b
    Examples:
      hookd dialogue export                              of your effort, or your session
      hookd dialogue export --effort 3 -o dialogue.md
      hookd dialogue export --session 6f1f0a3e | less
    """
)
@click.option("--effort", "number", type=click.IntRange(min=1), metavar="ID")
@click.option("--session", metavar="ID", help="A number, a Claude session id, or its beginning.")
@click.option("-o", "--output", metavar="FILE", help="Write it there.  [default: print it]")
@click.option("--force", is_flag=True, help="Also where FILE is there already.")
def export(number: int | None, session: str | None, output: str | None, force: bool) -> None:
    """Write a conversation as markdown: all that was said in an effort, or in a session."""
    if number is not None and session is not None:
        raise click.UsageError("Choose one of --effort and --session.")
    which, title = _which(number, session)
    said = _messages(which)
    if not said:
        raise Problem(f"Nothing was said, as far as hookd knows: {title}.", "hookd message list")
    text = dialogue_format.render(title, said)
    if output is None or output == "-":
        click.echo(text, nl=False)
        return
    _write(output, text, force)
    click.echo(f"Wrote {output}: {title}.")


def _which(number: int | None, session: str | None) -> tuple[dict[str, Any], str]:
    """Return the params of the list, and what the conversation is called."""
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
    """Return everything that was said, a page at a time: no answer is too long then."""
    said: list[dict[str, Any]] = []
    while True:
        after = said[-1]["id"] if said else 0
        params = {**which, "after": after, "oldestFirst": True, "limit": _PAGE}
        page = call("messages.list", params)["messages"]
        said += page
        if len(page) < _PAGE:
            return said


def _write(place: str, text: str, force: bool) -> None:
    anew = os.O_TRUNC if force else os.O_EXCL
    flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | anew
    try:
        # A conversation is its user's alone; a file that is there keeps its mode.
        number = os.open(Path(place).expanduser(), flags, 0o600)
        with os.fdopen(number, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except FileExistsError:
        step = "another name, or --force to write over it"
        raise Problem(f"{place} is there already.", step) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        if getattr(error, "errno", None) == errno.ELOOP:
            why = "it is a link"
        raise Problem(f"{place} cannot be written: {why}.", "name another file") from None
