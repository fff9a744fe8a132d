"""`hookd agents`: who runs with an AGENT_ID, its status, and the cause of a status."""

from collections.abc import Mapping
from typing import Any

import click

from hookd.cli.lib import output
from hookd.cli.lib.client import call
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.event_format import about
from hookd.cli.lib.output import Column, moment

_EMPTY = "No agents yet. One appears when Claude Code runs with it: AGENT_ID=orders claude"
_STYLES = {"error": "red", "attention": "yellow", "working": "green", "done": "dim"}
_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group(
    epilog="""\b
    Examples:
      hookd agents list
      hookd agents explain orders
      hookd agents register orders --claims 'src/orders/*' --parent lead
    """
)
def agents() -> None:
    """Show agents, and why they stand as they do; make one known."""


@agents.command(
    name="list",
    epilog="""\b
    Examples:
      hookd agents list
      hookd agents list --json
    """,
)
@_JSON
def list_(as_json: bool) -> None:
    """List the agents."""
    columns = [
        Column("agent", "id", firm=True),
        Column("status", "status", firm=True, styles=_STYLES),
        moment("since", "statusAt"),
        Column("effort", "effortId", firm=True, right=True),
        Column("parent", "parent"),
        Column("claims", "claims"),
    ]
    output.show(call("agents.list")["agents"], columns, as_json=as_json, empty=_EMPTY)


@agents.command(
    epilog="""\b
    Examples:
      hookd agents explain orders
      hookd agents explain session 12
      hookd agents explain orders --json
    """
)
@click.argument("name", metavar="ID", nargs=-1, required=True)
@_JSON
def explain(name: tuple[str, ...], as_json: bool) -> None:
    """Show which event gave an agent or a session its status, and when.

    ID is an AGENT_ID, or a session as `hookd fleet` shows it: 12, or session 12.
    """
    agent = _agent_or_session(" ".join(name))
    event = _event(agent["statusEventId"])
    if as_json:
        output.show_json({**agent, "event": event})
        return
    facts = {"since": agent["statusAt"]}
    if event is not None:
        facts |= {
            "event": event["event"],
            "about": about(event),
            "more": f"hookd why {event['id']}",
        }
    elif agent["status"] == "checked":
        facts["because"] = "a person looked at its pane"
    output.show_facts(facts, f"{output.cell(agent['name'])} stands at {agent['status']}.")


@agents.command(
    epilog="""\b
    Examples:
      hookd agents register orders
      hookd agents register orders --claims 'src/orders/*' --manages tests --parent lead
    """
)
@click.argument("name", metavar="ID")
@click.option("--claims", metavar="TEXT", help="What it takes on.")
@click.option("--manages", metavar="TEXT", help="Whom it coordinates.")
@click.option("--parent", metavar="ID", help="Its coordinator.")
@_JSON
def register(name: str, as_json: bool, **options: str | None) -> None:
    """Make an agent known, or say anew who it is; its status and its effort stay."""
    given = {key: value for key, value in options.items() if value is not None}
    result = call("agents.register", {"id": name, **given})
    if as_json:
        output.show_json(result)
        return
    did = "was known already; what was given is kept" if result["known"] else "is registered"
    click.echo(f"{output.cell(name)} {did}.")


@agents.command(
    epilog="""\b
    Examples:
      hookd agents remove ordres
    """
)
@click.argument("name", metavar="ID")
@_JSON
def remove(name: str, as_json: bool) -> None:
    """Take an agent off the board; its sessions and its effort stay."""
    result = call("agents.remove", {"id": name})
    if as_json:
        output.show_json(result)
        return
    click.echo(f"{output.cell(name)} is gone from the board.")


def _agent_or_session(name: str) -> dict[str, Any]:
    """Return an agent, or the session of this number; `name` is as the fleet shows it."""
    found = call("agents.list", {"id": name})["agents"]
    if found:
        return {**found[0], "name": found[0]["id"]}
    number = name.removeprefix("session ").strip()
    if number.isascii() and number.isdigit() and len(number) < 16:
        sessions = call("session.list", {"id": int(number)})["sessions"]
        if sessions:
            return {**sessions[0], "name": f"session {number}"}
    raise Problem(f"There is no agent or session {output.cell(name)}.", "hookd fleet --all")


def _event(number: int | None) -> Mapping[str, Any] | None:
    """Return the event of this number, where it is still kept."""
    if not number:
        return None
    found = call("events.list", {"id": number, "kind": None})["events"]
    return found[0] if found else None
