"""`hookd query`: run one SQL statement on the database, read-only."""

import re
from collections import Counter
from typing import Any

import click

from hookd.cli.lib import args, output
from hookd.cli.lib.client import call
from hookd.cli.lib.options import json_option, limit_option
from hookd.cli.lib.output import Column

_ESCAPES = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}


@click.command(
    epilog="""\b
    Examples:
      hookd query 'SELECT * FROM recent_events LIMIT 5'
      hookd query 'SELECT at, answer FROM events WHERE decision = ?' deny
      hookd query --tsv 'SELECT tool_name, count(*) FROM events GROUP BY 1'
      hookd query 'SELECT name, sql FROM sqlite_schema' --json
    """
)
@click.argument("sql")
@click.argument("param", nargs=-1)
@json_option("Print a JSON list with an object per row.")
@click.option(
    "--tsv", "as_tsv", is_flag=True, help="Print TSV, with \\t \\n \\r \\\\ escaped in cells."
)
@limit_option(1000)
def query(sql: str, param: tuple[str, ...], as_json: bool, as_tsv: bool, limit: int) -> None:
    """Run one SQL statement on hookd's database, read-only.

    Each PARAM replaces a question mark, as a number if it looks like one. SQL - reads standard
    input. In TSV, NULL is an empty cell.
    """
    if as_json and as_tsv:
        raise click.UsageError("Choose one of --json and --tsv.")
    params = {"sql": args.read_text(sql), "params": list(map(_number, param)), "limit": limit}
    result = call("daemon.query", params)
    columns, rows = _distinct(result["columns"]), result["rows"]
    if as_json:
        output.show_json([dict(zip(columns, row, strict=True)) for row in rows])
    elif as_tsv:
        for line in (columns, *rows):
            click.echo("\t".join(map(_escaped, line)))
    else:
        shown = [Column(name, key, _cell, least=12) for key, name in enumerate(columns)]
        output.show(rows, shown, as_json=False, empty="No rows.")
    if result["more"]:
        click.echo(f"hookd: there are more than these {len(rows)} rows: --limit N", err=True)


def _number(text: str) -> str | int | float:
    """Return the text as a number if it is exactly how one is written, else the text."""
    if re.fullmatch(r"-?(0|[1-9]\d{0,17})", text, re.ASCII):
        return int(text)
    return float(text) if re.fullmatch(r"-?\d{1,15}\.\d{1,15}", text, re.ASCII) else text


def _distinct(names: list[str]) -> list[str]:
    """Return distinct names for columns: a, a:2."""
    seen: Counter[str] = Counter()
    distinct = []
    for name in names:
        seen[name] += 1
        distinct.append(name if seen[name] == 1 else f"{name}:{seen[name]}")
    return distinct


def _cell(value: Any) -> str:
    return "NULL" if value is None else output.cell(value)


def _escaped(value: Any) -> str:
    if value is None:
        return ""
    return re.sub(r"[\\\t\n\r]", lambda match: _ESCAPES[match[0]], str(value))
