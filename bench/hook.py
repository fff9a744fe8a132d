"""Whole hook from start to end, compared with bash, scripts, and a given hook.

What hookd's hook costs includes its share of the daemon's processor time.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from comparison import FLOOR, WARMING, Comparison, in_turns
from homes import PATIENCE, PAYLOAD, ROOT, Home, home, session
from process import Cost, HookError, Process, adopting, processor
from rows import Aim

from hookd.core.model.shim_config import ShimConfig, event_rules, render
from hookd.events.protocol import EVENTS

SHIM = ROOT / "daemon" / "hookd" / "shims" / "hookd-hook"
SCRIPTS = Path(__file__).parent
BASH = shutil.which("bash") or "/bin/bash"
PYTHON = getattr(sys, "_base_executable", sys.executable)
NODE = shutil.which("node")
TRANSPORTS = {"nc": shutil.which("nc"), "socat": shutil.which("socat"), "python3": PYTHON}

ROUNDS = 60
"""Of the scripts, which are slow."""

AGAIN, PLAIN, JAVASCRIPT, GIVEN = f"{FLOOR} again", "a Python script", "a Node script", "yours"

_MARK = b"toolu_000000000000000000"
_CODE = "    for order in sorted(orders, key=lambda one: one.placed_at):\n        print(order.id)\n"
_numbers = count(1)


@dataclass(frozen=True)
class Size:
    """A size of payload, how often it is tried, and the aim of the quickest way against bash."""

    label: str
    size: int
    rounds: int
    aim: Aim


SIZES = (
    Size("200 bytes", 200, 80, Aim(2.6)),
    Size("10 kB", 10_000, 80, Aim(2.6)),
    Size("2 MB", 2_000_000, 20, Aim(8)),
)


def measure(command: str | None = None) -> list[Comparison]:
    """Compare the whole hook with what else a hook can be; `command` is one more of these."""
    with home() as place, adopting():
        found = {kind: program for kind, program in TRANSPORTS.items() if program}
        shims = {f"hookd, {kind}": _shim(place, kind, path) for kind, path in found.items()}
        quickest = next(iter(shims))
        scripts = {quickest: shims[quickest]} | _scripts(place, command)
        return [_with_scripts(place, scripts), *(_by_size(place, shims, one) for one in SIZES)]


def _with_scripts(place: Home, sides: dict[str, Process]) -> Comparison:
    payload = _real(place)
    if GIVEN in sides:
        _tried(sides[GIVEN], payload())
    quickest, *others = sides
    aims = {PLAIN: Aim(1 / 6)}
    twice = {AGAIN: _floor(place)}
    return Comparison(
        "a real call",
        _costs(place, twice | sides, payload, ROUNDS),
        tuple((quickest, other, aims.get(other)) for other in (FLOOR, *others)),
    )


def _by_size(place: Home, shims: dict[str, Process], size: Size) -> Comparison:
    quickest = next(iter(shims))
    costs = _costs(place, shims, _of_size(size.size), size.rounds)
    return Comparison(size.label, costs, ((quickest, FLOOR, size.aim),))


def _costs(
    place: Home, sides: dict[str, Process], payload: Callable[[], bytes], rounds: int
) -> dict[str, list[Cost]]:
    """Run all beside a bare bash; put on each hook of hookd its share of the daemon."""
    ours = [name for name in sides if name.startswith("hookd")]
    runs = len(ours) * (rounds + WARMING)
    kept, spent = _events(place), processor(place.pid)
    costs = in_turns({FLOOR: _floor(place)} | sides, payload, rounds)
    if (more := _events(place) - kept) != runs:
        raise HookError(f"{runs} hooks ran, but {more} events were kept")
    share = (processor(place.pid) - spent) / runs
    shared = {name: [replace(one, cpu=one.cpu + share) for one in costs[name]] for name in ours}
    return costs | shared


def _events(place: Home) -> int:
    """Return how many events were judged; what could not be read has no session."""
    return int(place.row("SELECT count(*) FROM events WHERE session_id IS NOT NULL")[0])


def _floor(place: Home) -> Process:
    return Process(BASH, ("-c", ":"), place.env)


def _shim(place: Home, kind: str, program: str) -> Process:
    # As it is installed: a copy, started by a link with a configuration beside it.
    shims = place.path / f"shims-{kind}" / "shims"
    link = shims / "user" / "PreToolUse"
    if not link.is_symlink():
        link.parent.mkdir(parents=True)
        for one in (SHIM, SHIM.with_name("hookd-start")):
            shutil.copy(one, shims / one.name)
        link.symlink_to("../hookd-hook")
        registered = [name for name, spec in EVENTS.items() if spec.registered]
        config = ShimConfig(
            socket=str(place.socket),
            hookd="/nonexistent",
            python=sys.executable,
            settings=str(place.path / ".claude" / "settings.json"),
            transports=(f"{kind}:{program}",),
            events=event_rules(registered, ()),
        )
        (link.parent / "config").write_text(render(config))
    return Process(str(link), (), place.env | {"CLAUDE_PROJECT_DIR": str(place.path)})


def _scripts(place: Home, command: str | None) -> dict[str, Process]:
    """Return the scripts that there are, and the given command, as the client would start it."""
    python = (str(SCRIPTS / "script_hook.py"), str(place.path / "script.db"))
    found = {PLAIN: Process(PYTHON, python, place.env)}
    if NODE:
        node = (str(SCRIPTS / "script_hook.cjs"), str(place.path / "script.json"))
        found[JAVASCRIPT] = Process(NODE, node, place.env)
    if command:
        env = os.environ | {"CLAUDE_PROJECT_DIR": str(place.path)}
        found[GIVEN] = Process("/bin/sh", ("-c", command), env, codes=(0, 2))
    return found


def _tried(hook: Process, payload: bytes) -> None:
    """Raise HookError with what the given command says if it cannot be measured."""
    try:
        done = subprocess.run(
            [hook.path, *hook.args],
            env=hook.env,
            input=payload,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise HookError(f"the given command did not end within {PATIENCE} s") from None
    if done.returncode not in hook.codes:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        why = f": {said[-1]}" if said else ""
        raise HookError(f"the given command ended with {done.returncode}{why}")


def _real(place: Home) -> Callable[[], bytes]:
    """Return what makes a payload as the real client words it, about one call after the other."""
    event = json.loads(PAYLOAD.read_text("utf-8"))
    return _numbered(event | {"session_id": session(2), "cwd": str(place.path)})


def _of_size(size: int) -> Callable[[], bytes]:
    """Return what makes a payload of `size` bytes: a command, or a file that is written."""
    tool, text_of = ("Bash", "command") if size < 1000 else ("Write", "content")
    given = {text_of: ""} if tool == "Bash" else {"file_path": "/tmp/orders.py", text_of: ""}
    event = {
        "session_id": session(1),
        "cwd": "/tmp",
        "hook_event_name": "PreToolUse",
        "tool_name": tool,
        "tool_input": given,
        "tool_use_id": _MARK.decode(),
    }
    room = size - len(json.dumps(event, separators=(",", ":"))) - 1
    times = room // (len(json.dumps(_CODE)) - 2)  # a newline is two bytes of JSON
    text = "echo " + "x" * (room - 5) if size < 1000 else _CODE * times
    return _numbered(event | {"tool_input": given | {text_of: text}})


def _numbered(event: dict[str, object]) -> Callable[[], bytes]:
    """Return what makes payloads of an event, each with a tool_use_id of its own."""
    marked = event | {"tool_use_id": _MARK.decode()}
    line = json.dumps(marked, separators=(",", ":")).encode() + b"\n"
    return lambda: line.replace(_MARK, b"toolu_%018d" % next(_numbers))
