"""The Homebrew formula: one resource for each locked package, with a digest of the lock file."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.paths import ROOT

SCRIPT = ROOT / "packaging" / "homebrew_formula.py"
FORMULA = ROOT / "packaging" / "homebrew" / "hookd.rb"


def check(tree: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, tree / "packaging" / SCRIPT.name, "--check"]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of what the check reads."""
    for name in ("packaging/homebrew/hookd.rb", "requirements/release.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    shutil.copy(SCRIPT, tmp_path / "packaging")
    return tmp_path


def test_it_is_of_the_lock_file() -> None:
    done = check(ROOT)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("/click-", "/click-0.", "click is not "),
        ('resource "click"', 'resource "clack"', "click is missing; clack is not locked"),
        ('sha256 "', 'sha256 "0000', "aiosqlite is missing"),
    ],
)
def test_what_differs_is_named(tree: Path, old: str, new: str, said: str) -> None:
    formula = tree / "packaging" / "homebrew" / "hookd.rb"
    formula.write_text(formula.read_text("ascii").replace(old, new), "ascii")
    done = check(tree)
    assert done.returncode == 1
    assert said in done.stdout
    assert "next: make formula" in done.stdout


def test_another_digest_is_noticed(tree: Path) -> None:
    lock = tree / "requirements" / "release.txt"
    lock.write_text(lock.read_text("ascii").replace("sha256:", "sha256:0"), "ascii")
    assert check(tree).returncode == 1


@pytest.mark.slow
def test_it_is_ruby() -> None:
    if not (ruby := shutil.which("ruby")):
        pytest.skip("ruby is not installed")
    done = subprocess.run([ruby, "-c", FORMULA], capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
