"""Run git: its output, within a timeout, and without running hooks of the repository."""

import os
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path

from hookd import paths
from hookd.cli.lib.errors import Problem

_TIMEOUT_S = 120
"""Limit of one git command: adding a large tree is slow."""

_HARMLESS = (
    *("--no-pager", "--no-optional-locks"),
    *("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "gc.auto=0"),
)
"""Options that keep git from running hooks and its garbage collection."""


_OUTSIDE = ("not a git repository", "must be run in a work tree")


def git(folder: Path, *words: str, env: Mapping[str, str] | None = None) -> str:
    """Return the output of git, without the last newline. Raise Problem if it fails."""
    whole = {**paths.whole_environment(), "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", **(env or {})}
    pipe = subprocess.PIPE
    try:
        with subprocess.Popen(
            ("git", "-C", str(folder), *_HARMLESS, *words),
            stdin=subprocess.DEVNULL,
            stdout=pipe,
            stderr=pipe,
            env=whole,
            start_new_session=True,
        ) as process:
            out, error = _outputs(process)
    except FileNotFoundError:
        raise Problem("There is no git on the PATH.", "install git") from None
    if process.returncode:
        raise Problem(
            f"git {words[0]} failed: {_reason(error, process.returncode)}", f"see {folder}"
        )
    return out.removesuffix("\n")


def _outputs(process: subprocess.Popen[bytes]) -> tuple[str, str]:
    try:
        out, err = process.communicate(timeout=_TIMEOUT_S)
    except BaseException as error:
        os.killpg(process.pid, signal.SIGKILL)  # and its children
        if isinstance(error, subprocess.TimeoutExpired):
            sentence = f"git did not end within {_TIMEOUT_S} s and was killed."
            raise Problem(sentence, "see that no large folder is unignored: git status") from None
        raise
    return os.fsdecode(out), err.decode("utf-8", "replace")


def _reason(error: str, code: int) -> str:
    """Return the reason that git prints, without the warnings before it."""
    lines = error.strip().splitlines() or [f"exit code {code}"]
    reasons = (line for line in lines if line.startswith(("fatal: ", "error: ")))
    return next(reasons, lines[0]).removeprefix("fatal: ").removeprefix("error: ")


def top(folder: Path) -> Path:
    """Return the top of a folder's working tree. Raise Problem if it is in none."""
    try:
        inside = git(folder, "rev-parse", "--show-toplevel")
    except Problem as problem:
        if any(word in problem.message for word in _OUTSIDE):
            sentence = f"{folder} is not in a working tree of git, which checkpoints need."
            raise Problem(sentence, "cd to a working tree, or create one: git init") from None
        raise
    return Path(inside)
