"""Lists with `--host NAME|all`: sessions and events of other hosts, from the central store."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hookd.cli.fleet.central_store import expect_extra, problems
from hookd.cli.fleet.viewer_file import read_viewer
from hookd.cli.lib import output
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.output import Column
from hookd.core.model.client_names import client_label
from hookd.display.event_subject import subject_line

if TYPE_CHECKING:
    from hookd.central.viewer import View

T = TypeVar("T")
Row = dict[str, Any]
Command = Callable[..., Any]

ALL = "all"
_MOST_SESSIONS = 2_000
_PAGE = 1_000
_MOST_PAGES = 50
"""Pages of events that are looked through for those that match."""

_ABOUT_CHARS = 60
_FIELDS = {"name": "event", "decision": "decision", "rule": "decided_by", "client": "client"}
"""Columns of the central store by the options that filter events."""


def host_option(help_text: str, metavar: str = "NAME|all") -> Callable[[Command], Command]:
    """Add `--host`, passed as `host`."""
    return click.option("--host", metavar=metavar, help=help_text)


def with_host(columns: Sequence[Column]) -> list[Column]:
    """Return the columns of a list, and the host first."""
    return [Column("host", "host", cut=True), *columns]


def show_fleet(
    host: str, columns: Sequence[Column], *, client: str | None, every: bool, as_json: bool
) -> None:
    """Print the open sessions of a host or of all; with `every` those that have ended, too."""
    rows = [_as_agent(row) for row in _sessions(host, client, every, _MOST_SESSIONS)]
    empty = "No session is open there. Ended ones: add --all" if not every else "No session."
    output.show(rows, with_host(columns), as_json=as_json, empty=empty)


def show_sessions(
    host: str, columns: Sequence[Column], *, client: str | None, limit: int, as_json: bool
) -> None:
    """Print the sessions of a host or of all, newest first."""
    rows = [_as_session(row) for row in _sessions(host, client, True, limit)]
    output.show(rows, with_host(columns), as_json=as_json, empty="No session.")


def show_events(
    host: str, columns: Sequence[Column], options: Mapping[str, Any], limit: int, *, as_json: bool
) -> None:
    """Print the last events of a host, the newest at the bottom."""
    if host == ALL:
        raise Problem("Events are listed for one host.", "hookd event --host NAME")
    known = {*_FIELDS, "session"}
    if other := [name for name, value in options.items() if value and name not in known]:
        raise Problem(f"--host cannot be combined with --{other[0]}.", f"hookd event --host {host}")
    equal = {column: options[name] for name, column in _FIELDS.items() if options.get(name)}
    session = options.get("session") or ""
    if session.isascii() and session.isdecimal() and len(session) < 19:
        equal, session = equal | {"session": int(session)}, ""
    rows, partial = _events(host, equal, session, limit)
    output.show(rows, with_host(columns), as_json=as_json, empty="No events.")
    if partial:
        click.echo("hookd: older events were not looked through", err=True)


def _sessions(host: str, client: str | None, every: bool, limit: int) -> list[Row]:
    def query(view: "View") -> list[Row]:
        from hookd.central import board  # noqa: PLC0415 - an extra

        which = board.SessionFilter(None if host == ALL else host, every, None, client)
        _expect_host(view, which.host)
        found: list[Row] = []
        before = None
        while len(found) < limit:
            page = board.sessions(view, which, before, limit - len(found))
            found += page.rows
            before = page.before
            if before is None:
                break
        return found

    return _read(query)


def _events(
    host: str, equal: Mapping[str, Any], conversation: str, limit: int
) -> tuple[list[Row], bool]:
    """Return the newest events that match, oldest first, and whether older ones were left out."""

    def query(view: "View") -> tuple[list[Row], bool]:
        from hookd.central import board  # noqa: PLC0415

        _expect_host(view, host)
        which = board.EventFilter(equal=equal, conversation=conversation)
        found: list[Row] = []
        before = None
        for _ in range(_MOST_PAGES):
            most = min(limit - len(found), _PAGE)
            page = board.events(view, host, which, before, most)
            found += page.rows
            before = page.before
            if before is None or len(found) >= limit:
                return found, False
        return found, True

    rows, partial = _read(query)
    return [_as_event(row, host) for row in reversed(rows)], partial


def _read(query: Callable[["View"], T]) -> T:
    """Return what a query finds with the login of this machine's viewer file. Raise Problem."""
    expect_extra("--host")
    file = read_viewer()
    from hookd.central.viewer import Viewer  # noqa: PLC0415

    with problems():
        viewer = Viewer(file.address, file.password)
        try:
            return viewer.read(query)
        finally:
            viewer.close()


def _expect_host(view: "View", name: str | None) -> None:
    from hookd.central import board  # noqa: PLC0415

    if name is not None and board.host(view, name) is None:
        sentence = f"There is no host {output.cell(name)} in {view.tenant}."
        raise Problem(sentence, "hookd fleet --host all; hookd web --fleet lists the hosts")


def _as_agent(row: Row) -> Row:
    """Return a session as a row of the fleet, without the values that only its host knows."""
    label = client_label(row["client"], row["clientVersion"])
    empty = dict.fromkeys(("firstPrompt", "contextSource", "claims", "mail"))
    who = row["agent"] or f"session {row['id']}"
    kept = {key: value for key, value in row.items() if key != "key"}
    named = {"agent": who, "sessionId": row["id"], "clientLabel": label}
    return {**kept, **empty, **named, "lastSeen": row["lastEventAt"]}


def _as_session(row: Row) -> Row:
    label = client_label(row["client"], row["clientVersion"])
    who = "/".join(row[name] for name in ("agent", "agentType") if row[name])
    empty = dict.fromkeys(("effortId", "contextSource"))
    kept = {key: value for key, value in row.items() if key != "key"}
    return {**kept, **empty, "who": who, "clientLabel": label}


def _as_event(row: Row, host: str) -> Row:
    number = row["sessionId"]
    return {
        **row,
        "host": host,
        "who": f"session {number}" if number else "",
        "about": subject_line(row["payload"], _ABOUT_CHARS),
    }
