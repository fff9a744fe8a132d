"""The home of a loop: one task that an agent is given again and again, until it says it is done."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from hookd.core.model.effects.sessions import Remember
from hookd.core.model.facts import Facts
from hookd.redaction.redact import redact

POLICY_NAME = "ralph-loop"
"""The policy that keeps a loop, and what it is kept under."""

MAX_TASK_CHARS = 4_000
"""Characters of a loop's task: it is told again at each round."""

PROMISE = r"^[^<>]*[^<>\s][^<>]*$"
"""What a promise looks like: it stands between two tags."""

MAX_PROMISE_CHARS = 200
"""Characters of a promise."""

MAX_ROUNDS = 1_000
"""Rounds that a loop may have."""

_IDLE = timedelta(hours=2)
_CUT = " [...]"


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop as it stands: `at` and `calls` are when it last went on, and the calls until then."""

    prompt: str
    promise: str
    max: int
    iteration: int
    started_at: str
    at: str
    calls: int

    @property
    def round(self) -> str:
        """Which round it is in."""
        return f"{self.iteration}/{self.max}"

    def is_promised(self, message: str) -> bool:
        r"""Whether the agent has given the promise: `<promise>` around exactly its words.

        >>> Loop("", "All done", 9, 1, "", "", 0).is_over("So: <PROMISE> all\n done</promise>")
        True
        """
        # Split, not searched for by a pattern: the time grows with the text and no faster.
        parts = _plain(message).split("<promise>")[1:]
        ended = (part.partition("</promise>") for part in parts)
        return any(end and said.strip() == _plain(self.promise) for said, end, _ in ended)

    def is_stale(self, facts: Facts) -> bool:
        """Whether nothing was done for two hours, in the window that it is in now."""
        calls = facts.session.tool_calls if facts.session else 0
        # Other, not more: the window after a compaction counts its calls anew.
        return self.is_old(facts) and calls == self.calls

    def is_old(self, facts: Facts) -> bool:
        """Whether it last went on more than two hours ago."""
        return facts.now - datetime.fromisoformat(self.at) > _IDLE


_FIELDS = Loop.__dataclass_fields__


def new_loop(prompt: str, promise: str, most: int, facts: Facts) -> Loop:
    """Return a new loop. Of a task that is too long the beginning is kept."""
    task = redact(prompt.strip())
    if len(task) > MAX_TASK_CHARS:
        task = task[: MAX_TASK_CHARS - len(_CUT)] + _CUT
    calls = facts.session.tool_calls if facts.session else 0
    return Loop(task, redact(" ".join(promise.split())), most, 1, facts.at, facts.at, calls)


def parse_loop(value: Any) -> Loop | None:
    """Return the loop that was kept, None where there is none."""
    if not isinstance(value, Mapping) or value.keys() != _FIELDS.keys():
        return None
    kinds = {name: int if one.type in (int, "int") else str for name, one in _FIELDS.items()}
    fits = all(isinstance(value[name], kind) for name, kind in kinds.items())
    return Loop(**value) if fits and _is_time(value["at"]) else None


def advance(loop: Loop, facts: Facts, *, rounds: int = 0) -> Loop:
    """Return a loop that goes on now, some rounds further."""
    calls = facts.session.tool_calls if facts.session else 0
    return replace(loop, iteration=loop.iteration + rounds, at=facts.at, calls=calls)


def store_loop(loop: Loop | None, session_id: int) -> Remember:
    """Return what keeps a loop for a conversation, or ends it."""
    return Remember(session_id, POLICY_NAME, None if loop is None else asdict(loop), lasts=True)


def _is_time(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
