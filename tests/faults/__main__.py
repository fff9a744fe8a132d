"""`python -m faults`: runs every fault and writes docs/reference/faults.md."""

import argparse
import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from faults import evidence
from faults.kills import Rounds
from faults.page import PAGE, page
from faults.rows import Row, table
from faults.scene import ElsewhereError, Told, scene
from faults.table import FAULTS, LIMIT, Fault
from support.native_shim import compiler

ROUNDS = "kill -9 at random moments, under load"
OVERALL = 480
"""Seconds that all rounds of kill -9 may take together."""


@dataclass
class Teller:
    """Says on a terminal what is under way; elsewhere it is silent."""

    terminal: bool

    def __call__(self, said: str) -> None:
        if self.terminal:
            click.echo(f"\r\x1b[K{said[:78]}", nl=False, err=True)

    def clear(self) -> None:
        """Take the line back."""
        self("")


def main() -> int:
    """Run what is asked for; return 1 where a promise is broken."""
    asked = _parsed(sys.argv[1:])
    if not Path("/proc/self/fd").exists():
        click.echo("faults: there is no /proc here, by which daemons are counted.", err=True)
        click.echo("  next: run it on Linux", err=True)
        return 2
    signal.signal(signal.SIGALRM, _late)
    teller = Teller(sys.stderr.isatty())
    chosen = [one for one in FAULTS if asked.only in one.name or asked.only in one.group]
    native = asked.shim == "native"
    click.echo(f"Hooks start the {asked.shim} shim.", err=True)
    rows = [
        _tried(one, f"{number}/{len(chosen)}", native, teller)
        for number, one in enumerate(chosen, 1)
    ]
    if asked.rounds and (not asked.only or asked.only in ROUNDS):
        rows.append(_rounds(asked.rounds, asked.seed, teller))
    teller.clear()
    click.echo(table(rows))
    broken = [row for row in rows if row.state == "broken"]
    skipped = sum(row.state == "elsewhere" for row in rows)
    click.echo(f"\n{len(rows)} faults, {len(broken)} promises broken, {skipped} not tried here.")
    if not asked.only:
        PAGE.write_text(page(rows), "utf-8")
        click.echo("docs/reference/faults.md is written.")
    return bool(broken)


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="faults", description=__doc__)
    parser.add_argument("--only", default="", metavar="WORDS", help="faults whose name has these")
    parser.add_argument(
        "--shim",
        choices=("bash", "native"),
        default="native" if compiler() else "bash",
        help="what hooks start; default: native where a compiler is",
    )
    parser.add_argument("--rounds", type=int, default=500, help="rounds of kill -9; 0: none")
    seed = random.SystemRandom().randrange(10**6)
    parser.add_argument("--seed", type=int, default=seed, help="of the rounds; printed")
    return parser.parse_args(arguments)


def _tried(fault: Fault, place: str, native: bool, teller: Teller) -> Row:
    teller(f"{place} {fault.name}")

    def bring() -> Told:
        with scene(fault.name, native=native) as here:
            told = fault.bring(here)
            here.all_is_well() if here.answered else None
            return told

    return _row(fault.group, fault.name, bring, LIMIT)


def _rounds(count: int, seed: int, teller: Teller) -> Row:
    teller(f"rounds of kill -9, seed {seed}")
    return _row("under load", ROUNDS, Rounds(count, seed, teller).run, OVERALL)


def _row(group: str, name: str, bring: Callable[[], Told], limit: int) -> Row:
    """Return what came of it. An error of any kind is a broken promise."""
    began = time.monotonic()
    signal.alarm(limit)
    try:
        told = bring()
    except ElsewhereError as reason:
        return Row(group, name, f"not tried here: {reason}", None, "", "elsewhere", 0)
    except Exception as error:  # noqa: BLE001 - the others are to be tried all the same
        why = f"BROKEN: {_first(error)}"
        click.echo(f"{name}: {why}; {evidence.place_of(error)}", err=True)
        return Row(group, name, why, None, "", "broken", time.monotonic() - began)
    finally:
        signal.alarm(0)
    took = time.monotonic() - began
    return Row(group, name, told.happened, told.seconds, told.lost, "kept", took)


def _first(error: Exception) -> str:
    """Return what is wrong in a line: what a check says, or the check itself."""
    line = traceback.extract_tb(error.__traceback__)[-1].line or ""
    said = str(error) if isinstance(error, AssertionError) else repr(error)
    return said.splitlines()[0] if said else line


def _late(*_: object) -> None:
    raise TimeoutError("it took too long")


if __name__ == "__main__":
    os.environ.pop("HOOKD_HOME", None)
    sys.exit(main())
