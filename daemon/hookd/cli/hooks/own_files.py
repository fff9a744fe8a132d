"""Hook files of hookd: the user's, a project's, and a user's in a project.

Files of other programs are never written.
"""

import os
import shlex
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookd import paths
from hookd.cli.install import settings_file
from hookd.cli.install.scope import Target, unignored
from hookd.cli.install.settings_file import Document
from hookd.cli.lib import output
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.options import Scope
from hookd.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from hookd.core.hook_rules.parse import ParsedHooks
    from hookd.user_hooks.files import HookFile

_MAX_DEPTH = 100
"""Levels of nesting in a file that is copied and written; the client's own file has seven."""


@dataclass(frozen=True)
class OwnFile:
    """One of hookd's own files, as it was read."""

    scope: Scope
    root: str
    document: Document

    @property
    def path(self) -> str:
        """The path that is written, with links resolved."""
        return str(self.document.path)

    @property
    def shown(self) -> str:
        """The path, safe to print: a link in a project may lead to any name."""
        return output.cell(self.path)

    @property
    def source(self) -> str:
        """The path as hooks name their source."""
        return str(location(self.scope, self.root))

    @property
    def parsed(self) -> "ParsedHooks":
        """The hooks in the file."""
        from hookd.core.hook_rules.parse import parse_hooks  # noqa: PLC0415 - it imports a parser
        from hookd.core.hook_rules.sources import HookFileLocation  # noqa: PLC0415

        return parse_hooks(self.document.plain, HookFileLocation(self.scope, self.source))

    def sheet(self, value: dict[str, Any]) -> "HookFile":
        """Return the file as it would be read with the content `value`."""
        from hookd.core.hook_rules.sources import HookFileLocation  # noqa: PLC0415 - not for a list
        from hookd.user_hooks.files import HookFile  # noqa: PLC0415

        return HookFile(
            HookFileLocation(self.scope, self.source), text=self.document.rewritten(value)
        )

    def write(self, value: dict[str, Any], *, backup: bool = False) -> bool:
        """Write `value` to the file; return whether that changed it."""
        before, after = self.document.raw, self.document.rewritten(value)
        if after == before:
            return False
        if backup and before is not None:
            copy = self.document.backup
            mode = stat.S_IMODE(self.document.path.stat().st_mode)
            settings_file.replace(copy, settings_file.contents(copy), before, mode)
        settings_file.replace(self.document.path, before, after)
        return True

    def notes(self) -> list[str]:
        """Return a note if the repository would carry the local file."""
        if self.scope != "local":
            return []
        target = Target(self.document.path, "local", Path(self.root))
        return unignored(target, [self.document.path])


def project(folder: Path | None = None) -> str:
    """Return the project's root: `folder`, else the session's, else the nearest one above.

    A folder is a root if it has .git, .claude or .hookd; in the home folder the last two are the
    user's.
    """
    named = folder or paths.variable("CLAUDE_PROJECT_DIR")
    here = Path(os.path.realpath(named or working_folder()))
    if named:
        return str(here)
    home = Path(os.path.realpath(Path.home()))
    for parent in (here, *here.parents):
        own = () if parent == home else (".claude", ".hookd")
        if (parent / ".git").exists() or any((parent / name).is_dir() for name in own):
            return str(parent)
    return str(here)


def working_folder() -> Path:
    """Return the current directory. Raise Problem if it no longer exists."""
    try:
        return Path.cwd()
    except OSError:
        step = "cd to another one, then run the command again"
        raise Problem("The current folder no longer exists.", step) from None


def location(scope: Scope, root: str) -> Path:
    """Return the path of hookd's own file of a scope."""
    if scope == "user":
        return paths.paths().settings
    name = "settings.json" if scope == "project" else "settings.local.json"
    return Path(root, ".hookd", name)


def read(scope: Scope, root: str) -> OwnFile:
    """Read hookd's own file of a scope; a missing file is empty.

    A project may be foreign: what the daemon would not read is not read here either.
    """
    from hookd.core.hook_rules.sources import HookFileLocation  # noqa: PLC0415 - not for a list
    from hookd.user_hooks import files  # noqa: PLC0415

    path = location(scope, root)
    if fault := files.read(HookFileLocation(scope, str(path))).error:
        raise Problem(f"{path}: {fault}.", f"look at it: {typed('ls', '-ld', str(path))}")
    return OwnFile(scope, root, document(path))


def document(path: Path) -> Document:
    """Read a hook file. Raise Problem if it is too deeply nested to be rewritten."""
    try:
        content = settings_file.read(path)
    except RecursionError:
        content = None
    if content is None or _is_deep(content.value):
        raise Problem(f"{path} is nested too deeply.", settings_file.MEND)
    return content


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(_MAX_DEPTH):
        level = [
            item
            for container in level
            for item in (container.values() if isinstance(container, dict) else container)
            if isinstance(item, dict | list)
        ]
    return bool(level)


def typed(*words: str) -> str:
    """Return a command line to paste: a shell reads each word as it is."""
    return output.cell(shlex.join(words))


def in_home(path: str) -> str:
    """Return a path with the home folder as `~`."""
    home = str(Path.home())
    return f"~{path[len(home) :]}" if path.startswith(f"{home}/") else path
