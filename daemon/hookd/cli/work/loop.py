"""`hookd loop`: repeat a task at the end of each turn until the agent reports it done."""

from typing import Any

import click

from hookd.cli.lib import args, output
from hookd.cli.lib.client import Refused, call
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.groups import Commands
from hookd.cli.lib.options import json_option
from hookd.cli.lib.output import Column, moment

_EMPTY = 'No loop is running. Start one: hookd loop start "TASK"'
_MAX_TASK_CHARS = 4_000
_MAX_PROMISE_CHARS = 200
_MAX_ROUNDS = 1_000
_JSON = json_option("Print JSON.")
_SESSION = click.option(
    "--session",
    "key",
    metavar="ID",
    help="Another session: a number, or a client's session id.",
)


@click.group(
    cls=Commands,
    epilog="""\b
    Examples:
      hookd loop start "Make the tests pass, one failure at a time."
      hookd loop status
      hookd loop cancel
    """,
)
def loop() -> None:
    """Repeat a task until the agent reports that it is done."""


@loop.command(
    epilog="""\b
    Examples:
      hookd loop start "Make the tests pass, one failure at a time."
      hookd loop start "Port the next file" --promise "ALL PORTED" --max 30
      hookd loop start "Add pages to GET /orders" --session 12
      hookd loop start "Add pages to GET /orders" --session 6f1f0a3e
    """
)
@click.argument("prompt", metavar="TASK")
@click.option("--promise", metavar="WORDS", help="The words that end it.  [default: DONE]")
@click.option(
    "--max",
    "most",
    type=click.IntRange(1, _MAX_ROUNDS),
    metavar="N",
    help="Maximum number of rounds.  [default: 100]",
)
@_SESSION
@_JSON
def start(
    prompt: str, promise: str | None, most: int | None, key: str | None, as_json: bool
) -> None:
    """Start a loop: the agent gets TASK again after each turn.

    It ends when the agent's last message has <promise>DONE</promise>, after its last round, or when
    the user says "stop continuing". Outside of a session, the loop is for the one open session of
    the project. After five rounds it waits for the next prompt of the user.
    """
    if not prompt.strip():
        raise Problem("TASK is empty.", "hookd loop start --help")
    if len(prompt) > _MAX_TASK_CHARS:
        step = "write it to a file, and name that in the task"
        raise Problem(f"The task of a loop has at most {_MAX_TASK_CHARS:,} characters.", step)
    if promise is not None and (not promise.strip() or {"<", ">"} & set(promise)):
        raise Problem("A promise has words without < and >.", "--promise DONE")
    if promise is not None and len(promise) > _MAX_PROMISE_CHARS:
        raise Problem(f"A promise has at most {_MAX_PROMISE_CHARS} characters.", "--promise DONE")
    params = {"prompt": prompt, "promise": promise, "max": most, "sessionId": _number(key)}
    result = _asked("loop.start", params, "hookd session list, then --session ID")
    if not result["started"]:
        step = "hookd settings" if "switched off" in result["why"] else 'say "continue working"'
        raise Problem(f"No loop was started: {result['why']}.", step)
    if as_json:
        output.show_json(result)
        return
    instead = ", instead of the one before" if result["replaced"] else ""
    click.echo(f"A loop is running in session {result['sessionId']}{instead}.")
    facts = {
        "rounds": f"at most {result['max']}",
        "ends at": f"<promise>{result['promise']}</promise>",
        "cancel": f"hookd loop cancel --session {result['sessionId']}",
    }
    output.show_facts(facts)


@loop.command(
    epilog="""\b
    Examples:
      hookd loop cancel                 yours; else all of the project
      hookd loop cancel --session 12
    """
)
@_SESSION
@_JSON
def cancel(key: str | None, as_json: bool) -> None:
    """End a loop: the agent stops at the end of its turn."""
    result = _asked("loop.cancel", {"sessionId": _number(key)}, "hookd loop status")
    if as_json:
        output.show_json(result)
        return
    for session in result["sessions"]:
        click.echo(f"The loop of session {session} has ended.")


@loop.command(
    epilog="""\b
    Examples:
      hookd loop status
      hookd loop status --json
    """
)
@_JSON
def status(as_json: bool) -> None:
    """List the running loops of all projects.

    A stale loop ends at the next event of its conversation.
    """
    loops = call("loop.status")["loops"]
    columns = [
        Column("session", "sessionId", firm=True, right=True),
        Column("round", "round", firm=True, right=True),
        Column("state", "state", firm=True, styles={"stale": "yellow"}),
        Column("promise", "promise", cut=True),
        moment("started", "startedAt"),
        moment("last", "lastAt"),
        Column("project", "project", spare=True),
        Column("task", "prompt", cut=True, least=16),
    ]
    rows = loops if as_json else [_shown(one) for one in loops]
    output.show(rows, columns, as_json=as_json, empty=_EMPTY)


def _shown(one: dict[str, Any]) -> dict[str, Any]:
    prompt = " ".join(one["prompt"].split())
    state = "stale" if one["stale"] else "active"
    rounds = f"{one['iteration']}/{one['max']}"
    return {**one, "round": rounds, "state": state, "prompt": prompt}


def _number(key: str | None) -> int | None:
    """Return the number of a session; of a conversation, its newest. Raise Problem if none."""
    if key is None:
        return None
    which = args.session_params(key)
    if known := which.get("sessionId"):
        return int(known)
    sessions = [row for row in call("session.list", which)["sessions"] if not row["agentId"]]
    if not sessions:
        raise Problem(f"There is no session {key}.", "hookd session list")
    number: int = sessions[0]["id"]
    return number


def _asked(method: str, params: dict[str, Any], step: str) -> Any:
    known = {name: value for name, value in params.items() if value is not None}
    try:
        return call(method, known)
    except Refused as refused:
        if refused.code != "NOT_FOUND":
            raise
        raise Problem(refused.message, step) from None
