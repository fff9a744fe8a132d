"""Choose a settings file: the user's, a project's, its local one, or a named one."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import click

from hookd import paths
from hookd.cli.lib.options import project_dir_option, scope_option
from hookd.lazy_dataclass import dataclass

Scope = Literal["user", "project", "local", "file", "plugin"]

_FILE = """Settings file of the client.  [default: that of the user, such as settings.json in
$CLAUDE_CONFIG_DIR or ~/.claude]"""
_SCOPE = """Apply to all your projects, to the project's own file, such as .claude/settings.json,
which is shared with others, or (Claude Code) to its .claude/settings.local.json, which is yours
alone.  [default: user]"""
_GIT_TIMEOUT_S = 5
"""Limit of one `git check-ignore`."""
_HARMLESS = (
    *("--no-pager", "--no-optional-locks"),
    *("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"),
)
"""Options that keep git from running programs that the configuration of a clone names."""

_SHARED = (
    "these settings are shared with others, but hookd's entries name programs in your own folders; "
    "--scope local registers it for you alone"
)


@dataclass(frozen=True)
class Target:
    """A settings file, what kind it is, and the folder of its project where it has one."""

    path: Path
    scope: Scope
    project: Path | None = None


def options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that choose a settings file."""
    for option in (
        project_dir_option(),
        scope_option(_SCOPE, default=None, former=("--local", "--project")),
        click.option("--settings", type=click.Path(path_type=Path), metavar="FILE", help=_FILE),
    ):
        command = option(command)
    return command


def chosen(settings: Path | None, scope: str | None, project_dir: Path | None) -> Target:
    """Return the file that the options choose. Raise UsageError if they contradict each other."""
    if settings is not None and scope is not None:
        raise click.UsageError("--settings and --scope exclude each other.")
    if project_dir is not None and scope not in ("project", "local"):
        raise click.UsageError("--project-dir goes with --scope project or --scope local.")
    if settings is not None:
        return Target(settings.expanduser().absolute(), "file")
    if scope not in ("project", "local"):
        return Target(user_settings(), "user")
    root = project_dir.absolute() if project_dir else project_root(Path.cwd(), Path.home())
    if scope == "local":
        return Target(root / ".claude" / "settings.local.json", "local", root)
    path = root / ".claude" / "settings.json"
    # In the home folder, both are one file, which is not shared.
    return Target(path, "user" if path == user_settings() else "project", root)


def user_settings() -> Path:
    """Return the settings file that applies to all projects of the user."""
    return paths.claude() / "settings.json"


def project_root(start: Path, home: Path) -> Path:
    """Return the nearest folder at or above `start` that contains .git or .claude, else `start`.

    The user's own .claude makes the home folder a project only if `start` is the home folder.
    """
    for folder in (start, *start.parents):
        settings = (folder / ".claude").is_dir() and (folder == start or not _same(folder, home))
        if settings or (folder / ".git").exists():
            return folder
    return start


def warning(target: Target) -> str | None:
    """Return a warning if the file is shared with other users."""
    return _SHARED if target.scope == "project" else None


def unignored(target: Target, files: list[Path]) -> list[str]:
    """Return a note for each of `files` that git would add to the project's repository."""
    root = target.project
    if root is None or target.scope == "user":
        return []
    return [
        f"git does not ignore {file}; the line for {root / '.gitignore'}: {file.relative_to(root)}"
        for file in files
        # Behind a link, it may be outside the project.
        if file.is_relative_to(root) and _ignored(file, root) is False
    ]


def _same(one: Path, other: Path) -> bool:
    return one == other or (other.exists() and one.samefile(other))


def _ignored(file: Path, root: Path) -> bool | None:
    """Return whether git ignores a file of a project; None without git or a repository."""
    git = shutil.which("git", path=paths.search_path())
    if git is None:
        return None
    # Without the index: reading it asks a file monitor, and may fetch what a partial clone lacks.
    asked = ("check-ignore", "--quiet", "--no-index", "--", str(file))
    command = [git, *_HARMLESS, "-C", str(root), *asked]
    null = subprocess.DEVNULL
    try:
        done = subprocess.run(
            command, stdin=null, stdout=null, stderr=null, timeout=_GIT_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return {0: True, 1: False}.get(done.returncode)
