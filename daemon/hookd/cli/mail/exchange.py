"""`hookd send`, `inbox`, `wait` and `reply`: write mail to agents, and read one's own."""

import json
import re
import shlex
import sys
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

import click

from hookd.cli.lib import args, output, terminal
from hookd.cli.lib.client import call, call_once
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.options import Command, json_option, limit_option, row_number
from hookd.cli.lib.person import at_terminal
from hookd.cli.mail.news import awaited
from hookd.core.model.durations import duration

_PRIORITIES = ("low", "normal", "high")
_LINES = re.compile(r"\r\n|\r|\n")

Row = dict[str, Any]
_JSON = json_option("Print JSON.")


def _one_text(_ctx: click.Context, _param: click.Parameter, words: tuple[str, ...]) -> str:
    """Return the text. Raise UsageError for several: the shell has split it."""
    if len(words) > 1:
        raise click.UsageError(f"Quote the text: {shlex.quote(' '.join(words))}")
    return words[0]


def _draft_options(command: Command) -> Command:
    command = click.option(
        "--key", metavar="KEY", help="Send nothing if a call with this key has."
    )(command)
    command = click.option(
        "--expires",
        metavar="TIME",
        help="Give up after 30m, 12h or 7d; 30d at most.  [default: 1d]",
    )(command)
    return click.option(
        "--priority",
        type=click.Choice(_PRIORITIES),
        default="normal",
        show_default=True,
        help="high comes first; low wakes no idle agent.",
    )(command)


@click.command(
    epilog="""\b
    Examples:
      hookd send builder "The parser is done; you can start."
      hookd send 7 "Which port does the server use?"
      hookd send @task "I renamed the table orders." --priority high
      git diff | hookd send reviewer -
    """
)
@click.argument("to", metavar="AGENT")
@click.argument("text", metavar="TEXT|-", nargs=-1, required=True, callback=_one_text)
@_draft_options
@_JSON
def send(to: str, text: str, as_json: bool, **options: str | None) -> None:
    """Write to AGENT, @task, @all or @person.

    AGENT is a name or the number of a session. @task are all sessions on your task, also those that
    join it before the mail expires; @all the open sessions of the project. NAME@HOST is an agent of
    another host of the fleet, person@HOST the person there. It arrives with the recipient's next
    event that can carry context.

    Without --key each run sends a mail. A script that may run twice gives a key of its own, of 8 to
    100 letters, digits and _.:-
    """
    _send({"to": to}, text, options, as_json=as_json)


@click.command(
    epilog="""\b
    Examples:
      hookd reply 12 "It is port 8080."
      hookd reply 12 - < answer.md
    """
)
@click.argument("number", metavar="ID", type=row_number)
@click.argument("text", metavar="TEXT|-", nargs=-1, required=True, callback=_one_text)
@_draft_options
@_JSON
def reply(number: int, text: str, as_json: bool, **options: str | None) -> None:
    """Answer mail ID, in its thread."""
    _send({"replyTo": number}, text, options, as_json=as_json)


@click.command(
    epilog="""\b
    Examples:
      hookd inbox
      hookd inbox 12
      hookd inbox --all
    """
)
@click.argument("number", metavar="[ID]", type=row_number, required=False)
@click.option("-a", "--all", "every", is_flag=True, help="Include mail that was delivered.")
@limit_option(20, most=1_000)
@_JSON
def inbox(number: int | None, every: bool, limit: int, as_json: bool) -> None:
    """Print the mail that waits for you, or the whole of mail ID.

    What it prints counts as delivered.
    """
    params = {"every": every, "limit": limit} | ({"id": number} if number else {})
    found = call("mail.inbox", params)
    rows = found["mail"]
    if number and not rows:
        raise Problem(f"There is no mail {number} of yours.", "hookd inbox --all")
    if as_json:
        output.show_json(rows)
    elif rows:
        _print(rows, framed=found["owner"] is not None)
    else:
        click.echo("No mail waits." if every else "No mail waits. hookd inbox --all: all of it")
    _read(rows)


@click.command(
    epilog="""\b
    Examples:
      hookd wait --for builder
      hookd wait --for builder --timeout 30m
      hookd wait --json
    """
)
@click.option("--for", "sender", metavar="AGENT", help="Wait for mail of this one only.")
@click.option(
    "--timeout",
    metavar="TIME",
    default="10m",
    show_default=True,
    help="Give up after 30s, 10m, 2h.",
)
@_JSON
@click.pass_context
def wait(ctx: click.Context, sender: str | None, timeout: str, as_json: bool) -> None:
    """Wait until mail has come, and print it.

    Exit code 1: none came in time. Mail that waits already counts.
    """
    terminal.end_at_interrupt()
    span = duration(timeout)
    if span is None:
        raise Problem(f"{timeout!r} is no duration.", "--timeout 30s, 10m, 2h")
    params = {"sender": sender} if sender else {}

    told = not sender

    def look() -> Row | None:
        nonlocal told
        inbox: Row = call("mail.inbox", params)
        if not told and inbox["absent"]:
            click.echo(f"hookd: no open agent is {sender}. Waiting for it anyway.", err=True)
        told = True
        return inbox if inbox["mail"] else None

    found = awaited(look, span.total_seconds(), _report)
    if found is not None:
        rows = found["mail"]
        if as_json:
            output.show_json(rows)
        else:
            _print(rows, framed=found["owner"] is not None)
        _read(rows)
        return
    whose = f" from {sender}" if sender else ""
    click.echo(f"hookd: no mail{whose} in {timeout}. Next: hookd inbox --all", err=True)
    ctx.exit(1)


def _send(address: Row, text: str, options: Mapping[str, str | None], *, as_json: bool) -> None:
    expires, key = options["expires"], options["key"]
    params = address | {"text": args.read_text(text), "priority": options["priority"]}
    params |= {"terminal": at_terminal(), "key": key or uuid4().hex}
    if expires is not None:
        span = duration(expires)
        if span is None:
            raise Problem(f"{expires!r} is no duration.", "--expires 30m, 12h, 7d")
        params["expiresS"] = int(span.total_seconds())
    result = call_once("mail.send", params)
    if as_json:
        output.show_json(result)
        return
    number, who = result["id"], output.cell(result["recipient"])
    if result["state"] == "held":
        click.echo(f"Mail {number} to {who} is held: {output.cell(result['held'])}.")
        click.echo(f"A person decides: hookd mail allow {number}, or hookd mail drop {number}")
        return
    names = ", ".join(map(output.cell, result["recipients"]))
    sent = "Sent before, as" if result["again"] and key else "Sent"
    if who == names or not names:
        nobody = not names and result["recipient"].startswith("@task ")
        names = ", on which no other session works now" if nobody else ""
        click.echo(f"{sent} mail {number} to {who}{names}.{_later(result)}")
    else:
        click.echo(f"{sent} mail {number} to {who}: {names}.{_later(result)}")


def _later(result: Row) -> str:
    """Return who reads a mail only later, and how to wake them; "" if all recipients work."""
    calls = result["wake"]
    woken = [one["agent"] for one in calls]
    idle = [] if result["again"] else [one for one in result["idle"] if one not in woken]
    told = ""
    if idle:
        verb, reads = ("is", "reads") if len(idle) == 1 else ("are", "read")
        who = ", ".join(map(output.cell, idle))
        told = f" {who} {verb} idle and {reads} it with the next prompt, unless mail wakes"
        told += " idle agents."
    return told + "".join(map(_wake_call, calls))


def _wake_call(call: Row) -> str:
    """Return how the model that runs this command wakes an agent."""
    given = json.dumps({key: call[key] for key in ("to", "message")}, ensure_ascii=False)
    who = output.cell(call["agent"])
    return f"\n{who} is idle. To wake it, call your tool SendMessage with exactly {given}"


def _print(rows: list[Row], *, framed: bool) -> None:
    """Print mail: to a model in its frame, to a person with a heading."""
    for place, row in enumerate(rows):
        if place:
            click.echo()
        if framed:
            click.echo("\n".join(map(output.cell, _LINES.split(row["framed"]))))
            continue
        at, who = output.text(row["createdAt"]), output.cell(row["sender"])
        click.echo(
            f"Mail {row['id']} from {who}, {at}, {row['state']}. hookd reply {row['id']} TEXT"
        )
        for line in _LINES.split(row["text"]):
            click.echo(f"  {output.cell(line)}")


def _read(rows: list[Row]) -> None:
    """Count mail that was printed as delivered."""
    ids = [row["id"] for row in rows if row["state"] in ("waiting", "offered")]
    if ids:
        sys.stdout.flush()
        call("mail.read", {"ids": ids})


def _report(problem: Problem) -> None:
    click.echo(f"hookd: {problem.message} Waiting for it.", err=True)
