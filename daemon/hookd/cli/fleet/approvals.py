"""`hookd approval`: permission requests that wait for a person, and their answers."""

import shutil
import sys
import time
from collections.abc import Iterator
from itertools import islice
from typing import Any

import click

from hookd.cli.lib import completions, output, terminal
from hookd.cli.lib.client import call, subscribe
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.groups import Commands
from hookd.cli.lib.options import follow_option, json_option, limit_option
from hookd.cli.lib.output import Column
from hookd.cli.lib.person import expect_person, expect_terminal, for_person
from hookd.display.approval_words import agent_words, call_words, risk_words, state_words
from hookd.system.person_name import own_terminal

_EMPTY = (
    "No permission request waits. They wait where the setting approvals.hold is on, while a person"
    " looks: hookd approval --follow, or the board."
)
_DIFF_LINES = 40
"""Lines of a diff that are shown; --json has all of it."""

_RETRY_INTERVAL_S = 0.5

_JSON = json_option()
_NUMBER = click.argument(
    "number",
    metavar="ID",
    type=click.IntRange(1, 2**63 - 1),
    shell_complete=completions.approvals,
)

Row = dict[str, Any]


_COLUMNS = (
    Column("id", "id", firm=True, right=True),
    Column("agent", "who", cut=True, least=8),
    Column("call", "call", cut=True, least=24),
    Column("risk", "risk", risk_words, cut=True, least=10),
    Column("status", "status", firm=True),
    Column("answered by", "answeredBy", cut=True, spare=True),
    Column("asked", "askedAt", spare=True),
)


@click.group(
    cls=Commands,
    invoke_without_command=True,
    epilog="""\b
    Examples:
      hookd approval
      hookd approval --follow
      hookd approval show 7
      hookd approval allow 7
      hookd approval deny 7 -m "Use the staging database."
      hookd approval leave 7
    """,
)
@click.option("-a", "--all", "every", is_flag=True, help="Include those that have ended.")
@limit_option()
@follow_option("Show requests as they come, until Ctrl-C.")
@json_option("Print JSON.")
@click.pass_context
def approval(ctx: click.Context, every: bool, limit: int, follow: bool, as_json: bool) -> None:
    """Show permission requests that wait, and answer them.

    Requests wait where the setting `approvals.hold` is on, while a viewer is open that can answer:
    --follow, the board, or the page. The client shows its own dialog as well, and the first answer
    counts.
    """
    if ctx.invoked_subcommand is not None:
        return
    if follow:
        expect_person("hookd approval --follow")
        _follow(as_json=as_json)
        return
    params = {"pending": None if every else True, "limit": limit}
    rows = call("approvals.list", params)["approvals"]
    if as_json:
        output.show_json(rows)
        return
    shown = [row | {"who": agent_words(row), "call": call_words(row)} for row in rows]
    output.show(shown, _COLUMNS, as_json=False, empty=_EMPTY)
    if any(row["status"] == "pending" for row in rows):
        click.echo("\nhookd approval show ID; hookd approval allow ID, deny ID or leave ID")


@approval.command(
    epilog="""\b
    Examples:
      hookd approval show 7
      hookd approval show 7 --json
    """
)
@_NUMBER
@_JSON
def show(number: int, as_json: bool) -> None:
    """Show a request: its command, reason, risk and diff."""
    row = _request(number)
    if as_json:
        output.show_json(row)
        return
    _show(row)


@approval.command(
    epilog="""\b
    Examples:
      hookd approval allow 7
    """
)
@_NUMBER
@_JSON
@for_person
def allow(number: int, as_json: bool) -> None:
    """Let a call that waits run, once."""
    _answer(number, "allow", "", as_json=as_json)


@approval.command(
    epilog="""\b
    Examples:
      hookd approval deny 7
      hookd approval deny 7 -m "Use the staging database."
    """
)
@_NUMBER
@click.option("-m", "--message", default="", metavar="TEXT", help="What the model reads.")
@_JSON
@for_person
def deny(number: int, message: str, as_json: bool) -> None:
    """Deny a call that waits."""
    _answer(number, "deny", message, as_json=as_json)


@approval.command(
    epilog="""\b
    Examples:
      hookd approval leave 7
    """
)
@_NUMBER
@_JSON
@for_person
def leave(number: int, as_json: bool) -> None:
    """Leave a request to the client's own dialog."""
    _answer(number, "dialog", "", as_json=as_json)


_DONE = {"allow": "Allowed", "deny": "Denied", "dialog": "Left to the client's dialog"}


def _answer(number: int, answer: str, message: str, *, as_json: bool) -> None:
    expect_terminal(f"hookd approval {click.get_current_context().info_name}")
    row = _request(number)
    params = {"id": number, "answer": answer, "message": message, "via": own_terminal()}
    result = call("approvals.answer", params)
    if as_json:
        output.show_json(result)
        return
    click.echo(f"{_DONE[answer]}: {output.cell(call_words(row))}")


def _request(number: int) -> Row:
    """Return a request. Raise Problem if there is none."""
    rows = call("approvals.list", {"id": number, "pending": None})["approvals"]
    if not rows:
        raise Problem(f"There is no permission request {number}.", "hookd approval --all")
    row: Row = rows[0]
    return row


def _risk(risk: Row | None) -> str:
    return f"{risk_words(risk)}: it {risk['reason']}" if risk else risk_words(risk)


def _show(row: Row) -> None:
    """Print a request with all that a person needs to answer it."""
    facts = {
        "agent": agent_words(row),
        "project": row["project"],
        "call": call_words(row),
        "reason": row["reason"] or "the client asks by its own rules",
        "risk": _risk(row["risk"]),
        "asked": row["askedAt"],
        "until": row["until"],
        "event": f"{row['eventId']}: hookd why {row['eventId']}",
    }
    output.show_facts(facts, f"Request {row['id']}, {output.cell(state_words(row))}")
    lines = (row["diff"] or "").splitlines()
    for line in islice(lines, _DIFF_LINES):
        click.echo(f"    {output.cell(line)}")
    if len(lines) > _DIFF_LINES:
        click.echo(f"    ... and {len(lines) - _DIFF_LINES} more lines: hookd approval show --json")


def _follow(*, as_json: bool) -> None:
    """Print requests as they come and end. Raise Problem if no daemon answers."""
    terminal.end_at_interrupt()
    if sys.stdout.isatty() and not as_json:
        click.echo("Permission requests wait while this runs. Ctrl-C ends it.")
    known: set[int] = set()
    for params in _changes():
        if as_json:
            click.echo(output.json_text(params))
        for row in () if as_json else (*params["pending"], *params["ended"]):
            if row["status"] != "pending":
                click.echo(f"Request {row['id']}: {output.cell(state_words(row))}")
            elif row["id"] not in known:
                known.add(row["id"])
                click.echo("-" * min(shutil.get_terminal_size().columns, 80))
                _show(row)
                click.echo(f"  hookd approval allow {row['id']}, deny {row['id']} -m TEXT")
        sys.stdout.flush()


def _changes() -> Iterator[Row]:
    """Yield what the daemon says of requests, across its restarts."""
    told = False
    notifications = subscribe("approvals.subscribe", {"canAnswer": True})[1]
    while True:
        for one in notifications:
            told = False
            if one.method == "approvals.changed":
                yield one.params
        while True:
            try:
                notifications = subscribe("approvals.subscribe", {"canAnswer": True})[1]
                break
            except Problem as problem:
                if not told:
                    click.echo(f"hookd: {problem.message} Waiting for it.", err=True)
                told = True
                time.sleep(_RETRY_INTERVAL_S)
