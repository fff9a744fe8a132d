"""`python bench/stages.py [KIND...]`: where the CPU time of an event goes, stage by stage.

For each kind of event, it starts a daemon with a timer around each stage, sends events to it from
another process, and prints microseconds of CPU time for each event, and its SQL statements. CPU
time is that of the stage alone, without the stages inside it. The timers themselves cost about 1 us
for each stage.
"""

import json
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

from homes import PATIENCE, PAYLOAD, Home, Link, home, session

WARM, COUNTED = 200, 600
TEXT = "".join(f"line {n}: value = compute(thing_{n}, other)\n" for n in range(300))[:10_000]

_STAGES = {
    "read the line": ("hookd.rpc.jsonrpc", "read"),
    "validate the event": ("hookd.rpc.dispatcher", "validated"),
    "identify the sender": ("hookd.pipeline.pipeline", "EventPipeline.identity"),
    "redact the payload": ("hookd.pipeline.delivery", "record"),
    "excerpt of the payload": ("hookd.pipeline.delivery", "excerpt_record"),
    "delivery key": ("hookd.pipeline.delivery", "call_key"),
    "real path of the folder": ("hookd.pipeline.delivery", "with_real_cwd"),
    "look at files": ("hookd.system.file_reader", "look"),
    "BEGIN and COMMIT": ("hookd.store.database", "WriterThread._transact"),
    "read facts": ("hookd.store.facts", "read"),
    "event handler": ("hookd.pipeline.evaluation", "_decided"),
    "run the policies": ("hookd.pipeline.evaluation", "_ask_policies"),
    "merge opinions": ("hookd.pipeline.transaction", "evaluate_event"),
    "write effects": ("hookd.pipeline.recorder", "DatabaseRecorder.effects"),
    "store the event": ("hookd.pipeline.recorder", "DatabaseRecorder.event"),
    "render the answer": ("hookd.pipeline.transaction", "respond"),
    "rest of the transaction": ("hookd.pipeline.pipeline", "process_event"),
}
"""Stages by their functions; each policy is a stage as well."""

_REST = {"hookd-loop": "event loop, socket", "MainThread": "wait for work"}
_OTHERS = "other threads"

Input = Callable[[Path, int], tuple[str, dict[str, Any]]]

KINDS: dict[str, Input] = {
    "Bash, seen": lambda _, n: ("Bash", {"command": "git status"}),
    "Bash, new": lambda _, n: ("Bash", {"command": f"git log --oneline -n {n} HEAD~{n}"}),
    "Read, new file": lambda at, n: ("Read", {"file_path": f"{at}/src/file{n}.py"}),
    "Write, 10 kB": lambda at, n: (
        "Write",
        {"file_path": f"{at}/src/new{n}.py", "content": f"# {n}\n{TEXT}"},
    ),
    "Bash, allowed": lambda _, n: ("Bash", {"command": f"ls -lA /usr/lib/folder{n:06d}"}),
    "Bash, denied": lambda _, n: ("Bash", {"command": f"rm -rf /usr/lib/folder{n:06d}"}),
}


class _Timers:
    """CPU time of each stage and each thread, from one event to another."""

    def __init__(self) -> None:
        self.spent: dict[str, int] = defaultdict(int)
        self.statements = 0
        self._local = threading.local()
        self._events = count(1)
        self._began: dict[str, int] = {}

    def around(self, name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        """Return `work` with a timer."""

        def timed(*args: Any, **more: Any) -> Any:
            stack = self._local.__dict__.setdefault("stack", [])
            began = time.thread_time_ns()
            stack.append(0)
            try:
                return work(*args, **more)
            finally:
                whole = time.thread_time_ns() - began
                self.spent[name] += whole - stack.pop()
                if stack:
                    stack[-1] += whole

        return timed

    def next_event(self, work: Callable[..., Any], out: Path) -> Callable[..., Any]:
        """Return `work`, which begins each event: the counted ones begin and end with it."""

        def counted(*args: Any, **more: Any) -> Any:
            number = next(self._events)
            if number == WARM:
                self.spent.clear()
                self.statements, self._began = 0, self._threads()
            elif number == WARM + COUNTED:
                out.write_text(json.dumps(self._result()))
            return work(*args, **more)

        return counted

    def count_statement(self, _sql: str) -> None:
        """Count one statement."""
        self.statements += 1

    def _threads(self) -> dict[str, int]:
        clocks = {
            thread.name: time.clock_gettime_ns(time.pthread_getcpuclockid(thread.ident or 0))
            for thread in threading.enumerate()
            if thread.name in _REST
        }
        return clocks | {_OTHERS: time.process_time_ns() - sum(clocks.values())}

    def _result(self) -> dict[str, float]:
        spent = dict(self.spent)
        rest = {name: now - self._began[name] for name, now in self._threads().items()}
        looked = spent.get("look at files", 0)
        loop = sum(spent.get(name, 0) for name in list(_STAGES)[:7])
        main = sum(spent.values()) - loop - looked
        spent[_REST["hookd-loop"]] = rest["hookd-loop"] - loop
        spent[_REST["MainThread"]] = rest["MainThread"] - main
        spent[_OTHERS] = rest[_OTHERS] - looked
        each = {name: value / COUNTED / 1000 for name, value in spent.items()}
        return each | {"statements": self.statements / COUNTED}


def _set(module: str, path: str, around: Callable[[Any], Any]) -> None:
    """Replace a function of a module, or of a class in it."""
    owner: Any = import_module(module)
    *parents, last = path.split(".")
    for parent in parents:
        owner = getattr(owner, parent)
    setattr(owner, last, around(getattr(owner, last)))


def serve(out: Path, *, statements: bool) -> None:
    """Run a daemon with timers; with `statements` it counts those instead."""
    from hookd import paths  # noqa: PLC0415 - only the daemon needs it
    from hookd.daemon import app  # noqa: PLC0415
    from hookd.pipeline.evaluation import POLICIES, PolicyEngine  # noqa: PLC0415

    timers = _Timers()
    if statements:

        def traced(opened: Callable[..., Any]) -> Callable[..., Any]:
            def open_traced(*args: Any, **more: Any) -> Any:
                base = opened(*args, **more)
                base.connection.set_trace_callback(timers.count_statement)
                return base

            return open_traced

        _set("hookd.daemon.app", "opened", traced)
    else:
        for name, (module, path) in _STAGES.items():
            _set(module, path, partial(timers.around, name))
        timed = (replace(one, opine=timers.around(one.name, one.opine)) for one in POLICIES)
        _set(
            "hookd.daemon.app", "PolicyEngine", lambda _: partial(PolicyEngine, policies=(*timed,))
        )
    _set("hookd.rpc.jsonrpc", "read", lambda work: timers.next_event(work, out))
    app.run(paths.paths())


def _line(place: Home, kind: str, number: int) -> bytes:
    tool, given = KINDS[kind](place.path, number)
    event = json.loads(PAYLOAD.read_text("utf-8")) | {
        "session_id": session(1),
        "cwd": str(place.path),
        "tool_name": tool,
        "tool_input": given,
        "tool_use_id": f"toolu_{number:018d}",
        "env": {"CWD": str(place.path), "CLAUDE_PROJECT_DIR": str(place.path)},
    }
    request = {"jsonrpc": "2.0", "id": 1, "method": "hooks.preToolUse", "params": event}
    return json.dumps(request, separators=(",", ":")).encode() + b"\n"


def measure(kind: str, mode: str) -> dict[str, float]:
    """Return the microseconds of each stage for one event, or its statements (`count`)."""
    with home(daemon=False) as place:
        (place.path / "src").mkdir()
        for number in range(WARM + COUNTED + 1):
            (place.path / "src" / f"file{number}.py").touch()
        out = place.path / "stages.json"
        command = [sys.executable, __file__, "serve", str(out), mode]
        with subprocess.Popen(command, env=place.env) as daemon:
            try:
                _wait(place.socket)
                link = Link(place.socket)
                for number in range(WARM + COUNTED + 1):
                    link.ask(_line(place, kind, number))
                link.close()
                found: dict[str, float] = json.loads(out.read_text())
            finally:
                daemon.terminate()
    return found


def _wait(path: Path) -> None:
    until = time.monotonic() + PATIENCE
    while not path.exists():
        if time.monotonic() > until:
            raise TimeoutError("the daemon did not start")
        time.sleep(0.05)
    time.sleep(0.2)


def main(kinds: list[str]) -> None:
    """Print the table of some kinds of events, in Markdown."""
    columns = {kind: measure(kind, "time") for kind in kinds}
    for kind, column in columns.items():
        column["statements"] = measure(kind, "count")["statements"]
    names = [*_STAGES, *_REST.values(), _OTHERS]
    policies = sorted({name for one in columns.values() for name in one} - {*names, "statements"})
    print(f"| stage | {' | '.join(kinds)} |\n| :-- |{' --: |' * len(kinds)}")
    for name in [*names, *policies]:
        cells = [column.get(name, 0.0) for column in columns.values()]
        if max(cells) >= 1:
            print(f"| {name} | {' | '.join(f'{cell:.0f}' for cell in cells)} |")
    sums = [sum(column.values()) - column["statements"] for column in columns.values()]
    print(f"| sum | {' | '.join(f'{whole:.0f}' for whole in sums)} |")
    counts = [column["statements"] for column in columns.values()]
    print(f"| SQL statements | {' | '.join(f'{each:g}' for each in counts)} |")


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        serve(Path(sys.argv[2]), statements=sys.argv[3] == "count")
    else:
        main(sys.argv[1:] or list(KINDS))
