"""Programs of this hookd: a check runs only these, whatever programs settings name.

A project's settings come with its clone, may name any program, and the clone may not be trusted. A
trial runs only programs that `hookd install` would register.
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
from hookd.core.model.shim_paths import ALONE, COLD, NATIVE, SHIM, is_scope


def foreign_program(hook: Hook, project: Path) -> str:
    """Return the foreign program that an entry names, "" if all are hookd's own."""
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

    Each installation has a separate folder for its interpreter, under any name.
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
    """Return whether a file is the packaged shim, and so are the files beside it.

    Raise OSError if one of them cannot be read.
    """
    return not differing(place)


def differing(place: str) -> dict[Path, bool]:
    """Return which of a shim and the files beside it differ from the package's.

    The value is whether the end of the file is missing. Raise OSError if one cannot be read.
    """
    found = dict[Path, bool]()
    for name in (SHIM, COLD, ALONE):
        file = Path(place) if name == SHIM else Path(place).with_name(name)
        content, whole = file.read_bytes(), (PACKAGED / name).read_bytes()
        if content != whole:
            found[file] = whole.startswith(content)
    return found


def is_chosen(named: str, project: Path) -> bool:
    """Return whether `hookd install` would choose a transport here, given as `KIND:/path`."""
    kind, _, program = named.partition(":")
    ours = transport.interpreters() if kind == "python3" else []
    return _is_chosen(program, kind, ours, project)


def _is_link(program: str) -> bool:
    """Return whether a path is a link of one of our scope folders to a shim beside it."""
    shims = os.path.realpath(paths.paths().shims)
    scope = os.path.realpath(Path(program).parent)
    inside = is_scope(Path(scope).name) and str(Path(scope).parent) == shims
    real = os.path.realpath(program)
    return inside and real in (os.path.realpath(f"{shims}/{name}") for name in (SHIM, NATIVE))


def _is_shim(program: str) -> bool:
    place = _place(program)
    shims = paths.paths().shims
    # A link from another folder would read the files of that folder.
    there = os.path.realpath(Path(place).parent) == os.path.realpath(shims)
    if there and os.path.realpath(place) == os.path.realpath(shims / SHIM):
        return True
    try:
        return is_packaged(place)
    except OSError:
        return False


def _is_chosen(program: str, name: str, ours: list[str], project: Path) -> bool:
    """Return whether a program is one of `ours`, or has this name in a folder of the PATH.

    The name matters: another program would interpret the same arguments differently.
    """
    place = _place(program)
    real, folder = os.path.realpath(place), os.path.realpath(Path(place).parent)
    if real in map(os.path.realpath, ours):
        return True
    searched = filter(os.path.isabs, paths.search_path().split(os.pathsep))
    known = Path(place).name == name and folder in map(os.path.realpath, searched)
    return known and not (_inside(real, project) or _inside(folder, project) or refusal(place))


def _inside(path: str, project: Path) -> bool:
    """Return whether a path is in the project. A folder around the home is no clone."""
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
