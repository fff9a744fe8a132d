"""`hookd mail`: mail of all agents, and the decision on mail that is held."""

import json
import sys
import uuid
from typing import Any

import click

from hookd import paths
from hookd.cli.lib import output, terminal
from hookd.cli.lib.client import call
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.groups import Commands
from hookd.cli.lib.options import json_option, limit_option, row_number
from hookd.cli.lib.output import Column
from hookd.cli.lib.person import for_person
from hookd.cli.mail.news import awaited

_STATES = ("waiting", "held", "dropped", "expired", "delivered", "sent")
_JSON = json_option("Print JSON.")
_NUMBER = click.argument("number", metavar="ID", type=row_number)
_COLUMNS = (
    Column("id", "id", firm=True, right=True),
    Column("from", "sender", cut=True, least=8),
    Column("to", "recipient", cut=True, least=8),
    Column("state", "state", firm=True),
    Column("got it", "got", firm=True, spare=True),
    Column("text", "text", cut=True, least=20),
    Column("sent", "createdAt", spare=True),
)


@click.group(
    cls=Commands,
    epilog="""\b
    Examples:
      hookd mail list
      hookd mail list --state held
      hookd mail show 12
      hookd mail allow 12
    """,
)
def mail() -> None:
    """Show mail of agents, and decide on mail that is held."""


@mail.command(
    "list",
    epilog="""\b
    Examples:
      hookd mail list
      hookd mail list --state waiting
      hookd mail list --thread 12
    """,
)
@click.option("--state", type=click.Choice(_STATES), help="Only mail in this state.")
@click.option("--thread", type=click.IntRange(1), metavar="ID", help="Only this thread.")
@click.option("--from", "sender", metavar="AGENT", help="Only mail of this sender.")
@limit_option(20)
@_JSON
def list_(
    state: str | None, thread: int | None, sender: str | None, limit: int, as_json: bool
) -> None:
    """List mail, newest first."""
    params = {"state": state, "threadId": thread, "sender": sender, "limit": limit}
    rows = call("mail.list", {key: value for key, value in params.items() if value is not None})
    shown = [row | {"got": f"{row['delivered']}/{row['recipients']}"} for row in rows["mail"]]
    output.show(
        rows["mail"] if as_json else shown,
        _COLUMNS,
        as_json=as_json,
        empty="No mail." if state or thread or sender else "No mail yet. hookd send --help",
    )


@mail.command(
    epilog="""\b
    Examples:
      hookd mail show 12
      hookd mail show 12 --json
    """
)
@_NUMBER
@_JSON
def show(number: int, as_json: bool) -> None:
    """Show a mail: its text, who has got it, and why it is held."""
    row = _mail(number)
    if as_json:
        output.show_json(row)
        return
    facts = {
        "from": f"{row['sender']} ({row['senderKind']})",
        "to": row["recipient"],
        "state": row["state"],
        "reason": row["reason"],
        "got it": f"{row['delivered']} of {row['recipients']}",
        "priority": row["priority"],
        "channel": row["channel"],
        "thread": row["threadId"],
        "project": row["project"],
        "sent": row["createdAt"],
        "expires": row["expiresAt"],
    }
    output.show_facts({key: value for key, value in facts.items() if value}, f"Mail {number}")
    for line in row["text"].splitlines():
        click.echo(f"    {output.cell(line)}")
    if row["state"] == "held":
        click.echo(f"\nhookd mail allow {number}; hookd mail drop {number}")


@mail.command(
    epilog="""\b
    Examples:
      hookd mail allow 12
    """
)
@_NUMBER
@_JSON
@for_person
def allow(number: int, as_json: bool) -> None:
    """Let a held mail pass to its recipients."""
    result = call("mail.allow", {"id": number})
    done = f"Mail {number} waits for {output.cell(result['recipient'])}."
    output.show_done(done, result, as_json=as_json)


@mail.command(
    epilog="""\b
    Examples:
      hookd mail drop 12
    """
)
@_NUMBER
@_JSON
@for_person
def drop(number: int, as_json: bool) -> None:
    """Drop a mail: whoever has not got it does not get it."""
    result = call("mail.drop", {"id": number})
    output.show_done(f"Dropped mail {number}.", result, as_json=as_json)


@mail.command(
    epilog="""\b
    Examples:
      hookd mail wake < stop.json
    """
)
@click.option(
    "--hours",
    type=click.IntRange(1, 720),
    default=24,
    show_default=True,
    metavar="N",
    help="Give up after N hours.",
)
def wake(hours: int) -> None:
    """Wait beside an idle Claude Code, and wake it for mail.

    For a hook on Stop with `asyncRewake`. It reads the event on standard input, and ends with exit
    code 2 and one line on standard error once mail waits; in any other case with 0, in silence.
    """
    conversation, waker = _conversation(sys.stdin.read()), str(uuid.uuid4())
    if not conversation or _in_print_mode():
        return  # print mode is never idle: it would wait for this process, and end after it
    terminal.end_at_interrupt()
    first = [True]

    def look() -> dict[str, Any] | None:
        params = {"conversation": conversation, "waker": waker, "first": first[0]}
        found: dict[str, Any] = call("mail.wake", params)
        first[0] = False
        return found if found["line"] or found["over"] else None

    found = awaited(look, hours * 3_600, lambda _problem: None)
    if found is not None and found["line"]:
        click.echo(found["line"], err=True)
        click.get_current_context().exit(2)


def _in_print_mode() -> bool:
    return (paths.variable("CLAUDE_CODE_ENTRYPOINT") or "").startswith("sdk")


def _conversation(event: str) -> str:
    """Return the session id of an event, "" if it has none."""
    try:
        found = json.loads(event).get("session_id")
    except (ValueError, AttributeError, RecursionError):
        return ""
    return found if isinstance(found, str) else ""


def _mail(number: int) -> dict[str, Any]:
    """Return a mail. Raise Problem if there is none."""
    rows = call("mail.list", {"id": number})["mail"]
    if not rows:
        raise Problem(f"There is no mail {number}.", "hookd mail list")
    row: dict[str, Any] = rows[0]
    return row
