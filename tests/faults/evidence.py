"""Evidence of a broken promise: logs, database and the times of every hook, in `.faults/`."""

import re
import shutil
import traceback
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from support.home import Home

FOLDER = Path(__file__).parents[2] / ".faults"
"""Ignored by git; one folder for each promise, replaced by the next run that breaks it."""


def keep(home: Home, name: str, error: BaseException, timeline: Iterable[str]) -> None:
    """Copy what `home` holds, with the error, the timeline and the processes that use it.

    The folder is added to the error as a note.
    """
    target = FOLDER / re.sub(r"\W+", "-", name).strip("-")
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    error.add_note(f"evidence: {target}")
    (target / "error.txt").write_text("".join(traceback.format_exception(error)), "utf-8")
    (target / "timeline.txt").write_text("\n".join(timeline) + "\n", "utf-8")
    (target / "processes.txt").write_text("\n".join(_processes(str(home.path))) + "\n", "utf-8")
    for source in sorted(home.path.rglob("*")):
        if source.is_file() and not source.is_symlink():
            copy = target / "home" / source.relative_to(home.path)
            copy.parent.mkdir(parents=True, exist_ok=True)
            with suppress(OSError):  # it may be what was made unreadable
                shutil.copy2(source, copy)


def place_of(error: BaseException) -> str:
    """Return where the evidence of an error is, "" where there is none."""
    return next((note for note in getattr(error, "__notes__", ()) if "evidence: " in note), "")


def _processes(home: str) -> Iterable[str]:
    """Yield pid, state and command line of each process that names the home or has it open."""
    for process in Path("/proc").iterdir():
        if not process.name.isdecimal():
            continue
        with suppress(OSError):
            line = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            links = (str(link.readlink()) for link in (process / "fd").iterdir())
            held = [link for link in links if home in link]
            if held or home in line:
                state = (process / "stat").read_text().rpartition(")")[2].split()[0]
                yield f"{process.name} {state} {line} {' '.join(held)}"
