"""Builds of hookd to measure: this tree, and an older commit in an environment of its own."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

KEPT = ROOT / ".bench"
"""What is downloaded and built for measurements; `make clean` removes it."""


class BuildError(Exception):
    """A commit is not there, or cannot be set up."""


@dataclass(frozen=True)
class Build:
    """One hookd: its tree, and the interpreter of the environment that has it."""

    name: str
    root: Path
    python: Path

    @property
    def hookd(self) -> Path:
        """Its command line."""
        return self.python.with_name("hookd")

    @property
    def shims(self) -> Path:
        """The folder of its shims."""
        return self.root / "daemon" / "hookd" / "shims"


THIS = Build("this tree", ROOT, Path(sys.executable))


def older(revision: str) -> Build:
    """Return the build of a commit, set up by the commit's own Makefile; it is kept.

    Raises BuildError with what git or make said.
    """
    commit = _run("git", "-C", str(ROOT), "rev-parse", "--verify", f"{revision}^{{commit}}")
    root = KEPT / commit[:12]
    if not root.exists():
        root.mkdir(parents=True)
        archive = root.with_suffix(".tar")
        _run("git", "-C", str(ROOT), "archive", "--output", str(archive), commit)
        _run("tar", "-x", "-f", str(archive), "-C", str(root))
        archive.unlink()
    print(f"setting up {commit[:12]} in {root.relative_to(ROOT)}", file=sys.stderr)
    _run("make", "-C", str(root), ".venv/bin/.ready")
    return Build(commit[:12], root, root / ".venv" / "bin" / "python")


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["it said nothing"]
        raise BuildError(f"{' '.join(command[:4])} failed: {lines[-1]}")
    return done.stdout.strip()
