"""`hookd db`: size, check, compact, backup and clean-up of the database."""

from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any

import click

from hookd import paths
from hookd.cli.doctor.checks.storage import replacement_step
from hookd.cli.lib import output
from hookd.cli.lib.client import call
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.groups import Commands
from hookd.cli.lib.options import json_option
from hookd.cli.lib.output import Column
from hookd.cli.lib.progress import LongWork

if TYPE_CHECKING:
    from hookd.store.integrity import Checked

_JSON = json_option("Print JSON.")

_POLL_INTERVAL_S = 0.5
"""Interval in which the end of a check is noticed after Ctrl-C at the latest."""

_INTERRUPTED = 130
"""Exit code of a check that Ctrl-C ended, as in a shell."""

_UNITS = ("bytes", "kB", "MB", "GB", "TB")


@click.group(
    cls=Commands,
    epilog="""\b
    Examples:
      hookd db size
      hookd db check
      hookd db backup hookd-backup.db
      hookd db compact
    """,
)
def db() -> None:
    """Inspect and maintain the database: size, check, backup."""


@db.command(
    epilog="""\b
    Examples:
      hookd db size
      hookd db size --json
    """
)
@_JSON
def size(as_json: bool) -> None:
    """Show the size of the file, and the rows of each table."""
    sizes = call("daemon.size")
    if as_json:
        output.show_json(sizes)
        return
    rows = sorted(sizes["tables"].items(), key=lambda row: -(row[1] or 0))
    columns = [Column("table", 0, firm=True), Column("rows", 1, firm=True, right=True)]
    output.show(rows, columns, as_json=False, empty="")
    click.echo()
    output.show_facts(_sizes(sizes))


def _sizes(sizes: dict[str, Any]) -> dict[str, Any]:
    """Return the sizes and limits as facts to print."""
    bodies = sizes["bodies"]
    facts = {"file": f"{amount(sizes['bytes'])}, of that {amount(sizes['free'])} free"}
    facts["write-ahead log"] = amount(sizes["log"])
    if bodies["count"]:
        whole, kept = amount(bodies["characters"]), amount(bodies["bytes"])
        facts["whole payloads"] = f"{bodies['count']}, {whole} of JSON in {kept}"
    size = amount(sizes["maxBytes"]) if sizes["maxBytes"] else "no size"
    age = f"{sizes['days']} days" if sizes["days"] else "no age"
    facts["limits"] = f"{size}, {age} (retention of the settings)"
    facts["oldest event"] = sizes["oldest"]
    if sizes["toCut"]:
        facts["in the background"] = f"long payloads are cut, up to event {sizes['toCut']}"
    if not sizes["givesBack"]:
        facts["next"] = "hookd db compact, to return free space to the disk"
    return facts


@db.command(
    epilog="""\b
    Examples:
      hookd db compact
    """
)
@_JSON
def compact(as_json: bool) -> None:
    """Return free space inside the file to the disk.

    It takes some seconds per gigabyte, and space for two copies. Meanwhile calls are evaluated,
    and some are not recorded.
    """
    with LongWork(f"Compacting {amount(call('daemon.size')['bytes'])}"):
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
    """Check the integrity of the whole database.

    It takes up to 10 seconds per gigabyte; Ctrl-C ends it. The daemon works meanwhile, and need not
    run. Exit code 1: the database is damaged. Exit code 130: the check was interrupted.
    """
    path = paths.paths().database
    if not path.exists():
        raise Problem(f"There is no database {path}.", "hookd start, which creates it")
    try:
        result = _checked(path)
    except KeyboardInterrupt:
        click.echo("hookd: the check was interrupted, without a result", err=True)
        ctx.exit(_INTERRUPTED)
    if result.unread:
        raise Problem(f"{path} was not checked: {result.unread}.", "hookd db check, again")
    problems = result.problems
    with suppress(OSError):  # a full disk
        paths.paths().checked.touch(mode=0o600)
        paths.paths().checked.write_text("damaged\n" if problems else "ok\n")
    if as_json:
        output.show_json({"ok": not problems, "problems": list(problems)})
    else:
        click.echo("The database is damaged:" if problems else "The database is intact.")
        for problem in problems:
            click.echo(f"  {output.cell(problem)}")
        if problems:
            click.echo(f"  next: {replacement_step()}")
    ctx.exit(1 if problems else 0)


def _checked(path: Path) -> "Checked":
    """Return the result of a complete check; show the progress on a terminal."""
    from hookd.store.integrity import CompleteCheck  # noqa: PLC0415 - only needed here

    whole = CompleteCheck(path)
    results: SimpleQueue[Checked | None] = SimpleQueue()
    # On a thread, since Python does not see Ctrl-C while SQLite works.
    thread = Thread(target=lambda: results.put(whole.run()), daemon=True)
    with LongWork(f"Checking {amount(path.stat().st_size)}"):
        thread.start()
        try:
            while thread.is_alive():
                thread.join(_POLL_INTERVAL_S)
        except KeyboardInterrupt:
            whole.interrupt()
            thread.join()
            raise
    result = results.get()
    if result is None:
        raise KeyboardInterrupt
    return result


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
    """Copy the database to FILE, which must not exist.

    The daemon keeps running.
    """
    path = file.expanduser().absolute()
    if path.exists() or path.is_symlink():
        raise Problem(f"{path} already exists.", "give another name, or remove it first")
    with LongWork(f"Copying {amount(call('daemon.size')['bytes'])}"):
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
    """Run maintenance now: end lost sessions, delete old rows."""
    result = call("daemon.sweep")
    if as_json:
        output.show_json(result)
    else:
        click.echo("Maintenance has started; its report is in: hookd daemon logs")


def amount(count: float) -> str:
    """Return a number of bytes in a readable unit."""
    for unit in _UNITS[:-1]:
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} {_UNITS[-1]}"
