"""`hookd session forget`: delete everything that hookd has recorded of one session."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from hookd import paths
from hookd.cli.history.db import amount
from hookd.cli.lib import completions, output
from hookd.cli.lib.client import Refused, call
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.options import json_option
from hookd.cli.lib.output import Column
from hookd.cli.lib.person import expect_terminal, for_person
from hookd.cli.lib.progress import LongWork


@click.command(
    epilog="""\b
    Examples:
      hookd session forget 12 --dry-run
      hookd session forget 12
      hookd session forget 12 --yes --json
    """
)
@click.argument(
    "number", metavar="N", type=click.IntRange(min=1), shell_complete=completions.sessions
)
@click.option("--dry-run", is_flag=True, help="Show what would be deleted; delete nothing.")
@click.option("--force", is_flag=True, help="Forget a session that is still open, too.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option("Print JSON.")
@for_person
def forget(number: int, dry_run: bool, force: bool, yes: bool, as_json: bool) -> None:
    """Delete everything that is recorded of session N.

    The sessions of its subagents are deleted, too. Payloads, messages and counts leave the
    database, and the session leaves the logs of efforts, the daemon's log, and files of long texts.
    The database is compacted afterwards, so that no bytes of it remain in the file. Copies of the
    database and the client's transcript stay; they are named.
    """
    asked = {"sessionId": number, "force": force}
    found = _call(asked | {"dryRun": True})
    if dry_run:
        _report(found, as_json=as_json)
        return
    if not yes:
        _confirm(number, found)
    done = _call(asked)
    compacted = _compact()
    if as_json:
        output.show_json(done | {"compacted": compacted})
        return
    count = len(done["sessions"])
    which = f"session {number}" if count == 1 else f"session {number} and {count - 1} of subagents"
    click.echo(f"Forgotten: {which}, {sum(done['rows'].values()):,} rows.")
    _show_rest(done)


def _call(asked: Mapping[str, Any]) -> dict[str, Any]:
    try:
        result: dict[str, Any] = call("session.forget", asked)
    except Refused as refused:
        steps = {
            "NOT_FOUND": "hookd session list",
            "SESSION_OPEN": f"end it, or hookd session forget {asked['sessionId']} --force",
        }
        if refused.code not in steps:
            raise
        raise Problem(refused.message, steps[refused.code]) from None
    return result


def _confirm(number: int, found: Mapping[str, Any]) -> None:
    """Show what is deleted, and ask. Raise Problem without a terminal or consent."""
    expect_terminal(f"hookd session forget {number}", "; a script adds --yes")
    _report(found, as_json=False)
    click.echo(f"\nThen the database ({amount(call('daemon.size')['bytes'])}) is compacted.")
    if not click.confirm("Delete all of this? It cannot be undone."):
        raise Problem("Nothing was deleted.")


def _compact() -> bool:
    """Compact the database; return False, after a warning, if remains are left in the file."""
    try:
        with LongWork("Compacting the database"):
            call("daemon.compact")
    except Problem as problem:
        why, step = problem.message, problem.step
    else:
        if not (left := call("daemon.size")["log"]):
            return True
        why = f"another program reads the database, so its write-ahead log has {amount(left)}"
        step = "end that program"
    message = f"hookd: the session is forgotten, but remains may be in the file: {why}"
    click.echo(output.cell(message), err=True)
    click.echo(f"  next: {output.cell(step)}, then hookd db compact", err=True)
    return False


def _report(found: Mapping[str, Any], *, as_json: bool) -> None:
    if as_json:
        output.show_json(found)
        return
    rows = [(name, count) for name, count in found["rows"].items() if count]
    columns = [Column("table", 0, firm=True), Column("would delete", 1, firm=True, right=True)]
    output.show(rows, columns, as_json=False, empty="Nothing.")
    for path in found["effortLogs"]:
        click.echo(f"entries of {output.cell(path)}")
    _show_rest(found)


def _show_rest(found: Mapping[str, Any]) -> None:
    """Print which files still have the session: copies of the database, the transcript."""
    copies = [one["path"] for one in found["backups"] if Path(one["path"]).exists()]
    copies += map(str, paths.paths().damaged())
    transcript = found["transcript"]
    if transcript and Path(transcript).exists():
        copies.append(f"{transcript} (the client's transcript)")
    if copies:
        click.echo("These files may still have it; hookd does not change them:")
        for path in copies:
            click.echo(f"  {output.cell(path)}")
    click.echo("Copies that you made without hookd db backup are not known to hookd.")
