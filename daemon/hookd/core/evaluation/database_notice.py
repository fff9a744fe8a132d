"""The home of what the user is told where a damaged database was kept aside."""

from hookd.core.evaluation import user_notice
from hookd.core.model.facts import Facts
from hookd.core.model.verdict import Opinion
from hookd.events.model import HookInput


def notice(event: HookInput, facts: Facts) -> Opinion | None:
    """Tell the user, once in a window."""
    aside = facts.daemon.replaced
    if not aside or not user_notice.reads(event):
        return None
    # Where there is no window nobody remembers that it was told.
    if facts.session is None and event.hook_event_name not in user_notice.OPENINGS:
        return None
    told = (
        f"hookd found its database damaged and kept it aside, as {aside}. It has begun a new one:"
        " guard rules, efforts and trusted projects of before are not in it. hookd status says"
        " what to do."
    )
    return user_notice.once(facts, "replaced", aside, told)
