"""The board's filter: words, and `agent:`, `project:`, `decision:` with a value."""

from collections.abc import Mapping
from typing import Any

from hookd.cli.board.text import last_part
from hookd.lazy_dataclass import dataclass

_FIELDS = ("agent", "project", "decision")
_DECISIONS = ("deny", "ask", "allow", "block", "defer", "none")
_TEXTS = ("agent", "project", "text", "toolName", "event", "rule", "firstPrompt", "branch", "task")

EXAMPLE = "agent:orders project:shop decision:deny,ask any words"
"""What the input shows while it is empty."""


class FilterError(ValueError):
    """A filter that cannot be used: what is wrong, and what works."""


@dataclass(frozen=True)
class Filter:
    """What rows must match: one of the values of each field, and all words."""

    agents: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    text: str = ""

    def __bool__(self) -> bool:
        """Return whether it leaves anything out."""
        return bool(self.agents or self.projects or self.decisions or self.words)

    def shows_agent(self, row: Mapping[str, Any]) -> bool:
        """Return whether a row of the fleet matches; it has no decision."""
        return self._placed(row) and self._says(row)

    def shows_event(self, row: Mapping[str, Any]) -> bool:
        """Return whether an event matches."""
        if self.decisions and (row.get("decision") or "none") not in self.decisions:
            return False
        return self._placed(row) and self._says(row)

    def _placed(self, row: Mapping[str, Any]) -> bool:
        if self.agents and not _any(self.agents, str(row.get("agent") or "")):
            return False
        return not self.projects or _any(self.projects, last_part(row.get("project")))

    def _says(self, row: Mapping[str, Any]) -> bool:
        if not self.words:
            return True
        text = " ".join(str(row.get(key) or "") for key in _TEXTS).lower()
        return all(word in text for word in self.words)


def _any(words: tuple[str, ...], text: str) -> bool:
    lower = text.lower()
    return any(word in lower for word in words)


def parse(text: str) -> Filter:
    """Return the filter of a text; an empty one matches everything. Raise FilterError."""
    found: dict[str, tuple[str, ...]] = {}
    words = []
    for word in text.lower().split():
        field, colon, value = word.partition(":")
        if not colon or not field.isalpha() or value.startswith("/"):
            words.append(word)
            continue
        if field not in _FIELDS:
            raise FilterError(f"{field}: is not a field; use {', '.join(_FIELDS)}, or words alone.")
        values = tuple(filter(None, value.split(",")))
        if not values:
            raise FilterError(f"{field}: has no value; for example {EXAMPLE.split(maxsplit=1)[0]}")
        found[field] = found.get(field, ()) + values
    decisions = found.get("decision", ())
    if wrong := [one for one in decisions if one not in _DECISIONS]:
        raise FilterError(f"decision:{wrong[0]} does not exist; use {', '.join(_DECISIONS)}.")
    return Filter(
        found.get("agent", ()),
        found.get("project", ()),
        decisions,
        tuple(words),
        " ".join(text.split()),
    )
