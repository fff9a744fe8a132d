"""The home of what the user is told where a damaged database was kept aside."""

from hookd.core.effects import Remember
from hookd.core.events import HookInput
from hookd.core.facts import Facts
from hookd.core.outcome import Opinion
from hookd.core.protocol import EVENTS

_STATE = "replaced"
_TOLD_AT = ("SessionStart", "UserPromptSubmit")


def notice(event: HookInput, facts: Facts) -> Opinion | None:
    """Tell the user, once in a window."""
    aside, session = facts.daemon.replaced, facts.session
    spec = EVENTS.get(event.hook_event_name)
    read = spec is not None and spec.engine and not event.agent_id
    if not aside or not read or event.hook_event_name == "MessageDisplay":
        return None
    # Where there is no window nobody remembers that it was told.
    if session is None and event.hook_event_name not in _TOLD_AT:
        return None
    if facts.policy_state.get(_STATE) == aside:
        return None
    told = (
        f"hookd found its database damaged and kept it aside, as {aside}. It has begun a new one:"
        " guard rules, efforts and trusted projects of before are not in it. hookd status says"
        " what to do."
    )
    kept = (Remember(session.id, _STATE, aside),) if session else ()
    return Opinion(system_message=told, rule="replaced", effects=kept)
