"""`hookd policy`: list, show and set the built-in policies."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from hookd.cli.hooks import format as hook_rows
from hookd.cli.hooks import own_files
from hookd.cli.lib import completions, output
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.groups import Commands
from hookd.cli.lib.options import json_option, project_dir_option
from hookd.cli.lib.output import Column
from hookd.cli.policies.profile import profile
from hookd.cli.policies.set import disable, enable, set_

_MODES = {"enforce": "green", "warn": "yellow", "off": "bright_black"}
_COLUMNS = (
    Column("policy", "policy", firm=True),
    Column("mode", "mode", firm=True, styles=_MODES),
    Column("why", "why", least=12),
    Column("what it is", "what", cut=True, least=24),
)


@click.group(
    cls=Commands,
    epilog="""\b
    Examples:
      hookd policy list
      hookd policy show destructive-guard
      hookd policy profile workflow
      hookd policy disable keyword-detector
      hookd policy set heartbeat block_after 20 --scope project
      hookd policy set session-gate allow --add 'Bash(npm test *)'
      hookd policy set non-interactive-env clients --add codex
    """,
)
def policy() -> None:
    """Show and set the built-in policies."""


@policy.command(
    name="list",
    epilog="""\b
    Examples:
      hookd policy list
      hookd policy list --json | jq '.[] | select(.mode != "off").policy'
    """,
)
@project_dir_option(former="--project")
@json_option("Print a JSON list.")
def list_(project_dir: Path | None, as_json: bool) -> None:
    """List the policies with their mode in the project, and why."""
    from hookd.cli.policies import effective  # noqa: PLC0415 - it imports the daemon's parts

    page = effective.read(own_files.project(project_dir))
    hook_rows.show_problems(vars_of(problem) for problem in page.problems)
    if as_json or output.screen_width() is None:
        rows = page.rows()
        if not as_json:
            rows = [row | {"why": row["why"] + _only(row["options"]["clients"])} for row in rows]
        output.show(rows, _COLUMNS, as_json=as_json, empty="There are no policies.")
    else:
        _show_groups(page.rows())
    if page.fault:
        sentence = f"Settings that cannot be used are left out: {page.fault}."
        raise Problem(sentence, "hookd settings check")


def _show_groups(rows: list[dict[str, Any]]) -> None:
    """Print policies for a screen: those that are on, then those that are off."""
    groups = {"on": [row for row in rows if row["mode"] != "off"]}
    groups["off"] = [row for row in rows if row["mode"] == "off"]
    for number, (state, found) in enumerate(groups.items()):
        heading = f"{len(found)} {'policy is' if len(found) == 1 else 'policies are'} {state}"
        click.echo(("\n" if number else "") + output.heading(heading))
        for row in found:
            mode = "" if state == "off" else f"{row['mode']}; "
            only = _only(row["options"]["clients"])
            line = f"{row['policy']} ({mode}{row['why']}{only})"
            click.echo(output.folded(output.cell(line), 2))
            click.echo(output.folded(output.cell(row["what"]), 6))


@policy.command(
    epilog="""\b
    Examples:
      hookd policy show destructive-guard
      hookd policy show heartbeat --json
    """
)
@click.argument("name", shell_complete=completions.policies)
@project_dir_option(former="--project")
@json_option()
def show(name: str, project_dir: Path | None, as_json: bool) -> None:
    """Show what a policy does, its mode and why, and its options."""
    from hookd.cli.policies import effective  # noqa: PLC0415 - it imports the daemon's parts

    policy = effective.named(name)
    page = effective.read(own_files.project(project_dir))
    row, choice = page.row(policy), page.choices[policy.name]
    options = effective.option_rows(policy, choice)
    if as_json:
        output.show_json(row | {"about": effective.description(policy), "options": options})
        return
    only = _only(choice.options.clients)
    click.echo(output.cell(f"{policy.name}: {row['mode']}, {row['why']}{only}"))
    click.echo(output.folded(f"On {', '.join(row['events'])}; priority {policy.priority}."))
    for paragraph in effective.description(policy).split("\n\n"):
        click.echo(f"\n{output.folded(paragraph)}")
    click.echo("\nOptions:")
    for option in options:
        click.echo(f"\n{_option_text(option)}")
    if page.fault:
        raise Problem(f"Settings were left out: {page.fault}.", "hookd settings check")


def _only(clients: Sequence[str]) -> str:
    """Return for which clients a policy is in force, "" for all."""
    return f"; only in {', '.join(clients)}" if clients else ""


def _option_text(option: Mapping[str, Any]) -> str:
    """Return an option with its value, its meaning, and its default if the value differs."""
    usual = "" if option["value"] == option["default"] else f"  [default: {_json(option)}]"
    title = f"{option['option']} = {output.cell(json.dumps(option['value'], ensure_ascii=False))}"
    lines = [output.folded(f"{title}{usual}", 2), output.folded(_meaning(option), 6)]
    for key in option["keys"]:
        lines += [output.folded(key["key"], 6), output.folded(_meaning(key), 10)]
    return "\n".join(lines)


def _json(option: Mapping[str, Any]) -> str:
    return json.dumps(option["default"], ensure_ascii=False)


def _meaning(option: Mapping[str, Any]) -> str:
    names = [str(name) for name in option["one_of"]]
    if not names or all(name in option["meaning"] for name in names):
        return str(option["meaning"])
    return f"{option['meaning']} One of: {', '.join(names)}."


def vars_of(problem: object) -> dict[str, object]:
    """Return a problem as a row."""
    return {name: getattr(problem, name) for name in ("path", "key", "sentence", "fatal")}


for command in (enable, disable, set_, profile):
    policy.add_command(command)
