"""`make fuzz`: all property tests, round after round, each with more examples and another seed.

FUZZ_MINUTES bounds it (5), SEED makes it the same again. It ends with the first round that fails,
and with a line that reproduces what failed.
"""

import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
ROUNDS = (20, 100, 500)
"""Examples of each property in the first rounds; all later ones have as many as the last."""

_FAILED = re.compile(r"(?m)^(?:FAILED|ERROR) (\S+)")


def main() -> int:
    """Run rounds until the time is up; return the exit code."""
    minutes = float(os.environ.get("FUZZ_MINUTES") or 5)
    seed = int(os.environ.get("SEED") or random.SystemRandom().randrange(2**31))
    click.echo(f"fuzz: {minutes:g} minutes, SEED={seed}")
    began = time.monotonic()
    end, number, ran = began + 60 * minutes, 0, 0
    names: set[str] = set()
    while time.monotonic() < end:
        examples = ROUNDS[min(number, len(ROUNDS) - 1)]
        code, said, told = _round(seed + number, examples, end)
        counts = [int(line.partition("\t")[0]) for line in told]
        names |= {line.partition("\t")[2] for line in told}
        ran += sum(counts)
        after = time.monotonic() - began
        click.echo(
            f"round {number + 1}, seed {seed + number}: {len(told)} properties, up to {examples}"
            f" examples each, {sum(counts)} in all, after {after:.0f} s",
        )
        if code:
            return _failed(said, seed + number, examples)
        number += 1
    click.echo(f"ok: {ran} examples of {len(names)} properties in {number} rounds, nothing failed")
    return 0


def _round(seed: int, examples: int, end: float) -> tuple[int, str, list[str]]:
    """Run one round; return its exit code, what pytest said, and a line for each test."""
    with tempfile.TemporaryDirectory(prefix="hkf", dir="/tmp") as folder:
        told = Path(folder, "told")
        told.touch()
        wanted = {"FUZZ_SEED": str(seed), "FUZZ_END": str(end), "FUZZ_TOLD": str(told)}
        wanted |= {"FUZZ_EXAMPLES": str(examples), "HYPOTHESIS_PROFILE": "fuzz"}
        done = subprocess.run(
            _command(seed),
            cwd=ROOT,
            env=os.environ | wanted | {"PYTHONPATH": str(HERE.parent)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        # Code 2: the time was up, unless something has failed before.
        failed = done.returncode not in (0, 2) or bool(_FAILED.search(done.stdout))
        return int(failed), done.stdout, told.read_text("utf-8").splitlines()


def _command(seed: int) -> list[str]:
    asked = ["-m", "hypothesis", f"--hypothesis-seed={seed}", "-p", "fuzz.fuzz_round"]
    return [sys.executable, "-m", "pytest", "-q", "-x", "--no-header", "--tb=short", *asked]


def _failed(said: str, seed: int, examples: int) -> int:
    click.echo(said)
    for name in dict.fromkeys(_FAILED.findall(said)):
        click.echo("reproduce it with:")
        click.echo(
            f"  HYPOTHESIS_PROFILE=fuzz FUZZ_EXAMPLES={examples} FUZZ_SEED={seed} FUZZ_END=1e18"
            f" FUZZ_TOLD=/dev/null PYTHONPATH=tests {sys.executable} -m pytest -p fuzz.fuzz_round"
            f" --hypothesis-seed={seed} '{name}'"
        )
    click.echo("or put the @reproduce_failure line above over the test, where there is one.")
    return 1


if __name__ == "__main__":
    sys.exit(main())
