"""`hookd effort` and its alias `hookd log`: start, log, show and finish efforts."""

from collections.abc import Mapping
from typing import Any

import click

from hookd.cli.lib import args, artifacts, output
from hookd.cli.lib.client import call, identity
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.output import Column, moment
from hookd.cli.lib.person import at_terminal

_EMPTY = "No efforts yet. Start one: hookd effort start TASK_DIR SKILL"
_MAX_PROMPT_CHARS = 40
"""Characters of a session's first prompt that are shown."""
_IDLE = "No effort is active. Start one: hookd effort start TASK_DIR SKILL"
_STYLES = {"active": "green", "finished": "dim"}
_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
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
    Column("claude session", "claudeSessionId", cut=True),
    Column("agent", "who"),
    Column("calls since log", "heartbeatCounter", firm=True, right=True),
    Column("context", "contextUsage", output.percent, firm=True, right=True),
    moment("last event", "lastEventAt"),
    Column("ended", "endReason"),
)


@click.group(
    epilog="""\b
    Examples:
      hookd effort start tasks/pagination implement
      hookd effort phase 1 --proof '{"files_read": ["api.md"]}'
      hookd effort list
      hookd effort finish
    """
)
def effort() -> None:
    """Start, log, show and finish efforts: a skill at work on a task."""


@effort.command(
    epilog="""\b
    Examples:
      hookd effort start tasks/pagination implement
      hookd effort start tasks/pagination review --mode deep --title 'Pages of orders'
      hookd effort start tasks/pagination test --warn-after 20 --block-after 40
    """
)
@click.argument("task_dir")
@click.argument("skill")
@click.option("--mode", metavar="MODE", help="How the skill works, where it has modes.")
@click.option("--title", metavar="TEXT", help="What the task is called, where it is new.")
@click.option("--warn-after", type=_COUNT, metavar="N", help="Ask for a log entry after N calls.")
@click.option("--block-after", type=_COUNT, metavar="N", help="Insist on it after N calls.")
@click.option("--yes", is_flag=True, help="Do not ask before sessions are bound to it.")
@_JSON
def start(task_dir: str, skill: str, as_json: bool, yes: bool, **options: Any) -> None:
    """Start an effort on the task in TASK_DIR, a folder.

    Your session works on it from now on. Outside of a session, the open sessions of the project
    do: they are named, and at a terminal you are asked before.
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
      hookd effort list          what is active
      hookd effort list --all    what is finished, too
      hookd effort list --json
    """,
)
@click.option("--all", "everything", is_flag=True, help="The finished ones, too.")
@click.option("--limit", type=click.IntRange(min=1), default=50, show_default=True, metavar="N")
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
      hookd effort resume                     the one at hand
      hookd effort resume 3
      hookd effort resume tasks/pagination    the newest active one there
    """
)
@click.argument("which", metavar="[ID|TASK_DIR]", required=False)
@click.option("--skill", metavar="SKILL", help="Of TASK_DIR, the one of this skill.")
@_JSON
def resume(which: str | None, skill: str | None, as_json: bool) -> None:
    """Go on with an effort: your session works on it from now on.

    Outside of a session, the project's open sessions do. A TASK_DIR of digits is written ./3.
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
        _show_begun(result, f"Effort {result['effortId']} goes on.")


@effort.command(
    epilog="""\b
    Examples:
      hookd effort phase                       where it stands
      hookd effort phase 1 --proof '{"files_read": ["api.md"]}'
      hookd effort phase '2: Build' --proof - < proof.json
      hookd effort phase 0 --reason 'The user wants to begin anew.'
      hookd effort phase 0 --task-name pagination    begins the effort, too
    """
)
@click.argument("label", required=False)
@click.option("--proof", metavar="JSON|-", help="What the phase that is left asks for.")
@click.option("--reason", metavar="TEXT", help="Why a step is out of order.")
@click.option("--effort", "number", type=_ID, metavar="ID", help="Not your own.")
@click.option("--task-name", metavar="NAME", help="Begin one on this task, where none is active.")
@_JSON
def phase(label: str | None, number: int | None, as_json: bool, **options: Any) -> None:
    """Enter the phase LABEL of your effort; without it, show where the effort stands.

    LABEL is a phase's title, label or name. Phases are entered in the order that the skill's
    SKILL.md declares, and a step out of order takes a reason.
    """
    if label is None and any(value is not None for value in options.values()):
        raise click.UsageError("--proof, --reason and --task-name go with a LABEL.")
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
@click.argument("number", metavar="[ID]", type=_ID, required=False)
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
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
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
@click.argument("number", metavar="[ID]", type=click.IntRange(min=1), required=False)
@_JSON
def finish(number: int | None, as_json: bool) -> None:
    """Finish an effort: agents and sessions let go of it.

    From outside of a session, ID says which one where several are active in the project.
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
    """Refuse to guess which of several efforts a person at a terminal means to end."""
    env = identity()
    if env.get("CLAUDE_CODE_SESSION_ID") or env.get("AGENT_ID", "default") != "default":
        return
    efforts = call("effort.list", {"lifecycle": "active"})["efforts"]
    roots = args.project_roots()
    here = [one for one in efforts if one["project"] in roots]
    if len(here) > 1:
        named = ", ".join(f"{one['id']} ({one['skill']} on {one['task']})" for one in here[:3])
        sentence = f"{len(here)} efforts are active in this project: {output.cell(named)}"
        raise Problem(f"{sentence}{', ...' if len(here) > 3 else ''}.", "hookd effort finish ID")


def _name_sessions(task_dir: str, *, ask: bool) -> None:
    """Name on stderr the sessions that an effort will bind; at a terminal, ask."""
    found = call("effort.preview", {"taskDir": task_dir})
    sessions = found["sessions"]
    lines = [_session_line(one) for one in sessions]
    if found["asker"]:
        lines = [line for line, one in zip(lines, sessions, strict=True) if one["effortId"]]
    elif lines:
        count = "session" if len(lines) == 1 else f"{len(lines)} sessions"
        click.echo(f"It binds the open {count} of {output.cell(found['project'])}:", err=True)
    for line in lines:
        click.echo(f"  {line}", err=True)
    if lines and ask and not found["asker"] and at_terminal():
        click.confirm("Start the effort?", default=True, abort=True, err=True)


def _session_line(session: Mapping[str, Any]) -> str:
    """Return a session as a person knows it again, and the effort that it leaves."""
    prompt = output.cell(session["firstPrompt"] or "no prompt yet")
    shown = prompt if len(prompt) <= _MAX_PROMPT_CHARS else f"{prompt[: _MAX_PROMPT_CHARS - 1]}…"
    line = f"session {session['id']}: {shown}"
    if number := session["effortId"]:
        line += f" (leaves effort {number}, which stays active)"
    return line


def _show_begun(result: Mapping[str, Any], title: str) -> None:
    """Print where an effort's things are, and what its model was told beyond that."""
    facts = {"task": result["taskDir"], "log": result["logPath"], "phase": result.get("phase")}
    steps = {
        "next": "hookd log TEXT, while it lasts",
        "end": f"hookd effort finish {result['effortId']}",
    }
    output.show_facts(_known(facts) | steps, title)
    # The first two lines of the text say what stands above.
    for line in result.get("text", "").splitlines()[2:]:
        click.echo(output.cell(line))


def _number(text: str) -> int:
    if not 0 < int(text[:19]) < 2**63 or len(text) > 19:
        raise Problem(f"There is no effort {text}.", "hookd effort list --all")
    return int(text)


def _proof(text: str | None, task_name: str | None) -> dict[str, Any] | None:
    """Return the proof; the name of a task to begin goes along with it."""
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
