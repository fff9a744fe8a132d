"""The home of `make bench`: everything measured side by side, as one table.

A missed aim is only shown, since machines differ; a lost or doubled call ends the run in failure.
"""

import argparse
import json
import signal
import sys
from time import perf_counter

import guards
import hook
import idle
import latency
import load
import own_hooks
from homes import home
from rows import Row, machine, table

LIMIT = 240
"""Seconds after which the run ends, whatever it is waiting for."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure hookd against what it replaces.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    as_json = parser.parse_args().json
    signal.signal(signal.SIGALRM, _late)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    signal.alarm(LIMIT)
    began, facts = perf_counter(), machine()
    rows = _measured()
    seconds = round(perf_counter() - began)
    if as_json:
        found = {"machine": facts, "seconds": seconds, "rows": [row.object() for row in rows]}
        print(json.dumps(found, indent=1))
        return
    print(table(rows))
    missed = sum(row.met is False for row in rows)
    aims = sum(row.met is not None for row in rows)
    print(f"\n{aims - missed} of {aims} aims met, in {seconds} s. Medians; both sides take turns.")
    print(", ".join(f"{name} {value}" for name, value in facts.items()))
    if facts["load"] > facts["cores"] / 2:
        print("Others kept the cores busy: what takes several processes looks worse than it is.")


def _measured() -> list[Row]:
    rows = [*hook.measure(), *latency.asked_by_asyncio(), *latency.against_echo()]
    rows += [*own_hooks.measure(), *guards.measure()]
    with home() as loaded:
        rows += load.measure(loaded)
        rows += latency.with_a_million()
        return [*rows, *idle.measure(loaded)]


def _late(*_: object) -> None:
    raise TimeoutError(f"the benchmarks took longer than {LIMIT} s")


if __name__ == "__main__":
    main()
