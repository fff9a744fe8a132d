"""`hookd session`: list and show sessions: context windows and subagent runs."""

from collections.abc import Mapping
from typing import Any

import click

from hookd.cli.fleet.central_lists import host_option, show_sessions
from hookd.cli.lib import args, completions, output
from hookd.cli.lib.client import call
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.groups import Commands
from hookd.cli.lib.options import client_option, json_option, limit_option
from hookd.cli.lib.output import Column, moment
from hookd.cli.work.forget import forget
from hookd.core.model.client_names import client_label
from hookd.display.amounts import dollars, percent

_EMPTY = "No session. One appears when a client runs with hookd: hookd install --all"
_JSON = json_option("Print JSON.")
_TITLES = {"claudeSessionId": "clientSession", "heartbeatCounter": "callsSinceLog"}
"""Names of facts for people, where they are not those of the view."""
_LISTS = ("loadedFiles", "preloadedFiles")


@click.group(
    cls=Commands,
    epilog="""\b
    Examples:
      hookd session list
      hookd session show 12
      hookd session forget 12 --dry-run
    """,
)
def session() -> None:
    """Show sessions: context windows and subagent runs."""


@session.command(
    name="list",
    epilog="""\b
    Examples:
      hookd session list
      hookd session list --limit 5 --json
      hookd session list --client codex
      hookd session list --host all
    """,
)
@limit_option()
@client_option("Only sessions of this client.")
@host_option("Sessions of another host, or of all.")
@_JSON
def list_(limit: int, client: str | None, host: str | None, as_json: bool) -> None:
    """List sessions, newest first.

    `context` is the usage of the context window, `context source` where it is known from. The
    status line is exact; by a transcript or an event the usage is a lower bound. --host reads the
    central store, with the viewer file of this machine.
    """
    columns = [
        Column("id", "id", firm=True, right=True),
        Column("client session", "claudeSessionId", cut=True),
        Column("agent", "who"),
        Column("effort", "effortId", firm=True, right=True),
        Column("skill", "skill"),
        Column("calls since log", "heartbeatCounter", firm=True, right=True, spare=True),
        Column("context", "contextUsage", percent, firm=True, right=True),
        Column("context source", "contextSource", firm=True, spare=True),
        moment("last event", "lastEventAt"),
        Column("ended", "endReason"),
        Column("client", "clientLabel", spare=True),
    ]
    if host is not None:
        show_sessions(host, columns, client=client, limit=limit, as_json=as_json)
        return
    sessions = call("session.list", {"limit": limit} | _of(client))["sessions"]
    rows = sessions if as_json else list(map(_labelled, sessions))
    output.show(rows, columns, as_json=as_json, empty=_EMPTY)


session.add_command(forget)


@session.command(
    epilog="""\b
    Examples:
      hookd session show 12
      hookd session show 6f1f0a3e-0d4a-4b9e-9a57-1f8f4f0d9b10 --json
    """
)
@click.argument("key", metavar="ID", shell_complete=completions.sessions)
@_JSON
def show(key: str, as_json: bool) -> None:
    """Show a session, or all windows of a client's session.

    ID is a session's number, or the id of a client's session or its beginning; the newest window
    comes first. With --json it is always a list.
    """
    which = args.session_params(key, "id")
    sessions = call("session.list", which)["sessions"]
    if not sessions:
        step = "hookd session list; give the number, or the whole id of the client's session"
        raise Problem(f"There is no session {key}.", step)
    if as_json:
        output.show_json(sessions)
        return
    for row in sessions:
        output.show_facts(_readable(row), f"Session {row['id']}")


def _of(client: str | None) -> dict[str, str]:
    return {"client": client} if client else {}


def _labelled(session: Mapping[str, Any]) -> dict[str, Any]:
    """Return a session with its agent, and its client, as one text each."""
    label = client_label(session.get("client"), session.get("clientVersion"))
    return {**session, "who": _who(session), "clientLabel": label}


def _readable(session: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts of a session for people: its client's id by its name, amounts with units."""
    shown = {_TITLES.get(name, name): value for name, value in session.items() if name != "id"}
    usage, tokens = session["contextUsage"], session["windowTokens"]
    return shown | {
        "contextUsage": None if usage is None else percent(usage),
        "windowTokens": None if tokens is None else f"{tokens:,}",
        "cost": None if session["cost"] is None else dollars(session["cost"]),
        **{name: ", ".join(session[name] or ()) for name in _LISTS},
    }


def _who(session: Mapping[str, Any]) -> str:
    """Return the agent of a session and, for a subagent's run, its type."""
    return "/".join(session[name] for name in ("agent", "agentType") if session[name])
