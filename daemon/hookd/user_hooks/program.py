"""What a hook's command starts: the program, its folder, its environment, as the disk has them."""

import asyncio
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from hookd.core.hook_rules.environment import expand_placeholders
from hookd.core.hook_rules.model import Hook
from hookd.core.hook_rules.path_policy import (
    PathPolicy,
    has_parent_step,
    named_programs,
    program_refusal,
)
from hookd.lazy_dataclass import dataclass

SHELL = "/bin/sh"
"""Claude Code's own choice for a command line, on Linux and macOS."""

_FILE_TIMEOUT_S = 0.5
"""Seconds that a disk may take to say where a path leads."""


@dataclass(frozen=True, slots=True)
class Program:
    """Program to start. `notes` say what differs from the request."""

    argv: Sequence[str]
    cwd: str
    env: Mapping[str, str]
    notes: tuple[str, ...] = ()


def prepared(
    hook: Hook, env: Mapping[str, str], folders: Sequence[str], reach: PathPolicy
) -> Program:
    """Return what a hook starts, in the first of these folders that is there.

    It reads the disk. ValueError or OSError say why the hook may not be started.
    """
    wanted = (*folders, env.get("HOME", ""))
    folder = next((one for one in wanted if one.startswith("/") and Path(one).is_dir()), "/")
    notes = () if folder == wanted[0] else (f"it ran in {folder}: its own is no folder",)
    for program in named_programs(hook):
        _judge(expand_placeholders(program, env), folder, env, reach, by_shell=hook.args is None)
    if hook.args is None:
        return Program((SHELL, "-c", hook.command), folder, env, notes)
    program = _found(expand_placeholders(hook.command, env), folder, env)
    return Program(
        (program, *(expand_placeholders(one, env) for one in hook.args)), folder, env, notes
    )


async def leads_to(path: str, cwd: str) -> str | None:
    """Return the path with its links resolved, None where the disk does not say in time."""
    try:
        async with asyncio.timeout(_FILE_TIMEOUT_S):
            return await asyncio.to_thread(_real, os.path.join(cwd, path))  # noqa: PTH118
    except (TimeoutError, OSError, ValueError):
        return None


def _judge(
    program: str, folder: str, env: Mapping[str, str], reach: PathPolicy, *, by_shell: bool
) -> None:
    """Raise ValueError where a program may not run."""
    if has_parent_step(program) and not by_shell:
        raise ValueError(f"the path {program} has .. in it; write it without")
    path = _found(program, folder, env)
    written = path if "/" in program else _real(path)  # a lookup's own links are the system's
    if why := program_refusal(program, (written, _real(path)), reach):
        raise ValueError(why)


def _found(program: str, folder: str, env: Mapping[str, str]) -> str:
    """Return the absolute path of a program: by its folder, or looked up in its own PATH."""
    if "/" in program:
        return os.path.join(folder, program)  # noqa: PTH118 - a `..` has to stay
    if found := shutil.which(program, path=env.get("PATH", os.defpath)):
        return found
    raise FileNotFoundError(None, "there is no such program on its PATH", program)


def _real(path: str) -> str:
    return os.path.realpath(path)
