"""Parse arguments that several commands take: text, JSON, events, sessions, projects, times."""

import json
import re
import sys
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from hookd.cli.lib.client import call, identity
from hookd.cli.lib.errors import Problem

_AGE = re.compile(r"(\d{1,6})\s*([smhdw])", re.ASCII)
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
_MAX_IDS = 3
"""Session ids that an error about an ambiguous prefix names."""


def expect_no_options(ctx: click.Context) -> None:
    """Raise UsageError if a group with a subcommand has options of its own, which do nothing."""
    for name in ctx.params:
        source = ctx.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            path, command = ctx.command_path, ctx.invoked_subcommand
            raise click.UsageError(f"Give options after the command: {path} {command} ...", ctx)


def read_text(argument: str) -> str:
    """Return the argument, or standard input for `-`. Raise Problem if it is not UTF-8."""
    if argument != "-":
        return argument
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        sentence = f"Standard input is not UTF-8: see byte {error.start}."
        raise Problem(sentence, "convert it, then run the command again") from None


def read_json(argument: str) -> Any:
    """Return the value of a JSON text, read as `read_text` does. Raise Problem if it is invalid."""
    text = read_text(argument)
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        sentence = f"Invalid JSON: line {error.lineno}, column {error.colno}: {error.msg}."
    except RecursionError:
        sentence = "Invalid JSON: it is nested too deeply."
    except ValueError as error:
        sentence = f"Invalid JSON: {error}."
    raise Problem(sentence, "quote JSON with single quotes in a shell: '{\"key\": 1}'")


def event_name(name: str) -> str:
    """Return Claude Code's name of an event, in any case. Raise UsageError for an unknown one."""
    from hookd.cli.lib import docs  # noqa: PLC0415 - few commands need these
    from hookd.events.protocol import EVENTS  # noqa: PLC0415

    by_lower = {event.lower(): event for event in EVENTS}
    if name.lower() in by_lower:
        return by_lower[name.lower()]
    near = [by_lower[match] for match in get_close_matches(name.lower(), by_lower)]
    page = docs.page("docs/reference/events.md")
    hint = f" Did you mean {' or '.join(near)}?" if near else f" {page} lists them."
    raise click.UsageError(f"There is no event {name!r}.{hint}")


def hook_event_name(name: str) -> str:
    """Return Claude Code's name of an event; names from other programs' hook files are accepted."""
    from hookd.core.hook_rules.dialects import EVENT_ALIASES  # noqa: PLC0415 - it reads matchers

    events = EVENT_ALIASES.get(name.lower(), ())
    if len(events) > 1:
        raise click.UsageError(f"{name} is {' and '.join(events)}: choose one.")
    return events[0] if events else event_name(name)


def runnable_event_name(name: str) -> str:
    """Return `hook_event_name` of an event. Raise Problem if user hooks cannot run on it."""
    from hookd.core.hook_rules.dialects import UNSUPPORTED_EVENTS  # noqa: PLC0415 - it reads matchers

    event = hook_event_name(name)
    if event in UNSUPPORTED_EVENTS:
        step = "register it in Claude Code's own settings"
        raise Problem(f"{event} is not hookd's: {UNSUPPORTED_EVENTS[event]}.", step)
    return event


def session_params(key: str, name: str = "sessionId") -> dict[str, Any]:
    """Return the list parameter that selects a session.

    `key` is a session's number, a client's session id, or a prefix of one; `name` is the parameter
    for a number. Raise Problem if no session matches, or more than one.
    """
    if key.isdecimal() and len(key) < 19 and int(key) and _sessions(id=int(key), limit=1):
        return {name: int(key)}
    if _sessions(claudeSessionId=key, limit=1):
        return {"claudeSessionId": key}
    sessions = _sessions(beginning=key, limit=100) if key else []
    ids = list(dict.fromkeys(session["claudeSessionId"] for session in sessions))
    if not ids:
        raise Problem(f"There is no session {key}.", "hookd session list")
    if len(ids) > 1:
        shown = ", ".join(ids[:_MAX_IDS]) + (", ..." if len(ids) > _MAX_IDS else "")
        raise Problem(f"Several sessions begin with {key}: {shown}.", "give more of its id")
    return {"claudeSessionId": ids[0]}


def project_roots() -> tuple[str, ...]:
    """Return the possible roots of the current project.

    They are the session's own, then the working directory and its parents, nearest first.
    """
    env = identity()
    here = Path(env["CWD"]).resolve()
    own = env.get("CLAUDE_PROJECT_DIR")
    roots = [*([Path(own).resolve()] if own else []), here, *here.parents]
    return tuple(dict.fromkeys(map(str, roots)))


def timestamp(text: str, now: str) -> str:
    """Return the stored form of an age (10m, 2h, 1d) or a time; without an offset it is local.

    Raise Problem if it is neither.

    >>> timestamp("2h", "2026-01-31T08:00:00.000Z")
    '2026-01-31T06:00:00.000Z'
    """
    try:
        age = _AGE.fullmatch(text.strip().lower())
        if age:
            at = datetime.fromisoformat(now) - timedelta(seconds=int(age[1]) * _SECONDS[age[2]])
        else:
            at = datetime.fromisoformat(text.strip())
        at = at.astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        sentence = f"{text!r} is neither an age nor a time."
        raise Problem(sentence, "--since 10m, 2h, 1d, or a time: 2026-01-31T08:00") from None
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _sessions(**params: Any) -> list[dict[str, Any]]:
    sessions: list[dict[str, Any]] = call("session.list", params)["sessions"]
    return sessions


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON value")
