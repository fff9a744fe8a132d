"""No-daemon check: what happens to a call that no daemon answers, and whether it works."""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter

from hookd import paths
from hookd.cli.doctor.checks.hook_entries import Hook
from hookd.cli.doctor.checks.result import Finding, fail, ok, warn
from hookd.cli.doctor.checks.settings_layers import install
from hookd.cli.doctor.checks.timeouts import Ran, run
from hookd.clients.claude_code.fail_closed import NO_VERDICT
from hookd.core.model.shim_config import ShimConfig
from hookd.events.protocol import PAYLOAD_END

_CHECK = "no daemon"
_EVENT = "PreToolUse"
_COMMAND = "rm -rf ~"
_SECONDS = 10
_SLOW_MS = 2_000.0
"""Time from which on a judgement causes a warning."""

_JUDGE, _OPEN, _CLOSED = NO_VERDICT


def check_without_daemon(ours: Sequence[Hook]) -> Iterator[Finding]:
    """Report the registered choice for each scope; if the guards judge alone, try it."""
    scopes = dict[str, Hook]()
    for hook in ours:
        if hook.event == _EVENT and hook.config is not None:
            scopes.setdefault(str(Path(hook.words[0]).parent), hook)
    for hook in scopes.values():
        if hook.config is not None:
            yield _scope(hook, hook.config)


def _scope(hook: Hook, config: ShimConfig) -> Finding:
    choice, where = config.no_verdict or _JUDGE, f"{hook.layer} settings, no daemon"
    if choice == _OPEN:
        return ok(_CHECK, f"{where}: no call is judged (--no-verdict open); see fail policy.")
    if choice == _CLOSED:
        what = f"{where}: no call is judged (--no-verdict closed); see fail policy."
        return ok(_CHECK, what)
    if not config.python or not Path(config.python).exists():
        what = f"{where}: calls cannot be judged, as {config.python or 'no interpreter'} is there."
        return fail(_CHECK, what, install(hook.layer))
    # Settings come with a clone and may name any program; only our own interpreter is run.
    if Path(config.python) != Path(sys.executable).absolute():
        what = f"{where}: calls are judged by {config.python}, not by this hookd's interpreter."
        return warn(_CHECK, what, install(hook.layer))
    return _tried(hook, config, where)


def _tried(hook: Hook, config: ShimConfig, where: str) -> Finding:
    words = [config.python, "-I", "-m", "hookd.judge", "--deadline", str(_SECONDS), "--trial"]
    # This process's own: what a configuration names may be a clone's.
    places = [f"{name}={value}" for name, value in paths.place_environment().items()]
    given = ["/usr/bin/env", "-i", "PYDANTIC_DISABLE_PLUGINS=__all__", *places]
    began = perf_counter()
    ran = run([*given, *words], _SECONDS + 1, _request())
    taken = (perf_counter() - began) * 1000
    if ran is None or ran.code:
        said = ran.err.decode("utf-8", "replace").strip() if ran else "it gave no answer in time"
        what = f"{where}: calls cannot be judged: {said or 'it gave no answer in time'}."
        return fail(_CHECK, what, f"{install(hook.layer)}, then hookd doctor")
    if not _denies(ran):
        what = f"{where}: the guards judge, in {taken:.0f} ms, and let `{_COMMAND}` pass."
        step = "hookd policies, which shows whether destructive-guard is on, and hookd status"
        return warn(_CHECK, what, step)
    what = f"{where}: the guards still judge each call; `{_COMMAND}` is denied in {taken:.0f} ms."
    if taken > _SLOW_MS:
        step = "close what keeps the machine busy, then hookd doctor"
        return warn(_CHECK, f"{what} That is slow.", step)
    return ok(_CHECK, what)


def _request() -> bytes:
    """Return a call as the shim sends it, of a session that does not exist."""
    home = str(Path.home())
    env = {"HOME": home, "CLAUDE_PROJECT_DIR": str(Path.cwd())}
    params = {"body": True, "event": _EVENT, "env": env}
    head = {"jsonrpc": "2.0", "id": 1, "method": "hooks.dispatch", "params": params}
    event = {
        "session_id": "hookd-canary",
        "cwd": str(Path.cwd()),
        "hook_event_name": _EVENT,
        "tool_name": "Bash",
        "tool_input": {"command": _COMMAND},
    }
    return json.dumps(head).encode() + b"\n" + json.dumps(event).encode() + PAYLOAD_END


def _denies(ran: Ran) -> bool:
    try:
        answer = json.loads(ran.out)["result"]
        return bool(answer["hookSpecificOutput"]["permissionDecision"] == "deny")
    except (ValueError, LookupError, TypeError):
        return False
