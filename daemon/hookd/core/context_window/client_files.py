"""Files that the client loads automatically, so that hookd does not add them a second time.

Each client loads its own files of the project's root when a session starts.

Claude Code loads AGENTS.md since 2.1.281, in a project without a CLAUDE.md, and sends no
InstructionsLoaded for it: the files of the project's root and of the folders above it when a
session starts, that of a folder below the root when Read reads a file there. In a folder with its
own CLAUDE.md only that file is read. The subagents Explore and Plan start without any.
"""

import posixpath
from collections.abc import Iterable

from hookd.core.context_window.touched_paths import within
from hookd.core.model.fact_requests import FileText
from hookd.core.model.facts import Facts

_NAME = "AGENTS.md"

_LOADED = {
    "codex": ("AGENTS.md",),
    "gemini": ("GEMINI.md",),
    "qwen": ("QWEN.md", "AGENTS.md"),
    "copilot": ("AGENTS.md", ".github/copilot-instructions.md"),
    "opencode": ("AGENTS.md",),
}
"""Files of a project's root that other clients load when a session starts."""

_FIRST_VERSION = (2, 1, 281)
"""The first version of the client that does so by default."""

_CLAUDE = ("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md")
_BARE = frozenset({"Explore", "Plan"})
"""Types of subagents that start without the project's instructions."""


def given_by_client(
    paths: Iterable[str], facts: Facts, *, subagent: str | None = None
) -> frozenset[str]:
    """Return the files among `paths` that the client loads, now or later.

    `subagent` is the type of the subagent that they are for. Raise MissingFacts for CLAUDE.md.
    """
    project, client = facts.project, facts.identity.client
    if project is None or facts.settings.directives.agents_md == "always":
        return frozenset()
    root = project.path
    if facts.client in _LOADED:
        own = frozenset(posixpath.join(root, name) for name in _LOADED[facts.client])
        return frozenset() if subagent else own.intersection(paths)
    if client is None or client < _FIRST_VERSION:
        return frozenset()
    ours = [path for path in dict.fromkeys(paths) if posixpath.basename(path) == _NAME]
    if subagent in _BARE:
        ours = [path for path in ours if _folder(path) != root]
    folders = {path: _folder(path) for path in ours if within(path, root)}
    if not folders or _is_claude_s(_above(root), facts):
        return frozenset()
    facts.require_all(
        *(want for folder in folders.values() for want in _instructions(folder, facts))
    )
    return frozenset(path for path, folder in folders.items() if not _is_claude_s([folder], facts))


def _folder(path: str) -> str:
    """Return the folder that a file applies to: for `.claude`, the folder above it."""
    folder = posixpath.dirname(path)
    return posixpath.dirname(folder) if posixpath.basename(folder) == ".claude" else folder


def _above(root: str) -> list[str]:
    """Return a folder and all folders above it."""
    folders = [root]
    while folders[-1] != posixpath.dirname(folders[-1]):
        folders.append(posixpath.dirname(folders[-1]))
    return folders


def _is_claude_s(folders: list[str], facts: Facts) -> bool:
    """Return whether one of these folders has a CLAUDE.md."""
    wanted = [want for folder in folders for want in _instructions(folder, facts)]
    facts.require_all(*wanted)
    return any(facts.require(want) is not None for want in wanted)


def _instructions(folder: str, facts: Facts) -> list[FileText]:
    """Return the requests for the CLAUDE.md of a folder; the user's own file does not count."""
    paths = (posixpath.join(folder, name) for name in _CLAUDE)
    return [
        FileText(path, "/", 1) for path in paths if posixpath.dirname(path) != facts.daemon.claude
    ]
