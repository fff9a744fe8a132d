"""`hookd skill`: list and show the skills that hookd has read from SKILL.md files."""

from collections.abc import Mapping
from typing import Any

import click

from hookd.cli.lib import args, output
from hookd.cli.lib.client import call
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.groups import Commands
from hookd.cli.lib.options import json_option, limit_option
from hookd.cli.lib.output import Column, moment

_EMPTY = "No skills yet. One is read when an effort with it begins: hookd effort start --help"
_JSON = json_option("Print JSON.")


@click.group(
    cls=Commands,
    epilog="""\b
    Examples:
      hookd skill list
      hookd skill show implement
    """,
)
def skill() -> None:
    """Show skills, as hookd has read their SKILL.md."""


@skill.command(
    name="list",
    epilog="""\b
    Examples:
      hookd skill list
      hookd skill list --json
    """,
)
@limit_option()
@_JSON
def list_(limit: int, as_json: bool) -> None:
    """List the skills of all projects, by name."""
    skills = call("skill.list", {"limit": limit})["skills"]
    columns = [
        Column("skill", "name", firm=True),
        Column("version", "version"),
        Column("phases", "count", firm=True, right=True),
        Column("project", "project"),
        moment("read", "updatedAt"),
        Column("description", "description", cut=True, least=16),
    ]
    rows = skills if as_json else [{**one, "count": len(one["phases"])} for one in skills]
    output.show(rows, columns, as_json=as_json, empty=_EMPTY)


@skill.command(
    epilog="""\b
    Examples:
      hookd skill show implement
      hookd skill show implement --json | jq '.phases[].label'
    """
)
@click.argument("name")
@_JSON
def show(name: str, as_json: bool) -> None:
    """Show a skill: the current project's, else the one read last."""
    skills = call("skill.list", {"name": name})["skills"]
    if not skills:
        raise Problem(f"hookd has read no skill {name}.", "hookd skill list")
    one = _nearest(skills)
    if as_json:
        output.show_json(one)
        return
    lists = {
        "directives": one["directives"],
        "commands": one["cmdDependencies"],
        "templates": [f"{kind}: {path}" for kind, path in one["templates"].items()],
        "modes": list(one["modes"]),
        "nextSkills": one["nextSkills"],
    }
    facts = {key: one[key] for key in ("description", "version", "project", "path", "updatedAt")}
    facts |= {key: ", ".join(map(output.cell, value)) for key, value in lists.items()}
    output.show_facts({key: value for key, value in facts.items() if value}, f"Skill {name}")
    _show_phases(one["phases"])


def _nearest(skills: list[dict[str, Any]]) -> dict[str, Any]:
    roots = args.project_roots()
    own = [one for one in skills if one["project"] in roots]
    if own:
        return min(own, key=lambda one: roots.index(one["project"]))
    return max(skills, key=lambda one: one["updatedAt"])


def _show_phases(phases: list[Mapping[str, Any]]) -> None:
    columns = [
        Column("phase", "title"),
        Column("proof to leave it", "proof"),
        Column("steps", "steps"),
        Column("commands", "commands"),
    ]
    rows = [
        {
            "title": f"{phase['label']}: {phase['name']}" if phase["name"] else phase["label"],
            **{key: ", ".join(phase[key]) for key in ("proof", "steps", "commands")},
        }
        for phase in phases
    ]
    click.echo()
    output.show(rows, columns, as_json=False, empty="It declares no phases.")
