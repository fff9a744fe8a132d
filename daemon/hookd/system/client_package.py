"""Version of a client by the package that its process runs.

A client from the npm registry has a `package.json` above its program, or above the script that its
interpreter runs. Homebrew, and Codex's own updates, have the version in the path of a program.
"""

import json
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

from hookd.core.model.client_process import NAMES, Process, of_package, script_of
from hookd.lazy_pattern import lazy_compile
from hookd.system import ancestry

_VERSION = lazy_compile(
    r"[0-9]{1,5}\.[0-9]{1,5}\.[0-9]{1,5}(?:-(?:alpha|beta|rc|preview|nightly|canary|dev)[\w.]{0,40})?"
)
"""A version without the platform that a package for one platform appends: `0.169.0-linux-x64`."""

_CELLARS = frozenset({"Cellar", "Caskroom"})
_RELEASES = "releases"
"""Folder with one folder for each version, named after it and the platform."""
_HIGHEST = 8
"""Folders above a program in which its package is searched."""

_MAX_BYTES = 262_144


def client_version(process_id: str) -> str | None:
    """Return the version of the client that runs as this process, `PID:START`; None if unknown."""
    pid = process_id.partition(":")[0]
    process = ancestry.read(int(pid)) if pid.isascii() and pid.isdigit() else None
    if process is None or process.id != process_id:
        return None
    versions = (program_version(path) for path in _programs(process))
    return next(filter(None, versions), None)


def program_version(program: Path) -> str | None:
    """Return the version of a client by the resolved path of its program; None if unknown."""
    folders = program.parents[:_HIGHEST]
    packages = filter(None, map(_version_in, folders))
    return _in_cellar(program) or _in_releases(program) or next(packages, None)


def _programs(process: Process) -> Iterator[Path]:
    """Yield the script that a process runs, and its program, links resolved."""
    with suppress(OSError, RuntimeError):
        if script := script_of(process):
            yield (_folder(process) / script).resolve(strict=True)
    if process.program:
        yield Path(process.program.removesuffix(" (deleted)"))


def _folder(process: Process) -> Path:
    """Return the folder that a process runs in. Raise OSError if that cannot be read."""
    with suppress(OSError):
        return Path(f"/proc/{process.pid}/cwd").readlink()
    return Path("/")


def _in_cellar(program: Path) -> str | None:
    """Return the version in a path of Homebrew: `Cellar/codex/0.169.0/bin/codex`."""
    parts = program.parts
    for place, formula, version in zip(parts, parts[1:], parts[2:], strict=False):
        if place in _CELLARS and formula in NAMES:
            return _read(version)
    return None


def _in_releases(program: Path) -> str | None:
    """Return the version in a path of Codex's own: `releases/0.169.0-x86_64-.../bin/codex`."""
    if program.name not in NAMES:
        return None
    parts = program.parts
    found = (_read(one) for place, one in pairwise(parts) if place == _RELEASES)
    return next(filter(None, found), None)


def _version_in(folder: Path) -> str | None:
    """Return the version in the `package.json` of a client, None if there is none."""
    try:
        with (folder / "package.json").open("rb") as file:
            found = json.loads(file.read(_MAX_BYTES))
    except (OSError, ValueError, RecursionError):
        return None
    name, version = (found.get("name"), found.get("version")) if isinstance(found, dict) else (0, 0)
    if not (isinstance(name, str) and isinstance(version, str) and of_package(name)):
        return None
    return _read(version)


def _read(version: str) -> str | None:
    found = _VERSION.match(version)
    return found[0] if found else None
