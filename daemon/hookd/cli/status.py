"""The home of `hookd status`: whether the daemon runs, and where everything stands."""

from typing import Any

import click

from hookd import __version__, paths
from hookd.cli import hook_faults, table
from hookd.cli.client import State, absent, call, probe

_NOT_RUNNING = 3
"""The exit code that init scripts know for a program that does not run."""


@click.command(
    epilog="""\b
    Examples:
      hookd status
      hookd status --json
      hookd status > /dev/null || hookd start
    """
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def status(ctx: click.Context, as_json: bool) -> None:
    """Show whether the daemon runs, and where everything stands. Exit code 3: it does not."""
    places = paths.paths()
    state = probe(places.socket)
    facts: dict[str, Any] = {"state": str(state), "socket": str(places.socket)}
    if state is not State.LISTENING:
        _report_absent(state, facts, as_json)
        ctx.exit(_NOT_RUNNING)
    facts |= call("daemon.status")
    facts["unread"] = hook_faults.unread()
    if as_json:
        table.show_json(facts)
        return
    facts["since"] = facts["startedAt"]
    names = ["socket", "state", "pid", "version", "since", "database", "log", "settings", "events"]
    if facts.get("pausedUntil"):
        names.insert(2, "pausedUntil")
        facts["next"] = "hookd resume, in a terminal: until then no guard holds"
    if facts["problem"]:
        names.append("problem")
        facts["next"] = "mend the settings: they are read again within a second"
    elif facts["unread"]:
        facts["next"] = "mend the file: it is read again within a second"
    elif facts["version"] != __version__:
        facts["next"] = f"hookd restart, since hookd {__version__} is installed"
    if facts["unread"]:
        names.append("unread")
        facts["unread"] = "; ".join(facts["unread"])
    table.show_facts({name: facts[name] for name in (*names, "next") if name in facts}, "hookd")


def _report_absent(state: State, facts: dict[str, str], as_json: bool) -> None:
    stopped = state in (State.NONE, State.DEAD) and paths.paths().stopped.exists()
    if as_json:
        table.show_json(facts | {"stopped": stopped})
        return
    problem = absent(state)
    table.show_facts(facts | {"next": problem.step}, problem.message)
