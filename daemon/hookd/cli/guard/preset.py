"""`hookd guard preset`: add the rules of a kind of project, or print them."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from hookd.cli.guard import rules_file
from hookd.cli.lib import output
from hookd.cli.lib.client import call
from hookd.cli.lib.options import json_option, scope_option
from hookd.core.guard_rules.describe import calls_of
from hookd.core.guard_rules.presets import PRESETS
from hookd.core.guard_rules.short_form import expand


@click.command(
    epilog="""\b
    Examples:
      hookd guard preset
      hookd guard preset node --print
      hookd guard preset node
      hookd guard preset node --scope user
    """
)
@click.argument("name", required=False, type=click.Choice(sorted(PRESETS)))
@click.option("--print", "as_yaml", is_flag=True, help="Print the rules as YAML, and add none.")
@scope_option(
    "Apply to you everywhere, to the project by its rules file, or to you in it.",
    default="project",
)
@json_option("Print JSON.")
def preset(name: str | None, as_yaml: bool, scope: str, as_json: bool) -> None:
    """Add the guard rules for a kind of project.

    By default they are added to .hookd/rules.yaml. They are ordinary rules with examples, to be
    listed, changed and removed; without a NAME the presets are listed.
    """
    if name is None:
        _list(as_json)
        return
    rules = PRESETS[name]
    if as_yaml:
        from hookd.core.guard_rules.rule_file_edit import rules_text  # noqa: PLC0415 - slow

        click.echo(f"rules:\n{rules_text(rules)}", nl=False)
        return
    if scope == "project":
        _write(rules, as_json=as_json)
        return
    place = "user" if scope == "user" else "project"
    added = [call("guards.add", {"rule": expand(rule), "scope": place}) for rule in rules]
    if as_json:
        output.show_json(added)
        return
    _show(rules)
    flag = " --scope local" if scope == "local" else ""
    click.echo(f"Added. Remove one: hookd guard remove {rules[0]['id']}{flag}")


def _write(rules: Sequence[Mapping[str, Any]], *, as_json: bool) -> None:
    """Add the rules to the project's rules file."""
    written = rules_file.add(rules, None)
    if as_json:
        path, applies = str(written.path), written.applies
        output.show_json([{"ruleId": one["id"], "path": path, "applies": applies} for one in rules])
        return
    _show(rules)
    place = output.cell(str(written.path))
    when = "They apply now" if written.applies else "They apply after: hookd trust"
    click.echo(f"{len(rules)} rules are in {place}. {when}. Test them: hookd guard test")


def _show(rules: Sequence[Mapping[str, Any]]) -> None:
    for rule in rules:
        click.echo(f"{rule['id']}: {calls_of(expand(rule))}")


def _list(as_json: bool) -> None:
    found: dict[str, Any] = {name: [one["id"] for one in rules] for name, rules in PRESETS.items()}
    if as_json:
        output.show_json(found)
        return
    for name, ids in found.items():
        click.echo(f"{name}: {', '.join(ids)}")
    click.echo("See the rules: hookd guard preset NAME --print")
