"""`hookd stats`: calls, denials, questions, costs and rules of a time, from the counts per hour."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

import click

from hookd.cli.lib import args, output
from hookd.cli.lib.charts import bar, has_unicode, sparkline
from hookd.cli.lib.client import Refused, call
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.groups import Commands
from hookd.cli.lib.options import client_option, json_option
from hookd.cli.lib.output import cell

_BAR = 20
"""Columns of the longest bar."""

_NAME = 22
"""Columns of a name; a longer one is cut."""

_LINE = 80
_MOST = 8
"""Projects, agents, rules and suggestions that are shown; `--json` has all."""

_MOST_DAYS = 31
_EMPTY = "No events are counted since then."
_NO_HOOKS = " hookd doctor shows whether hooks arrive."


@click.group(
    cls=Commands,
    invoke_without_command=True,
    epilog="""\b
    Examples:
      hookd stats
      hookd stats --since 30d
      hookd stats --since 2026-01-01 --project ~/work/orders
      hookd stats --client codex
      hookd stats --json | jq '.loosen[].line'
      hookd stats rebuild
    """,
)
@click.option("--since", metavar="TEXT", help="An age or a time.  [default: seven days]")
@click.option(
    "--project",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Count one project; DIR is its root folder.",
)
@client_option("Count the sessions of this client.")
@json_option()
@click.pass_context
def stats(
    ctx: click.Context,
    since: str | None,
    project: Path | None,
    client: str | None,
    as_json: bool,
) -> None:
    """Show calls, denials, questions, costs and rules of a week.

    Days are UTC. *granted*: hookd asked, and then the call ran. An event is counted 10 to 20
    seconds after it; deleting old events changes no count.
    """
    if ctx.invoked_subcommand is not None:
        return
    params: dict[str, Any] = {"client": client} if client else {}
    if since is not None:
        params["since"] = args.timestamp(since, _now())
    if project is not None:
        params["project"] = str(project.expanduser().resolve())
    try:
        found = call("stats.summary", params)
    except Refused as refused:
        if refused.code != "NOT_FOUND":
            raise
        raise Problem(refused.message, "hookd stats, which lists the projects") from None
    if as_json:
        output.show_json(found)
        return
    click.echo("\n".join(report(found, unicode=has_unicode())))


@stats.command(
    epilog="""\b
    Examples:
      hookd stats rebuild
    """
)
@json_option()
def rebuild(as_json: bool) -> None:
    """Count all recorded events again, in the background.

    Counts of events that were deleted stay. It takes about a minute for a million events; until
    then, hookd stats says how many are left.
    """
    result = call("stats.rebuild")
    if as_json:
        output.show_json(result)
    else:
        click.echo("All events are counted again; hookd stats says how many are left.")


def _now() -> str:
    now: str = call("daemon.status")["now"]
    return now


def report(found: Mapping[str, Any], *, unicode: bool) -> Iterator[str]:
    """Yield the lines of a report; none has more than 80 columns, but for commands and calls."""
    totals, days = found["totals"], found["days"]
    yield f"hookd stats, {days[0]['day']} to {days[-1]['day']} (UTC)" if days else "hookd stats"
    if not totals["events"] and not totals["usd"]:
        yield _EMPTY if found["uncounted"] else _EMPTY + _NO_HOOKS
    else:
        for part in (_totals, _days, _projects, _agents, _rules, _silent, _loosen):
            lines = list(part(found, unicode))
            yield from (["", *lines] if lines else [])
    yield from _notes(found)


def _totals(found: Mapping[str, Any], unicode: bool) -> Iterator[str]:
    totals, days = found["totals"], found["days"][-_MOST_DAYS:]
    calls = totals["calls"]
    rows: Sequence[tuple[str, str, str, str]] = (
        ("calls", "calls", "", ""),
        ("denied", "denied", _share(totals["denied"], calls), ""),
        ("asked", "asked", _share(totals["asked"], calls), ""),
        ("granted", "granted", _share(totals["granted"], totals["asked"]), "asked, then it ran"),
        ("injected", "injected", "", f"{totals['injectedChars']:,} characters for the model"),
        ("compactions", "compactions", "", ""),
    )
    for name, key, share, note in rows:
        line = sparkline([day[key] for day in days], unicode=unicode)
        yield f"  {name:<12}{totals[key]:>9,}  {share:>7}  {line:<{len(days)}}  {note}".rstrip()
    passed = sum(rule["passed"] for rule in found["rules"])
    if passed:
        yield f"  {'passed':<12}{passed:>9,}  {'':>7}  by an allow rule (hookd allow list)"
    line = sparkline([day["usd"] for day in days], unicode=unicode)
    yield f"  {'cost':<12}{_dollars(totals['usd']):>9}  {'':>7}  {line}".rstrip()
    yield f"  {'took':<12}{_percentile(found['durations'], 0.5):>9}  half of the events; 99 %:" + (
        f" {_percentile(found['durations'], 0.99)}"
    )


def _days(found: Mapping[str, Any], unicode: bool) -> Iterator[str]:
    days = [{**day, "name": day["day"]} for day in found["days"][-_MOST_DAYS:]]
    yield from _table("day", days, unicode)


def _projects(found: Mapping[str, Any], unicode: bool) -> Iterator[str]:
    rows = [{**row, "name": row["project"] or "(none)"} for row in found["projects"]]
    yield from _table("project", rows[:_MOST], unicode)


def _agents(found: Mapping[str, Any], unicode: bool) -> Iterator[str]:
    rows = [{**row, "name": row["agent"] or "(none)"} for row in found["agents"]]
    if any(row["agent"] for row in rows):
        yield from _table("agent", rows[:_MOST], unicode)


def _table(title: str, rows: Sequence[Mapping[str, Any]], unicode: bool) -> Iterator[str]:
    """Yield a table of totals: calls with bars, denials, questions, context and cost."""
    most = max((row["calls"] for row in rows), default=0)
    yield f"  {title:<{_NAME}}{'calls':>9} {'denied':>7} {'asked':>6} {'context':>8} {'cost':>9}"
    for row in rows:
        mean = row["contextMean"]
        used = "-" if mean is None else f"{mean:.0%}"
        numbers = f"{row['calls']:>9,} {row['denied']:>7,} {row['asked']:>6,} {used:>8}"
        line = f"  {_short(row['name']):<{_NAME}}{numbers} {_dollars(row['usd']):>9}"
        room = min(_BAR, _LINE - len(line) - 2)
        yield f"{line}  {bar(row['calls'], most, room, unicode=unicode)}".rstrip()


def _rules(found: Mapping[str, Any], unicode: bool) -> Iterator[str]:
    """Yield the rules that fired most."""
    rules = found["rules"][:_MOST]
    if not rules:
        return
    most = max(map(_fired, rules))
    yield f"  {'rule':<{_NAME}}{'denied':>9} {'asked':>7} {'granted':>8} {'told':>6} {'passed':>7}"
    for rule in rules:
        numbers = f"{rule['denied']:>9,} {rule['asked']:>7,} {rule['granted']:>8,}"
        line = f"  {_short(rule['rule']):<{_NAME}}{numbers} {rule['told']:>6,} {rule['passed']:>7,}"
        room = min(_BAR, _LINE - len(line) - 2)
        yield f"{line}  {bar(_fired(rule), most, room, unicode=unicode)}".rstrip()


def _fired(rule: Mapping[str, Any]) -> int:
    return sum(rule[name] for name in ("denied", "asked", "allowed", "told", "passed"))


def _silent(found: Mapping[str, Any], _unicode: bool) -> Iterator[str]:
    """Yield the rules and the kinds of risk that never fired."""
    names = sorted({cell(_with_source(rule)) for rule in found["silentRules"]})
    for title, words in (("guard rules", names), ("kinds of risk", found["silentKinds"])):
        if words:
            yield f"  {title} that never fired"
            yield fill(", ".join(words), _LINE, initial_indent="    ", subsequent_indent="    ")


def _with_source(rule: Mapping[str, Any]) -> str:
    return f"{rule['rule']} ({rule['source']})" if rule["source"] else str(rule["rule"])


def _loosen(found: Mapping[str, Any], _unicode: bool) -> Iterator[str]:
    """Yield what was asked about and always granted, with the line to paste."""
    for one in found["loosen"][:_MOST]:
        what = f"{cell(one['rule'])}: {_cut(cell(one['call']), _LINE - 30)}".removesuffix(": ")
        yield f"  asked {one['asked']} times, always granted: {what}"
        yield f"    {cell(one['line'])}"


def _notes(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is missing in the counts."""
    if found["uncounted"]:
        events = "recorded event is" if found["uncounted"] == 1 else "recorded events are"
        yield f"\n  {found['uncounted']:,} {events} not counted yet."
    if found["damagedCount"]:
        yield f"\n  {found['damagedCount']:,} events cannot be read completely:"
        for one in found["damaged"]:
            yield f"    {one['event']}: {cell(one['problem'])}"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else ""


def _dollars(cost: float) -> str:
    return f"${cost:,.2f}"


def _percentile(classes: Sequence[Mapping[str, Any]], share: float) -> str:
    """Return the class that a percentile is in."""
    left = share * sum(one["events"] for one in classes)
    if not left:
        return "-"
    for one in classes:
        left -= one["events"]
        if left <= 0:
            return f"<{one['upToUs'] / 1_000:g} ms" if one["upToUs"] else ">1 s"
    return "-"


def _short(name: str) -> str:
    """Return a name that fits its column; of a path, the end is kept."""
    text = cell(name)
    if len(text) < _NAME:
        return text
    return f"..{text[-_NAME + 3 :]}" if "/" in text else _cut(text, _NAME - 1)


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 2]}.."
