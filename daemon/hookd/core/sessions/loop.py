"""Loop: one task that an agent repeats until its last message has the promise that it is done."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from typing import Any

from hookd.core.model.effects.sessions import Remember
from hookd.core.model.facts import Facts
from hookd.lazy_dataclass import dataclass
from hookd.redaction.redact import redact

POLICY_NAME = "ralph-loop"
"""The policy that runs loops, and the key of its stored state."""

MAX_TASK_CHARS = 4_000
"""Maximum characters of a loop's task, which is repeated each round."""

PROMISE = r"^[^<>]*[^<>\s][^<>]*$"
"""Pattern of a promise, which is written between two tags."""

MAX_PROMISE_CHARS = 200
"""Maximum characters of a promise."""

MAX_ROUNDS = 1_000
"""Maximum rounds of a loop."""

_IDLE = timedelta(hours=2)
_CUT = " [...]"


@dataclass(frozen=True, slots=True)
class Loop:
    """A running loop: `at` and `calls` are the time and the session's calls at its last round."""

    prompt: str
    promise: str
    max: int
    iteration: int
    started_at: str
    at: str
    calls: int

    @property
    def round(self) -> str:
        """The current round, such as `2/10`."""
        return f"{self.iteration}/{self.max}"

    def is_promised(self, message: str) -> bool:
        r"""Return whether a message has the promise: `<promise>` around exactly its words.

        >>> Loop("", "All done", 9, 1, "", "", 0).is_over("So: <PROMISE> all\n done</promise>")
        True
        """
        # Split instead of a regex: linear time.
        parts = _plain(message).split("<promise>")[1:]
        ended = (part.partition("</promise>") for part in parts)
        return any(end and said.strip() == _plain(self.promise) for said, end, _ in ended)

    def is_stale(self, facts: Facts) -> bool:
        """Return whether the loop's session made no call for two hours."""
        calls = facts.session.tool_calls if facts.session else 0
        # Not "more": the session after a compaction counts its calls from 0.
        return self.is_old(facts) and calls == self.calls

    def is_old(self, facts: Facts) -> bool:
        """Return whether its last round was more than two hours ago."""
        return facts.now - datetime.fromisoformat(self.at) > _IDLE


_FIELDS = Loop.__dataclass_fields__


def new_loop(prompt: str, promise: str, most: int, facts: Facts) -> Loop:
    """Return a new loop. A task that is too long is cut."""
    task = redact(prompt.strip())
    if len(task) > MAX_TASK_CHARS:
        task = task[: MAX_TASK_CHARS - len(_CUT)] + _CUT
    calls = facts.session.tool_calls if facts.session else 0
    return Loop(task, redact(" ".join(promise.split())), most, 1, facts.at, facts.at, calls)


def parse_loop(value: Any) -> Loop | None:
    """Return the loop in a stored value, None if it is not one."""
    if not isinstance(value, Mapping) or value.keys() != _FIELDS.keys():
        return None
    kinds = {name: int if one.type in (int, "int") else str for name, one in _FIELDS.items()}
    fits = all(isinstance(value[name], kind) for name, kind in kinds.items())
    return Loop(**value) if fits and _is_time(value["at"]) else None


def advance(loop: Loop, facts: Facts, *, rounds: int = 0) -> Loop:
    """Return the loop some rounds later, with the current time and calls."""
    calls = facts.session.tool_calls if facts.session else 0
    return replace(loop, iteration=loop.iteration + rounds, at=facts.at, calls=calls)


def store_loop(loop: Loop | None, session_id: int) -> Remember:
    """Return the effect that stores a conversation's loop, or removes it (None)."""
    return Remember(session_id, POLICY_NAME, None if loop is None else asdict(loop), lasts=True)


def _is_time(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
