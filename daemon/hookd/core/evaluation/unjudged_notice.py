"""Tell the user, once, what hookd did not judge, or judged without its daemon."""

from hookd.core.evaluation import user_notice
from hookd.core.evaluation.unjudged import told
from hookd.core.model.effects.messages import TellUnjudged
from hookd.core.model.facts import Facts
from hookd.core.model.verdict import Opinion
from hookd.events.model import HookInput


def notice(event: HookInput, facts: Facts) -> Opinion | None:
    """Tell it with the first answer that a person reads."""
    missed = facts.daemon.unjudged
    if not missed or not event.session_id or not user_notice.reads(event):
        return None
    text = f"{told(missed)} hookd logs -n 20 says what went before."
    return Opinion(system_message=text, rule="unjudged", effects=(TellUnjudged(facts.next.event),))
