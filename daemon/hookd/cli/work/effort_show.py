"""The home of `hookd effort show`: one effort, its phases, its windows and what it left."""

from collections.abc import Mapping
from typing import Any

import click

from hookd.cli.lib import artifacts, output
from hookd.cli.lib.client import call
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.output import Column, moment

_PHASES = (
    Column("phase", "phase"),
    moment("entered", "createdAt"),
    Column("reason", "reason"),
    Column("proof of the one before", "proof", least=16),
)
_WINDOWS = (
    Column("window", "id", firm=True, right=True),
    Column("claude session", "claudeSessionId", cut=True),
    Column("agent", "who"),
    Column("heartbeat", "heartbeatCounter", firm=True, right=True),
    Column("context", "contextUsage", output.percent, firm=True, right=True),
    moment("last event", "lastEventAt"),
    Column("ended", "endReason"),
)


@click.command(
    epilog="""\b
    Examples:
      hookd effort show      your own
      hookd effort show 3
      hookd effort show 3 --json | jq '.phases[].proof'
    """
)
@click.argument("number", metavar="[ID]", type=click.IntRange(min=1), required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(number: int | None, as_json: bool) -> None:
    """Show one effort: its phases with their proofs, its windows, and the files that it left."""
    number = number or call("effort.phase")["effortId"]
    efforts = call("effort.list", {"id": number})["efforts"]
    if not efforts:
        raise Problem(f"There is no effort {number}.", "hookd effort list --all")
    effort = efforts[0]
    phases = call("effort.history", {"effortId": number})["phases"]
    windows = call("session.list", {"effortId": number})["sessions"]
    files = artifacts.names(effort["task"], effort["ordinal"])
    if as_json:
        more = {"phases": phases, "windows": windows, "artifacts": files}
        output.show_json({**effort, **more})
        return
    told = {key: value for key, value in effort.items() if value not in (None, {}, [])}
    output.show_facts(told, f"Effort {number}")
    _section([_phase(one) for one in phases], _PHASES)
    _section([{**one, "who": _who(one)} for one in windows], _WINDOWS)
    artifacts.show(effort["task"], files)


def _section(rows: list[dict[str, Any]], columns: tuple[Column, ...]) -> None:
    if rows:
        click.echo()
        output.show(rows, columns, as_json=False, empty="")


def _phase(one: Mapping[str, Any]) -> dict[str, Any]:
    """Return a phase with its proof as text: a line for each field would be a table of its own."""
    proof = one["proof"]
    given = proof if isinstance(proof, dict) else {}
    pairs = (f"{name}: {output.cell(value)}" for name, value in given.items())
    return {**one, "proof": "; ".join(pairs)}


def _who(one: Mapping[str, Any]) -> str:
    return "/".join(one[name] for name in ("agent", "agentType") if one[name])
