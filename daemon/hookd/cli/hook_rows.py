"""The home of how hooks are shown: as a table, and what is wrong with their files."""

from collections.abc import Iterable, Mapping
from typing import Any

import click

from hookd.cli import hook_files, table
from hookd.cli.table import Column

_STATES = {"on": "green", "untrusted": "yellow", "off": "bright_black", "listed": "bright_black"}

COLUMNS = (
    Column("event", "event", least=12),
    Column("action", "action", least=16),
    Column("matcher", "matcher"),
    Column("id", "id", least=12),
    Column("source", "source", least=12),
    Column("timeout", "timeout", firm=True, right=True),
    Column("state", "state", firm=True, styles=_STATES),
    Column("why", "why", least=12, spare=True),
)


def rows(found: Iterable[Mapping[str, Any]], root: str) -> list[dict[str, Any]]:
    """Return hooks as rows of a table."""
    return [
        {
            **hook,
            "matcher": " if ".join(filter(None, (hook["matcher"] or "*", hook["condition"]))),
            "source": f"{hook['layer']} {short(hook['path'], root)}",
            "timeout": f"{hook['timeout']:g} s",
        }
        for hook in found
    ]


def tell(problems: Iterable[Mapping[str, Any]]) -> None:
    """Say what is wrong with the files, a line each, on stderr."""
    for one in problems:
        where = ": ".join(filter(None, (hook_files.in_home(one["path"]), one["key"])))
        mark = "" if one["fatal"] else "note: "
        click.echo(table.cell(f"hookd: {where}: {mark}{one['sentence']}"), err=True)


def short(path: str, root: str) -> str:
    """Return a path as it is said in a project."""
    if path.startswith(f"{root}/"):
        return path[len(root) + 1 :]
    return hook_files.in_home(path)
