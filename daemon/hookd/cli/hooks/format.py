"""Format user hooks for the terminal: the table, and problems of their files."""

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


def rows(hooks: Iterable[Mapping[str, Any]], root: str) -> list[dict[str, Any]]:
    """Return hooks as rows of the table."""
    return [
        {
            **hook,
            "matcher": " if ".join(filter(None, (hook["matcher"] or "*", hook["condition"]))),
            "source": f"{hook['layer']} {short(hook['path'], root)}",
            "timeout": _seconds(hook),
        }
        for hook in hooks
    ]


def _seconds(hook: Mapping[str, Any]) -> str:
    """Return a hook's timeout, and the client's limit if that is shorter."""
    cut = hook.get("cutAfter")
    return f"{hook['timeout']:g} s" + ("" if cut is None else f", cut at {cut:g} s")


def show(hooks: Iterable[Mapping[str, Any]], root: str, *, empty: str) -> None:
    """Print hooks as a table; on a terminal, the reasons of idle ones follow in full."""
    table = rows(hooks, root)
    screen = sys.stdout.isatty()
    columns = [column for column in COLUMNS if not (screen and column.key == "why")]
    output.show(table, columns, as_json=False, empty=empty)
    if screen:
        for line in _reasons(table):
            click.echo(line)


def _reasons(table: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield a line for each reason why hooks do not run."""
    ids: dict[tuple[str, str], list[str]] = {}
    for row in table:
        if row["why"]:
            ids.setdefault((row["state"], row["why"]), []).append(row["id"])
    yield from [""] if ids else ()
    for (state, why), names in ids.items():
        yield output.cell(f"{state}: {', '.join(names)}: {why}")


def show_problems(problems: Iterable[Mapping[str, Any]]) -> None:
    """Print each problem of the files on a line of stderr."""
    for problem in problems:
        where = ": ".join(filter(None, (own_files.in_home(problem["path"]), problem["key"])))
        mark = "" if problem["fatal"] else "note: "
        click.echo(output.cell(f"hookd: {where}: {mark}{problem['sentence']}"), err=True)


def short(path: str, root: str) -> str:
    """Return a path relative to the project's root, or with the home folder as `~`."""
    if path.startswith(f"{root}/"):
        return path[len(root) + 1 :]
    return own_files.in_home(path)
