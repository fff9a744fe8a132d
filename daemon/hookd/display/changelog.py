"""Changelog: its releases, and what is new from one version to another. Pure.

A release is a section `## 0.2.0 (2026-12-01)`; before the release it has `(not released)` in place
of the day, or is `## Unreleased`. An entry is an item of a list, under whichever heading.
"""

import re
from collections.abc import Iterable, Iterator

from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile

UNRELEASED = "Unreleased"

_HEADING = lazy_compile(r"## (\S+)(?: \((?:(\d{4}-\d\d-\d\d)|not released)\))?")
_LINK = lazy_compile(r"\[([^\]]*)\]\([^)]*\)")
_VERSION = lazy_compile(r"v?(\d+(?:\.\d+)*)(.*)")


@dataclass(frozen=True)
class Release:
    """One section. `date` is "" before its release; an entry is one line, without links."""

    version: str
    date: str
    entries: tuple[str, ...]

    @property
    def title(self) -> str:
        """What the section is named, such as `0.2.0 (2026-12-01)`."""
        return f"{self.version} ({self.date or 'not released'})"


def releases(text: str) -> list[Release]:
    """Return the releases of a changelog, in its order: the newest first.

    Raise ValueError that names a heading of another form.
    """
    found = []
    for part in f"\n{text}".split("\n## ")[1:]:
        first, _, rest = part.partition("\n")
        heading = _HEADING.fullmatch(f"## {first}")
        if heading is None:
            raise ValueError(f"the heading is none of a release: ## {first}")
        found.append(Release(heading[1], heading[2] or "", tuple(_entries(rest))))
    return found


def newer(known: Iterable[Release], before: str | None, until: str) -> list[Release]:
    """Return the releases after the version `before`, up to `until`.

    Without `before` it is only that of `until`.
    """
    if before is None:
        return [one for one in known if one.version == until]
    old, new = order(before), order(until)
    return [one for one in known if old < order(one.version) <= new]


def order(version: str) -> tuple[tuple[int, ...], bool, str]:
    """Return what versions are sorted by: `0.10.0` is after `0.9.0`, and after `0.10.0rc1`."""
    parts = _VERSION.fullmatch(version)
    if parts is None:
        return (), False, version
    return tuple(map(int, parts[1].split("."))), not parts[2], parts[2]


def is_version(text: str) -> bool:
    """Return whether a text has the form of a version, such as `0.2.0` or `v0.2.0rc1`."""
    return _VERSION.fullmatch(text) is not None and not re.search(r"[\s/]", text)


def _entries(text: str) -> Iterator[str]:
    """Yield the items of the lists in a section, each with its further lines."""
    entry: list[str] = []
    for line in [*text.split("\n"), ""]:
        if entry and line.startswith("  "):
            entry.append(line.strip())
            continue
        if entry:
            yield _LINK.sub(r"\1", " ".join(entry))
            entry = []
        if line.startswith("- "):
            entry = [line[2:].strip()]
