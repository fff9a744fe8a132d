"""The home of which paths hooks keep away from: blocked folders, and where a program may stand."""

import posixpath
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hookd.core.hook_rules.model import Hook
from hookd.shell.commands import read

_EXEMPT = ("/dev/null", "/var/folders", "/var/tmp")  # noqa: S108 - named, and never written to


@dataclass(frozen=True, slots=True)
class PathPolicy:
    """What hooks may reach: folders that are `blocked`, and those that programs must stand in.

    None that are `allowed` means anywhere but in the blocked ones.
    """

    blocked: tuple[str, ...] = ("/etc", "/var", "/sys", "/proc", "/dev")
    allowed: tuple[str, ...] = ()


def blocked_folder(path: str, folders: Iterable[str]) -> str | None:
    """Return the folder among these that an absolute path leads into, None if there is none.

    Folders of temporary files are no part of them, nor is /dev/null.
    """
    normal = _normal(path)
    if any(_below(normal, folder) for folder in _EXEMPT):
        return None
    return next((folder for folder in folders if _below(normal, _normal(folder))), None)


def named_programs(hook: Hook) -> tuple[str, ...]:
    """Return the programs that a command names; of a shell's command line those that are paths."""
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

    `paths` are the absolute ones that it has: as it is written, and where its links lead.
    """
    for path in paths:
        if folder := blocked_folder(path, reach.blocked):
            return f"{program} stands in {folder}, where no program of a hook may stand"
    outside = reach.allowed and not any(
        _below(_normal(paths[-1]), _normal(folder)) for folder in reach.allowed
    )
    return f"{program} stands outside of the folders in `allowed_paths`" if outside else None


def has_parent_step(path: str) -> bool:
    """Whether a path has `..` in it.

    >>> climbs("hooks/../../x"), climbs("hooks/..x")
    (True, False)
    """
    return ".." in path.split("/")


def _below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _normal(path: str) -> str:
    normal = "/" + posixpath.normpath(path).lstrip("/")
    # On macOS /etc, /var and /tmp are links to folders of the same name there.
    return normal.removeprefix("/private") if normal.startswith("/private/") else normal
