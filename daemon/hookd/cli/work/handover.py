"""`hookd handover`: save, show, list and resume what a session leaves for the next one."""

import sys
from collections.abc import Iterator, Mapping
from inspect import cleandoc
from pathlib import Path, PurePath
from typing import Any

import click

from hookd.cli.lib import args, output
from hookd.cli.lib.client import Refused, call
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.groups import Commands
from hookd.cli.lib.options import json_option, limit_option
from hookd.cli.lib.output import Column, moment
from hookd.cli.work import saved_handovers
from hookd.cli.work.resume_handover import resume

_EMPTY = "No handovers yet. How to save one: hookd handover save --help"
_REQUIRED = ("summary", "lastAction", "nextSteps", "requiredFiles")
_HELP = "hookd handover save --help"
_JSON = json_option("Print JSON.")
_SECTIONS = {
    "summary": "Summary",
    "lastAction": "Last action",
    "nextSteps": "Next steps",
    "requiredFiles": "Required files",
    "handoverInstructions": "Handover instructions",
    "userHistory": "What the user asked for",
}


@click.group(
    cls=Commands,
    epilog="""\b
    Examples:
      hookd handover save handover.json
      hookd handover show
      hookd handover list
      hookd handover resume --client codex
    """,
)
def handover() -> None:
    """Save, show and list handovers; resume one in any client."""


handover.add_command(resume)


class _Verbatim(click.Command):
    def format_epilog(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # click would indent it, and the end of a here-document has to begin its line.
        formatter.write(f"\n{cleandoc(self.epilog or '')}\n")


@handover.command(
    cls=_Verbatim,
    epilog="""
    The whole shape:
      summary               text: the work and its state
      lastAction            text: the last action
      nextSteps             list of texts, at least one
      requiredFiles         paths for the next session to read, 0 to 8
      handoverInstructions  text, optional: instructions for the next session
      userHistory           text or list, optional: open requests of the user

    Examples:

    hookd handover save handover.json

    hookd handover save --restart handover.json

    hookd handover save <<'EOF'
    {
      "summary": "GET /orders takes page and size; the tests pass.",
      "lastAction": "Wrote the test of the last page.",
      "nextSteps": ["Document both parameters.", "Ask for a review."],
      "requiredFiles": ["docs/api.md", "src/orders.py"],
      "handoverInstructions": "Don't touch the old endpoint.",
      "userHistory": ["And please keep the pages at 50 at most."]
    }
    EOF
    """,
)
@click.argument("file", metavar="[FILE|-]", default="-")
@click.option(
    "--session",
    "number",
    type=click.IntRange(min=1),
    metavar="ID",
    help="Another session than yours.",
)
@click.option("--restart", is_flag=True, help="Restart the client, if hookd run started it.")
@_JSON
def save(file: str, number: int | None, restart: bool, as_json: bool) -> None:
    """Save a handover for the next session.

    It is a JSON object in FILE or on stdin. The next session on the same effort receives it at its
    start. A second handover replaces the first.
    """
    params = {"payload": _payload(file), "restart": restart}
    params |= {"sessionId": number} if number else {}
    try:
        result = call("handover.save", params)
    except Refused as refused:
        if refused.code != "NOT_FOUND":
            raise
        step = "hookd session list" if number else "hookd session list, then --session ID"
        raise Problem(refused.message, step) from None
    if as_json:
        output.show_json(result)
        return
    effort = f", effort {result['effortId']}" if result["effortId"] else ""
    instead = ", instead of the one before" if result["replaced"] else ""
    click.echo(f"Saved the handover of session {result['sessionId']}{effort}{instead}.")
    if result["restarting"]:
        click.echo("The client restarts; the next session receives it.")
    elif restart:
        click.echo(
            "hookd: not restarted: hookd run did not start it. Next: begin a new session", err=True
        )
    if result["dropped"]:
        left = ", ".join(map(output.cell, result["dropped"]))
        click.echo(f"hookd: more than eight files; left out: {left}", err=True)


@handover.command(
    epilog="""\b
    Examples:
      hookd handover show        the newest here
      hookd handover show 12     of session 12
      hookd handover show --json | jq .handover
    """
)
@click.argument("number", metavar="[ID]", type=click.IntRange(min=1), required=False)
@_JSON
def show(number: int | None, as_json: bool) -> None:
    """Show the handover of session ID.

    The default is the newest of the current project.
    """
    one = saved_handovers.find(number)
    if as_json:
        output.show_json(one)
        return
    facts = {
        "agent": one["agent"],
        "effort": one["effortId"],
        "skill": one["skill"],
        "task": one["task"],
        "saved": one["handoverAt"],
        "taken": one["handoverDeliveredAt"],
    }
    known = {name: value for name, value in facts.items() if value is not None}
    output.show_facts(known, f"Handover of session {one['sessionId']}")
    for line in _sections(one["handover"]):
        click.echo(line)


@handover.command(
    name="list",
    epilog="""\b
    Examples:
      hookd handover list
      hookd handover list --limit 5 --json
    """,
)
@limit_option()
@_JSON
def list_(limit: int, as_json: bool) -> None:
    """List the handovers of all projects, the newest first."""
    handovers = call("handover.list", {"limit": limit})["handovers"]
    columns = [
        Column("session", "sessionId", firm=True, right=True),
        Column("agent", "agent"),
        Column("effort", "effortId", firm=True, right=True),
        Column("project", "project", _last_name, cut=True),
        Column("skill", "skill", spare=True),
        Column("client", "client", spare=True),
        moment("saved", "handoverAt"),
        moment("taken", "handoverDeliveredAt"),
        Column("summary", "summary", cut=True, least=16),
    ]
    rows = handovers if as_json else [{**row, "summary": _summary(row)} for row in handovers]
    output.show(rows, columns, as_json=as_json, empty=_EMPTY)


def _payload(file: str) -> dict[str, Any]:
    """Return the JSON object in a file or on stdin. Raise Problem for a missing field."""
    if file == "-" and sys.stdin.isatty():
        raise Problem("No handover was given: name a FILE, or pipe JSON in.", _HELP)
    text = args.read_text("-") if file == "-" else _read(file)
    if not text.strip():
        raise Problem("The handover is empty: expected a JSON object.", _HELP)
    value = args.read_json(f"{text}\n")  # the newline: a text `-` would mean standard input
    if not isinstance(value, dict):
        raise Problem("A handover is a JSON object.", _HELP)
    missing = [name for name in _REQUIRED if name not in value and _snake(name) not in value]
    if missing:
        raise Problem(f"The handover lacks {', '.join(missing)}.", _HELP)
    return value


def _snake(name: str) -> str:
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in name)


def _last_name(folder: str | None) -> str:
    return output.text(PurePath(folder or "").name)


def _read(file: str) -> str:
    try:
        return Path(file).expanduser().read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        sentence = f"{file} is not UTF-8: see byte {error.start}."
        raise Problem(sentence, "convert it, then run the command again") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise Problem(f"{file} cannot be read: {why}.", _HELP) from None


def _sections(payload: Mapping[str, Any]) -> Iterator[str]:
    for key, title in _SECTIONS.items():
        value = payload.get(key)
        lines = value if isinstance(value, list) else str(value or "").splitlines()
        if lines:
            yield from ("", title, *(f"  {output.cell(line)}" for line in lines))


def _summary(one: Mapping[str, Any]) -> str:
    return " ".join(str(one["handover"].get("summary", "")).split())
