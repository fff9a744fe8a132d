"""`hookd message`: list messages: prompts, answers, log entries."""

import click

from hookd.cli.history.dialogue import brief
from hookd.cli.lib import args, output
from hookd.cli.lib.client import call
from hookd.cli.lib.groups import Commands
from hookd.cli.lib.options import session_option
from hookd.cli.lib.output import Column, moment

_EMPTY = "No messages. They appear when Claude Code runs with hookd: hookd install"
_ROLES = ("user", "assistant", "log", "system")
_STYLES = {"user": "bold", "log": "cyan", "system": "dim"}


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
      hookd message list --session 6f1f0a3e --json | jq -r '.[].content'
    """,
)
@click.option("--effort", "number", type=click.IntRange(min=1), metavar="ID")
@session_option()
@click.option("--role", type=click.Choice(_ROLES))
@click.option("--limit", type=click.IntRange(1, 100_000), default=50, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list.")
def list_(
    number: int | None, session: str | None, role: str | None, limit: int, as_json: bool
) -> None:
    """List the last messages, the newest at the bottom.

    `hookd dialogue export` writes a whole conversation.
    """
    which: dict[str, object] = {
        key: value for key, value in {"effortId": number, "role": role}.items() if value
    }
    if session is not None:
        which |= args.session_params(session)
    messages = call("messages.list", {**which, "limit": limit})["messages"]
    messages.sort(key=lambda row: (row["timestamp"], row["id"]))
    columns = [
        Column("id", "id", firm=True, right=True),
        moment("time", "timestamp"),
        Column("role", "role", firm=True, styles=_STYLES),
        Column("session", "sessionId", firm=True, right=True),
        Column("effort", "effortId", firm=True, right=True),
        Column("what", "what", least=24),
    ]
    rows = messages if as_json else [{**row, "what": brief(row)} for row in messages]
    output.show(rows, columns, as_json=as_json, empty=_EMPTY)
