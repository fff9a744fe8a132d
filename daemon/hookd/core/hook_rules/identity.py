"""The home of when two hooks are the same one, and of what a hook is called that has no name."""

import hashlib
import json
from collections.abc import Collection

from hookd.core.hook_rules.model import Hook

Handler = tuple[object, ...]


def handler_of(hook: Hook) -> Handler:
    """Return what a hook does: the same one runs once for an event, whoever registered it."""
    headers = tuple(sorted(hook.headers))
    what = (hook.type, hook.command, hook.args, hook.url, headers, hook.prompt, hook.model)
    return (*what, hook.condition)


def same_as(hook: Hook) -> Handler:
    """Return what makes two entries one: the event, the matcher and the handler."""
    return (hook.event, hook.matcher, *handler_of(hook))


def derived_id(hook: Hook) -> str:
    """Return the name of a hook that has none: the same in whatever file and form it stands."""
    text = json.dumps(same_as(hook), separators=(",", ":"))
    return f"{hook.event}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def free_id(hook: Hook, taken: Collection[str]) -> str:
    """Return the name of a hook among others: its own, else the derived one, else a numbered one.

    Two hooks never have one name: what is said of one would be said of the other.
    """
    derived, number = derived_id(hook), 2
    for wanted in (hook.id, derived):
        if wanted not in taken:
            return wanted
    while f"{derived}.{number}" in taken:
        number += 1
    return f"{derived}.{number}"


def each_once(hooks: tuple[Hook, ...]) -> tuple[Hook, ...]:
    """Return the hooks without a handler twice: of two, the managed one, else one that decides."""
    chosen: dict[object, Hook] = {}
    for hook in hooks:
        before = chosen.get(handler_of(hook))
        if before is None or _weight(hook) > _weight(before):
            chosen[handler_of(hook)] = hook
    kept = set(map(id, chosen.values()))
    return tuple(hook for hook in hooks if id(hook) in kept)


def _weight(hook: Hook) -> tuple[bool, bool, bool]:
    firm = hook.on_failure == "block" or hook.on_error == "block"
    return hook.source.layer == "managed", not hook.background, firm
