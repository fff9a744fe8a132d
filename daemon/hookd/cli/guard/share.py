"""`hookd guard export`, `import` and `schema`: rules from elsewhere as a rules file.

The modules of rules are imported by the functions that need them: they are slow to import.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from hookd.cli.guard import rules_file
from hookd.cli.hooks import own_files
from hookd.cli.lib import output
from hookd.cli.lib.client import call
from hookd.cli.lib.errors import Problem
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


@click.command(
    "import",
    epilog="""\b
    Examples:
      hookd guard import --from-claude            prints the rules
      hookd guard import --from-claude --write    adds them to .hookd/rules.yaml
    """,
)
@click.option("--from-claude", is_flag=True, required=True, help="From .claude/settings.json.")
@click.option("--write", is_flag=True, help="Add them to the project's rules file.")
@project_dir_option()
def import_(from_claude: bool, write: bool, project_dir: Any) -> None:
    """Suggest rules from the project's permission rules.

    These are those of Claude Code's settings. Its `permissions.deny` and `permissions.ask` stay in
    force in Claude Code.
    """
    from hookd.core.guard_rules.claude_permissions import suggested  # noqa: PLC0415
    from hookd.core.guard_rules.rule_file_edit import new_file, rules_text  # noqa: PLC0415

    path = Path(own_files.project(project_dir), ".claude", "settings.json")
    try:
        settings = json.loads(path.read_bytes())
    except FileNotFoundError:
        settings = {}
    except (OSError, ValueError) as error:
        raise Problem(f"{output.cell(path)} cannot be read: {error}", "correct the file") from None
    found, left = suggested(settings)
    for pattern, why in left:
        click.echo(f"hookd: note: {output.cell(pattern)}: {output.cell(why)}", err=True)
    if not found:
        click.echo(f"{output.cell(path)} has no rules to import.", err=True)
    elif write:
        written = rules_file.add(found, project_dir)
        click.echo(f"{len(found)} rules are in {output.cell(written.path)}.")
        if not written.applies:
            click.echo(f"hookd: note: {rules_file.note(written)}", err=True)
    else:
        click.echo(f"{new_file('rules.schema.json')}{rules_text(found)}", nl=False)
