"""Background tasks of a window: running, ended, and ended but not yet reported.

`background-notification` stores a value of this kind per window; each change returns a new one. It
is bounded: tasks beyond the limit are only counted.
"""

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import Any

from hookd.core.context_window.injections import without_tag
from hookd.lazy_dataclass import dataclass
from hookd.redaction.redact import redact

_MAX_TASKS = 50
"""Running tasks that are known by name, and as many ended ones."""

_MAX_LISTED = 8
_MAX_LABEL_CHARS = 80
_MAX_READ_CHARS = 2_000


@dataclass(frozen=True, slots=True)
class Background:
    """Labels of running and ended tasks by id; `more` counts ended ones without a label."""

    running: Mapping[str, str] = field(default_factory=dict)
    ended: Mapping[str, str] = field(default_factory=dict)
    more: int = 0

    def started(self, key: str, label: str) -> "Background":
        """Return the value with one more running task."""
        if key in self.running or len(self.running) >= _MAX_TASKS:
            return self
        return replace(self, running={**self.running, key: label})

    def over(self, key: str, label: str = "") -> "Background":
        """Return the value with a task marked as ended, whether it was known or not."""
        running = {one: what for one, what in self.running.items() if one != key}
        if key in self.ended:
            return replace(self, running=running)
        if len(self.ended) >= _MAX_TASKS:
            return replace(self, running=running, more=self.more + 1)
        ended = {**self.ended, key: self.running.get(key) or label or "a task"}
        return replace(self, running=running, ended=ended)

    def known(self, text: str) -> "Background":
        """Return the value without tasks whose ids are in a text that the model has read."""
        return replace(self, running=_besides(self.running, text), ended=_besides(self.ended, text))

    def told(self) -> "Background":
        """Return the value after everything that ended was reported."""
        return Background(self.running)

    @property
    def kept(self) -> dict[str, Any] | None:
        """The value as JSON for the policy's state; None if it is empty."""
        if not self.running and not self.ended and not self.more:
            return None
        return {"running": dict(self.running), "ended": dict(self.ended), "more": self.more}


def background(kept: Any) -> Background:
    """Return the value in a policy's state; empty if the state is malformed."""
    if not isinstance(kept, dict):
        return Background()
    more = kept.get("more")
    return Background(
        _texts(kept.get("running")), _texts(kept.get("ended")), more if isinstance(more, int) else 0
    )


def listed(before: Background, tasks: Iterable[Any]) -> Background:
    """Return the value by the client's list at the end of a turn; unlisted tasks have ended."""
    now = dict(_listed(tasks))
    names = set(now.values())
    left = before
    for key, what in before.running.items():
        if key not in now and what not in names:
            left = left.over(key)
    for key, what in now.items():
        if what not in left.running.values():
            left = left.started(key, what)
    return left


def label(*candidates: Any) -> str:
    """Return the first non-empty text as one short line, without secrets."""
    texts = (one for one in candidates if isinstance(one, str) and one.strip())
    # Redacted before it is cut: half of a secret would not be recognized.
    words = redact(next(texts, "")[:_MAX_READ_CHARS]).split()
    return without_tag(" ".join(words))[:_MAX_LABEL_CHARS]


def saying(known: Background) -> str:
    """Return one line: the ended tasks, and how many still run."""
    count = len(known.ended) + known.more
    names = list(known.ended.values())
    shown = "; ".join(names[:_MAX_LISTED])
    rest = f"; and {count - _MAX_LISTED} more" if count > _MAX_LISTED else ""
    head = "1 background task has ended" if count == 1 else f"{count} background tasks have ended"
    left = len(known.running)
    tail = {0: "None runs any more.", 1: "1 still runs."}.get(left, f"{left} still run.")
    return f"{head}: {shown}{rest}. {tail}"


def _listed(tasks: Iterable[Any]) -> Iterable[tuple[str, str]]:
    for one in tasks:
        if not isinstance(one, dict) or one.get("status") not in (None, "running", "pending"):
            continue
        key = one.get("id")
        if isinstance(key, str) and key:
            named = (one.get(name) for name in ("description", "name", "command", "type"))
            yield key[:100], label(*named) or "a task"


def _besides(table: Mapping[str, str], text: str) -> dict[str, str]:
    return {key: what for key, what in table.items() if key not in text}


def _texts(value: Any) -> dict[str, str]:
    pairs = value.items() if isinstance(value, dict) else ()
    return {key: what for key, what in pairs if isinstance(what, str)}
