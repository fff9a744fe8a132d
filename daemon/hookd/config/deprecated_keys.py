"""Deprecated settings keys: read under their current names, and reported.

A deprecated key never makes a file invalid. Where a file has both names of a key, the current one
wins and the report says so. Standard library only: the command line imports it without pydantic.
"""

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from hookd.lazy_dataclass import dataclass

_OLD_SECTION, _SECTION = "commands", "user_hooks"
_SECTION_KEYS = {
    "limit": "max_concurrent",
    "background_limit": "max_background",
    "env_sets": "env_profiles",
}
_OLD_DISABLE, _DISABLE = "disable", "disabled_hooks"
REMOVED_OPTIONS = {"todo-continuation-enforcer": ("countdown",)}
"""Options that a policy no longer has, by the policy's name."""

DEPRECATED_SECTIONS = (_OLD_SECTION,)
"""Sections of the user's settings that have another name now."""


@dataclass(frozen=True, slots=True)
class Deprecation:
    """A deprecated key in a file, and what to do about it."""

    key: str
    advice: str

    def __str__(self) -> str:
        """Return the notice as one line."""
        return f"{self.key}: {self.advice}"


@dataclass(frozen=True, slots=True)
class CurrentSettings:
    """A file's settings under current names; `old_keys` are the file's names by current key."""

    value: Any
    deprecations: tuple[Deprecation, ...] = ()
    old_keys: Mapping[str, str] = field(default_factory=dict)

    def key_in_file(self, key: str) -> str:
        """Return a key, or the path of a value below it, by the name that the file has."""
        for current, old in self.old_keys.items():
            rest = key.removeprefix(current)
            if key.startswith(current) and rest[:1] in ("", ".", "["):
                return old + rest
        return key


def current_settings(document: object, *, layer: bool = False) -> CurrentSettings:
    """Return a file's settings under current names; `layer`: sections of the user's file are left.

    Other values than objects are returned unchanged.
    """
    if not isinstance(document, dict):
        return CurrentSettings(document)
    value = dict(document)
    found: list[Deprecation] = []
    old_keys: dict[str, str] = {}
    _rename_key(value, found, old_keys)
    if not layer:
        _rename_section(value, found, old_keys)
    if isinstance(value.get("policies"), dict):
        value["policies"] = _without_removed_options(value["policies"], found)
    return CurrentSettings(value, tuple(found), old_keys)


def _rename_key(value: dict[str, Any], found: list[Deprecation], old_keys: dict[str, str]) -> None:
    if _OLD_DISABLE not in value:
        return
    old = value.pop(_OLD_DISABLE)
    if _DISABLE in value:
        found.append(_ignored(_OLD_DISABLE, _DISABLE))
        return
    value[_DISABLE] = old
    old_keys[_DISABLE] = _OLD_DISABLE
    found.append(Deprecation(_OLD_DISABLE, f"deprecated: use {_DISABLE}"))


def _rename_section(
    value: dict[str, Any], found: list[Deprecation], old_keys: dict[str, str]
) -> None:
    if _OLD_SECTION not in value:
        return
    old, current = value.pop(_OLD_SECTION), value.get(_SECTION, {})
    if not isinstance(old, dict) or not isinstance(current, dict):
        if _SECTION in value:
            found.append(_ignored(_OLD_SECTION, _SECTION))
            return
        found.append(Deprecation(_OLD_SECTION, f"deprecated: use {_SECTION}"))
        value[_SECTION] = old
        old_keys[_SECTION] = _OLD_SECTION
        return
    names = [f"{key} is now {name}" for key, name in _SECTION_KEYS.items() if key in old]
    more = f" ({', '.join(names)})" if names else ""
    found.append(Deprecation(_OLD_SECTION, f"deprecated: use {_SECTION}{more}"))
    section = dict(current)
    # A key that the old section has under both names counts under the current one.
    for key in sorted(old, key=_SECTION_KEYS.__contains__):
        name = _SECTION_KEYS.get(key, key)
        if name in section:
            found.append(_ignored(f"{_OLD_SECTION}.{key}", f"{_SECTION}.{name}"))
            continue
        section[name] = old[key]
        old_keys[f"{_SECTION}.{name}"] = f"{_OLD_SECTION}.{key}"
    value[_SECTION] = section


def _without_removed_options(
    policies: Mapping[str, Any], found: list[Deprecation]
) -> Mapping[str, Any]:
    options = policies.get("options")
    if not isinstance(options, dict):
        return policies
    kept = dict(options)
    for name, removed in REMOVED_OPTIONS.items():
        given = options.get(name)
        if not isinstance(given, dict):
            continue
        for key in (one for one in removed if one in given):
            where = f"policies.options.{name}.{key}"
            found.append(Deprecation(where, "deprecated: it has no effect, remove it"))
        kept[name] = {key: one for key, one in given.items() if key not in removed}
    return {**policies, "options": kept}


def _ignored(old: str, current: str) -> Deprecation:
    return Deprecation(old, f"deprecated and ignored: {current} is set too")
