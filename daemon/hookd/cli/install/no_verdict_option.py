"""`hookd install --no-verdict`: what becomes of an event that no daemon answers."""

from collections.abc import Sequence

from hookd.cli.lib.errors import Problem
from hookd.clients.claude_code.fail_closed import NO_VERDICT, USUAL

_JUDGE, _OPEN, _CLOSED = NO_VERDICT


def wanted(choice: str | None, closed: set[str] | None) -> set[str] | None:
    """Return the events that are to fail closed, given what `--fail-closed` names; None: as before.

    Raise Problem if the two options contradict each other.
    """
    if choice == _OPEN and closed:
        sentence = "--no-verdict open and --fail-closed contradict each other."
        raise Problem(sentence, "Leave one of them out; --no-verdict judge goes with --fail-closed")
    if choice == _CLOSED and closed == set():
        sentence = "--no-verdict closed and --fail-open contradict each other."
        raise Problem(sentence, "Leave one of them out; --no-verdict open lets everything go on")
    if choice == _OPEN:
        return set()
    return closed


def usual(choice: str | None, closed: Sequence[str], events: Sequence[str]) -> tuple[str, ...]:
    """Return the events that fail closed: with `closed` and none named, the usual ones."""
    if choice == _CLOSED and not closed:
        return tuple(name for name in events if name in USUAL)
    return tuple(closed)


def chosen(choice: str | None, before: str, closed: Sequence[str]) -> str:
    """Return the choice that is registered, given the one before it, "" if there was none.

    A choice that is kept must agree with the events that fail closed.
    """
    if choice is not None:
        return choice
    if before == _CLOSED and not closed:
        return _JUDGE
    if before == _OPEN and closed:
        return _CLOSED
    return before if before in NO_VERDICT else _JUDGE


def loosens(before: str, after: str) -> str:
    """Return how a choice weakens the one before it, "" if it does not."""
    order = (_OPEN, _JUDGE, _CLOSED)
    if before not in order or order.index(after) >= order.index(before):
        return ""
    what = "lets events pass" if after == _OPEN else "judges events"
    return f"{what} that no daemon answers"
