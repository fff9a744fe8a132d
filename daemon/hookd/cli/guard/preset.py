"""`hookd guard preset`: add the rules of a kind of project, or print them."""

from typing import Any

import click

from hookd.cli.lib import output
from hookd.cli.lib.client import call
from hookd.cli.lib.options import scope_option
from hookd.core.guard_rules.describe import calls_of
from hookd.core.guard_rules.presets import PRESETS
from hookd.core.guard_rules.short_form import expand


@click.command(
    epilog="""\b
    Examples:
      hookd guard preset
      hookd guard preset node --print
      hookd guard preset node --scope project
    """
)
@click.argument("name", required=False, type=click.Choice(sorted(PRESETS)))
@click.option("--print", "as_yaml", is_flag=True, help="Print the rules as YAML, and add none.")
@scope_option(
    "Apply to you everywhere, or in the project.  [default: project]",
    scopes=("user", "project"),
    default="project",
    former=(),
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def preset(name: str | None, as_yaml: bool, scope: str, as_json: bool) -> None:
    """Add the guard rules for a kind of project.

    They are ordinary rules, to be listed, changed and removed; without a NAME the presets are
    listed.
    """
    if name is None:
        _list(as_json)
        return
    rules = [expand(rule) for rule in PRESETS[name]]
    if as_yaml:
        from hookd.core.guard_rules.rule_file_edit import rules_text  # noqa: PLC0415 - slow

        click.echo(f"rules:\n{rules_text(rules)}", nl=False)
        return
    added = [call("guards.add", {"rule": rule, "scope": scope}) for rule in rules]
    if as_json:
        output.show_json(added)
        return
    flag = " --scope project" if scope == "project" else ""
    for rule in rules:
        click.echo(f"{rule['id']}: {calls_of(rule)}")
    click.echo(f"Added. Remove one: hookd guard remove {rules[0]['id']}{flag}")


def _list(as_json: bool) -> None:
    found: dict[str, Any] = {name: [one["id"] for one in rules] for name, rules in PRESETS.items()}
    if as_json:
        output.show_json(found)
        return
    for name, ids in found.items():
        click.echo(f"{name}: {', '.join(ids)}")
    click.echo("See the rules: hookd guard preset NAME --print")
