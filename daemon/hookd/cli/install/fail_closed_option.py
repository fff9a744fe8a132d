"""The home of which events `hookd install` registers to fail closed, and of what it says of it."""

from collections.abc import Sequence

from hookd.cli.install.events_option import DEFAULT_WORD, hinted
from hookd.cli.lib.claude_version import Client
from hookd.cli.lib.errors import Problem
from hookd.clients.claude_code.fail_closed import BLOCKS, CLOSABLE, USUAL, WHY_NOT
from hookd.events.protocol import EVENTS

_LISTED = ", ".join(CLOSABLE)


def parse(given: str | None, *, opened: bool) -> set[str] | None:
    """Return the events that are to fail closed, or None where nothing was said of it.

    Raise Problem for a name that is none, and for an event that cannot.
    """
    if opened and given is not None:
        raise Problem(
            "--fail-closed and --fail-open exclude each other.",
            "--fail-closed EVENTS names all that fail closed; --fail-open is for all events.",
        )
    if given is None:
        return set() if opened else None
    words = given.replace(",", " ").split()
    if not words:
        raise Problem("--fail-closed names no event.", f"Name some of {_LISTED}; or --fail-open")
    return {name for word in words for name in _named(word)}


def chosen(
    wanted: set[str] | None, events: Sequence[str], before: Sequence[str]
) -> tuple[str, ...]:
    """Return which of `events` fail closed: those that are wanted, or those that did `before`.

    Raise Problem for what is wanted, but not registered.
    """
    if wanted is None:  # a choice for safety is not lost by running this again
        return tuple(name for name in events if name in before)
    found = tuple(name for name in events if name in wanted)
    # Where a person names no event, what is registered of the usual ones will do.
    missing = [name for name in CLOSABLE if name in wanted and name not in events]
    missing = [name for name in missing if not found or name not in USUAL]
    if missing:
        sentence = f"{' and '.join(missing)} cannot fail closed, not being registered."
        raise Problem(sentence, "Register what is to fail closed, too: --events default")
    return found


def notes(closed: Sequence[str], client: Client) -> list[str]:
    """Return what a person should know who has events fail closed."""
    if not closed or (client.version and client.version >= BLOCKS):
        return []
    first = ".".join(map(str, BLOCKS))
    lost = "where the shim itself is gone, these calls go on"
    if client.version is None:
        return [f"Claude Code before {first} ignores onFailure: {lost}"]
    return [f"Claude Code {client.text} ignores onFailure, which {first} knows: {lost}"]


def _named(word: str) -> tuple[str, ...]:
    if word == DEFAULT_WORD:
        return USUAL
    if word not in EVENTS:
        hint = hinted(word, (*CLOSABLE, DEFAULT_WORD))
        step = f"These can fail closed: {_LISTED}; {DEFAULT_WORD} is {' and '.join(USUAL)}."
        raise Problem(f'"{word}" is not an event of Claude Code.{hint}', step)
    if word not in CLOSABLE:
        why = WHY_NOT.get(word, "hookd never says no to it")
        raise Problem(f"{word} cannot fail closed: {why}.", f"These can: {_LISTED}.")
    return (word,)
