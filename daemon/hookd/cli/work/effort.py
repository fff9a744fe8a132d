"""`hookd effort` and its alias `hookd log`: start, log, show and finish efforts."""

from collections.abc import Mapping
from typing import Any

import click

from hookd.cli.lib import args, artifacts, completions, output
from hookd.cli.lib.client import call, identity
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.groups import Commands
from hookd.cli.lib.options import json_option, limit_option
from hookd.cli.lib.output import Column, moment
from hookd.cli.lib.person import at_terminal
from hookd.display.amounts import percent

_EMPTY = "No efforts yet. Start one: hookd effort start TASK_DIR SKILL"
_MAX_PROMPT_CHARS = 40
"""Characters of a session's first prompt that are shown."""
_IDLE = "No effort is active. Start one: hookd effort start TASK_DIR SKILL"
_STYLES = {"active": "green", "finished": "dim"}
_JSON = json_option("Print JSON.")
_COUNT = click.IntRange(min=0)
_ID = click.IntRange(min=1)
_PHASES = (
    Column("phase", "phase"),
    moment("entered", "createdAt"),
    Column("reason", "reason"),
    Column("proof of the one before", "proof", least=16),
)
_SESSIONS = (
    Column("session", "id", firm=True, right=True),
    Column("client session", "claudeSessionId", cut=True),
    Column("agent", "who"),
    Column("calls since log", "heartbeatCounter", firm=True, right=True),
    Column("context", "contextUsage", percent, firm=True, right=True),
    moment("last event", "lastEventAt"),
    Column("ended", "endReason"),
)


@click.group(
    cls=Commands,
    epilog="""\b
    Examples:
      hookd effort start tasks/pagination implement
      hookd effort phase 1 --proof '{"files_read": ["api.md"]}'
      hookd effort list
      hookd effort finish
    """,
)
def effort() -> None:
    """Start, log and finish efforts: a skill at work on a task."""


@effort.command(
    epilog="""\b
    Examples:
      hookd effort start tasks/pagination implement
      hookd effort start tasks/pagination review --mode deep --title Pages
      hookd effort start tasks/pagination test --warn-after 20 --block-after 40
    """
)
@click.argument("task_dir")
@click.argument("skill")
@click.option("--mode", metavar="MODE", help="The skill's mode, if it has modes.")
@click.option("--title", metavar="TEXT", help="The title of a new task.")
@click.option("--warn-after", type=_COUNT, metavar="N", help="Remind of a log entry after N calls.")
@click.option(
    "--block-after", type=_COUNT, metavar="N", help="Deny calls without one after N calls."
)
@click.option("--yes", is_flag=True, help="Do not ask before sessions join it.")
@_JSON
def start(task_dir: str, skill: str, as_json: bool, yes: bool, **options: Any) -> None:
    """Start an effort on the task in the folder TASK_DIR.

    Your session joins it. Outside of a session, the open sessions of the project do: they are
    listed, and at a terminal you are asked first.
    """
    if not task_dir.strip():
        raise Problem("TASK_DIR is empty.", "hookd effort start tasks/pagination implement")
    limits = {"warnAfter": options["warn_after"], "blockAfter": options["block_after"]}
    params = {
        "taskDir": artifacts.absolute(task_dir),
        "skill": skill,
        **_known({"mode": options["mode"], "title": options["title"]}),
        "metadata": _known(limits),
    }
    _name_sessions(params["taskDir"], ask=not (yes or as_json))
    result = call("effort.start", params)
    if as_json:
        output.show_json(result)
        return
    _show_begun(result, f"Effort {result['effortId']} is active: {skill}.")


@effort.command(
    name="list",
    epilog="""\b
    Examples:
      hookd effort list          the active ones
      hookd effort list --all    the finished ones, too
      hookd effort list --json
    """,
)
@click.option("--all", "everything", is_flag=True, help="Include finished ones.")
@limit_option()
@_JSON
def list_(everything: bool, limit: int, as_json: bool) -> None:
    """List the active efforts, newest first."""
    which = {} if everything else {"lifecycle": "active"}
    efforts = call("effort.list", {**which, "limit": limit})["efforts"]
    columns = [
        Column("id", "id", firm=True, right=True),
        Column("skill", "skill", firm=True),
        Column("state", "lifecycle", firm=True, styles=_STYLES),
        Column("phase", "currentPhase"),
        Column("agent", "agent"),
        Column("calls since log", "heartbeatCounter", firm=True, right=True),
        moment("started", "createdAt"),
        Column("task", "task"),
    ]
    output.show(efforts, columns, as_json=as_json, empty=_EMPTY if everything else _IDLE)


@effort.command(
    epilog="""\b
    Examples:
      hookd effort resume                     the current one
      hookd effort resume 3
      hookd effort resume tasks/pagination    the newest active one there
    """
)
@click.argument(
    "which", metavar="[ID|TASK_DIR]", required=False, shell_complete=completions.efforts
)
@click.option("--skill", metavar="SKILL", help="In TASK_DIR, the effort with this skill.")
@_JSON
def resume(which: str | None, skill: str | None, as_json: bool) -> None:
    """Resume an effort: your session joins it.

    Outside of a session, the project's open sessions do. Write a TASK_DIR of digits as ./3.
    """
    params: dict[str, Any] = _known({"skill": skill})
    if which is not None and which.isdecimal():
        params["effortId"] = _number(which)
    elif which is not None:
        params["taskDir"] = artifacts.absolute(which)
    result = call("effort.resume", params)
    if as_json:
        output.show_json(result)
    else:
        _show_begun(result, f"Effort {result['effortId']} is resumed.")


@effort.command(
    epilog="""\b
    Examples:
      hookd effort phase                       the current phase
      hookd effort phase 1 --proof '{"files_read": ["api.md"]}'
      hookd effort phase '2: Build' --proof - < proof.json
      hookd effort phase 0 --reason 'The user wants to start over.'
      hookd effort phase 0 --task-name pagination    starts the effort, too
    """
)
@click.argument("label", required=False)
@click.option("--proof", metavar="JSON|-", help="The proof that the current phase requires.")
@click.option("--reason", metavar="TEXT", help="Why phases are skipped or repeated.")
@click.option("--effort", "number", type=_ID, metavar="ID", help="Another effort than yours.")
@click.option("--task-name", metavar="NAME", help="Start one on this task if none is active.")
@_JSON
def phase(label: str | None, number: int | None, as_json: bool, **options: Any) -> None:
    """Enter the phase LABEL of your effort.

    Without it, show the current phase. LABEL is a phase's title, label or name. Phases are entered
    in the order that the skill's SKILL.md declares; --reason allows another order.
    """
    if label is None and any(value is not None for value in options.values()):
        raise click.UsageError("--proof, --reason and --task-name require a LABEL.")
    proof = _proof(options["proof"], options["task_name"])
    params = {"effortId": number, "phase": label, "proof": proof, "reason": options["reason"]}
    result = call("effort.phase", _known(params))
    if as_json:
        output.show_json(result)
        return
    click.echo(output.cell(result["text"]))
    before = result["previous"] if result["moved"] else None
    facts = {"before": before, "phases": "; ".join(result["phases"])}
    output.show_facts({name: value for name, value in facts.items() if value})


@effort.command(
    epilog="""\b
    Examples:
      hookd effort show      your own
      hookd effort show 3
      hookd effort show 3 --json | jq '.phases[].proof'
    """
)
@click.argument(
    "number", metavar="[ID]", type=_ID, required=False, shell_complete=completions.efforts
)
@_JSON
def show(number: int | None, as_json: bool) -> None:
    """Show an effort: phases with proofs, sessions, and its files."""
    number = number or call("effort.phase")["effortId"]
    efforts = call("effort.list", {"id": number})["efforts"]
    if not efforts:
        raise Problem(f"There is no effort {number}.", "hookd effort list --all")
    row = efforts[0]
    phases = call("effort.history", {"effortId": number})["phases"]
    sessions = call("session.list", {"effortId": number})["sessions"]
    files = artifacts.names(row["task"], row["ordinal"])
    if as_json:
        output.show_json({**row, "phases": phases, "windows": sessions, "artifacts": files})
        return
    facts = {key: value for key, value in row.items() if value not in (None, {}, [])}
    output.show_facts(facts, f"Effort {number}")
    _show_section([_phase_row(phase) for phase in phases], _PHASES)
    _show_section([{**session, "who": _who(session)} for session in sessions], _SESSIONS)
    artifacts.show(row["task"], files)


@click.command(
    epilog="""\b
    Examples:
      hookd effort log Parser done, tests next.
      hookd effort log --effort 3 'Waiting for the review.'
      git log -1 --stat | hookd effort log -
    """
)
@click.argument("text", nargs=-1, required=True)
@click.option("--effort", "number", type=_ID, metavar="ID", help="Another effort than yours.")
@json_option()
def log(text: tuple[str, ...], number: int | None, as_json: bool) -> None:
    """Add TEXT to the log of your effort; - reads standard input.

    `hookd log` is short for `hookd effort log`.
    """
    entry = args.read_text(" ".join(text)).strip()
    if not entry:
        raise Problem("The log entry is empty.", "hookd log TEXT")
    params: dict[str, Any] = {"text": entry} | ({"effortId": number} if number else {})
    result = call("effort.log", params)
    if as_json:
        output.show_json(result)
        return
    click.echo(f"Logged for effort {result['effortId']}: {result['logPath']}")


effort.add_command(log)


@effort.command(
    epilog="""\b
    Examples:
      hookd effort finish      your own
      hookd effort finish 3
    """
)
@click.argument(
    "number",
    metavar="[ID]",
    type=click.IntRange(min=1),
    required=False,
    shell_complete=completions.efforts,
)
@_JSON
def finish(number: int | None, as_json: bool) -> None:
    """Finish an effort: agents and sessions leave it.

    Outside of a session, ID is required if several are active in the project.
    """
    if number is None:
        _only_one()
    result = call("effort.finish", _known({"effortId": number}))
    if as_json:
        output.show_json(result)
        return
    task = result["taskDir"]
    click.echo(f"Effort {result['effortId']} is finished: {result['skill']} on {task}.")


def _only_one() -> None:
    """Raise Problem if a person at a terminal has to choose one of several active efforts."""
    env = identity()
    if env.get("CLAUDE_CODE_SESSION_ID") or env.get("AGENT_ID", "default") != "default":
        return
    efforts = call("effort.list", {"lifecycle": "active"})["efforts"]
    roots = args.project_roots()
    here = [row for row in efforts if row["project"] in roots]
    if len(here) > 1:
        named = ", ".join(f"{row['id']} ({row['skill']} on {row['task']})" for row in here[:3])
        sentence = f"{len(here)} efforts are active in this project: {output.cell(named)}"
        raise Problem(f"{sentence}{', ...' if len(here) > 3 else ''}.", "hookd effort finish ID")


def _name_sessions(task_dir: str, *, ask: bool) -> None:
    """Print on stderr the sessions that will join an effort; at a terminal, ask."""
    preview = call("effort.preview", {"taskDir": task_dir})
    sessions = preview["sessions"]
    lines = [_session_line(session) for session in sessions]
    if preview["asker"]:
        lines = [line for line, row in zip(lines, sessions, strict=True) if row["effortId"]]
    elif lines:
        count = "session" if len(lines) == 1 else f"{len(lines)} sessions"
        click.echo(f"It binds the open {count} of {output.cell(preview['project'])}:", err=True)
    for line in lines:
        click.echo(f"  {line}", err=True)
    if lines and ask and not preview["asker"] and at_terminal():
        click.confirm("Start the effort?", default=True, abort=True, err=True)


def _session_line(session: Mapping[str, Any]) -> str:
    """Return a session's number and first prompt, and the effort that it leaves."""
    prompt = output.cell(session["firstPrompt"] or "no prompt yet")
    shown = prompt if len(prompt) <= _MAX_PROMPT_CHARS else f"{prompt[: _MAX_PROMPT_CHARS - 1]}…"
    line = f"session {session['id']}: {shown}"
    if number := session["effortId"]:
        line += f" (leaves effort {number}, which stays active)"
    return line


def _show_begun(result: Mapping[str, Any], title: str) -> None:
    """Print the paths and the phase of an effort, then the text that its model receives."""
    facts = {"task": result["taskDir"], "log": result["logPath"], "phase": result.get("phase")}
    steps = {
        "next": "hookd log TEXT, as work proceeds",
        "end": f"hookd effort finish {result['effortId']}",
    }
    output.show_facts(_known(facts) | steps, title)
    # The first two lines of the text repeat the facts.
    for line in result.get("text", "").splitlines()[2:]:
        click.echo(output.cell(line))


def _number(text: str) -> int:
    if not 0 < int(text[:19]) < 2**63 or len(text) > 19:
        raise Problem(f"There is no effort {text}.", "hookd effort list --all")
    return int(text)


def _proof(text: str | None, task_name: str | None) -> dict[str, Any] | None:
    """Return the proof, with the name of a task to start. Raise Problem if it is no object."""
    proof = None if text is None else args.read_json(text)
    if text is not None and not isinstance(proof, dict):
        raise Problem(
            "A proof is a JSON object.", 'hookd effort phase 2 --proof \'{"tests": "pass"}\''
        )
    named = {} if task_name is None else {"taskName": task_name}
    return {**(proof or {}), **named} or proof


def _known(params: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in params.items() if value is not None}


def _show_section(rows: list[dict[str, Any]], columns: tuple[Column, ...]) -> None:
    if rows:
        click.echo()
        output.show(rows, columns, as_json=False, empty="")


def _phase_row(phase: Mapping[str, Any]) -> dict[str, Any]:
    """Return a phase with its proof on one line: a line for each field would be a table."""
    proof = phase["proof"] if isinstance(phase["proof"], dict) else {}
    pairs = (f"{name}: {output.cell(value)}" for name, value in proof.items())
    return {**phase, "proof": "; ".join(pairs)}


def _who(session: Mapping[str, Any]) -> str:
    """Return the agent of a session and, for a subagent's run, its type."""
    return "/".join(session[name] for name in ("agent", "agentType") if session[name])
