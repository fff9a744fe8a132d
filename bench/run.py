"""`make bench`: measures everything side by side, prints it, and writes the page.

A missed aim is only shown, since machines differ; a lost or doubled call ends the run in failure.
"""

import argparse
import json
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import alive
import board
import calls
import counts
import fleet
import guards
import hook
import idle
import load
import own_hooks
import replays
import scale
import startup
import watched
import web_pages
from builds import ROOT, Build, BuildError, older
from homes import home
from page import render
from process import HookError
from result import Result
from rows import Row, machine

LIMIT = 1_500
"""Seconds after which the run ends, whatever it is waiting for."""

PAGE = ROOT / "docs" / "reference" / "benchmarks.md"

EXAMPLES = """\
examples:
  make bench
  make bench HOOK='python3 my_hook.py'
  make bench PART=hook HOOK='python3 my_hook.py'
  make bench BASE=HEAD~20                         # beside an older commit, in one run
  make bench PART=guards CORPUS=~/commands         # labelled commands of your own, by class
  make bench EVENTS=10000000                      # the largest database; 8 GB for a while
"""


def main() -> None:
    asked = _asked()
    signal.signal(signal.SIGALRM, _late)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    signal.alarm(LIMIT)
    try:
        base = older(asked.base) if asked.base else None
        result = _measured(asked, base)
    except (HookError, BuildError) as problem:
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
    parser.add_argument("--base", metavar="REVISION", help="an older commit, to be compared")
    parser.add_argument("--corpus", type=Path, help="a folder of labelled commands, as *.jsonl")
    parser.add_argument("--events", type=int, default=1_000_000, help="rows of the large database")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    if asked.hook and asked.part not in (None, "hook"):
        parser.error("a hook is compared in the part named hook")
    return asked


def _measured(asked: argparse.Namespace, base: Build | None) -> Result:
    began, facts = perf_counter(), machine()
    if base:
        facts["compared with"] = base.name
    hooks = hook.measure(asked.hook, base) if asked.part in (None, "hook") else []
    parts: dict[str, Callable[[], list[Row]]] = {
        "calls": lambda: calls.measure(base),
        "own": own_hooks.measure,
        "guards": lambda: guards.measure(asked.corpus),
        "load": lambda: _load(base),
        "startup": lambda: startup.measure(base),
        "scale": lambda: scale.measure(asked.events),
        "stats": lambda: counts.measure(asked.events),
        "replay": replays.measure,
        "alive": alive.measure,
        "watched": watched.measure,
        "web": lambda: web_pages.measure(asked.events),
        "board": _board,
        "fleet": fleet.measure,
    }
    rows = [row for name in PARTS if asked.part in (None, name) for row in parts[name]()]
    return Result(facts, round(perf_counter() - began), hooks, rows)


def _board() -> list[Row]:
    with home() as watched:
        return board.measure(watched)


def _load(base: Build | None) -> list[Row]:
    with home() as loaded, hook.older_home(base) as before:
        return [*load.measure(loaded, before), *idle.measure(loaded)]


PARTS = (
    *("calls", "own", "guards", "load", "startup", "scale", "stats", "replay", "alive"),
    *("watched", "web", "board", "fleet"),
)


def _late(*_: object) -> None:
    raise TimeoutError(f"the benchmarks took longer than {LIMIT} s")


if __name__ == "__main__":
    main()
