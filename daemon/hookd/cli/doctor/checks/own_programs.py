"""Programs that are hookd's own: only those are run, whatever else settings name.

A project's settings come with its clone and may name any program, and nobody has said yet that the
clone is trusted. What `hookd install` would write there is all that a trial may start.
"""

import os
import shutil
import sys
from pathlib import Path

from hookd import paths
from hookd.cli.doctor.checks.hook_entries import Hook
from hookd.cli.install.shims import PACKAGED
from hookd.cli.lib import transport
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.program_search import refusal
from hookd.core.model.shim_paths import SHIM, START, is_scope


def stranger(hook: Hook, project: Path) -> str:
    """Return what an entry names that is not hookd's own, or nothing."""
    shim, hookd = hook.words[0], hook.option("--hookd")
    if not (_is_link(shim) if hook.linked else _is_shim(shim)):
        return f"{shim}, a program that is not hookd's shim"
    for named in dict.fromkeys((*hook.transports, hook.option("--transport"))):
        if named and not is_chosen(named, project):
            return f"the transport {named}, which hookd install would not choose"
    if hookd and not _is_chosen(hookd, "hookd", _hookd(), project):
        return f"{hookd}, a program that is not this hookd"
    return ""


def other_python(program: str) -> str:
    """Return the interpreter of this hookd if another one's is given, "" if it is the same one.

    An installation has its interpreter in a folder of its own, under any of its names.
    """
    mine = Path(sys.executable).absolute()
    same = os.path.realpath(Path(program).parent) == os.path.realpath(mine.parent)
    return "" if same else str(mine)


def other_hookd(program: str) -> str:
    """Return the program of this hookd if another one is given, "" if it is the same one."""
    mine = _hookd()
    real = os.path.realpath(program)
    return "" if real in map(os.path.realpath, mine) else "".join(mine)


def is_packaged(place: str) -> bool:
    """Say whether a file is the shim as it is shipped, and so is what it reads from beside it.

    Raise OSError where one of them cannot be read.
    """
    found = (Path(place), Path(place).with_name(START))
    shipped = (PACKAGED / SHIM, PACKAGED / START)
    return all(a.read_bytes() == b.read_bytes() for a, b in zip(found, shipped, strict=True))


def is_chosen(named: str, project: Path) -> bool:
    """Return whether `hookd install` would choose a transport here, given as `KIND:/path`."""
    kind, _, program = named.partition(":")
    ours = transport.interpreters() if kind == "python3" else []
    return _is_chosen(program, kind, ours, project)


def _is_link(program: str) -> bool:
    """Return whether a path is a link of one of our scope folders to the shim beside it."""
    shims = os.path.realpath(paths.paths().shims)
    scope = os.path.realpath(Path(program).parent)
    inside = is_scope(Path(scope).name) and str(Path(scope).parent) == shims
    return inside and os.path.realpath(program) == os.path.realpath(f"{shims}/{SHIM}")


def _is_shim(program: str) -> bool:
    place = _place(program)
    shims = paths.paths().shims
    # A link from elsewhere would read what stands beside the link.
    there = os.path.realpath(Path(place).parent) == os.path.realpath(shims)
    if there and os.path.realpath(place) == os.path.realpath(shims / SHIM):
        return True
    try:
        return is_packaged(place)
    except OSError:
        return False


def _is_chosen(program: str, name: str, ours: list[str], project: Path) -> bool:
    """Return whether a program is one of `ours`, or has this name in a folder of the PATH.

    The name matters: another program of the system would take the same words for other things.
    """
    place = _place(program)
    real, folder = os.path.realpath(place), os.path.realpath(Path(place).parent)
    if real in map(os.path.realpath, ours):
        return True
    searched = (one for one in paths.search_path().split(os.pathsep) if Path(one).is_absolute())
    known = Path(place).name == name and folder in map(os.path.realpath, searched)
    return known and not (_inside(real, project) or _inside(folder, project) or refusal(place))


def _inside(path: str, project: Path) -> bool:
    """Say whether a path is the project's. What holds the home folder is no clone."""
    root = Path(os.path.realpath(project))
    home = Path(os.path.realpath(Path.home()))
    return Path(path).is_relative_to(root) and not home.is_relative_to(root)


def _place(program: str) -> str:
    return shutil.which(program, path=paths.search_path()) or program


def _hookd() -> list[str]:
    try:
        return [str(transport.hookd())]
    except Problem:
        return []
