"""The home of git as a program: what it prints, within its time, and without programs of others."""

import os
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path

from hookd import paths
from hookd.cli.lib.errors import Problem

_PATIENCE = 120
"""Seconds that git may take: adding a large tree takes its time."""

_HARMLESS = (
    *("--no-pager", "--no-optional-locks"),
    *("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "gc.auto=0"),
)
"""What keeps git from running hooks, and from tidying up, beside what it is asked for."""


_OUTSIDE = ("not a git repository", "must be run in a work tree")


def git(folder: Path, *words: str, env: Mapping[str, str] | None = None) -> str:
    """Return what git prints, without the last newline. Raise Problem where it fails."""
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
            out, said = _spoken(process)
    except FileNotFoundError:
        raise Problem("There is no git on the PATH.", "install git") from None
    if process.returncode:
        raise Problem(f"git {words[0]} failed: {_why(said, process.returncode)}", f"see {folder}")
    return out.removesuffix("\n")


def _spoken(process: subprocess.Popen[bytes]) -> tuple[str, str]:
    try:
        out, said = process.communicate(timeout=_PATIENCE)
    except BaseException as error:
        os.killpg(process.pid, signal.SIGKILL)  # and whatever it has started
        if isinstance(error, subprocess.TimeoutExpired):
            sentence = f"git took longer than {_PATIENCE} s, and was ended."
            raise Problem(sentence, "see that no large folder is unignored: git status") from None
        raise
    return os.fsdecode(out), said.decode("utf-8", "replace")


def _why(said: str, code: int) -> str:
    """Return what git gives as its reason; there may be warnings before it."""
    lines = said.strip().splitlines() or [f"exit code {code}"]
    reasons = (line for line in lines if line.startswith(("fatal: ", "error: ")))
    return next(reasons, lines[0]).removeprefix("fatal: ").removeprefix("error: ")


def top(folder: Path) -> Path:
    """Return the top of the working tree that a folder is in. Raise Problem outside of any."""
    try:
        inside = git(folder, "rev-parse", "--show-toplevel")
    except Problem as problem:
        if any(word in problem.message for word in _OUTSIDE):
            sentence = f"{folder} is in no working tree of git: checkpoints are kept by git."
            raise Problem(sentence, "go into one, or make one: git init") from None
        raise
    return Path(inside)
