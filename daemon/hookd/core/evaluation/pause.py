"""Pause: a person suspends all guards and hooks for a limited time.

The end of the pause is a stored time, so it ends whatever happens to the daemon. During a pause,
handlers record events; no policy and no user hook runs.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from math import ceil

from hookd.config.models import PrecompactOptions
from hookd.core.model.effects.messages import AddInjection, OfferInjections, Pause
from hookd.core.model.effects.union import Effect
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts, iso

MAX_PAUSE = timedelta(hours=8)
"""Longest pause: a longer one would be forgotten."""


def paused(facts: Facts) -> bool:
    """Return whether hookd is paused now."""
    return is_active(facts.daemon.paused_until, facts.now)


def pause_until(until: datetime, facts: Facts) -> Pause:
    """Return the effect of a pause until a time. Raise DomainError (INVALID_PAUSE)."""
    if until <= facts.now:
        raise DomainError("INVALID_PAUSE", f"{iso(until)} is over: it is {facts.at}")
    if until - facts.now > MAX_PAUSE:
        hours = round(MAX_PAUSE / timedelta(hours=1))
        raise DomainError("INVALID_PAUSE", f"a pause has at most {hours} hours")
    return Pause(iso(until))


def is_active(until: str, now: datetime) -> bool:
    """Return whether a pause until this time is active; an empty text is no pause."""
    return bool(until) and _left(until, now) > timedelta(0)


def minutes_left(facts: Facts) -> int:
    """Return the remaining minutes of the pause, rounded up."""
    return ceil(_left(facts.daemon.paused_until, facts.now) / timedelta(minutes=1))


def unpaused(facts: Facts) -> Facts:
    """Return the facts as if there were no pause."""
    return replace(facts, daemon=replace(facts.daemon, paused_until=""))


def recording(facts: Facts) -> Facts:
    """Return the facts for a handler that only records: it blocks no compaction."""
    settings = facts.settings.model_copy(update={"precompact": PrecompactOptions()})
    return replace(facts, settings=settings)


def without_sending(effects: Iterable[Effect]) -> tuple[Effect, ...]:
    """Return a handler's effects with all texts for the model left queued."""
    queued = (
        replace(effect, offered_by=None) if isinstance(effect, AddInjection) else effect
        for effect in effects
    )
    return tuple(effect for effect in queued if not isinstance(effect, OfferInjections))


def _left(until: str, now: datetime) -> timedelta:
    try:
        left = datetime.fromisoformat(until) - now
    except (ValueError, TypeError):  # not written by hookd
        return timedelta(0)
    # A clock that was set back must not extend the pause beyond the limit.
    return left if left <= MAX_PAUSE else timedelta(0)
