"""The home of `hookd guard`: rules about what Claude Code's tools may do."""

from collections.abc import Callable, Mapping
from typing import Any

import click

from hookd.cli.guard import format as guard_row
from hookd.cli.guard.builtin import builtin, rule_named
from hookd.cli.guard.explain import explain
from hookd.cli.lib import args, output
from hookd.cli.lib.client import call
from hookd.cli.lib.output import Column
from hookd.cli.lib.person import for_person

_OWN = "own"
"""Stands for the asker's own effort, where --effort has no number."""

_URGENCIES = {"deny": "block", "ask": "ask", "tell": "allow"}
_EMPTY = "No guards yet. Set one: hookd guard add NAME PATTERN... --deny TEXT"
_NO_DEED = "Say what it does by one of --deny TEXT, --ask TEXT and --tell TEXT."


class _Scoped(click.Command):
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        # The number of --effort may be left out, and what stands behind it then is not its value.
        end = args.index("--") if "--" in args else len(args)
        for place in range(end):
            if args[place] == "--effort" and not "".join(args[place + 1 : place + 2]).isdigit():
                args[place] = f"--effort={_OWN}"
        return super().parse_args(ctx, args)


def _scopes(command: Callable[..., None]) -> Callable[..., None]:
    for option in (
        click.option("--effort", metavar="[ID]", help="It holds in an effort: yours, or this one."),
        click.option("--project", is_flag=True, help="It holds in the project you are in."),
        click.option("--user", is_flag=True, help="It holds for you, everywhere.  [default]"),
    ):
        command = option(command)
    return command


@click.group(
    epilog="""\b
    Examples:
      hookd guard add no-force 'Bash(git push --force *)' --deny 'Open a pull request.'
      hookd guard list
      hookd guard remove no-force
      hookd guard builtin
    """
)
def guard() -> None:
    """Set rules about what tools may do."""


@guard.command(
    cls=_Scoped,
    epilog="""\b
    Examples:
      hookd guard add no-force 'Bash(git push --force *)' --deny 'Open a pull request.'
      hookd guard add secrets 'Read(*/.env)' 'Edit(*/.env)' --ask 'Is this file meant?'
      hookd guard add host 'WebFetch(domain:example.com)' --deny 'Use the mirror.'
      hookd guard add style 'Edit(*.py)' --tell 'Lines end at 100.' --project
      hookd guard add late Edit --deny 'Log first.' --effort \\
        --rule '{"condition": {"field": "heartbeat_counter", "op": "gte", "value": 20}}'
      hookd guard add in-parts Read --tell 'Read in parts: the window is $contextUsage full.' \\
        --rule '{"trigger": {"type": "contextThreshold", "condition": {"gte": "warn"}}}'
      hookd guard add read-throttle --builtin --project
    """,
)
@click.argument("name")
@click.argument("pattern", nargs=-1)
@click.option("--deny", metavar="TEXT", help="The tool may not run; the model reads TEXT.")
@click.option("--ask", metavar="TEXT", help="You are asked first, with TEXT.")
@click.option("--tell", metavar="TEXT", help="The tool may run; the model reads TEXT.")
@click.option("--rule", metavar="JSON", help="The rule, or what else belongs to it; - is stdin.")
@click.option(
    "--builtin", is_flag=True, help="The built-in rule NAME; what else is said alters it."
)
@_scopes
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def add(name: str, pattern: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Set a rule: what happens to calls that match a PATTERN.

    A PATTERN is a tool, or a tool with a glob. In one place, a NAME has one rule: the latest.
    """
    rule, scope = _rule(name, pattern, options), _scope(options)
    result = call("guards.add", {"rule": rule, **scope})
    if as_json:
        output.show_json(result)
        return
    warnings = result.get("warnings", [])
    said = f"{guard_row.does(rule)} {guard_row.calls(rule)}, {_place(scope)}"
    said = f"{name} is set, with a warning: it {said}" if warnings else f"{name} now {said}"
    instead = ", instead of the rule that had this name" if result.get("replaced") else ""
    click.echo(f"{said}{instead}. Take it away: hookd guard remove {name}{_flags(scope)}")
    for warning in warnings:
        click.echo(f"hookd: warning: {output.cell(warning)}", err=True)


@guard.command(
    name="list",
    epilog="""\b
    Examples:
      hookd guard list
      hookd guard list --json
    """,
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list.")
def list_(as_json: bool) -> None:
    """List the rules and where they apply.

    Rules that never match a call are named below the list, with the reason.
    """
    guards = call("guards.list")["guards"]
    rows = guards if as_json else [guard_row.row(one) for one in guards]
    columns = [*guard_row.NAMED, Column("text", "text"), Column("where", "where")]
    output.show(rows, columns, as_json=as_json, empty=_EMPTY)
    if not as_json:
        for line in guard_row.faults(guards):
            click.echo(line, err=True)


guard.add_command(builtin)
guard.add_command(explain)


@guard.command(
    cls=_Scoped,
    epilog="""\b
    Examples:
      hookd guard remove no-force
      hookd guard remove style --project
      hookd guard remove late --effort 3
    """,
)
@click.argument("name")
@_scopes
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@for_person
def remove(name: str, as_json: bool, **options: Any) -> None:
    """Take a rule away."""
    scope = _scope(options)
    result = call("guards.remove", {"ruleId": name, **scope})
    if as_json:
        output.show_json(result)
    else:
        click.echo(f"{name}: no longer holds {_place(scope)}.")


def _rule(name: str, patterns: tuple[str, ...], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rule that the options describe, laid over the one given as JSON."""
    rule = args.read_json(options["rule"]) if options["rule"] is not None else {}
    if not isinstance(rule, dict):
        raise click.UsageError("--rule takes a JSON object.")
    if options["builtin"]:
        rule = rule_named(name) | rule
    deeds = [name for name in _URGENCIES if options[name] is not None]
    if len(deeds) > 1 or not (deeds or rule):
        raise click.UsageError(_NO_DEED)
    if not (patterns or rule):
        raise click.UsageError(
            "Say which calls it is about: PATTERN..., such as Bash or 'Edit(*)'."
        )
    if patterns:
        rule["toolFilter"] = {**_part(rule, "toolFilter"), "include": list(patterns)}
    for deed in deeds:
        payload = {**_part(rule, "payload"), "text": options[deed]}
        rule |= {"payload": payload, "urgency": _URGENCIES[deed]}
    rule.pop("ruleId", None)
    return {**rule, "id": name}


def _part(rule: Mapping[str, Any], key: str) -> dict[str, Any]:
    part = rule.get(key, {})
    if not isinstance(part, dict):
        raise click.UsageError(f"--rule: {key} is a JSON object.")
    return part


def _scope(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the params that say where a rule holds."""
    effort = options["effort"]
    if sum((options["user"], options["project"], effort is not None)) > 1:
        raise click.UsageError("A rule holds in one place: --user, --project or --effort.")
    if effort is None:
        return {"scope": "project" if options["project"] else "user"}
    if effort == _OWN:
        return {"scope": "effort"}
    if not effort.isdigit():
        raise click.UsageError("--effort takes the number of an effort, or nothing.")
    return {"scope": "effort", "effortId": int(effort)}


def _place(scope: Mapping[str, Any]) -> str:
    effort = f"in effort {scope['effortId']}" if "effortId" in scope else "in your effort"
    return {"user": "everywhere", "project": "in this project"}.get(scope["scope"], effort)


def _flags(scope: Mapping[str, Any]) -> str:
    if scope["scope"] == "user":
        return ""
    return " ".join(["", f"--{scope['scope']}", *map(str, [scope.get("effortId", "")])]).rstrip()
