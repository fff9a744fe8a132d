"""`hookd claim` and `hookd release`: hold files, globs and resources against other agents."""

from datetime import timedelta
from typing import Any

import click

from hookd.cli.lib import output
from hookd.cli.lib.client import call
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.groups import Commands
from hookd.cli.lib.options import json_option, limit_option
from hookd.cli.lib.output import Column, moment
from hookd.core.model.durations import duration
from hookd.display.amounts import local_time

_EMPTY = "No claims. Claim files: hookd claim 'src/api/**' --for 30m --why TEXT"
_DEFAULT = "30m"
_LONGEST = timedelta(days=7)
_COLUMNS = (
    Column("id", "id", firm=True, right=True),
    Column("claim", "claim", least=12),
    Column("holder", "holder"),
    Column("session", "sessionId", firm=True, right=True),
    moment("until", "until"),
    Column("why", "why", spare=True),
)


class _ByPattern(Commands):
    """A group whose arguments may be patterns instead of a subcommand."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of `hookd claim PATTERN`, too."""
        add.format_options(ctx, formatter)
        self.format_commands(ctx, formatter)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] in self.commands:
            return super().resolve_command(ctx, args)
        return "", add, args


@click.group(
    cls=_ByPattern,
    subcommand_metavar="PATTERN... | COMMAND [ARGS]...",
    epilog="""\b
    Examples:
      hookd claim src/api/orders.py
      hookd claim 'src/api/**' docs/api.md --for 30m --why 'the new routes'
      hookd claim resource:staging --for 1h
      hookd claim list
    """,
)
def claim() -> None:
    """Claim files, so that other agents ask before changing them.

    PATTERN is a file, a folder, a glob or resource:NAME, relative to the current directory. `*`
    matches within a name, `**` crosses folders. The worktrees of a repository are one. A claim ends
    with the session, after --for, or by hookd release.
    """


@click.command(
    epilog="""\b
    Examples:
      hookd claim src/api/orders.py
      hookd claim 'src/api/**' --for 2h --why 'the new routes'
    """
)
@click.argument("patterns", metavar="PATTERN...", nargs=-1, required=True)
@click.option(
    "--for",
    "span",
    metavar="TIME",
    default=_DEFAULT,
    show_default=True,
    help="30s, 10m, 2h; 7d at most.",
)
@click.option(
    "--why", metavar="TEXT", help="The reason, as other agents read it; 500 characters at most."
)
@json_option()
def add(patterns: tuple[str, ...], span: str, why: str | None, as_json: bool) -> None:
    """Claim PATTERN, 50 of them at most."""
    length = duration(span)
    if length is None:
        raise Problem(f"{span!r} is not a duration.", "hookd claim PATTERN --for 30s, 10m, 2h, 7d")
    if length > _LONGEST:
        raise Problem(f"--for {span} is too long: a claim is for 7d at most.", "--for 7d")
    asked: dict[str, Any] = {"patterns": list(patterns), "seconds": int(length.total_seconds())}
    result = call("claims.add", asked | ({"why": why} if why else {}))
    if as_json:
        output.show_json(result)
        return
    until = local_time(result["expiresAt"])
    for one in result["claims"]:
        did = "Extended" if one["extended"] else "Claimed"
        click.echo(f"{did} until {until}: {output.cell(_name(one))}{_missing(one)}")
    if result.get("reach") == "local":
        click.echo("Other hosts do not know of it yet: the central store does not answer.")
    for one in result["edited"]:
        click.echo(f"{output.cell(one['holder'])} edits {output.cell(one['pattern'])} now.")


@claim.command(
    name="list",
    epilog="""\b
    Examples:
      hookd claim list
      hookd claim list --all
      hookd claim list --json
    """,
)
@click.option("--all", "every", is_flag=True, help="Include claims that have ended.")
@limit_option()
@json_option("Print a JSON list.")
def list_(every: bool, limit: int, as_json: bool) -> None:
    """List claims, the newest first."""
    asked = {"state": None if every else "open", "limit": limit}
    claims = call("claims.list", asked)["claims"]
    rows = claims if as_json else list(map(_row, claims))
    output.show(rows, _COLUMNS, as_json=as_json, empty=_EMPTY)


@click.command(
    epilog="""\b
    Examples:
      hookd release 12
      hookd release 'src/api/**' resource:staging
      hookd release --all
    """
)
@click.argument("claims", metavar="[N | PATTERN]...", nargs=-1)
@click.option("--all", "every", is_flag=True, help="End all your claims.")
@json_option()
def release(claims: tuple[str, ...], every: bool, as_json: bool) -> None:
    """End claims by number or pattern.

    An agent ends its own claims; a person may end any.
    """
    if not claims and not every:
        raise click.UsageError("Name claims by number or pattern, or give --all.")
    result = call("claims.release", {"claims": list(claims), "all": every})
    if as_json:
        output.show_json(result)
        return
    for one in result["released"]:
        click.echo(f"Released {one['id']}: {output.cell(one['pattern'])}")


def _missing(one: dict[str, Any]) -> str:
    return " (does not exist yet)" if one["missing"] else ""


def _row(one: dict[str, Any]) -> dict[str, Any]:
    """Return a claim with what its columns show."""
    ended = one["releasedAt"] or (one["expiresAt"] if one["state"] == "expired" else None)
    until = one["expiresAt"] or "its session ends"
    why = one["why"] or ("edits it" if one["automatic"] else None)
    holder = one["agent"] or ("the user" if one["holderKind"] == "person" else one["client"])
    return {
        **one,
        "claim": _name(one),
        "holder": f"{holder}, on this host only" if one.get("unsent") else holder,
        "until": f"ended {local_time(ended)}" if ended else until,
        "why": why,
    }


def _name(one: dict[str, Any]) -> str:
    """Return what a claim is of; outside of a repository, the absolute path."""
    if one["kind"] == "resource":
        return f"resource:{one['pattern']}"
    return f"/{one['pattern']}" if one["root"] == "/" else one["pattern"] or "."
