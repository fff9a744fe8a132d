"""Canary check of a client besides Claude Code: what it would run must deny a test call.

The registered command is run as the client runs it, and its answer is read as the client reads it.
"""

import json
import secrets
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from hookd import paths
from hookd.cli.doctor.checks import canary, own_programs
from hookd.cli.doctor.checks.command_line import speaks_to_us, without_transport
from hookd.cli.doctor.checks.hook_entries import Hook
from hookd.cli.doctor.checks.result import Finding, fail, ok, warn
from hookd.cli.doctor.checks.timeouts import Ran, ask, run
from hookd.cli.install import in_force, scope_folder
from hookd.cli.install.clients import Client
from hookd.cli.lib.errors import Problem
from hookd.clients.group_registration import shell_program
from hookd.clients.hook_groups import Json
from hookd.core.model.shim_paths import link_event
from hookd.events.protocol import EVENTS

_EVENT = "PreToolUse"
_COMMAND = "hookd-canary"

_PLUGIN = """
import { readFileSync } from "node:fs";
const [file, directory, sessionID, command] = process.argv.slice(1);
const text = readFileSync(file).toString("base64");
const { Hookd } = await import("data:text/javascript;base64," + text);
const hooks = await Hookd({ directory });
try {
  const input = { tool: "bash", sessionID, callID: "canary" };
  await hooks["tool.execute.before"](input, { args: { command } });
  console.log("null");
} catch (error) {
  console.log(JSON.stringify({ deny: error.message }));
}
process.exit(0);
"""
"""Runs the plugin of opencode with one call, as opencode does."""


def _check(client: Client) -> str:
    return f"{client.name} canary"


def check(client: Client, path: Path, project: Path) -> Iterator[Finding]:
    """Report whether what is registered in a file denies a call."""
    entry = _entry(client, path)
    if entry is None:
        return
    hook, line = entry
    renew = in_force.command(client, path)
    if not in_force.usable(client, hook.words[0]):
        return  # reported already
    if not speaks_to_us(hook):
        what = f"The command in {path} does not ask this daemon, so it was not tried."
        yield fail(_check(client), what, renew)
    elif without_transport(hook):
        what = f"The command in {path} has no transport that works, so it was not tried."
        yield fail(_check(client), what, renew)
    elif other := own_programs.foreign_program(hook, project):
        yield fail(_check(client), f"not tried: {path} names {other}.", f"look at it, then {renew}")
    elif words := started(client, hook, path, line):
        yield _tried(client, hook, words)
    else:
        what = f"{path} was not tried: node is not on the PATH, or the plugin was changed."
        yield warn(_check(client), what, renew)


def started(client: Client, hook: Hook, path: Path, line: str) -> Sequence[str]:
    """Return the command by which a client starts an entry; () if it cannot be done here.

    A plugin runs in node here, and only if it is as it was packaged.
    """
    if client.starts == "program":
        return hook.words
    if client.starts == "shell":
        return (paths.variable("SHELL") or "/bin/bash", "-c", line)
    if client.starts == "bash":
        return ("bash", "-c", line)
    document = client.read(path)
    node = shutil.which("node", path=paths.search_path())
    if node is None or client.rewritten(document, document.value) != document.raw:
        return ()
    return (node, "--input-type=module", "--eval", _PLUGIN, "--", str(path))


def denies(template: str, out: bytes, secret: str) -> bool:
    """Return whether an output is the denial of `template`, with `secret` in its reason."""
    try:
        expected = json.loads(template.replace("@", '"@"', 1))
        return _matches(expected, json.loads(out), secret)
    except (ValueError, RecursionError):
        return False


def _matches(expected: Any, found: Any, secret: str) -> bool:
    if expected == "@":
        return isinstance(found, str) and secret in found
    if isinstance(expected, dict):
        return isinstance(found, dict) and all(
            key in found and _matches(value, found[key], secret) for key, value in expected.items()
        )
    return bool(expected == found)


def _entry(client: Client, path: Path) -> tuple[Hook, str] | None:
    """Return the entry that judges calls, and the line that a shell gets; None without one."""
    try:
        value = client.read(path).value
        programs = [one for _, one in client.registration.programs(value)]
    except (Problem, ValueError, RecursionError, OSError):
        return None
    program = next((one for one in programs if link_event(one) == _EVENT), None)
    if program is None:
        return None
    known = {"type": "command", "command": program, "args": [], "timeout": EVENTS[_EVENT].timeout}
    config = scope_folder.read(Path(program).parent)
    hook = Hook(client.name, path, _EVENT, "", known, (program,), config=config)
    return hook, _line(value, program)


def _line(settings: Json, program: str) -> str:
    """Return the command of an entry as it is written, "" if a shell gets none."""
    groups = [group for one in settings.get("hooks", {}).values() for group in one]
    hooks = [hook for group in groups for hook in group.get("hooks", ())]
    return next((str(one["command"]) for one in hooks if shell_program(one) == program), "")


def _tried(client: Client, hook: Hook, words: Sequence[str]) -> Finding:
    nonce, answer = secrets.token_hex(16), secrets.token_hex(16)
    session, folder = canary.session(nonce), str(Path.cwd())
    try:
        ask("daemon.canary", {"nonce": nonce, "answer": answer})
    except Problem as problem:
        return fail(_check(client), problem.message, problem.step or "hookd daemon logs -n 20")
    body = json.dumps(client.registration.trial_call(session, _COMMAND, folder)).encode()
    if client.starts == "plugin":
        words, body = (*words, folder, session, _COMMAND), b""
    seconds = EVENTS[_EVENT].timeout + 1
    try:
        ran = run(words, seconds, body)
    except OSError as error:
        return _failed(client, hook, f"it cannot be started: {error.strerror or error}")
    if ran is None:
        return _failed(client, hook, f"it did not answer within {seconds:g} s")
    return _outcome(client, hook, ran, answer)


def _outcome(client: Client, hook: Hook, ran: Ran, answer: str) -> Finding:
    from hookd.clients.adapters import adapter_of  # noqa: PLC0415 - slow, and rarely needed

    template = adapter_of(client.name).capabilities.denial_template(_EVENT)
    if ran.code == 0 and denies(template, ran.out, answer):
        return ok(_check(client), f"What {hook.file} registers denied a test call.")
    if ran.code:
        return _failed(client, hook, f"it ended with exit code {ran.code}{canary.said(ran.err)}")
    if not ran.out.strip() or ran.out.strip() == b"null":
        return _failed(client, hook, f"nothing came back{canary.said(ran.err)}")
    return _failed(client, hook, f"something else came back{canary.said(ran.out)}")


def _failed(client: Client, hook: Hook, trouble: str) -> Finding:
    what = f"What {hook.file} registers did not deny a call: {trouble}."
    return fail(_check(client), what, "fix the failures above, else hookd daemon logs -n 20")
