"""The home of `hookd guard builtin`: the rules that come with hookd and wait to be set."""

import json
from typing import Any

import click

from hookd.cli.guard import format as guard_row
from hookd.cli.lib import output
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.output import Column
from hookd.core.guard_rules.builtin import BUILTIN, POLICIES

_SEE = "hookd guard builtin"


@click.command(
    epilog="""\b
    Examples:
      hookd guard builtin
      hookd guard builtin read-throttle
      hookd guard add read-throttle --builtin --project
    """
)
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def builtin(name: str | None, as_json: bool) -> None:
    """List the built-in rules, or show one; none holds until it is set.

    What the policy `heartbeat` does stands there too: it holds from the start.
    """
    if name is not None:
        _show(name, as_json)
        return
    rows = _told() if as_json else [*map(_row, BUILTIN), *map(_policy, POLICIES)]
    columns = [*guard_row.NAMED, Column("holds", "holds", firm=True), Column("about", "about")]
    output.show(rows, columns, as_json=as_json, empty="There are no built-in rules.")


def rule_named(name: str) -> dict[str, Any]:
    """Return a copy of a built-in rule. Problem where there is none of that name."""
    if name in POLICIES:
        sentence = f"{name} is no rule: it is the policy heartbeat, which holds from the start."
        raise Problem(sentence, "its numbers are settings: policies.options.heartbeat")
    if name not in BUILTIN:
        raise Problem(f"There is no built-in rule {name!r}.", _SEE)
    copy: dict[str, Any] = json.loads(json.dumps(BUILTIN[name]))
    return copy


def _show(name: str, as_json: bool) -> None:
    rule = {"id": name, **rule_named(name)}
    if as_json:
        output.show_json(rule)
        return
    output.show_facts({key: value for key, value in rule.items() if key != "id"}, name)
    click.echo(f"Set it: hookd guard add {name} --builtin")


def _told() -> list[dict[str, Any]]:
    rules = [{"name": name, "rule": rule, "policy": None} for name, rule in BUILTIN.items()]
    return rules + [{"name": name, "rule": None, "policy": "heartbeat"} for name in POLICIES]


def _row(name: str) -> dict[str, str]:
    rule = BUILTIN[name]
    return {
        "name": name,
        "does": guard_row.does(rule),
        "calls": guard_row.calls(rule),
        "holds": "once set",
        "about": rule["description"],
    }


def _policy(name: str) -> dict[str, str]:
    urgency, about = POLICIES[name]
    return {
        "name": name,
        "does": guard_row.DOES[urgency],
        "calls": "every call",
        "holds": "from the start",
        "about": f"{about} It is the policy heartbeat.",
    }
