"""Native shim in the data folder: the record of its build, and whether registered hooks can run.

`hookd install` writes the record beside the program. Standard library only: the daemon and the
command line use this.
"""

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, fields, replace
from pathlib import Path

from hookd.core.model.shim_paths import NATIVE, SHIM, is_scope
from hookd.events.protocol import EVENTS
from hookd.lazy_dataclass import dataclass

RECORD = f"{NATIVE}.json"
"""File name of the record, beside the program."""

READY = "prebuilt"
"""In the record: the program came with the package."""

STEP = "hookd install"
"""The command that builds the native shim again, or registers the one of bash."""


@dataclass(frozen=True)
class Build:
    """How the native shim was made, and why it is not used, "" if it is.

    `how` is the compiler with its important option, or `prebuilt`; `compiler` is its path.
    `source` and `program` are SHA-256 digests; `program` is "" if none could be made. `machine` is
    the result of `machine()`.
    """

    how: str = ""
    compiler: str = ""
    source: str = ""
    program: str = ""
    machine: str = ""
    version: str = ""
    why: str = ""


def made_by(how: str) -> str:
    """Return in words how a native shim was made."""
    return "prebuilt in the package" if how == READY else f"compiled by {how}"


def machine() -> str:
    """Return the system and the architecture of this machine, such as `Linux x86_64`."""
    here = os.uname()
    return f"{here.sysname} {here.machine}"


def digest(file: Path) -> str:
    """Return the SHA-256 of a file, "" if it cannot be read."""
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError:
        return ""


def read(shims: Path) -> Build | None:
    """Return the record in the shims' folder; None without a readable one."""
    try:
        value = json.loads((shims / RECORD).read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    known = {one.name: value.get(one.name, "") for one in fields(Build)}
    return Build(**known) if all(isinstance(text, str) for text in known.values()) else None


def text(build: Build) -> bytes:
    """Return the content of the record's file."""
    return json.dumps(asdict(build), indent=1).encode() + b"\n"


def registered(shims: Path) -> dict[str, str]:
    """Return by scope the file name of the shim that its links lead to."""
    return {scope.name: Path(target).name for scope, target in _links(shims)}


def problem(shims: Path) -> str:
    """Return what is wrong with the programs that hooks start, as a clause; "" if nothing is.

    It is read from the files; only a trial shows whether a program runs.
    """
    names = set(registered(shims).values())
    for name in sorted(names & {SHIM, NATIVE}):
        if why := _unusable(shims / name):
            return f"{name} {why}"
    if NATIVE in names:
        return unfit(shims)
    build = read(shims)
    return build.why if build and build.program else ""


def avoid(shims: Path, why: str) -> None:
    """Have all hooks start the shim of bash, and record why. Raise OSError if that fails."""
    if os.access(shims / SHIM, os.X_OK):
        lead_to_bash(shims)
        build = replace(read(shims) or Build(program="lost"), why=f"{why}, so hooks start {SHIM}")
        made = shims / f".{RECORD}.{os.getpid():08}"
        made.write_bytes(text(build))
        made.replace(shims / RECORD)


def lead_to_bash(shims: Path) -> bool:
    """Have the links of every scope that lead to the native shim lead to that of bash instead.

    Return whether there were any. Raise OSError if one cannot be changed.
    """
    found = [
        one
        for folder in _scopes(shims)
        for one in folder.iterdir()
        if one.is_symlink() and one.readlink().name == NATIVE
    ]
    for one in found:
        link(one, f"../{SHIM if one.name in EVENTS else one.name}")
    return bool(found)


def link(place: Path, target: str) -> bool:
    """Make a link atomically, over an existing file; return False if it exists already."""
    if place.is_symlink() and place.readlink() == Path(target):
        return False
    made = place.with_name(f".{place.name}.{os.getpid()}")
    made.unlink(missing_ok=True)
    made.symlink_to(target)
    try:
        made.replace(place)
    except OSError:
        made.unlink()
        raise
    return True


def unfit(shims: Path) -> str:
    """Return how the native shim differs from what was installed, as a clause; "" if it does not.

    A damaged program may fail at any call.
    """
    build = read(shims)
    if build is None or not build.program:
        return f"{RECORD} is missing or unreadable"
    if build.machine != machine():
        return f"{NATIVE} is made for {build.machine}, and this is {machine()}"
    if digest(shims / NATIVE) != build.program:
        return f"{NATIVE} was changed after its installation"
    return ""


def _links(shims: Path) -> Iterator[tuple[Path, str]]:
    """Yield each scope's folder with the target of its first link that is named after an event."""
    for scope in _scopes(shims):
        for name in EVENTS:
            with suppress(OSError):
                yield scope, str((scope / name).readlink())
                break


def _scopes(shims: Path) -> list[Path]:
    try:
        found = sorted(shims.iterdir())
    except OSError:
        return []
    return [one for one in found if is_scope(one.name) and one.is_dir() and not one.is_symlink()]


def _unusable(program: Path) -> str:
    if os.access(program, os.X_OK) and program.is_file():
        return ""
    return "is not executable" if program.exists() else "is not there"
