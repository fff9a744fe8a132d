"""The home of the pause: for how long a person lets all hooks pass, and what is said of it.

It is a row that holds a time, so that it ends by itself, whatever becomes of the daemon. While it
lasts, handlers keep their records; no policy and no hook of the user's is asked.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from math import ceil

from hookd.config.models import PrecompactOptions
from hookd.core.evaluation import user_notice
from hookd.core.model.effects.messages import AddInjection, OfferInjections
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.core.model.verdict import Opinion
from hookd.events.model import HookInput

LONGEST = timedelta(hours=8)
"""A pause that is longer is no pause, but guards that nobody remembers to switch on."""


def paused(facts: Facts) -> bool:
    """Whether all hooks pass now."""
    return holds(facts.daemon.paused_until, facts.now)


def holds(until: str, now: datetime) -> bool:
    """Whether a pause until then holds now; an empty text is none."""
    return bool(until) and _left(until, now) > timedelta(0)


def minutes_left(facts: Facts) -> int:
    """Return how many minutes of the pause are left, the one that has begun included."""
    return ceil(_left(facts.daemon.paused_until, facts.now) / timedelta(minutes=1))


def unpaused(facts: Facts) -> Facts:
    """Return the facts as if there were no pause."""
    return replace(facts, daemon=replace(facts.daemon, paused_until=""))


def recording(facts: Facts) -> Facts:
    """Return the facts for a handler that only keeps records: it holds up no compaction."""
    settings = facts.settings.model_copy(update={"precompact": PrecompactOptions()})
    return replace(facts, settings=settings)


def put_by(effects: Iterable[Effect]) -> tuple[Effect, ...]:
    """Return a handler's effects where nothing goes out: what was to be read goes on waiting."""
    waiting = (
        replace(one, offered_by=None) if isinstance(one, AddInjection) else one for one in effects
    )
    return tuple(one for one in waiting if not isinstance(one, OfferInjections))


def notice(event: HookInput, facts: Facts) -> Opinion | None:
    """Tell the user, once in a window, that nothing is guarded."""
    if event.hook_event_name not in user_notice.OPENINGS:
        return None
    count = minutes_left(facts)
    told = (
        f"hookd is paused for {count} more minute{'' if count == 1 else 's'}: no guard holds, and"
        " no hook of yours is heard. hookd resume, in a terminal, ends that."
    )
    return user_notice.once(facts, "pause", facts.daemon.paused_until, told)


def _left(until: str, now: datetime) -> timedelta:
    try:
        left = datetime.fromisoformat(until) - now
    except (ValueError, TypeError):  # somebody else's hand: what is no time is no pause
        return timedelta(0)
    # A clock that was put back must not make of it what it may not be.
    return left if left <= LONGEST else timedelta(0)
