"""`hookd event`: list events and the decisions on them, and follow new ones."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from itertools import chain
from typing import Any

import click

from hookd.cli.fleet.central_lists import host_option, show_events
from hookd.cli.history.event_lines import DECISIONS, EventLines, decision_of
from hookd.cli.history.export import export
from hookd.cli.lib import args, completions, output
from hookd.cli.lib.client import Refused, call
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.follow import new_pages
from hookd.cli.lib.groups import Commands
from hookd.cli.lib.options import (
    client_option,
    follow_option,
    json_option,
    limit_option,
    session_option,
)
from hookd.cli.lib.output import Column, moment
from hookd.display.amounts import milliseconds
from hookd.display.event_text import about, slowest_stage, who
from hookd.events.protocol import EVENTS

_EMPTY = "No events."

COLUMNS = (
    Column("id", "id", firm=True, right=True),
    moment("time", "at"),
    Column("event", "event", cut=True, least=10),
    Column("who", "who"),
    Column("tool", "toolName", cut=True, least=6),
    Column("decision", "decision", firm=True),
    Column("rule", "rule", cut=True, least=6),
    Column("about", "about", cut=True, least=12),
)
_WIDTHS = (6, 25, 18, 12, 15, 9, 12, 0)
"""Widths of the columns with --follow, when later rows are not known yet."""

_SLOW_COLUMNS = (
    Column("id", "id", firm=True, right=True),
    moment("time", "at"),
    Column("event", "event", cut=True, least=10),
    Column("tool", "toolName", cut=True, least=6),
    Column("ms", "durationUs", milliseconds, firm=True, right=True),
    Column("mostly", "mostly", cut=True, least=12),
    Column("slowest policy", "slowestPolicy", cut=True, least=12),
)
_SLOW_FILTERS = ("name", "session", "since")


@click.group(
    cls=Commands,
    invoke_without_command=True,
    epilog="""\b
    Examples:
      hookd event
      hookd event --decision deny --since 1d
      hookd event --session 6f1f0a3e --event PreToolUse
      hookd event --client codex --follow
      hookd event --slow 50 --since 1h
      hookd event --host ann-laptop --decision deny
      hookd event --follow --json | jq -c 'select(.decision) | {rule, toolName}'
      hookd event export --since 7d -o events.jsonl
    """,
)
@follow_option()
@session_option()
@click.option("--agent", metavar="ID", help="The AGENT_ID.", shell_complete=completions.agents)
@client_option("Only events of this client.")
@click.option(
    "--event",
    "name",
    metavar="NAME",
    help="An event, such as PreToolUse.",
    shell_complete=completions.event_names,
)
@click.option("--decision", type=click.Choice(DECISIONS), help="The decision.")
@click.option("--rule", metavar="NAME", help="What decided: a policy or a guard rule.")
@click.option("--since", metavar="TEXT", help="10m, 2h, 1d, or a time; local without an offset.")
@click.option(
    "--slow",
    type=click.FloatRange(0, 86_400_000),
    is_flag=False,
    flag_value=0.0,
    metavar="[MS]",
    help="Those that took more than MS milliseconds, the slowest first.",
)
@host_option("Events of another host.", "NAME")
@limit_option()
@json_option("Print a JSON list; one a line to follow.")
@click.pass_context
def event(
    ctx: click.Context,
    /,
    follow: bool,
    limit: int,
    as_json: bool,
    slow: float | None,
    **options: Any,
) -> None:
    """Show the last events, the newest at the bottom.

    *lost*: the decision came too late, and the shim's fail policy applied. *timed out*: a user hook
    did not answer in time, and did not count. Secrets are removed; `hookd why ID` shows one event
    in full. `--slow` looks at the last 20,000 events, and shows the stage that took longest.
    `--host` reads the central store, with the viewer file of this machine.
    """
    if ctx.invoked_subcommand is not None:
        args.expect_no_options(ctx)
        return
    if (host := options.pop("host")) is not None:
        others = {**options, "follow": follow, "slow": slow is not None}
        show_events(host, COLUMNS, others, limit, as_json=as_json)
        return
    if slow is not None:
        _show_slow({**options, "follow": follow or None}, slow, limit, as_json=as_json)
        return
    which = _which(options)
    newest = _last({}, 1)[0] if follow else []
    last, more = _last(which, limit)
    width = None if as_json else output.screen_width()
    lines = EventLines(width, colours=output.has_colours()) if width else None
    if not follow:
        if lines and last:
            click.echo("\n".join(line for event in last for line in lines.of(event)))
        else:
            rows = last if as_json else [_row(event) for event in last]
            output.show(rows, COLUMNS, as_json=as_json, empty=_empty(options["name"]))
        if more:
            shown = "this is the last one" if limit == 1 else f"these are the last {limit}"
            click.echo(f"hookd: {shown}; more: --limit N", err=True)
        return
    # If no event matches, new ones come after the newest event of all.
    after = max((event["id"] for event in (*newest, *last)), default=0)
    for event in chain(last, _new(which, after)):
        for line in lines.of(event) if lines else (_text(event, as_json=as_json),):
            click.echo(line)


event.add_command(export)


def _show_slow(options: Mapping[str, Any], over: float, limit: int, *, as_json: bool) -> None:
    """Print the slowest events, the slowest first."""
    other = [key for key, value in options.items() if value and key not in _SLOW_FILTERS]
    if other:
        step = f"hookd event --slow without --{other[0]}; --event, --session and --since work"
        raise Problem(f"--slow cannot be combined with --{other[0]}.", step)
    none = dict.fromkeys(("agent", "client", "decision", "rule"))
    which = {**_which({**none, **options}), "over": over}
    rows = call("events.slow", {**which, "limit": min(limit, 20_000)})["events"]
    shown = rows if as_json else [_slow_row(row) for row in rows]
    output.show(shown, _SLOW_COLUMNS, as_json=as_json, empty="No slow events.")


def _slow_row(event: Mapping[str, Any]) -> dict[str, Any]:
    stages = {key[:-2]: spent for key, spent in event.items() if key.endswith("Us") and spent}
    policy, spent = event["policy"], stages.pop("policy", 0)
    del stages["duration"]
    slowest = f"{policy} {milliseconds(spent)}" if policy else None
    return {**event, "mostly": slowest_stage(stages), "slowestPolicy": slowest}


def _which(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the params of events.list for the options."""
    named = {key: options[key] for key in ("agent", "client", "decision", "rule")}
    which = {key: value for key, value in named.items() if value is not None}
    if options["name"] is not None:
        known = {name.lower(): name for name in EVENTS}
        which["event"] = known.get(options["name"].lower(), options["name"])
    if options["session"] is not None:
        which |= args.session_params(options["session"], "session")
    if options["since"] is not None:
        which["since"] = args.timestamp(options["since"], _now())
    return which


def _now() -> str:
    now: str | None = call("daemon.status").get("now")
    if now is None:
        raise Problem("The daemon is older than this hookd.", "hookd restart")
    return now


def _last(which: Mapping[str, Any], limit: int) -> tuple[list[dict[str, Any]], bool]:
    """Return the newest events, oldest first, and whether there are more."""
    try:
        listing = call("events.list", {**which, "limit": limit})
    except Refused as refused:
        if refused.code != "QUERY_FAILED":
            raise
        raise Problem(refused.message, "ask for fewer: --limit, --event, --since") from None
    return listing["events"][::-1], listing["more"]


def _new(which: Mapping[str, Any], after: int) -> Iterator[dict[str, Any]]:
    """Yield the events after this number, forever. Raise Problem when the daemon is gone."""
    params = {**which, "oldestFirst": True}
    for page in new_pages("events.list", params, after, key="events", noun="events"):
        yield from page


def _row(event: Mapping[str, Any]) -> dict[str, Any]:
    shown = decision_of(event) or None
    return {**event, "decision": shown, "who": who(event), "about": about(event)}


def _text(event: Mapping[str, Any], *, as_json: bool) -> str:
    return output.json_text(event) if as_json else _line(event)


def _line(event: Mapping[str, Any]) -> str:
    """Return an event as one line of fixed column widths."""
    row = _row(event)
    cells = [column.show(row[column.key]) for column in COLUMNS]
    number, *rest = zip(cells, _WIDTHS, strict=True)
    padded = [f"{cell:<{width}}" for cell, width in rest]
    return "  ".join([number[0].rjust(number[1]), *padded]).rstrip()


def _empty(name: str | None) -> str:
    if name is None or name in EVENTS:
        return _EMPTY
    near = " or ".join(get_close_matches(name, EVENTS))
    return f"{_EMPTY} Did you mean {near}?" if near else _EMPTY
