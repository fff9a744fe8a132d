"""No-daemon check: what happens to a call that no daemon answers, and whether it works."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from hookd import paths
from hookd.cli.doctor.checks.hook_entries import Hook
from hookd.cli.doctor.checks.result import Finding, fail, ok, warn
from hookd.cli.doctor.checks.settings_layers import install
from hookd.cli.doctor.checks.timeouts import Outcome, Ran, beside
from hookd.core.model.fail_policy import NO_VERDICT
from hookd.core.model.shim_config import ShimConfig
from hookd.events.protocol import PAYLOAD_END

_CHECK = "no daemon"
_EVENT = "PreToolUse"
_COMMAND = "rm -rf ~"
_SECONDS = 10
_SLOW_MS = 2_000.0
"""Time from which on a judgement causes a warning."""

_JUDGE, _OPEN, _CLOSED = NO_VERDICT


@contextmanager
def trial(ours: Sequence[Hook]) -> Iterator[Outcome | None]:
    """Try the judge while the block runs; yield None if the guards judge for no scope.

    One trial is enough: all scopes have the same interpreter.
    """
    if any(_is_tried(config) for _, config in _scopes(ours)):
        # This process's own: what a configuration names may be a clone's.
        places = [f"{name}={value}" for name, value in paths.place_environment().items()]
        given = ["/usr/bin/env", "-i", "PYDANTIC_DISABLE_PLUGINS=__all__", *places]
        judge = [_own_python(), "-I", "-m", "hookd.judge", "--deadline", str(_SECONDS), "--trial"]
        with beside([*given, *judge], _SECONDS + 1, _request()) as outcome:
            yield outcome
    else:
        yield None


def check_without_daemon(ours: Sequence[Hook], tried: Outcome | None) -> Iterator[Finding]:
    """Report the registered choice for each scope; if the guards judge alone, the trial."""
    for hook, config in _scopes(ours):
        where = f"{hook.layer} settings, no daemon"
        if tried and _is_tried(config):
            yield _outcome(hook, where, *tried())
        else:
            yield _untried(hook, config, where)


def _scopes(ours: Sequence[Hook]) -> list[tuple[Hook, ShimConfig]]:
    """Return an entry that judges calls, and its configuration, for each scope."""
    found = dict[str, tuple[Hook, ShimConfig]]()
    for hook in ours:
        if hook.event == _EVENT and hook.config is not None:
            found.setdefault(str(Path(hook.words[0]).parent), (hook, hook.config))
    return list(found.values())


def _is_tried(config: ShimConfig) -> bool:
    """Return whether the guards judge alone, by this hookd's interpreter.

    Settings come with a clone and may name any program; no other interpreter is run.
    """
    python = Path(config.python or "/")
    return (
        _choice(config) not in (_OPEN, _CLOSED) and str(python) == _own_python() and python.exists()
    )


def _choice(config: ShimConfig) -> str:
    return config.no_verdict or _JUDGE


def _own_python() -> str:
    return str(Path(sys.executable).absolute())


def _untried(hook: Hook, config: ShimConfig, where: str) -> Finding:
    """Return a choice against judging, or why the interpreter is not run."""
    choice = _choice(config)
    if choice in (_OPEN, _CLOSED):
        what = f"{where}: no call is judged (--no-verdict {choice}); see fail policy."
        return ok(_CHECK, what)
    if not config.python or not Path(config.python).exists():
        what = f"{where}: calls cannot be judged, as {config.python or 'no interpreter'} is there."
        return fail(_CHECK, what, install(hook.layer))
    what = f"{where}: calls are judged by {config.python}, not by this hookd's interpreter."
    return warn(_CHECK, what, install(hook.layer))


def _outcome(hook: Hook, where: str, ran: Ran | None, taken: float) -> Finding:
    """Return the result of the trial, which took so many milliseconds."""
    if ran is None or ran.code:
        said = ran.err.decode("utf-8", "replace").strip() if ran else "it gave no answer in time"
        what = f"{where}: calls cannot be judged: {said or 'it gave no answer in time'}."
        return fail(_CHECK, what, f"{install(hook.layer)}, then hookd doctor")
    if not _denies(ran):
        what = f"{where}: the guards judge, in {taken:.0f} ms, and let `{_COMMAND}` pass."
        step = "hookd policy, which shows whether destructive-guard is on, and hookd status"
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
