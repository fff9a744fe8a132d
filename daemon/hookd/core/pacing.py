"""The home of how often advice is given: what was said a while ago may be said again."""

from datetime import timedelta
from typing import Any

from hookd.core.facts import Facts, iso


def lately(state: object, facts: Facts, minutes: int) -> bool:
    """Whether advice was given within so many minutes, by what its policy remembers."""
    at = state.get("at") if isinstance(state, dict) else None
    return isinstance(at, str) and at > iso(facts.now - timedelta(minutes=minutes))


def given(state: object, facts: Facts) -> dict[str, Any]:
    """Return what a policy has to remember that gives advice now."""
    return {**(state if isinstance(state, dict) else {}), "at": facts.at}
