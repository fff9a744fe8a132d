"""What the tests of decisions that ask for files share: a project on paper, and who looks it up."""

import posixpath
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from hookd.core.model.daemon_state import DaemonState
from hookd.core.model.fact_requests import (
    DirListing,
    FactRequest,
    File,
    FileText,
    Folder,
    MissingFacts,
)
from hookd.core.model.facts import Facts, FactValue, Project, Session

T = TypeVar("T")

ROOT = "/work/orders"
CLAUDE = "/home/ada/.claude"
SKILL = f"{ROOT}/.claude/skills/build/SKILL.md"
PHASED = """---
name: build
description: Builds.
phases:
  - "0: Setup"
  - label: "1"
    name: Make
    proof: [files]
    commands: [make]
  - "2: Check"
templates:
  log: LOG.md
---
"""


def here(**more: Any) -> Facts:
    """Return the facts of a window in the project, with `more` added."""
    effort = more.get("effort")
    given: dict[str, Any] = {
        "project": Project(1, ROOT),
        "session": Session(3, "s", project_id=1, effort_id=effort.id if effort else None),
        "daemon": DaemonState(claude=CLAUDE),
    }
    return Facts(**(given | more))


def ask(
    decide: Callable[[Facts], T],
    facts: Facts,
    files: Mapping[str, str] | None = None,
    rows: Mapping[Any, FactValue] | None = None,
) -> T:
    """Return what is decided once all that it asks for was looked up in these files and rows."""
    for _ in range(12):
        try:
            return decide(facts)
        except MissingFacts as lack:
            found = {want: _looked_up(want, files or {}, rows or {}) for want in lack.requests}
            assert not found.keys() & facts.resolved.keys(), "it asks again for what it was told"
            facts = facts.with_facts(found)
    raise AssertionError("it asks without end")


def _looked_up(
    want: FactRequest, files: Mapping[str, str], rows: Mapping[Any, FactValue]
) -> FactValue | None:
    if isinstance(want, FileText):
        text = files.get(want.path) if _inside(want.path, want.root) else None
        return None if text is None else _file(want, text)
    if isinstance(want, DirListing):
        below = [path for path in files if posixpath.dirname(path) == want.folder]
        names = tuple(sorted(map(posixpath.basename, below)))
        return Folder(want.folder, names) if below and _inside(want.folder, want.root) else None
    return rows.get(want)


def _inside(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip("/") + "/")


def _file(want: FileText, text: str) -> File:
    kept = text[-want.max_chars :] if want.tail else text[: want.max_chars]
    # As on a disk: the time, the size, the number of the file.
    stamp = f"1-{len(text)}-{abs(hash(want.path))}"
    return File(want.path, kept, stamp, whole=len(text) <= want.max_chars)
