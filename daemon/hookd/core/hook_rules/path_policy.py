"""Path policy: folders that hooks must not use, and folders that their programs must be in."""

import posixpath
from collections.abc import Iterable, Sequence

from hookd.core.hook_rules.model import Hook
from hookd.lazy_dataclass import dataclass
from hookd.shell.commands import read

_EXEMPT = ("/dev/null", "/var/folders", "/var/tmp")  # noqa: S108 - named, and never written to


@dataclass(frozen=True, slots=True)
class PathPolicy:
    """Paths for hooks: `blocked` folders, and `allowed` ones, which must contain the programs.

    Empty `allowed` means anywhere except in the blocked folders.
    """

    blocked: tuple[str, ...] = ("/etc", "/var", "/sys", "/proc", "/dev")
    allowed: tuple[str, ...] = ()


def blocked_folder(path: str, folders: Iterable[str]) -> str | None:
    """Return the folder that contains an absolute path, None if none does.

    Folders of temporary files and /dev/null are exempt.
    """
    normal = _normal(path)
    if any(_below(normal, folder) for folder in _EXEMPT):
        return None
    return next((folder for folder in folders if _below(normal, _normal(folder))), None)


def named_programs(hook: Hook) -> tuple[str, ...]:
    """Return the program of a command; of a shell command line the programs that are paths."""
    if hook.args is not None:
        return (hook.command,)
    known = (
        command.words[0]
        for command in read(hook.command).commands
        if command.words and all(hole.at for hole in command.holes)
    )
    return tuple(dict.fromkeys(word for word in known if "/" in word))


def program_refusal(program: str, paths: Sequence[str], reach: PathPolicy) -> str | None:
    """Return why a program may not run, None if it may.

    `paths` are its absolute paths: as written, and with symlinks resolved.
    """
    for path in paths:
        if folder := blocked_folder(path, reach.blocked):
            return f"{program} is in {folder}, where a hook's program must not be"
    outside = reach.allowed and not any(
        _below(_normal(paths[-1]), _normal(folder)) for folder in reach.allowed
    )
    return f"{program} is outside of the folders in `allowed_paths`" if outside else None


def has_parent_step(path: str) -> bool:
    """Return whether a path has a `..` step.

    >>> climbs("hooks/../../x"), climbs("hooks/..x")
    (True, False)
    """
    return ".." in path.split("/")


def _below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _normal(path: str) -> str:
    normal = "/" + posixpath.normpath(path).lstrip("/")
    # On macOS /etc, /var and /tmp are symlinks into /private.
    return normal.removeprefix("/private") if normal.startswith("/private/") else normal
