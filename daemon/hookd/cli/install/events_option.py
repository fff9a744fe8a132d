"""The home of which events `hookd install` registers: those named, those that stand, or 30."""

import difflib
from collections.abc import Iterable

from hookd.cli.lib.errors import Problem
from hookd.events.protocol import EVENTS

DEFAULT = [spec.name for spec in EVENTS.values() if spec.registered]
"""What is registered where nobody chose, in the order of a session's life."""

DEFAULT_WORD = "default"
"""Stands for all of them, in --events."""

_REFUSED = "WorktreeCreate"
# Its hook has to print the path of a worktree that it made; silence fails the creation. hookd is
# silent by design, and making worktrees in git's place is no business of a judge of calls.
_WHY = (
    f"{_REFUSED} is refused: registering it replaces git worktree add, and hookd makes no "
    "worktree, so every creation would fail."
)


def parse(given: Iterable[str]) -> list[str]:
    """Return the events that --events names, each once, in the order of the protocol.

    Raise Problem for a name that is none, and for one that hookd cannot serve.
    """
    words = [word for text in given for word in text.replace(",", " ").split()]
    names = {name for word in words for name in _named(word)}
    if not names:
        raise Problem("--events names no event.", "Name some: --events PreToolUse,Stop")
    return [name for name in EVENTS if name in names]


def standing(registered: Iterable[str]) -> list[str]:
    """Return what a run that chooses nothing registers: what stands, or the default."""
    there = set(registered) - {_REFUSED}
    return [name for name in EVENTS if name in there] or DEFAULT


def told(events: list[str]) -> str:
    """Return how many events these are and which, by the shorter way to say it."""
    more = [name for name in events if name not in DEFAULT]
    fewer = [name for name in DEFAULT if name not in events]
    if len(more) + len(fewer) >= len(events):
        return f"{len(events)}: {', '.join(events)}"
    text = f"{len(events)}, the default"
    text += f" without {', '.join(fewer)}" if fewer else ""
    return text + (f" and {', '.join(more)}" if more else "")


def notes(events: list[str], registered: list[str], *, chosen: bool) -> list[str]:
    """Return what a person should know about a set of events, a sentence each.

    `registered` is what stood before, `chosen` says whether the person named the set.
    """
    found = []
    if not chosen and registered and set(DEFAULT) - set(events):
        found.append(
            f"the events are those that stood; --events {DEFAULT_WORD} takes all {len(DEFAULT)}"
        )
    lost = [] if chosen else [name for name in registered if name not in events]
    found += [f"{name}: its entry goes, hookd does not serve it" for name in lost]
    if "PreToolUse" not in events:
        found.append("PreToolUse is not registered: no guard rule is asked about a call")
    return found


def _named(word: str) -> list[str]:
    if word == DEFAULT_WORD:
        return DEFAULT
    if word == _REFUSED:
        raise Problem(_WHY, f"Leave {_REFUSED} out. Nothing was changed.")
    if word in EVENTS:
        return [word]
    hint = hinted(word, (*EVENTS, DEFAULT_WORD))
    step = f"Spell it as Claude Code does; {DEFAULT_WORD} stands for the {len(DEFAULT)} usual ones."
    raise Problem(f'"{word}" is not an event of Claude Code.{hint}', step)


def hinted(word: str, names: Iterable[str]) -> str:
    """Return a question for what was meant, after a space; nothing where that is not seen."""
    known = {name.lower(): name for name in names}
    lower = word.lower()
    near = [lower] if lower in known else difflib.get_close_matches(lower, known)
    return f" Did you mean {' or '.join(known[name] for name in near)}?" if near else ""
