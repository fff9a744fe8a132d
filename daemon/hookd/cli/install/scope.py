"""The home of which settings file is meant: the user's, a project's, its local one, or a named."""

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import click

from hookd import paths

Scope = Literal["user", "project", "local", "file"]

_FILE = "Claude Code's settings.  [default: settings.json in $CLAUDE_CONFIG_DIR or ~/.claude]"
_PROJECT = "The project's .claude/settings.json, which is shared with others."
_LOCAL = "The project's .claude/settings.local.json, which is yours alone."
_PATIENCE = 5
"""Seconds that git may take to say what it ignores."""
_HARMLESS = (
    *("--no-pager", "--no-optional-locks"),
    *("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"),
)
"""What keeps git from running programs that the configuration of a clone names."""

_SHARED = (
    "these settings are shared with others, but hookd's entries name programs in your own folders; "
    "--local registers it for you alone"
)


@dataclass(frozen=True)
class Target:
    """A settings file, what kind it is, and the folder of its project where it has one."""

    path: Path
    scope: Scope
    project: Path | None = None


def options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say which settings are meant."""
    for option in (
        click.option("--local", is_flag=True, help=_LOCAL),
        click.option("--project", is_flag=True, help=_PROJECT),
        click.option("--settings", type=click.Path(path_type=Path), metavar="FILE", help=_FILE),
    ):
        command = option(command)
    return command


def chosen(settings: Path | None, *, project: bool, local: bool) -> Target:
    """Return the file that the options name. Raise UsageError where they name two."""
    if sum((settings is not None, project, local)) > 1:
        raise click.UsageError("Choose one of --settings, --project and --local.")
    if settings is not None:
        return Target(settings.expanduser().absolute(), "file")
    if not (project or local):
        return Target(user_settings(), "user")
    root = project_root(Path.cwd(), Path.home())
    if local:
        return Target(root / ".claude" / "settings.local.json", "local", root)
    path = root / ".claude" / "settings.json"
    # In the home folder, both are one file, and nobody shares it.
    return Target(path, "user" if path == user_settings() else "project", root)


def user_settings() -> Path:
    """Return the settings that hold for all projects of the user."""
    folder = paths.variable("CLAUDE_CONFIG_DIR")
    return (Path(folder).absolute() if folder else Path.home() / ".claude") / "settings.json"


def project_root(start: Path, home: Path) -> Path:
    """Return the nearest folder at or above `start` that holds .git or .claude, else `start`.

    Every home folder holds a .claude, of the user: it makes a project only of what stands in it.
    """
    for folder in (start, *start.parents):
        settings = (folder / ".claude").is_dir() and (folder == start or not _same(folder, home))
        if settings or (folder / ".git").exists():
            return folder
    return start


def warning(target: Target) -> str | None:
    """Return what a person has to know who registers hookd in a file that others read, too."""
    return _SHARED if target.scope == "project" else None


def unignored(target: Target, files: list[Path]) -> list[str]:
    """Return a note for each of `files` that git would take into the project's repository."""
    root = target.project
    if root is None or target.scope == "user":
        return []
    return [
        f"git does not ignore {file}; the line for {root / '.gitignore'}: {file.relative_to(root)}"
        for file in files
        # Behind a link, it may stand in no folder of the project.
        if file.is_relative_to(root) and _ignored(file, root) is False
    ]


def _same(one: Path, other: Path) -> bool:
    return one == other or (other.exists() and one.samefile(other))


def _ignored(file: Path, root: Path) -> bool | None:
    """Say whether git ignores a file in a project; None where there is no git or no repository."""
    git = shutil.which("git", path=paths.search_path())
    if git is None:
        return None
    # Without the index: reading it asks a file monitor, and may fetch what a partial clone lacks.
    asked = ("check-ignore", "--quiet", "--no-index", "--", str(file))
    command = [git, *_HARMLESS, "-C", str(root), *asked]
    null = subprocess.DEVNULL
    try:
        done = subprocess.run(
            command, stdin=null, stdout=null, stderr=null, timeout=_PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return {0: True, 1: False}.get(done.returncode)
