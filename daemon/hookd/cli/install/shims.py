"""The shims that `hookd install` copies to the data folder, and `uninstall` removes."""

import re
import shlex
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from hookd import paths
from hookd.cli.install import options, settings_file
from hookd.cli.lib.errors import Problem
from hookd.clients.claude_code import registration
from hookd.core.model.shim_paths import SHIM, START

PACKAGED = Path(__file__).parents[2] / "shims"
"""The shims as the package ships them."""

NAMES = re.compile(rb"hookd-hook|/shims/(?:hookd-|(?:user|project|local|file)(?:-[0-9a-f]{8})?/)")
"""A shim in the text of settings: in the older form, or by a scope's folder."""


def shipped(*more: str) -> list[Path]:
    """Return the shims of the package, the hook's own last: it reads what stands beside it.

    Raise Problem where one that all need, or one of `more`, did not come.
    """
    for name in (SHIM, START, *more):
        if not (PACKAGED / name).is_file():
            raise Problem(
                f"This hookd came without its {name}.", "Install the package hookd again."
            )
    files = (file for file in PACKAGED.iterdir() if file.is_file())
    return sorted(files, key=lambda file: (file.name == SHIM, file.name))


def copy(files: list[Path]) -> bool:
    """Put the shims where an upgrade of the package leaves them alone; say if one was renewed."""
    folder = paths.paths().shims
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)
    renewed = False
    for source in files:
        target, content = folder / source.name, source.read_bytes()
        old = settings_file.contents(target)
        if old != content or target.stat().st_mode & 0o777 != 0o755:
            settings_file.replace(target, old, content, 0o755)
            renewed = True
    return renewed


def outdated() -> list[Path]:
    """Return the installed shims that are not those of this package, such as an older version's."""
    found = []
    for target in sorted(paths.paths().shims.glob("hookd-*")):
        shipped_file = PACKAGED / target.name
        with suppress(OSError):
            if shipped_file.is_file() and target.read_bytes() != shipped_file.read_bytes():
                found.append(target)
    return found


def remove(settings: Iterable[Path]) -> str | None:
    """Remove the installed shims, unless one of the settings files still names one."""
    folder = paths.paths().shims
    # A linked folder is not of our making: behind it may stand the only copy.
    if folder.is_symlink() or not folder.is_dir():
        return None
    if naming := [path for path in dict.fromkeys(settings) if names_shims(path)]:
        return f"kept: {'; '.join(map(_named_in, naming))}"
    for shim in folder.glob("hookd-*"):
        shim.unlink()
    with suppress(OSError):
        folder.rmdir()
    return "removed"


def _named_in(settings: Path) -> str:
    """Return which entries of a settings file name the shims, and the command that removes them."""
    try:
        document = settings_file.read(settings)
        events = registration.registered(document.value)
    except (Problem, registration.ShapeError, RecursionError, OSError):
        return f"{settings} cannot be read, and may name them"
    if events:
        step = shlex.join(["hookd", "uninstall", "--settings", str(settings)])
        return f"{settings} names them in its hooks, {options.events_text(events)} ({step})"
    raw = document.raw or b""
    lines = dict.fromkeys(raw.count(b"\n", 0, one.start()) + 1 for one in NAMES.finditer(raw))
    return f"{settings} names them, line {', '.join(map(str, lines))}"


def names_shims(settings: Path) -> bool:
    """Return whether a settings file names a shim, or cannot be read."""
    try:
        return bool(NAMES.search(settings.read_bytes()))
    except FileNotFoundError:
        return False
    except OSError:
        # What cannot be read may name them.
        return True
