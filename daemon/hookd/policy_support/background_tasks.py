"""The home of what runs behind a window: what was started there, what has ended, what is untold.

A value of this kind is what `background-notification` keeps for a window; each change returns a new
one. It is bounded: what is too many is counted only.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from hookd.core.context_window.injections import without_tag
from hookd.redaction.redact import redact

_MOST = 50
"""Running and ended ones, each, that are known by name."""

_SHOWN = 8
_LABEL = 80
_READ = 2_000


@dataclass(frozen=True, slots=True)
class Background:
    """`running` and `ended` say what each is, by its id; `more` have ended without a name here."""

    running: Mapping[str, str] = field(default_factory=dict)
    ended: Mapping[str, str] = field(default_factory=dict)
    more: int = 0

    def started(self, key: str, label: str) -> "Background":
        """Return it with one more that runs."""
        if key in self.running or len(self.running) >= _MOST:
            return self
        return replace(self, running={**self.running, key: label})

    def over(self, key: str, label: str = "") -> "Background":
        """Return it with one that has ended, running until then or not."""
        running = {one: what for one, what in self.running.items() if one != key}
        if key in self.ended:
            return replace(self, running=running)
        if len(self.ended) >= _MOST:
            return replace(self, running=running, more=self.more + 1)
        ended = {**self.ended, key: self.running.get(key) or label or "a task"}
        return replace(self, running=running, ended=ended)

    def known(self, text: str) -> "Background":
        """Return it without those whose ids are in a text: whoever read that was told of them."""
        return replace(self, running=_besides(self.running, text), ended=_besides(self.ended, text))

    def told(self) -> "Background":
        """Return it with nothing that is untold."""
        return Background(self.running)

    @property
    def kept(self) -> dict[str, Any] | None:
        """It as a policy remembers it, None where there is nothing."""
        if not self.running and not self.ended and not self.more:
            return None
        return {"running": dict(self.running), "ended": dict(self.ended), "more": self.more}


def background(kept: Any) -> Background:
    """Return what a policy has remembered; what is no such value is nothing."""
    if not isinstance(kept, dict):
        return Background()
    more = kept.get("more")
    return Background(
        _texts(kept.get("running")), _texts(kept.get("ended")), more if isinstance(more, int) else 0
    )


def listed(before: Background, tasks: Iterable[Any]) -> Background:
    """Return what runs by the client's own list at the end of a turn: what is not there is over."""
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
    """Return the first of some texts, in one short line, without secrets."""
    texts = (one for one in candidates if isinstance(one, str) and one.strip())
    # Redacted before it is cut: half a secret would not be known for one.
    words = redact(next(texts, "")[:_READ]).split()
    return without_tag(" ".join(words))[:_LABEL]


def saying(known: Background) -> str:
    """Return what has ended and how many still run, in one line."""
    count = len(known.ended) + known.more
    names = list(known.ended.values())
    shown = "; ".join(names[:_SHOWN])
    rest = f"; and {count - _SHOWN} more" if count > _SHOWN else ""
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
