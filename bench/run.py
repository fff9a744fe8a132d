"""`make bench`: measures everything side by side, prints it, and writes the page.

A missed aim is only shown, since machines differ; a lost or doubled call ends the run in failure.
"""

import argparse
import json
import signal
import sys
from collections.abc import Callable
from time import perf_counter

import alive
import guards
import hook
import idle
import latency
import load
import own_hooks
from homes import ROOT, home
from page import render
from process import HookError
from result import Result
from rows import Row, machine

LIMIT = 600
"""Seconds after which the run ends, whatever it is waiting for."""

PAGE = ROOT / "docs" / "reference" / "benchmarks.md"

EXAMPLES = """\
examples:
  make bench
  make bench HOOK='python3 my_hook.py'
  make bench PART=hook HOOK='python3 my_hook.py'
"""


def main() -> None:
    asked = _asked()
    signal.signal(signal.SIGALRM, _late)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    signal.alarm(LIMIT)
    try:
        result = _measured(asked.part, asked.hook)
    except HookError as problem:
        sys.exit(f"bench: {problem}")
    print(json.dumps(result.object(), indent=1) if asked.json else result.text())
    if not asked.part:
        PAGE.write_text(render(result), "utf-8")
        print(f"{PAGE.relative_to(ROOT)} is written.", file=sys.stderr)


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="make bench",
        description="Measure hookd against what it replaces; a whole run writes the page.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--hook", metavar="COMMAND", help="a hook of your own, to be compared")
    parser.add_argument("--part", choices=["hook", *PARTS], help="only this; no page is written")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    if asked.hook and asked.part not in (None, "hook"):
        parser.error("a hook is compared in the part named hook")
    return asked


def _measured(part: str | None, command: str | None) -> Result:
    began, facts = perf_counter(), machine()
    hooks = hook.measure(command) if part in (None, "hook") else []
    rows = [row for name, measure in PARTS.items() if part in (None, name) for row in measure()]
    return Result(facts, round(perf_counter() - began), hooks, rows)


def _socket() -> list[Row]:
    return [*latency.asked_by_asyncio(), *latency.against_echo()]


def _load() -> list[Row]:
    with home() as loaded:
        rows = [*load.measure(loaded), *latency.with_a_million()]
        return [*rows, *idle.measure(loaded)]


PARTS: dict[str, Callable[[], list[Row]]] = {
    "socket": _socket,
    "own": own_hooks.measure,
    "guards": guards.measure,
    "load": _load,
    "alive": alive.measure,
}


def _late(*_: object) -> None:
    raise TimeoutError(f"the benchmarks took longer than {LIMIT} s")


if __name__ == "__main__":
    main()
