"""Deadlines: how long the shim and the client wait for an event, so that user hooks can finish.

An event is registered with the seconds in events/protocol.py, or with more if one of its hooks has
more. For some events the client has a fixed limit: `EventSpec.longest`.
"""

from collections.abc import Iterable, Mapping
from math import ceil

from hookd.core.hook_rules.model import Hook
from hookd.events.protocol import EVENTS, EventSpec

ANSWER_MARGIN_S = 0.5
"""Seconds before the shim's deadline that are reserved to merge, store and send an answer."""

_GUARDS_MARGIN_S = 2
"""Seconds in addition to the hooks: guards, database, sending the answer."""

_CLIENT_MARGIN_S = 2
"""Seconds that the client waits for the shim beyond the shim's own deadline."""


def hook_deadlines(hooks: Iterable[Hook]) -> dict[str, int]:
    """Return the shim's deadline of each event that hooks run on, in seconds.

    Hooks of one chain run one after the other, all others at once; background hooks do not count.
    """
    lanes = dict[tuple[str, str], float]()
    for hook in hooks:
        if not hook.background and hook.event in EVENTS:
            lane = (hook.event, hook.chain or f"\0{hook.id}")
            lanes[lane] = lanes.get(lane, 0.0) + hook.timeout
    found = dict[str, int]()
    for (event, _), seconds in lanes.items():
        found[event] = max(found.get(event, 0), _deadline(EVENTS[event], seconds))
    return found


def _deadline(spec: EventSpec, seconds: float) -> int:
    wanted = max(spec.deadline, ceil(seconds) + _GUARDS_MARGIN_S)
    return wanted if spec.longest is None else min(wanted, spec.longest)


def client_timeout(spec: EventSpec, deadlines: Mapping[str, int]) -> int:
    """Return the seconds that are registered with the client for an event."""
    return max(spec.timeout, deadlines.get(spec.name, 0) + _CLIENT_MARGIN_S)


def shim_deadline(spec: EventSpec, deadlines: Mapping[str, int]) -> int:
    """Return the seconds that the shim waits on an event."""
    return max(spec.deadline, deadlines.get(spec.name, 0))


def client_cutoff(hook: Hook) -> float | None:
    """Return the seconds after which the client's limit ends a hook; None if it does not."""
    longest = EVENTS[hook.event].longest if hook.event in EVENTS else None
    if longest is None or hook.background or hook.timeout <= longest - ANSWER_MARGIN_S:
        return None
    return longest - ANSWER_MARGIN_S
