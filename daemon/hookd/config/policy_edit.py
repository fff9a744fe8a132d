"""Edit the policy settings of a file: functions from the file's JSON value to a new value.

Other keys keep their values and order. Objects and lists that become empty are removed.
"""

from collections.abc import Mapping
from typing import Any

Json = dict[str, Any]


class SettingsShapeError(Exception):
    """The file's value does not have the shape of settings; the text names the key."""


def enable(value: Json, name: str, *, by_default: bool) -> Json:
    """Return the value with a policy turned on; `by_default`: it is on unless set otherwise."""
    own = _without(_options(value, name), "mode") if _mode(value, name) == "off" else None
    changed = value if own is None else _put(value, "options", name, own)
    changed = _listed(changed, "disabled", name, there=False)
    return _listed(changed, "enabled", name, there=not by_default and "mode" not in (own or {}))


def disable(value: Json, name: str) -> Json:
    """Return the value with a policy turned off."""
    return _listed(_listed(value, "enabled", name, there=False), "disabled", name, there=True)


def with_option(value: Json, name: str, key: str, given: Any) -> Json:
    """Return the value with an option of a policy set."""
    return _put(value, "options", name, _options(value, name) | {key: given})


def without_option(value: Json, name: str, key: str) -> Json:
    """Return the value with an option of a policy removed, so that its default applies."""
    return _put(value, "options", name, _without(_options(value, name), key))


def _policies(value: Json) -> Json:
    return _object(value.get("policies", {}), "policies")


def _object(found: Any, key: str) -> Json:
    if not isinstance(found, dict):
        raise SettingsShapeError(f"{key} must be an object")
    return found


def _options(value: Json, name: str) -> Json:
    every = _object(_policies(value).get("options", {}), "policies.options")
    return _object(every.get(name, {}), f"policies.options.{name}")


def _mode(value: Json, name: str) -> Any:
    return _options(value, name).get("mode")


def _listed(value: Json, key: str, name: str, *, there: bool) -> Json:
    """Return the value with a name added to a list of policies, or removed from it."""
    found = _policies(value).get(key, [])
    if not isinstance(found, list):
        raise SettingsShapeError(f"policies.{key} must be a list")
    if there:
        names = found if name in found else [*found, name]
    else:
        names = [one for one in found if one != name]
    return value if names == found else _with(value, key, names)


def _put(value: Json, key: str, name: str, own: Json) -> Json:
    every = _object(_policies(value).get(key, {}), f"policies.{key}")
    return _with(value, key, every | {name: own} if own else _without(every, name))


def _with(value: Json, key: str, given: Any) -> Json:
    policies = _policies(value)
    policies = policies | {key: given} if given else _without(policies, key)
    return value | {"policies": policies} if policies else _without(value, "policies")


def _without(value: Mapping[str, Any], key: str) -> Json:
    return {name: one for name, one in value.items() if name != key}
