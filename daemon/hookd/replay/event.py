"""Recorded event: one hook event to replay, whatever it was read from."""

from collections.abc import Mapping
from typing import Any

from hookd.core.evaluation.recorded_facts import NO_RECORD, RecordedFacts
from hookd.lazy_dataclass import dataclass

DAMAGED = "the record is damaged"
CUT = "the payload was cut"
REDACTED = "a secret was removed from the payload"
UNREADABLE = "hookd could not read the event"
PAUSED = "hookd was paused"
HOOK_REWROTE = "a user hook rewrote the call"
ALLOWED = "the rule that allowed the call is gone"
LACKS_FACTS = "a fact from outside the database was not recorded"


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """One event as it was recorded.

    `label` names it for people: `#4711`, or a transcript's line. `order` sorts events of several
    sessions. `decided` is what was answered then, None if that is unknown, "" for silence; `by` is
    the rule. `client` is the client's name, "" if unknown, and `claude_code` the version of Claude
    Code. `hooks` are the ids and decisions of the user hooks that ran on it. `problem` says why
    it cannot be compared, "" if it can. An event that is not in the `window` only leads to the
    state of its session.
    """

    label: str
    number: int
    order: tuple[str, int]
    at: str
    name: str
    payload: Mapping[str, Any]
    facts: RecordedFacts = NO_RECORD
    agent: str | None = None
    project: str | None = None
    run: str | None = None
    client: str = ""
    claude_code: tuple[int, int, int] | None = None
    decided: str | None = None
    by: str = ""
    hooks: tuple[tuple[str, str | None], ...] = ()
    problem: str = ""
    window: bool = True


@dataclass(frozen=True, slots=True)
class Damaged:
    """A row or line that is no event: its label, its place in the order, and why."""

    label: str
    order: tuple[str, int]
    why: str
    window: bool = True
