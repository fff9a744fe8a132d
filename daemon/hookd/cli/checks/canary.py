"""The home of the trial: a registered command line is run, and has to deny a call of our own."""

import json
import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from hookd.cli.checks.bounded import Ran, ask, run
from hookd.cli.checks.entries import Hook
from hookd.cli.checks.finding import Finding, State, fail, found, ok
from hookd.cli.checks.layers import install
from hookd.cli.checks.wiring import speaks_to_us, transport_trouble
from hookd.cli.problem import Problem
from hookd.core.protocol import EVENTS

_CHECK = "canary"
_EVENT = "PreToolUse"
_LONGEST = 600
"""Seconds that are waited for a call at most, whatever the entry says: the client's own default."""

_SHORT = 200
"""Characters of what came back that are shown."""


def check_canary(ours: Sequence[Hook]) -> Iterator[Finding]:
    """Tell for each command line that judges calls whether it really denies one."""
    lines = dict[tuple[str, ...], Hook]()
    for hook in ours:
        if hook.event == _EVENT:
            lines.setdefault(hook.words, hook)
    for hook in lines.values():
        if reason := _untriable(hook):
            what = f"The command line in {hook.file} {reason}, so it was not tried."
            yield fail(_CHECK, what, install(hook.layer))
        else:
            yield _try(hook)


def _untriable(hook: Hook) -> str:
    """Return why an entry would not ask our daemon: trying it, its shim would start another."""
    if not speaks_to_us(hook):
        return "does not ask this daemon"
    return "has no transport that works" if transport_trouble(hook) else ""


def payload(nonce: str, folder: str) -> bytes:
    """Return the call that is about to run, as Claude Code would tell it."""
    event = {
        "session_id": f"hookd-canary-{nonce}",
        "transcript_path": "",
        "cwd": folder,
        "hook_event_name": _EVENT,
        "tool_name": "Bash",
        "tool_input": {"command": "hookd-canary"},
        "tool_use_id": f"canary-{nonce}",
    }
    return json.dumps(event).encode() + b"\n"


def judge(ran: Ran, nonce: str) -> str:
    """Return what came back in place of the denial, or nothing where it was that."""
    if ran.code:
        return f"it ended with exit code {ran.code}{_said(ran.err or ran.out)}"
    if not ran.out.strip():
        return f"nothing came back{_said(ran.err)}"
    try:
        answer = json.loads(ran.out)["hookSpecificOutput"]
        decision, reason = answer["permissionDecision"], str(answer["permissionDecisionReason"])
    except (ValueError, LookupError, TypeError, RecursionError):
        return f"something else came back{_said(ran.out)}"
    if decision == "deny" and nonce in reason:
        return ""
    return f"{_article(decision)} came back{_said(reason.encode())}"


def _try(hook: Hook) -> Finding:
    nonce = secrets.token_hex(16)
    try:
        ask("daemon.canary", {"nonce": nonce})
    except Problem as problem:
        return found(_CHECK, State.FAIL, problem)
    seconds = min(hook.timeout or EVENTS[_EVENT].timeout, _LONGEST) + 1
    try:
        ran = run(hook.words, seconds, payload(nonce, str(Path.cwd())))
    except OSError as error:
        return _failed(hook, f"it cannot be started: {error.strerror or error}")
    if ran is None:
        return _failed(hook, f"it gave no answer within {seconds:g} s")
    if trouble := judge(ran, nonce):
        return _failed(hook, trouble)
    return ok(_CHECK, f"The command line in {hook.file} denied a call, as it was told to.")


def _failed(hook: Hook, trouble: str) -> Finding:
    what = f"The command line in {hook.file} did not deny a call: {trouble}."
    return fail(_CHECK, what, "mend what stands above, else hookd logs -n 20")


def _said(text: bytes) -> str:
    short = text.decode("utf-8", "replace").strip()[:_SHORT].rstrip(".")
    return f": {short}" if short else ""


def _article(decision: Any) -> str:
    return f"an {decision}" if str(decision)[:1] in "aeiou" else f"a {decision}"
