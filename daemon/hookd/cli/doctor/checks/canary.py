"""Canary check: run a registered command as the client does; it must deny a test call."""

import json
import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from hookd import paths
from hookd.cli.doctor.checks.command_line import speaks_to_us, without_transport
from hookd.cli.doctor.checks.hook_entries import Hook
from hookd.cli.doctor.checks.own_programs import foreign_program
from hookd.cli.doctor.checks.result import Finding, State, fail, found, ok, warn
from hookd.cli.doctor.checks.settings_layers import MANAGED, install
from hookd.cli.doctor.checks.timeouts import Ran, ask, run
from hookd.cli.lib.claude_version import Client
from hookd.cli.lib.errors import Problem
from hookd.clients.claude_code import registration
from hookd.events.protocol import EVENTS

_CHECK = "canary"
_EVENT = "PreToolUse"
_MAX_TIMEOUT_S = 600
"""Longest wait for a call, also if the entry has more: the client's own default."""

_MAX_SHOWN_CHARS = 200
"""Characters of an output that are shown."""

_OFF = (
    'policies.options.guard-rules.mode is "off", policies.options.guard-rules.clients leaves out'
    " this client, or policies.disabled names guard-rules"
)


def check_canary(ours: Sequence[Hook], project: Path, client: Client) -> Iterator[Finding]:
    """Report for each command line that judges calls whether it denies one.

    It is started as the installed client does: by `sh` before 2.1.139, else directly.
    """
    lines = dict[tuple[str, ...], Hook]()
    for hook in ours:
        if hook.event == _EVENT:
            lines.setdefault(hook.words, hook)
    for hook in lines.values():
        if reason := _untriable(hook):
            what = f"The command line in {hook.file} {reason}, so it was not tried."
            yield fail(_CHECK, what, install(hook.layer))
        elif other := foreign_program(hook, project):
            yield _strange(hook, other)
        else:
            yield _try(hook, client)


def _strange(hook: Hook, other: str) -> Finding:
    """Report a command line that only Claude Code may run, once its folder is trusted."""
    step = install(hook.layer)
    if hook.layer != MANAGED:
        step = f"look at it, then {step}, which replaces it with hookd's"
    return fail(_CHECK, f"not tried: {hook.file} names {other}.", step)


def _untriable(hook: Hook) -> str:
    """Return why an entry would not ask this daemon: its shim would start another one."""
    if not speaks_to_us(hook):
        return "does not ask this daemon"
    return "has no transport that works" if without_transport(hook) else ""


def payload(nonce: str, folder: str) -> bytes:
    """Return a call that is about to run, as Claude Code sends it."""
    call = registration.trial_call(session(nonce), "hookd-canary", folder)
    return json.dumps(call).encode() + b"\n"


def judge(ran: Ran, secret: str) -> str:
    """Return the answer instead of the denial; "" if it was the denial."""
    if ran.code:
        return f"it ended with exit code {ran.code}{said(ran.err or ran.out)}"
    if not ran.out.strip():
        return f"nothing came back{said(ran.err)}"
    try:
        answer = json.loads(ran.out)["hookSpecificOutput"]
        decision, reason = answer["permissionDecision"], str(answer["permissionDecisionReason"])
    except (ValueError, LookupError, TypeError, RecursionError):
        return f"something else came back{said(ran.out)}"
    if decision == "deny" and secret in reason:
        return ""
    return f"{_article(decision)} came back{said(reason.encode())}"


def weakened(ran: Ran, secret: str) -> str:
    """Return the setting that keeps the guards from denying, by the answer to a stored event."""
    if secret.encode() in ran.out and b'"permissionDecision"' not in ran.out:
        return 'policies.options.guard-rules.mode is "warn", so guards only inform'
    silent = not (ran.code or ran.out.strip() or ran.err.strip())
    return _OFF if silent else ""


def _try(hook: Hook, client: Client) -> Finding:
    nonce, answer = secrets.token_hex(16), secrets.token_hex(16)
    try:
        ask("daemon.canary", {"nonce": nonce, "answer": answer})
    except Problem as problem:
        return found(_CHECK, State.FAIL, problem)
    seconds = min(hook.timeout or EVENTS[_EVENT].timeout, _MAX_TIMEOUT_S) + 1
    try:
        ran = run(hook.started(client.version), seconds, payload(nonce, str(Path.cwd())))
    except OSError as error:
        return _failed(hook, f"it cannot be started: {error.strerror or error}")
    if ran is None:
        return _failed(hook, f"it did not answer within {seconds:g} s")
    return _outcome(hook, ran, nonce, answer)


def _outcome(hook: Hook, ran: Ran, nonce: str, answer: str) -> Finding:
    """Return the result of a trial, by its answer and whether the daemon stored the event."""
    trouble = judge(ran, answer)
    try:
        kept = _kept(nonce)
    except Problem as problem:
        return _failed(hook, trouble) if trouble else found(_CHECK, State.WARN, problem)
    if trouble:
        setting = weakened(ran, answer) if kept else ""
        return _weak(hook, setting) if setting else _failed(hook, trouble)
    told = f"The command line in {hook.file} denied a test call"
    if not kept:
        return warn(_CHECK, f"{told}, but the event was not stored.", "hookd daemon logs -n 20")
    return ok(_CHECK, f"{told}.")


def _kept(nonce: str) -> bool:
    asked = {"kind": "canary", "claudeSessionId": session(nonce), "limit": 1}
    return bool(ask("events.list", asked)["events"])


def _weak(hook: Hook, setting: str) -> Finding:
    what = f"The command line in {hook.file} did not deny a call: {setting}."
    return fail(
        _CHECK, what, f"fix that in {paths.paths().settings}; it is reloaded within a second"
    )


def session(nonce: str) -> str:
    """Return the id of the session of a trial."""
    return f"hookd-canary-{nonce}"


def _failed(hook: Hook, trouble: str) -> Finding:
    what = f"The command line in {hook.file} did not deny a call: {trouble}."
    return fail(_CHECK, what, "fix the failures above, else hookd daemon logs -n 20")


def said(text: bytes) -> str:
    """Return the beginning of an output after a colon, "" if it is empty."""
    short = text.decode("utf-8", "replace").strip()[:_MAX_SHOWN_CHARS].rstrip(".")
    return f": {short}" if short else ""


def _article(decision: Any) -> str:
    return f"an {decision}" if str(decision)[:1] in "aeiou" else f"a {decision}"
