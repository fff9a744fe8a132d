"""The home of hookd's own files of hooks: the user's, a project's, and its local one.

A file of another program is never written.
"""

import os
import shlex
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import click

from hookd import paths
from hookd.cli.install import scope, settings_file
from hookd.cli.install.settings_file import Document
from hookd.cli.lib import output
from hookd.cli.lib.errors import Problem

if TYPE_CHECKING:
    from hookd.core.hook_rules.parse import ParsedHooks
    from hookd.user_hooks.files import HookFile

Owner = Literal["user", "project", "local"]

OWNERS: tuple[Owner, ...] = get_args(Owner)
_DEEPEST = 100
"""Levels of a file that is copied and written; the client's own has seven."""

_TO = "Whose hook it is: yours everywhere, the project's, or yours in this project."


@dataclass(frozen=True)
class OwnFile:
    """One of hookd's own files, as it was read."""

    owner: Owner
    root: str
    document: Document

    @property
    def path(self) -> str:
        """Its path, as it is written: without links."""
        return str(self.document.path)

    @property
    def shown(self) -> str:
        """Its path, safe to print: a link in a project may lead to whatever name."""
        return output.cell(self.path)

    @property
    def source(self) -> str:
        """Its path, as hooks name it."""
        return str(place(self.owner, self.root))

    @property
    def parsed(self) -> "ParsedHooks":
        """Its hooks."""
        from hookd.core.hook_rules.parse import parse_hooks  # noqa: PLC0415 - it imports a parser
        from hookd.core.hook_rules.sources import HookFileLocation  # noqa: PLC0415

        return parse_hooks(self.document.plain, HookFileLocation(self.owner, self.source))

    def sheet(self, value: dict[str, Any]) -> "HookFile":
        """Return the file as it is read once it holds `value`."""
        from hookd.core.hook_rules.sources import HookFileLocation  # noqa: PLC0415 - it is not needed for a list
        from hookd.user_hooks.files import HookFile  # noqa: PLC0415

        return HookFile(
            HookFileLocation(self.owner, self.source), text=self.document.rewritten(value)
        )

    def write(self, value: dict[str, Any], *, backup: bool = False) -> bool:
        """Let the file hold `value`; return whether that is a change."""
        before, after = self.document.raw, self.document.rewritten(value)
        if after == before:
            return False
        if backup and before is not None:
            kept = self.document.backup
            mode = stat.S_IMODE(self.document.path.stat().st_mode)
            settings_file.replace(kept, settings_file.contents(kept), before, mode)
        settings_file.replace(self.document.path, before, after)
        return True

    def notes(self) -> list[str]:
        """Return a note where a repository would carry what is the user's alone."""
        if self.owner != "local":
            return []
        target = scope.Target(self.document.path, "local", Path(self.root))
        return scope.unignored(target, [self.document.path])


def project_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option that names the project."""
    return click.option(
        "--project",
        "folder",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        metavar="DIR",
        help="The project's folder.  [default: the one that you are in]",
    )(command)


def owner_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option that says whose file is written."""
    return click.option(
        "--to", "owner", type=click.Choice(OWNERS), default="user", show_default=True, help=_TO
    )(command)


def project(folder: Path | None = None) -> str:
    """Return the root of the project: as named, else the session's, else the nearest one above.

    A folder is a project's where it holds .git, .claude or .hookd; in the home folder the last two
    are the user's.
    """
    named = folder or paths.variable("CLAUDE_PROJECT_DIR")
    here = Path(os.path.realpath(named or working_folder()))
    if named:
        return str(here)
    home = Path(os.path.realpath(Path.home()))
    for one in (here, *here.parents):
        own = () if one == home else (".claude", ".hookd")
        if (one / ".git").exists() or any((one / name).is_dir() for name in own):
            return str(one)
    return str(here)


def working_folder() -> Path:
    """Return the folder that a person stands in. Raise Problem where it is gone."""
    try:
        return Path.cwd()
    except OSError:
        step = "cd to another one, then run the command again"
        raise Problem("The folder that you stand in is gone.", step) from None


def place(owner: Owner, root: str) -> Path:
    """Return where hookd's own file of a layer stands."""
    if owner == "user":
        return paths.paths().settings
    name = "settings.json" if owner == "project" else "settings.local.json"
    return Path(root, ".hookd", name)


def read(owner: Owner, root: str) -> OwnFile:
    """Read hookd's own file of a layer; a missing one holds nothing.

    A project's may be a stranger's: what the daemon would not read is not read here, either.
    """
    from hookd.core.hook_rules.sources import HookFileLocation  # noqa: PLC0415 - it is not needed for a list
    from hookd.user_hooks import files  # noqa: PLC0415

    path = place(owner, root)
    if fault := files.read(HookFileLocation(owner, str(path))).error:
        raise Problem(
            f"{path}: {fault}.", f"see what stands there: {typed('ls', '-ld', str(path))}"
        )
    return OwnFile(owner, root, document(path))


def document(path: Path) -> Document:
    """Read a file that holds hooks; one that is nested beyond all use cannot be written anew."""
    try:
        found = settings_file.read(path)
    except RecursionError:
        found = None
    if found is None or _deep(found.value):
        raise Problem(f"{path} is nested too deeply.", settings_file.MEND)
    return found


def _deep(value: Any) -> bool:
    level = [value]
    for _ in range(_DEEPEST):
        level = [
            item
            for one in level
            for item in (one.values() if isinstance(one, dict) else one)
            if isinstance(item, dict | list)
        ]
    return bool(level)


def typed(*words: str) -> str:
    """Return a command line as it can be typed: a shell takes each word as it is."""
    return output.cell(shlex.join(words))


def in_home(path: str) -> str:
    """Return a path as people write it."""
    home = str(Path.home())
    return f"~{path[len(home) :]}" if path.startswith(f"{home}/") else path
