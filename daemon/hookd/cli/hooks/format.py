"""The home of how hooks are shown: as a table, and what is wrong with their files."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import click

from hookd.cli.hooks import own_files
from hookd.cli.lib import output
from hookd.cli.lib.output import Column

_STATES = {"on": "green", "untrusted": "yellow", "off": "bright_black", "listed": "bright_black"}

COLUMNS = (
    Column("event", "event", least=12),
    Column("action", "action", least=16),
    Column("matcher", "matcher"),
    Column("id", "id", least=12),
    Column("source", "source", least=12),
    Column("timeout", "timeout", firm=True, right=True, spare=True),
    Column("state", "state", firm=True, styles=_STATES),
    Column("why", "why", least=12),
)


def rows(found: Iterable[Mapping[str, Any]], root: str) -> list[dict[str, Any]]:
    """Return hooks as rows of a table."""
    return [
        {
            **hook,
            "matcher": " if ".join(filter(None, (hook["matcher"] or "*", hook["condition"]))),
            "source": f"{hook['layer']} {short(hook['path'], root)}",
            "timeout": _seconds(hook),
        }
        for hook in found
    ]


def _seconds(hook: Mapping[str, Any]) -> str:
    """Return the seconds that a hook may take, and those after which the client's limit cuts it."""
    cut = hook.get("cutAfter")
    return f"{hook['timeout']:g} s" + ("" if cut is None else f", cut at {cut:g} s")


def show(found: Iterable[Mapping[str, Any]], root: str, *, empty: str) -> None:
    """Print hooks as a table; on a terminal, why some do not run stands beneath, in full."""
    told = rows(found, root)
    screen = sys.stdout.isatty()
    columns = [one for one in COLUMNS if not (screen and one.key == "why")]
    output.show(told, columns, as_json=False, empty=empty)
    if screen:
        for line in _reasons(told):
            click.echo(line)


def _reasons(told: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield why hooks do not run, a line for each reason."""
    ids: dict[tuple[str, str], list[str]] = {}
    for row in told:
        if row["why"]:
            ids.setdefault((row["state"], row["why"]), []).append(row["id"])
    yield from [""] if ids else ()
    for (state, why), names in ids.items():
        yield output.cell(f"{state}: {', '.join(names)}: {why}")


def tell(problems: Iterable[Mapping[str, Any]]) -> None:
    """Say what is wrong with the files, a line each, on stderr."""
    for one in problems:
        where = ": ".join(filter(None, (own_files.in_home(one["path"]), one["key"])))
        mark = "" if one["fatal"] else "note: "
        click.echo(output.cell(f"hookd: {where}: {mark}{one['sentence']}"), err=True)


def short(path: str, root: str) -> str:
    """Return a path as it is said in a project."""
    if path.startswith(f"{root}/"):
        return path[len(root) + 1 :]
    return own_files.in_home(path)
