"""The home of how runs of hooks are told, each once: one in the background is kept twice.

That it began is kept with its event, and what came of it when it ended, which may be sooner.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any

_REMEMBERED = 1000
"""Runs that a story may go on with, where new ones are waited for."""

Run = Mapping[str, Any]
_Key = tuple[Any, Any]


class Stories:
    """Tells runs as they come, in the order of their numbers."""

    def __init__(self) -> None:
        self._begun: deque[_Key] = deque(maxlen=_REMEMBERED)
        self._ended: deque[_Key] = deque(maxlen=_REMEMBERED)

    def tell(self, runs: Iterable[Run]) -> list[dict[str, Any]]:
        """Return the runs; the beginning and the end of one are one, and stand where it began."""
        runs = list(runs)
        begins = {_key(run) for run in runs if begins_only(run)}
        ends: dict[_Key, Run] = {}
        for run in runs:
            if _key(run) in begins and not begins_only(run):
                ends.setdefault(_key(run), run)
        joined = {run["id"] for run in ends.values()}
        left = (run for run in runs if run["id"] not in joined)
        return [told for run in left if (told := self._told(run, ends)) is not None]

    def _told(self, run: Run, ends: Mapping[_Key, Run]) -> dict[str, Any] | None:
        key = _key(run)
        if begins_only(run):
            if end := ends.get(key):
                return {**end, "background": run["background"], "at": run["at"]}
            if key in self._ended:
                return None
            self._begun.append(key)
            return dict(run)
        if key not in self._begun:
            self._ended.append(key)
            return dict(run)
        self._begun.remove(key)
        return {**run, "background": True}


def begins_only(run: Run) -> bool:
    """Whether it is told of a run that it went to the background, and not yet what came of it."""
    return run["background"] and run["exitCode"] is None and not run["fault"]


def _key(run: Run) -> _Key:
    return run["eventId"], run["hook"]
