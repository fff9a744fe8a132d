"""Native shim in the data folder: the record of its build, and whether registered hooks can run.

`hookd install` writes the record beside the program. Standard library only: the daemon and the
command line use this.
"""

import fcntl
import hashlib
import json
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, fields, replace
from pathlib import Path

from hookd.core.model.shim_paths import ALONE, COLD, NATIVE, SHIM, is_scope
from hookd.events.protocol import EVENTS
from hookd.lazy_dataclass import dataclass

RECORD = f"{NATIVE}.json"
"""File name of the record, beside the program."""

READY = "prebuilt"
"""In the record: the program came with the package."""

STEP = "hookd install"
"""The command that builds the native shim again, or registers the one of bash."""


_POLL_S = 0.05


class BusyError(Exception):
    """Another process is changing the shims' folder."""


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
    """Return by scope the file name of the shim that its events start, `mixed` if they differ."""
    found = dict[str, str]()
    for link, name in _links(shims):
        if link.name in EVENTS:
            scope = link.parent.name
            found[scope] = name if found.get(scope, name) == name else "mixed"
    return found


def kinds(shims: Path) -> dict[str, str]:
    """Return by scope what hooks start: `native`, `bash`, `mixed`, or another file's name."""
    words = {NATIVE: "native", SHIM: "bash"}
    return {scope: words.get(name, name) for scope, name in registered(shims).items()}


def leads_to_native(shims: Path) -> bool:
    """Return whether any link of any scope leads to the native shim."""
    return any(name == NATIVE for _, name in _links(shims))


@contextmanager
def locked(shims: Path, seconds: float = 0) -> Iterator[None]:
    """Hold the lock of the shims' folder, for which this waits up to `seconds`.

    Raise BusyError if another process holds it, OSError if there is no such folder.
    """
    end = time.monotonic() + seconds
    while True:
        number = os.open(shims, os.O_RDONLY | os.O_DIRECTORY)
        try:
            # Its holder may have removed the folder, and another one may be in its place.
            if _locked(number) and os.path.samestat(os.fstat(number), shims.stat()):
                yield
                return
        finally:
            os.close(number)
        if time.monotonic() >= end:
            raise BusyError
        time.sleep(_POLL_S)


def problem(shims: Path) -> str:
    """Return what is wrong with the programs that hooks start, as a clause; "" if nothing is.

    It is read from the files; only a trial shows whether a program runs.
    """
    if why := damage(shims):
        return why
    build = read(shims)
    return build.why if build and build.program else ""


def damage(shims: Path) -> str:
    """Return why hooks cannot rely on the programs that links lead to, as a clause; "" if they can.

    The native shim passes events to the shim of bash, and that reads the files beside it.
    """
    links = list(_links(shims))
    if not links:
        return ""
    programs = {SHIM, *(name for _, name in links)}
    programs.update(link.name for link, _ in links if link.name not in EVENTS)
    for name in sorted(programs):
        if why := _unusable(shims / name, os.X_OK):
            return f"{name} {why}"
    for name in _sourced(shims):
        if why := _unusable(shims / name, os.R_OK):
            return f"{name} {why}"
    return unfit(shims) if NATIVE in programs else ""


def avoid(shims: Path, why: str) -> None:
    """Have all hooks start the shim of bash, and record why. Raise OSError if that fails.

    The record comes first: if a link cannot be changed, the reason is known still.
    """
    if not _unusable(shims / SHIM, os.X_OK):
        build = replace(read(shims) or Build(program="lost"), why=f"{why}, so hooks start {SHIM}")
        made = shims / f".{RECORD}.{os.getpid():08}"
        made.write_bytes(text(build))
        made.replace(shims / RECORD)
        lead_to_bash(shims)


def lead_to_bash(shims: Path) -> bool:
    """Have the links of every scope that lead to the native shim lead to that of bash instead.

    Return whether there were any. Raise OSError if one cannot be changed.
    """
    found = [link for link, name in _links(shims) if name == NATIVE]
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
    """Yield every scope's links of events and the status line, with the file name of the target."""
    for scope in _scopes(shims):
        with suppress(OSError):
            for one in sorted(scope.iterdir()):
                if one.is_symlink() and (one.name in EVENTS or one.name.startswith("hookd-")):
                    yield one, one.readlink().name


def _locked(number: int) -> bool:
    """Lock an open folder; return False if another process has. Some file systems have no locks."""
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def _sourced(shims: Path) -> list[str]:
    """Return the files that the installed shim of bash reads: an older one may read none."""
    text = b""
    for name in (SHIM, COLD):
        with suppress(OSError):
            text += (shims / name).read_bytes()
    return [name for name in (COLD, ALONE) if name.encode() in text]


def _scopes(shims: Path) -> list[Path]:
    try:
        found = sorted(shims.iterdir())
    except OSError:
        return []
    return [one for one in found if is_scope(one.name) and one.is_dir() and not one.is_symlink()]


def _unusable(program: Path, access: int) -> str:
    try:
        found = program.stat()
    except OSError:
        return "is not there"
    if not stat.S_ISREG(found.st_mode) or not os.access(program, access):
        return "is not executable" if access == os.X_OK else "cannot be read"
    if found.st_uid not in (0, os.geteuid()):
        return "belongs to another user"
    return "" if found.st_size else "is empty"
