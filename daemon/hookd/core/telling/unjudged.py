"""The home of telling the user, once, what hookd did not judge: a dead guard is never silent."""

from hookd.core.effects import TellUnjudged
from hookd.core.events import HookInput
from hookd.core.facts import Facts
from hookd.core.outcome import Opinion
from hookd.core.telling import user
from hookd.core.unjudged import sentence


def notice(event: HookInput, facts: Facts) -> Opinion | None:
    """Tell it with the first answer that a person reads."""
    missed = facts.daemon.unjudged
    if not missed or not event.session_id or not user.reads(event):
        return None
    told = f"hookd did not judge {sentence(missed)}. hookd logs -n 20 says what went before."
    return Opinion(system_message=told, rule="unjudged", effects=(TellUnjudged(facts.next.event),))
