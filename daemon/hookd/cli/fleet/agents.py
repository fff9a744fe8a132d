"""`hookd agent`: list, explain, register and remove agents (sessions with an AGENT_ID)."""

from collections.abc import Mapping
from typing import Any

import click

from hookd.cli.lib import completions, output
from hookd.cli.lib.client import call
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.groups import Commands
from hookd.cli.lib.options import json_option
from hookd.cli.lib.output import Column, moment
from hookd.display.event_text import about

_EMPTY = "No agents yet. One appears when a client runs with it: AGENT_ID=orders claude"
_STYLES = {"error": "red", "attention": "yellow", "working": "green", "done": "dim"}
_JSON = json_option("Print JSON.")


@click.group(
    cls=Commands,
    epilog="""\b
    Examples:
      hookd agent list
      hookd agent explain orders
      hookd agent register orders --claims 'src/orders/*' --parent lead
    """,
)
def agent() -> None:
    """List and register agents, and explain their status."""


@agent.command(
    name="list",
    epilog="""\b
    Examples:
      hookd agent list
      hookd agent list --json
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


@agent.command(
    epilog="""\b
    Examples:
      hookd agent explain orders
      hookd agent explain session 12
      hookd agent explain orders --json
    """
)
@click.argument("name", metavar="ID", nargs=-1, required=True, shell_complete=completions.agents)
@_JSON
def explain(name: tuple[str, ...], as_json: bool) -> None:
    """Show the event that set the status of an agent or session.

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
        facts["because"] = "a person focused its pane"
    output.show_facts(facts, f"{output.cell(agent['name'])}: {agent['status']}")


@agent.command(
    epilog="""\b
    Examples:
      hookd agent register orders
      hookd agent register orders --claims 'src/*' --manages tests --parent lead
    """
)
@click.argument("name", metavar="ID", shell_complete=completions.agents)
@click.option("--claims", metavar="TEXT", help="The work that it claims.")
@click.option("--manages", metavar="TEXT", help="The agents that it coordinates.")
@click.option("--parent", metavar="ID", help="Its coordinator.")
@_JSON
def register(name: str, as_json: bool, **options: str | None) -> None:
    """Register an agent, or change its claims.

    Its status and effort stay.
    """
    claims = {key: value for key, value in options.items() if value is not None}
    result = call("agents.register", {"id": name, **claims})
    if as_json:
        output.show_json(result)
        return
    did = "was registered already, and is updated" if result["known"] else "is registered"
    click.echo(f"{output.cell(name)} {did}.")


@agent.command(
    epilog="""\b
    Examples:
      hookd agent remove ordres
    """
)
@click.argument("name", metavar="ID", shell_complete=completions.agents)
@_JSON
def remove(name: str, as_json: bool) -> None:
    """Remove an agent from the fleet.

    Its sessions and effort stay.
    """
    result = call("agents.remove", {"id": name})
    if as_json:
        output.show_json(result)
        return
    click.echo(f"{output.cell(name)} is removed from the fleet.")


def _agent_or_session(name: str) -> dict[str, Any]:
    """Return the agent or session that `hookd fleet` shows by this name. Raise Problem if none."""
    agents = call("agents.list", {"id": name})["agents"]
    if agents:
        return {**agents[0], "name": agents[0]["id"]}
    number = name.removeprefix("session ").strip()
    if number.isascii() and number.isdigit() and len(number) < 16:
        sessions = call("session.list", {"id": int(number)})["sessions"]
        if sessions:
            return {**sessions[0], "name": f"session {number}"}
    raise Problem(f"There is no agent or session {output.cell(name)}.", "hookd fleet --all")


def _event(number: int | None) -> Mapping[str, Any] | None:
    """Return the event of this number, None if it is no longer stored."""
    if not number:
        return None
    events = call("events.list", {"id": number, "kind": None})["events"]
    return events[0] if events else None
