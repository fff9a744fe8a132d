"""`hookd guard export` and `schema`: rules of the database as a rules file, and its schema.

The modules of rules are imported by the functions that need them: they are slow to import.
"""

from collections.abc import Mapping
from typing import Any

import click

from hookd.cli.hooks import own_files
from hookd.cli.lib import output
from hookd.cli.lib.client import call
from hookd.cli.lib.options import project_dir_option, scope_option


@click.command(
    epilog="""\b
    Examples:
      hookd guard schema > .hookd/rules.schema.json
    """
)
def schema() -> None:
    """Print the JSON Schema of a rules file, for editors."""
    from hookd.core.guard_rules import rule_schema  # noqa: PLC0415

    output.show_json(rule_schema.schema())


@click.command(
    epilog="""\b
    Examples:
      hookd guard export > .hookd/rules.yaml
      hookd guard export --scope user
    """
)
@project_dir_option()
@scope_option("Rules of the project, or yours.", scopes=("user", "project"), default="project")
def export(scope: str, project_dir: Any) -> None:
    """Print rules that were set by a command as a rules file."""
    from hookd.core.guard_rules.rule_file_edit import new_file, rules_text  # noqa: PLC0415

    root = own_files.project(project_dir)
    guards = call("guards.list", {"scope": scope, "limit": 100_000})["guards"]
    rules = [
        _plain(one["rule"])
        for one in guards
        if not one.get("source") and (scope == "user" or one["project"] == root)
    ]
    click.echo(f"{new_file('rules.schema.json')}{rules_text(rules)}", nl=False)


def _plain(rule: Mapping[str, Any]) -> dict[str, Any]:
    """Return a stored rule without the values that are the default."""
    from hookd.core.guard_rules.rule import Rule  # noqa: PLC0415

    known = Rule.model_validate(rule, context="stored")
    found = known.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return {"urgency": known.urgency, **found}
