"""`make mutants`: breaks each promise by one line; a test has to fail each time.

Every mutant is made in a copy of the project with a virtual environment of its own, so the working
tree stays as it is. Exit code 1: a mutant was not noticed, or the unchanged copy fails.
"""

import argparse
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import venv
from collections.abc import Iterable
from pathlib import Path

import click

from mutants.lines import MUTANTS, ROOT, Mutant

COPIED = ("daemon", "tests", "examples", "docs", "pyproject.toml", "README.md", "Makefile")
LIMIT = 300
"""Seconds that the tests of one mutant may take; a mutant that hangs them was noticed."""
_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)


def main() -> int:
    """Run the chosen mutants; return 1 where one was not noticed."""
    asked = _parsed()
    chosen = [one for one in MUTANTS if asked.only in one.promise]
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        python = _copy(Path(folder))
        click.echo("the unchanged copy ...", nl=False)
        if failed := _failing(Path(folder), python, {one for each in chosen for one in each.tests}):
            click.echo(f" fails: {failed}")
            return 1
        click.echo(" passes")
        unnoticed = [one for one in chosen if not _noticed(Path(folder), python, one)]
    click.echo(f"\n{len(chosen)} mutants, {len(unnoticed)} not noticed.")
    return bool(unnoticed)


def _parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="mutants", description=__doc__)
    parser.add_argument("--only", default="", metavar="WORDS", help="promises with these words")
    return parser.parse_args()


def _copy(folder: Path) -> Path:
    """Copy the project; return the interpreter of an environment that imports the copy."""
    for name in COPIED:
        source, target = ROOT / name, folder / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, target)
    for link in ("schema.sql", "shims"):
        (folder / link).symlink_to((ROOT / link).readlink())
    (folder / ".ci").mkdir()
    venv.create(folder / ".venv", symlinks=True)
    bin_, here = folder / ".venv" / "bin", sysconfig.get_paths()["purelib"]
    (site,) = (folder / ".venv" / "lib").glob("python*/site-packages")
    # A path file of its own: the one of the editable install would import the working tree.
    (site / "mutants.pth").write_text(f"{folder / 'daemon'}\n{here}\n")
    for tool in ("shellcheck",):
        (bin_ / tool).symlink_to(Path(sys.executable).with_name(tool))
    program = bin_ / "hookd"
    program.write_text(f"#!{bin_ / 'python'}\nfrom hookd.cli import main\n\nmain()\n")
    program.chmod(0o755)
    return bin_ / "python"


def _noticed(folder: Path, python: Path, mutant: Mutant) -> bool:
    path = folder / mutant.file
    text, began = path.read_text("utf-8"), time.monotonic()
    path.write_text(text.replace(mutant.line, mutant.instead), "utf-8")
    try:
        failed = _failing(folder, python, mutant.tests)
    finally:
        path.write_text(text, "utf-8")
    verdict = f"noticed by {failed}" if failed else "NOT NOTICED"
    click.echo(f"{mutant.promise}: {verdict} ({time.monotonic() - began:.0f} s)")
    return bool(failed)


def _failing(folder: Path, python: Path, tests: Iterable[str]) -> str:
    """Return the first test that fails, "" where all pass."""
    command = [python, "-m", "pytest", "-q", "-x", "-n", "2", "-p", "no:cacheprovider", "-m", ""]
    try:
        done = subprocess.run(
            [*command, *sorted(tests)],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "a test that took too long"
    if not done.returncode:
        return ""
    found = _FAILED.search(done.stdout)
    return found[1] if found else (done.stdout + done.stderr).strip()[-300:]


if __name__ == "__main__":
    sys.exit(main())
