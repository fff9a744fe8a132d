"""The home of how often advice is given: what was said a while ago may be said again."""

from datetime import timedelta
from typing import Any

from hookd.core.model.facts import Facts, iso


def lately(state: object, facts: Facts, minutes: int) -> bool:
    """Whether advice was given within so many minutes, by what its policy remembers."""
    at = state.get("at") if isinstance(state, dict) else None
    return isinstance(at, str) and at > iso(facts.now - timedelta(minutes=minutes))


def recent(state: object, facts: Facts, minutes: int) -> dict[str, str]:
    """Return what was said within so many minutes, by a policy that keeps several `marks`."""
    marks = state.get("marks") if isinstance(state, dict) else None
    since = iso(facts.now - timedelta(minutes=minutes))
    every = marks.items() if isinstance(marks, dict) else ()
    return {str(mark): at for mark, at in every if isinstance(at, str) and since < at <= facts.at}


def given(state: object, facts: Facts) -> dict[str, Any]:
    """Return what a policy has to remember that gives advice now."""
    return {**(state if isinstance(state, dict) else {}), "at": facts.at}
