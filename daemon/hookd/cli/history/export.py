"""`hookd event export`: write recorded events as JSON lines or CSV, without a daemon."""

import csv
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from hookd import paths
from hookd.cli.lib import args, output
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.options import client_option, session_option
from hookd.cli.lib.private_file import private_file
from hookd.cli.lib.progress import LongWork
from hookd.display.event_text import about

if TYPE_CHECKING:
    from hookd.store.browse.export import Batch, EventExport, Selection

_COLUMNS = (
    *("id", "at", "event", "project", "sessionId", "claudeSessionId", "agent", "agentId", "client"),
    *("toolName", "decision", "rule", "lost", "timedOut", "durationUs", "about"),
)
"""Columns of CSV; `payload` follows with --bodies."""

_ABOUT_CHARS = 200
"""Characters of the call or prompt in CSV."""

_FORMULA = ("=", "+", "-", "@")
"""First characters by which a spreadsheet takes a cell for a formula."""

_STDOUT = "-"


@click.command(
    epilog="""\b
    Examples:
      hookd event export > events.jsonl
      hookd event export --since 7d --decision deny -o denied.csv
      hookd event export --session 12 --bodies -o session-12.jsonl
    """
)
@session_option()
@click.option("--agent", metavar="ID", help="The AGENT_ID.")
@client_option("Only events of this client.")
@click.option("--project", metavar="DIR", help="A project's folder, or its name.")
@click.option("--event", "name", metavar="NAME", help="An event, such as PreToolUse.")
@click.option("--decision", metavar="WORD", help="The decision: deny, ask, allow, block, defer.")
@click.option("--rule", metavar="NAME", help="What decided: a policy or a guard rule.")
@click.option("--since", metavar="TEXT", help="10m, 2h, 1d, or a time; local without an offset.")
@click.option(
    "--format",
    "form",
    type=click.Choice(("jsonl", "csv")),
    help="JSON lines or CSV.  [default: by FILE, else jsonl]",
)
@click.option("--bodies", is_flag=True, help="With whole payloads, where the row has an excerpt.")
@click.option("-o", "--output", "file", metavar="FILE", help="Write to FILE.  [default: print]")
@click.option("--force", is_flag=True, help="Overwrite FILE.")
def export(form: str | None, file: str | None, force: bool, **options: Any) -> None:
    """Write recorded events as JSON lines or CSV, oldest first.

    A JSON line is an event as `hookd event --json` shows it; `hookd replay` reads such a file.
    CSV has a line for each event, without its payload. All events are written, unless options
    choose some. The database file is read, so no daemon is needed. FILE has mode 0600.
    """
    from hookd.store.browse.export import EventExport, StoreError  # noqa: PLC0415 - slow
    from hookd.store.database import DatabaseError  # noqa: PLC0415

    database = paths.paths().database
    if not database.exists():
        raise Problem(f"There is no database {database}.", "hookd start, which creates it")
    as_csv = (form or ("csv" if (file or "").endswith(".csv") else "jsonl")) == "csv"
    try:
        with EventExport(database) as events:
            chosen = _selection(events, options)
            with _opened(file, force) as out:
                count = _write(events, chosen, out, as_csv=as_csv, quiet=_scrolls(file))
    except DatabaseError as error:
        raise Problem(f"{error}.", error.step) from error
    except StoreError as error:
        raise Problem(f"{database} cannot be read: {error}.", "hookd db check") from error
    if not count:
        click.echo("No events match.", err=True)
    if not _is_stdout(file):
        events_word = "event" if count == 1 else "events"
        click.echo(f"Wrote {count:,} {events_word} to {output.cell(file)}.")


def _is_stdout(file: str | None) -> bool:
    return file is None or file == _STDOUT


def _scrolls(file: str | None) -> bool:
    """Return whether the events go to a terminal, where a line of progress would be between."""
    return _is_stdout(file) and sys.stdout.isatty()


@contextmanager
def _opened(file: str | None, force: bool) -> Iterator[TextIO]:
    if file is None or file == _STDOUT:
        yield sys.stdout
    else:
        with private_file(file, force=force) as opened:
            yield opened


def _selection(events: "EventExport", options: Mapping[str, Any]) -> "Selection":
    """Return what the options select. Raise Problem for an unknown session or project."""
    from hookd.store.browse.export import Selection  # noqa: PLC0415 - slow

    number, conversation = _session(events, options["session"])
    now = datetime.now(UTC).isoformat(timespec="milliseconds")  # noqa: TID251 - of the command
    return Selection(
        since=args.timestamp(options["since"], now) if options["since"] else None,
        session=number,
        claude_session_id=conversation,
        agent=options["agent"],
        client=options["client"],
        project=_project(events, options["project"]),
        event=args.event_name(options["name"]) if options["name"] else None,
        decision=options["decision"],
        rule=options["rule"],
        bodies=options["bodies"],
    )


def _session(events: "EventExport", key: str | None) -> tuple[int | None, str | None]:
    """Return the number or the client's session id that a key selects."""
    if key is None:
        return None, None
    if key.isdecimal() and len(key) < 19 and events.has_session(int(key)):
        return int(key), None
    found = events.sessions(key) if key else []
    if not found:
        raise Problem(f"There is no session {key}.", "hookd session list")
    if len(found) > 1 and key not in found:
        shown = ", ".join(found)
        raise Problem(f"Several sessions begin with {key}: {shown}.", "give more of its id")
    return None, key if key in found else found[0]


def _project(events: "EventExport", name: str | None) -> str | None:
    if name is None:
        return None
    try:
        root = str(Path(name).expanduser().resolve())
    except (OSError, RuntimeError, ValueError):
        root = name
    found = events.projects(name, root)
    if not found:
        step = "hookd session list --json, which has the projects"
        raise Problem(f"There is no project {name}.", step)
    if len(found) > 1:
        raise Problem(f"Several projects are called {name}: {', '.join(found)}.", "give its folder")
    return found[0]


def _write(
    events: "EventExport", chosen: "Selection", out: TextIO, *, as_csv: bool, quiet: bool
) -> int:
    """Write the events; return how many."""
    count = 0
    write_row = _csv_writer(out, bodies=chosen.bodies) if as_csv else _json_writer(out)
    with LongWork("Exporting events", 1.0, quiet=quiet) as progress:
        for batch in events.batches(chosen):
            for row in _objects(batch):
                write_row(row)
                count += 1
            progress.reach(batch.done / batch.total)
    out.flush()
    return count


def _objects(batch: "Batch") -> Iterator[dict[str, Any]]:
    """Yield events as events.list returns them; a stored whole payload replaces its excerpt."""
    from hookd.core.model.row_shapes import row_objects  # noqa: PLC0415 - slow
    from hookd.events.payload_excerpt import restore_text  # noqa: PLC0415

    for one in row_objects(batch.rows, {"decided_by": "rule"}):
        body = one.pop("body")
        one |= {flag: bool(one[flag]) for flag in ("lost", "timedOut")}
        if body is not None:
            with suppress(ValueError):  # a damaged body: its excerpt is left
                one |= {"payload": json.loads(restore_text(body)), "payloadSha256": None}
        yield one


def _json_writer(out: TextIO) -> Callable[[Mapping[str, Any]], None]:
    def write(row: Mapping[str, Any]) -> None:
        out.write(output.json_text(row) + "\n")

    return write


def _csv_writer(out: TextIO, *, bodies: bool) -> Callable[[Mapping[str, Any]], None]:
    names = (*_COLUMNS, "payload") if bodies else _COLUMNS
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(names)

    def write(row: Mapping[str, Any]) -> None:
        shown = {**row, "about": about(row, _ABOUT_CHARS)}
        rows.writerow([_csv_cell(shown, name) for name in names])

    return write


def _csv_cell(row: Mapping[str, Any], name: str) -> str:
    """Return a cell that is safe to print, and that no spreadsheet takes for a formula."""
    value = row.get(name)
    if value is None:
        return ""
    text = output.cell(value)
    return f"'{text}" if isinstance(value, str) and text.startswith(_FORMULA) else text
