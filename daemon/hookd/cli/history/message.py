"""`hookd message`: list messages: prompts, answers, log entries."""

from itertools import chain
from typing import Any

import click

from hookd.cli.history.dialogue import brief
from hookd.cli.lib import args, output
from hookd.cli.lib.client import call
from hookd.cli.lib.follow import new_pages
from hookd.cli.lib.groups import Commands
from hookd.cli.lib.options import (
    follow_option,
    json_option,
    limit_option,
    session_option,
)
from hookd.cli.lib.output import Column, moment

_EMPTY = "No messages. They appear when a client runs with hookd: hookd install --all"
_ROLES = ("user", "assistant", "log", "system")
_STYLES = {"user": "bold", "log": "cyan", "system": "dim"}

_COLUMNS = (
    Column("id", "id", firm=True, right=True),
    moment("time", "timestamp"),
    Column("role", "role", firm=True, styles=_STYLES),
    Column("session", "sessionId", firm=True, right=True),
    Column("effort", "effortId", firm=True, right=True),
    Column("what", "what", least=24),
)
_WIDTHS = (6, 25, 9, 7, 6, 0)
"""Widths of the columns with --follow, when later rows are not known yet."""


@click.group(
    cls=Commands,
    epilog="""\b
    Examples:
      hookd message list
      hookd message list --effort 3 --role log
    """,
)
def message() -> None:
    """List messages: prompts, answers, log entries."""


@message.command(
    name="list",
    epilog="""\b
    Examples:
      hookd message list
      hookd message list --effort 3 --role log
      hookd message list --follow --role user
      hookd message list --session 6f1f0a3e --json | jq -r '.[].content'
    """,
)
@click.option("--effort", "number", type=click.IntRange(min=1), metavar="ID")
@session_option()
@click.option("--role", type=click.Choice(_ROLES))
@limit_option()
@follow_option()
@json_option("Print a JSON list; one a line to follow.")
def list_(  # noqa: PLR0913, PLR0917 - the options of a command
    number: int | None,
    session: str | None,
    role: str | None,
    limit: int,
    follow: bool,
    as_json: bool,
) -> None:
    """List the last messages, the newest at the bottom.

    `hookd dialogue export` writes a whole conversation.
    """
    which: dict[str, object] = {
        key: value for key, value in {"effortId": number, "role": role}.items() if value
    }
    if session is not None:
        which |= args.session_params(session)
    # If no message matches, new ones come after the newest message of all.
    newest = call("messages.list", {"limit": 1})["messages"] if follow else []
    messages = call("messages.list", {**which, "limit": limit})["messages"]
    after = max((row["id"] for row in (*newest, *messages)), default=0)
    messages.sort(key=lambda row: (row["timestamp"], row["id"]))
    if not follow:
        rows = messages if as_json else [{**row, "what": brief(row)} for row in messages]
        output.show(rows, _COLUMNS, as_json=as_json, empty=_EMPTY)
        return
    params = {**which, "oldestFirst": True}
    pages = new_pages("messages.list", params, after, key="messages", noun="messages")
    for row in chain(messages, chain.from_iterable(pages)):
        click.echo(output.json_text(row) if as_json else _line(row))


def _line(row: dict[str, Any]) -> str:
    """Return a message as one line of fixed column widths."""
    shown = {**row, "what": brief(row)}
    cells = [column.show(shown[column.key]) for column in _COLUMNS]
    return "  ".join(
        f"{cell:<{width}}" for cell, width in zip(cells, _WIDTHS, strict=True)
    ).rstrip()
