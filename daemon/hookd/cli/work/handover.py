"""The home of `hookd handover`: what a context window leaves for the next one."""

import sys
from collections.abc import Iterator, Mapping
from inspect import cleandoc
from pathlib import Path
from typing import Any

import click

from hookd.cli.lib import args, output
from hookd.cli.lib.client import Refused, call
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.output import Column, moment

_EMPTY = "No handovers yet. How one is left: hookd handover save --help"
_HELP = "hookd handover save --help"
_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_SECTIONS = {
    "summary": "Summary",
    "lastAction": "Last action",
    "nextSteps": "Next steps",
    "requiredFiles": "Required files",
    "handoverInstructions": "Handover instructions",
    "userHistory": "What the user asked for",
}


@click.group(
    epilog="""\b
    Examples:
      hookd handover save handover.json
      hookd handover show
      hookd handover list
    """
)
def handover() -> None:
    """Keep what a context window leaves for the next one, and show it."""


class _Verbatim(click.Command):
    def format_epilog(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # click would indent it, and the end of a here-document has to begin its line.
        formatter.write(f"\n{cleandoc(self.epilog or '')}\n")


@handover.command(
    cls=_Verbatim,
    epilog="""
    The whole shape:
      summary               text: what the work is, and where it stands
      lastAction            text: what was done last
      nextSteps             list of texts, one at least
      requiredFiles         list of paths that the next window reads; eight at most, may be []
      handoverInstructions  text, may be left out: what the next window must heed
      userHistory           text or list, may be left out: what the user asked for and has not
                            got, in the user's words

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
@click.option("--session", "number", type=click.IntRange(min=1), metavar="ID", help="Not your own.")
@click.option("--restart", is_flag=True, help="Start the client anew, where hookd run started it.")
@_JSON
def save(file: str, number: int | None, restart: bool, as_json: bool) -> None:
    """Leave a handover, a JSON object, for the next window; without FILE it is read from stdin.

    The next window on the same effort is given it at its start. Saved again, it takes the place of
    the one before.
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
    click.echo(f"Kept the handover of session {result['sessionId']}{effort}{instead}.")
    if result["restarting"]:
        click.echo("The client is started anew; the next window is given it.")
    elif restart:
        told = "it is not started anew, since hookd run did not start it. Next: /clear"
        click.echo(f"hookd: {told}", err=True)
    if result["dropped"]:
        left = ", ".join(map(output.cell, result["dropped"]))
        click.echo(f"hookd: more than eight files were asked for; left out: {left}", err=True)


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
    """Show the handover of session ID; without it, the newest of the project you are in."""
    one = _one(number)
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
    told = {name: value for name, value in facts.items() if value is not None}
    output.show_facts(told, f"Handover of session {one['sessionId']}")
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
@click.option("--limit", type=click.IntRange(1, 100_000), default=50, show_default=True)
@_JSON
def list_(limit: int, as_json: bool) -> None:
    """List handovers, the newest first."""
    found = call("handover.list", {"limit": limit})["handovers"]
    columns = [
        Column("session", "sessionId", firm=True, right=True),
        Column("agent", "agent"),
        Column("effort", "effortId", firm=True, right=True),
        Column("skill", "skill"),
        moment("saved", "handoverAt"),
        moment("taken", "handoverDeliveredAt"),
        Column("summary", "summary", cut=True, least=16),
    ]
    rows = found if as_json else [{**one, "summary": _summary(one)} for one in found]
    output.show(rows, columns, as_json=as_json, empty=_EMPTY)


def _payload(file: str) -> dict[str, Any]:
    """Return the object that a file or standard input holds."""
    if file == "-" and sys.stdin.isatty():
        raise Problem("A handover is JSON, and nothing was given.", _HELP)
    value = args.read_json("-" if file == "-" else _read(file))
    if not isinstance(value, dict):
        raise Problem("A handover is a JSON object.", _HELP)
    return value


def _read(file: str) -> str:
    try:
        text = Path(file).expanduser().read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        sentence = f"{file} is not UTF-8: see byte {error.start}."
        raise Problem(sentence, "convert it, then run the command again") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise Problem(f"{file} cannot be read: {why}.", _HELP) from None
    # Alone, it would be taken for standard input.
    return f"{text}\n"


def _one(number: int | None) -> dict[str, Any]:
    wanted = (
        [{"sessionId": number}] if number else [{"project": root} for root in args.project_roots()]
    )
    for which in wanted:
        found = call("handover.list", {**which, "limit": 1})["handovers"]
        if found:
            one: dict[str, Any] = found[0]
            return one
    place = f"of session {number}" if number else "in this project"
    raise Problem(f"There is no handover {place}.", "hookd handover list")


def _sections(payload: Mapping[str, Any]) -> Iterator[str]:
    for key, title in _SECTIONS.items():
        value = payload.get(key)
        lines = value if isinstance(value, list) else str(value or "").splitlines()
        if lines:
            yield from ("", title, *(f"  {output.cell(line)}" for line in lines))


def _summary(one: Mapping[str, Any]) -> str:
    return " ".join(str(one["handover"].get("summary", "")).split())
