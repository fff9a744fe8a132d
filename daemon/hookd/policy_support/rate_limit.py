"""Rate limit of advice: whether a policy gave it within the last minutes."""

from datetime import timedelta
from typing import Any

from hookd.core.model.facts import Facts, iso


def lately(state: object, facts: Facts, minutes: int) -> bool:
    """Return whether a policy gave advice within `minutes`, according to its state."""
    at = state.get("at") if isinstance(state, dict) else None
    return isinstance(at, str) and at > iso(facts.now - timedelta(minutes=minutes))


def recent(state: object, facts: Facts, minutes: int) -> dict[str, str]:
    """Return the `marks` in a policy's state that are newer than `minutes`, with their times."""
    marks = state.get("marks") if isinstance(state, dict) else None
    since = iso(facts.now - timedelta(minutes=minutes))
    every = marks.items() if isinstance(marks, dict) else ()
    return {str(mark): at for mark, at in every if isinstance(at, str) and since < at <= facts.at}


def given(state: object, facts: Facts) -> dict[str, Any]:
    """Return the state of a policy that gives advice now."""
    return {**(state if isinstance(state, dict) else {}), "at": facts.at}
