"""Whole hook from start to end, compared with bash, scripts, and a given hook.

What hookd's hook costs includes its share of the daemon's processor time.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from builds import Build
from comparison import FLOOR, WARMING, Comparison, in_turns
from homes import PATIENCE, PAYLOAD, Home, home, session
from others import processes as others_in
from process import Cost, HookError, Process, adopting, processor
from rows import Aim

from hookd.core.model.shim_config import ShimConfig, event_rules, render
from hookd.events.protocol import EVENTS

SCRIPTS = Path(__file__).parent
BASH = shutil.which("bash") or "/bin/bash"
PYTHON = getattr(sys, "_base_executable", sys.executable)
NODE = shutil.which("node")
TRANSPORTS = {
    "nc": shutil.which("nc"),
    "socat": shutil.which("socat"),
    "perl": shutil.which("perl"),
    "python3": PYTHON,
}

ROUNDS = 60
"""Of the scripts, which are slow."""

AGAIN, PLAIN, JAVASCRIPT, GIVEN = f"{FLOOR} again", "a Python script", "a Node script", "yours"
ALLOWED, DENIED = "hookd, allowed", "hookd, denied"

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
    Size("200 bytes", 200, 80, Aim(1.5)),
    Size("10 kB", 10_000, 80, Aim(2.2)),
    Size("2 MB", 2_000_000, 20, Aim(8)),
)
WITHOUT = Aim(5)
"""Of a machine without a compiler and without nc, against bash."""


@dataclass(frozen=True)
class Side:
    """What runs, in which home, and what it reads; a script has no home."""

    process: Process
    payload: Callable[[], bytes]
    place: Home | None = None


def measure(command: str | None = None, base: Build | None = None) -> list[Comparison]:
    """Compare the whole hook with what else a hook can be.

    `command` is one more of these, `base` an older build of hookd.
    """
    with home() as place, older_home(base) as before, adopting():
        shims = _shims(place)
        older = {f"hookd {base.name}, nc": before} if base and before else {}
        return [
            _with_scripts(place, shims, command),
            *(_by_size(place, shims, older, size) for size in SIZES),
            _denied(place, shims),
        ]


@contextmanager
def older_home(base: Build | None) -> Iterator[Home | None]:
    """Make a home of an older build, or none."""
    if base is None:
        yield None
        return
    with home(build=base) as place:
        yield place


def _with_scripts(place: Home, shims: dict[str, Process], command: str | None) -> Comparison:
    others = _scripts(place, command) | dict(others_in(place))
    if GIVEN in others:
        _tried(others[GIVEN], _real(place)())
    quickest = next(iter(shims))
    sides = {
        AGAIN: Side(_floor(place), _real(place)),
        quickest: Side(shims[quickest], _real(place), place),
        **{name: Side(process, _real(place)) for name, process in others.items()},
    }
    aims = {PLAIN: Aim(1 / 6)}
    return Comparison(
        "a real call",
        _costs(place, sides, ROUNDS),
        tuple((quickest, other, aims.get(other)) for other in (FLOOR, *others)),
    )


def _by_size(
    place: Home, shims: dict[str, Process], older: dict[str, Home], size: Size
) -> Comparison:
    payload = _of_size(size.size)
    sides = {name: Side(process, payload, place) for name, process in shims.items()}
    for name, before in older.items():
        nc = _shim(before, "nc", TRANSPORTS["nc"] or "/usr/bin/nc")
        sides[name] = Side(nc, payload, before)
    costs = _costs(place, sides, size.rounds)
    quickest, bare = next(iter(shims)), [one for one in shims if one.endswith("perl")]
    compared: list[tuple[str, str, Aim | None]] = [(quickest, FLOOR, size.aim)]
    if size is SIZES[0]:
        compared += [(one, FLOOR, WITHOUT) for one in bare]
    compared += [(quickest, name, None) for name in older]
    return Comparison(size.label, costs, tuple(compared))


def _denied(place: Home, shims: dict[str, Process]) -> Comparison:
    """Compare a call that is denied with one of the same length that passes."""
    quickest = next(iter(shims.values()))
    commands = {ALLOWED: "ls -la ~/Documents/reports", DENIED: "rm -rf ~/Documents/reports"}
    sides = {
        name: Side(quickest, _real(place, command), place) for name, command in commands.items()
    }
    costs = _costs(place, sides, ROUNDS)
    return Comparison("a denied call", costs, ((DENIED, ALLOWED, Aim(1.15)),))


def _costs(place: Home, sides: dict[str, Side], rounds: int) -> dict[str, list[Cost]]:
    """Run all beside a bare bash; put on each hook of hookd its share of the daemon."""
    homes = {one.place.path: one.place for one in sides.values() if one.place}
    before = {path: (_events(one), processor(one.pid)) for path, one in homes.items()}
    floor = Side(_floor(place), next(iter(sides.values())).payload)
    costs = in_turns(
        {name: (one.process, one.payload) for name, one in ({FLOOR: floor} | sides).items()}, rounds
    )
    for path, one in homes.items():
        ours = [name for name, side in sides.items() if side.place and side.place.path == path]
        runs, (kept, spent) = len(ours) * (rounds + WARMING), before[path]
        if (more := _events(one) - kept) != runs:
            raise HookError(f"{runs} hooks ran, but {more} events were kept")
        share = (processor(one.pid) - spent) / runs
        for name in ours:
            costs[name] = [replace(cost, cpu=cost.cpu + share) for cost in costs[name]]
    return costs


def _events(place: Home) -> int:
    """Return how many events were judged; what could not be read has no session."""
    return int(place.row("SELECT count(*) FROM events WHERE session_id IS NOT NULL")[0])


def _floor(place: Home) -> Process:
    return Process(BASH, ("-c", ":"), place.env)


def _shims(place: Home) -> dict[str, Process]:
    """Return the shims that work here, the quickest first."""
    found = {kind: program for kind, program in TRANSPORTS.items() if program}
    bash = {f"hookd, {kind}": _shim(place, kind, program) for kind, program in found.items()}
    return _native(place) | bash


def _native(place: Home) -> dict[str, Process]:
    """Return the native shim as hookd installs it; nothing where it cannot be made."""
    try:
        place.hookd("install", "--shim", "native")
    except subprocess.CalledProcessError as error:
        print(f"bench: no native shim: {error.stderr.decode().strip()}", file=sys.stderr)
        return {}
    link = place.path / "shims" / "user" / "PreToolUse"
    return {"hookd, native": Process(str(link), (), _shim_env(place))}


def _shim_env(place: Home) -> dict[str, str]:
    return place.env | {"CLAUDE_PROJECT_DIR": str(place.path)}


def _shim(place: Home, kind: str, program: str) -> Process:
    """Return the bash shim as it is installed: a copy, started by a link, with a configuration."""
    shims = place.path / f"shims-{kind}" / "shims"
    link = shims / "user" / "PreToolUse"
    if not link.is_symlink():
        link.parent.mkdir(parents=True)
        for one in place.build.shims.glob("hookd-*"):  # an older build has fewer
            shutil.copy(one, shims / one.name)
        link.symlink_to("../hookd-hook")
        registered = [name for name, spec in EVENTS.items() if spec.registered]
        config = ShimConfig(
            socket=str(place.socket),
            hookd="/nonexistent",
            python=str(place.build.python),
            settings=str(place.path / ".claude" / "settings.json"),
            transports=(f"{kind}:{program}",),
            events=event_rules(registered, ()),
        )
        (link.parent / "config").write_text(render(config))
    return Process(str(link), (), _shim_env(place))


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


def _real(place: Home, command: str | None = None) -> Callable[[], bytes]:
    """Return what makes a payload as the real client words it, about one call after the other."""
    event = json.loads(PAYLOAD.read_text("utf-8"))
    if command:
        event["tool_input"] = {"command": command}
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
