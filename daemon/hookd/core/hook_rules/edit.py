"""Edit hooks in settings: add, remove, enable and disable entries; other keys stay unchanged.

Functions from a JSON value to a new value. No pydantic here: the command line imports it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

from hookd.config.deprecated_keys import current_settings
from hookd.core.hook_rules.model import Hook, derived_id
from hookd.core.hook_rules.parse import DEFAULT_TIMEOUT_S, DEFAULT_TIMEOUTS_S
from hookd.lazy_pattern import lazy_compile

Json = dict[str, Any]

_ALL = (None, "", "*")
_KEY = lazy_compile(r"hooks(?:\.(?P<event>.+?))?\[(?P<at>\d+)\](?:\.hooks\[(?P<inner>\d+)\])?")


class SettingsShapeError(ValueError):
    """The settings have a shape that hooks cannot be added to; the message says which."""


def to_entry(hook: Hook) -> Json:
    """Return a hook as an entry of Claude Code's form, without defaults."""
    own: Json = {} if hook.id == derived_id(hook) else {"id": hook.id}
    optional = {
        "if": hook.condition,
        "timeout": _timeout(hook),
        "statusMessage": hook.status_message,
        "async": hook.background and not hook.rewake,
        "asyncRewake": hook.rewake,
        "on_failure": hook.on_failure if hook.on_failure != "warn" else None,
        "on_error": hook.on_error if hook.on_error != "warn" else None,
        "always": hook.always,
        "inherit_env": hook.inherit_env,
        "env_compat": list(hook.env_sets),
    }
    said = {name: value for name, value in optional.items() if value}
    return own | {"type": hook.type} | _action(hook) | said


def add_hooks(document: Mapping[str, Any], hooks: Iterable[Hook], off: Iterable[Hook] = ()) -> Json:
    """Return the settings with further hooks; those in `off` are added as disabled.

    Hooks of a chain stay sequential, as far as they have the same matcher: a chain is a group.
    """
    disabled = set(map(id, off := tuple(off)))
    hooks = (*hooks, *off)
    length = Counter((hook.event, hook.chain) for hook in hooks)
    value = deepcopy(dict(document))
    begun: dict[tuple[object, ...], list[Json]] = {}
    for hook in hooks:
        chained = hook.chain is not None and length[hook.event, hook.chain] > 1
        place = (hook.event, hook.matcher, hook.chain) if chained else ()
        group = begun.get(place)
        if group is None:
            group = _group(value, hook.event, hook.matcher, sequential=chained)
            if chained:
                begun[place] = group
        group.append(to_entry(hook) | ({"disabled": True} if id(hook) in disabled else {}))
    return value


def add_entry(
    document: Mapping[str, Any], event: str, matcher: str | None, given: Mapping[str, Any]
) -> tuple[Json, str]:
    """Return the settings with one more entry, and its key in them."""
    value = deepcopy(dict(document))
    group = _group(value, event, matcher, sequential=False)
    group.append(dict(given))
    found = [isinstance(one, dict) and one.get("hooks") is group for one in value["hooks"][event]]
    return value, f"hooks.{event}[{found.index(True)}].hooks[{len(group) - 1}]"


def remove_entry(document: Mapping[str, Any], key: str) -> Json:
    """Return the settings without the entry at a key, and without empty parents."""
    value = deepcopy(dict(document))
    event, at, inner = _parse_key(key)
    elements = value["hooks"] if event is None else value["hooks"][event]
    if inner is not None:
        del elements[at]["hooks"][inner]
    if inner is None or not elements[at]["hooks"]:
        del elements[at]
    if event is not None and not elements:
        del value["hooks"][event]
    if not value["hooks"]:
        del value["hooks"]
    return value


def set_enabled(document: Mapping[str, Any], key: str, *, on: bool) -> Json:
    """Return the settings with the entry at a key enabled or disabled, in the entry itself."""
    value = deepcopy(dict(document))
    event, at, inner = _parse_key(key)
    element = (value["hooks"] if event is None else value["hooks"][event])[at]
    one = element if inner is None else element["hooks"][inner]
    one.pop("disabled", None)
    if not on:
        one["disabled"] = True
    return value


def set_listed_as_disabled(document: Mapping[str, Any], name: str, *, on: bool) -> Json:
    """Return the settings with an id in their `disabled_hooks`, or without it.

    The deprecated name of the list is replaced.
    """
    current = current_settings(document, layer=True)
    listed = current.value.get("disabled_hooks", [])
    if not isinstance(listed, list):
        raise SettingsShapeError(f"`{current.key_in_file('disabled_hooks')}` is no list")
    kept = [one for one in listed if one != name] if on else [*listed]
    if not on and name not in kept:
        kept.append(name)
    value = {name: one for name, one in document.items() if name != "disable"}
    value["disabled_hooks"] = kept
    if not kept and listed:
        del value["disabled_hooks"]
    return value if kept != listed else dict(document)


def _action(hook: Hook) -> Json:
    if hook.type == "http":
        optional: Json = {"headers": dict(hook.headers), "allowedEnvVars": list(hook.allowed_env)}
        return {"url": hook.url} | {name: value for name, value in optional.items() if value}
    if hook.type == "prompt":
        return {"prompt": hook.prompt} | ({"model": hook.model} if hook.model else {})
    return {"command": hook.command} | ({} if hook.args is None else {"args": list(hook.args)})


def _timeout(hook: Hook) -> float | None:
    if hook.timeout == DEFAULT_TIMEOUTS_S.get(hook.event, DEFAULT_TIMEOUT_S):
        return None
    return int(hook.timeout) if hook.timeout == int(hook.timeout) else hook.timeout


def _group(value: Json, event: str, matcher: str | None, *, sequential: bool) -> list[Json]:
    """Return the hooks of a matching group in `value`, which gets a new group if needed."""
    hooks = value.setdefault("hooks", {})
    if not isinstance(hooks, dict):
        raise SettingsShapeError("`hooks` is no object of events")
    elements = hooks.setdefault(event, [])
    if not isinstance(elements, list):
        raise SettingsShapeError(f"`hooks.{event}` is no list")
    for one in elements:
        if not sequential and _accepts(one, matcher):
            found: list[Json] = one["hooks"]
            return found
    made: Json = {} if matcher in _ALL else {"matcher": matcher}
    group: list[Json] = []
    elements.append(made | ({"sequential": True} if sequential else {}) | {"hooks": group})
    return group


def _accepts(element: object, matcher: str | None) -> bool:
    """Return whether an element is a parallel group with the same matcher."""
    if not isinstance(element, dict) or not isinstance(element.get("hooks"), list):
        return False
    own = element.get("matcher")
    same = own == matcher or (own in _ALL and matcher in _ALL)
    return same and element.get("sequential", False) is False


def _parse_key(key: str) -> tuple[str | None, int, int | None]:
    found = _KEY.fullmatch(key)
    if found is None:
        raise ValueError(f"{key!r} is no key of a hook")
    return found["event"], int(found["at"]), None if found["inner"] is None else int(found["inner"])
