"""`hookd allow`: allow a single call that guards blocked."""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import click

from hookd.cli.history.why import number_of
from hookd.cli.lib import completions, output
from hookd.cli.lib.client import Refused, call
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.groups import Commands
from hookd.cli.lib.options import json_option
from hookd.cli.lib.output import Column
from hookd.cli.lib.person import expect_terminal, for_person
from hookd.core.model.durations import duration
from hookd.display.amounts import local_time

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_EMPTY = "No allowed calls. Allow one: hookd allow N, with the number in a denial."
_COLUMNS = (
    Column("event", "eventId", right=True),
    Column("guard", "guard"),
    Column("call", "call", least=24),
    Column("in", "folder"),
    Column("until", "until"),
)


class _ByNumber(Commands):
    """A group whose first argument may be an event's number instead of a subcommand."""

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Complete subcommands, and numbers of events that a guard blocked."""
        numbers = completions.decisions(ctx, once.params[0], incomplete)
        return [*super().shell_complete(ctx, incomplete), *numbers]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of `hookd allow N`, too."""
        once.format_options(ctx, formatter)
        self.format_commands(ctx, formatter)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0].lstrip("(#").rstrip(")").isdecimal():
            return "", once, args
        return super().resolve_command(ctx, args)


@click.group(
    cls=_ByNumber,
    subcommand_metavar="N | COMMAND [ARGS]...",
    epilog="""\b
    Examples:
      hookd allow 4711             shows the call of event 4711, and asks
      hookd allow 4711 --for 1h    the rule ends after an hour
      hookd allow 4711 --project   the same call, in every folder of its project
      hookd allow list
      hookd allow remove 4711
    """,
)
def allow() -> None:
    """Allow a single call that guards blocked.

    N is the number in a denial: (hookd #4711). The rule is for exactly this call: the same command
    in the same folder, the same tool for the same file, or the same input of another tool. It
    applies in all your sessions; with --project in all folders of the call's project, and in no
    other one. Only a person at a terminal can run this.
    """


@click.command(
    epilog="""\b
    Examples:
      hookd allow 4711
      hookd allow 4711 --for 1h
      hookd allow 4711 --project --for 7d
      hookd allow 4711 --yes
    """
)
@click.argument("number", metavar="N", shell_complete=completions.decisions)
@click.option("--project", "in_project", is_flag=True, help="In all folders of its project.")
@click.option("--for", "span", metavar="TIME", help="End the rule after 30s, 10m, 1h or 7d.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@for_person
def once(number: str, in_project: bool, span: str | None, yes: bool) -> None:
    """Allow the call of event N."""
    expect_terminal("hookd allow")
    event = number_of(number)
    params: dict[str, Any] = {"eventId": event, **({"scope": "project"} if in_project else {})}
    if span is not None:
        now = datetime.fromisoformat(call("daemon.status")["now"])
        params["until"] = (now + _span(span)).isoformat()
    try:
        preview = call("allowances.add", {**params, "preview": True})
    except Refused as refused:
        if refused.code != "NOT_ALLOWABLE":
            raise
        raise Problem(refused.message, _instead(event, refused.message)) from None
    until = preview["until"]
    ends = f"until {local_time(until)}" if until else "until hookd allow remove"
    where = "in all sessions of this project" if in_project else "in all your sessions"
    click.echo(f"This call may then pass {_names(preview)}, {where}, {ends}:")
    for line in dict.fromkeys(map(_shown, preview["calls"])):
        click.echo(f"  {line}")
    for other in preview["others"]:
        click.echo(f"{visible(other)} blocks it as well, and still will: no rule changes that.")
    if not yes and not click.confirm("Allow it?"):
        raise Problem("Nothing was allowed.", "")
    call("allowances.add", params)
    click.echo(f"Allowed. To undo it: hookd allow remove {event}")


@allow.command(
    name="list",
    epilog="""\b
    Examples:
      hookd allow list
      hookd allow list --json
    """,
)
@json_option("Print a JSON list.")
def list_(as_json: bool) -> None:
    """List the calls that may pass a guard."""
    allowances = call("allowances.list")["allowances"]
    rows = [row | {"call": f"{row['tool']} {visible(row['text'])}"} for row in allowances]
    output.show(allowances if as_json else rows, _COLUMNS, as_json=as_json, empty=_EMPTY)


@allow.command(
    epilog="""\b
    Examples:
      hookd allow remove 4711
    """
)
@click.argument("number", metavar="N", shell_complete=completions.decisions)
@json_option()
def remove(number: str, as_json: bool) -> None:
    """Remove the rule of event N: guards block its call again."""
    event = number_of(number)
    guards = call("allowances.remove", {"eventId": event})["guards"]
    sentence = f"The call of event {event} passes no more: {', '.join(guards)}."
    output.show_done(sentence, {"eventId": event, "guards": guards}, as_json=as_json)


def visible(text: str) -> str:
    """Return a text on one line, with unprintable characters and marks of direction escaped."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def _shown(allowed: dict[str, Any]) -> str:
    folder = f"    in {visible(allowed['folder'])}" if allowed["folder"] else ""
    return f"{visible(allowed['tool'])}: {visible(allowed['text'])}{folder}"


def _instead(event: int, sentence: str) -> str:
    """Return the next step for a call that cannot be allowed."""
    if "blocked by heartbeat," not in sentence:
        return f"hookd why {event}, which shows what blocked it and how to change that"
    return (
        "ask for a log entry in that session, or write one: hookd log --effort ID TEXT (hookd why"
        f" {event} shows the ID); to allow more calls between entries: hookd policy set"
        " heartbeat block_after 30"
    )


def _names(preview: dict[str, Any]) -> str:
    return " and ".join(dict.fromkeys(visible(allowed["guard"]) for allowed in preview["calls"]))


def _span(text: str) -> timedelta:
    span = duration(text)
    if span is None:
        raise Problem(f"{text!r} is not a duration.", "hookd allow N --for 30s, 10m, 1h or 7d")
    return span
