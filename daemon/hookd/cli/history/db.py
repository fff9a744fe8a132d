"""The home of `hookd db`: how large the database is, whether it is sound, and a copy of it."""

from pathlib import Path
from typing import Any

import click

from hookd.cli.lib import output
from hookd.cli.lib.client import call
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.output import Column

_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_UNITS = ("bytes", "kB", "MB", "GB", "TB")


@click.group(
    epilog="""\b
    Examples:
      hookd db size
      hookd db check
      hookd db backup hookd-backup.db
      hookd db compact
    """
)
def db() -> None:
    """Look after the database: its size, its soundness, a copy."""


@db.command(
    epilog="""\b
    Examples:
      hookd db size
      hookd db size --json
    """
)
@_JSON
def size(as_json: bool) -> None:
    """Show how large the file is, and how many rows each table has."""
    found = call("daemon.size")
    if as_json:
        output.show_json(found)
        return
    rows = sorted(found["tables"].items(), key=lambda one: -(one[1] or 0))
    columns = [Column("table", 0, firm=True), Column("rows", 1, firm=True, right=True)]
    output.show(rows, columns, as_json=False, empty="")
    click.echo()
    output.show_facts(_sizes(found))


def _sizes(found: dict[str, Any]) -> dict[str, Any]:
    """Return how much room everything takes, and what limits it."""
    bodies = found["bodies"]
    facts = {"file": f"{amount(found['bytes'])}, of that {amount(found['free'])} free"}
    facts["write-ahead log"] = amount(found["log"])
    if bodies["count"]:
        whole, kept = amount(bodies["characters"]), amount(bodies["bytes"])
        facts["whole payloads"] = f"{bodies['count']}, {whole} of JSON in {kept}"
    size = amount(found["maxBytes"]) if found["maxBytes"] else "no size"
    age = f"{found['days']} days" if found["days"] else "no age"
    facts["limits"] = f"{size}, {age} (retention of the settings)"
    facts["oldest event"] = found["oldest"]
    if found["toCut"]:
        facts["in the background"] = f"long payloads are cut, up to event {found['toCut']}"
    if not found["givesBack"]:
        facts["next"] = "hookd db compact, so that free room is given back to the disk"
    return facts


@db.command(
    epilog="""\b
    Examples:
      hookd db compact
    """
)
@_JSON
def compact(as_json: bool) -> None:
    """Give the free room inside the file back to the disk.

    It takes some seconds for each gigabyte and room for two copies. Calls are judged meanwhile;
    some are not recorded.
    """
    if not as_json:
        click.echo(f"Compacting {amount(call('daemon.size')['bytes'])} ...", err=True)
    result = call("daemon.compact")
    if as_json:
        output.show_json(result)
        return
    click.echo(f"The file had {amount(result['before'])} and has {amount(result['after'])} now.")


@db.command(
    epilog="""\b
    Examples:
      hookd db check
      hookd db check --json
    """
)
@_JSON
@click.pass_context
def check(ctx: click.Context, as_json: bool) -> None:
    """Read through the whole database and tell whether it is sound. Exit code 1 where it is not."""
    found = call("daemon.integrity")
    if as_json:
        output.show_json(found)
    else:
        click.echo("The database is sound." if found["ok"] else "The database is damaged:")
        for problem in found["problems"]:
            click.echo(f"  {output.cell(problem)}")
    ctx.exit(0 if found["ok"] else 1)


@db.command(
    epilog="""\b
    Examples:
      hookd db backup hookd-backup.db
      hookd db backup ~/backups/hookd.db --json
    """
)
@click.argument("file", type=click.Path(path_type=Path))
@_JSON
def backup(file: Path, as_json: bool) -> None:
    """Copy the database into FILE, which must not be there yet; work goes on meanwhile."""
    path = file.expanduser().absolute()
    if path.exists() or path.is_symlink():
        raise Problem(f"{path} is there already.", "give another name, or remove it first")
    result = call("daemon.backup", {"path": str(path)})
    if as_json:
        output.show_json(result)
        return
    click.echo(f"Copied {amount(result['bytes'])} to {output.cell(result['path'])}.")


@db.command(
    epilog="""\b
    Examples:
      hookd db sweep
    """
)
@_JSON
def sweep(as_json: bool) -> None:
    """Let the daemon end lost windows and delete what is old at once, not at its next round."""
    result = call("daemon.sweep")
    if as_json:
        output.show_json(result)
    else:
        click.echo("The round has begun; hookd daemon logs tells what it did.")


def amount(count: float) -> str:
    """Return a number of bytes as people read it."""
    for unit in _UNITS[:-1]:
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} {_UNITS[-1]}"
