"""The change that a replay tries: rules added and removed, policies, settings. Pure."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from hookd.config import policy_edit
from hookd.config.models import PolicyOptions, Settings
from hookd.config.refusal import first_error
from hookd.core.guard_rules.dead_rules import validate_rule
from hookd.core.guard_rules.describe import calls_of
from hookd.core.guard_rules.rule_file import read_rules
from hookd.core.model.policy import BOTH
from hookd.lazy_dataclass import dataclass
from hookd.policies import POLICIES

_BY_NAME = {policy.name: policy for policy in POLICIES}
_GUARDS = frozenset(policy.name for policy in POLICIES if policy.on_error == "ask")
_RULES = frozenset({"guard-rules"})
_MODES = ("on", "off", "warn", "enforce")


@dataclass(frozen=True, slots=True)
class AddedRule:
    """A guard rule, as JSON text, for the user, or for the project at `root`."""

    name: str
    rule: str
    root: str | None = None

    @property
    def tried(self) -> bool:
        """Whether a replay can know when the rule fires: costs are not recorded with events."""
        return not json.loads(self.rule).get("budget")


@dataclass(frozen=True, slots=True)
class Change:
    """What the second evaluation of each event has otherwise.

    `modes` are policies with their modes, `values` keys of the settings with their values.
    """

    rules: tuple[AddedRule, ...] = ()
    removed: tuple[str, ...] = ()
    modes: tuple[tuple[str, str], ...] = ()
    values: tuple[tuple[str, Any], ...] = ()

    def __bool__(self) -> bool:
        """Return whether anything is changed."""
        return bool(self.rules or self.removed or self.modes or self.values)

    def words(self) -> tuple[str, ...]:
        """Return the parts of the change, a line each."""
        return (
            *map(_rule_words, self.rules),
            *(f"without the rule {name}" for name in self.removed),
            *(f"policy {name}: {mode}" for name, mode in self.modes),
            *(f"{key} = {json.dumps(value)}" for key, value in self.values),
        )


def added_rule(rule: Mapping[str, Any], root: str | None = None) -> AddedRule:
    """Return a rule that a user gave. Raise DomainError if it is invalid or can never match."""
    known = validate_rule(rule)
    return AddedRule(known.id, known.model_dump_json(by_alias=True, exclude_none=True), root)


class InvalidFileError(Exception):
    """A rules file has mistakes; the text has a line for each, with its place."""


def file_rules(name: str, data: bytes, root: str | None) -> tuple[AddedRule, ...]:
    """Return the rules of a rules file, for the project at `root`. Raise InvalidFileError."""
    file = read_rules(data)
    if file.problems:
        told = (f"{name}:{one.line}:{one.column}: {one.sentence}" for one in file.problems)
        raise InvalidFileError("\n".join(told))
    return tuple(AddedRule(one.rule.id, one.text, root) for one in file.rules)


def listed_rules(value: object) -> tuple[AddedRule, ...]:
    """Return the rules of a list as `hookd guard list --json` prints it, or of plain rules.

    Rules of an effort are left out. Raise ValueError, or DomainError for an invalid rule.
    """
    rows = value.get("guards", value.get("rules")) if isinstance(value, dict) else value
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ValueError("it has no list of rules, as `hookd guard list --json` prints it")
    return tuple(_listed(row) for row in rows if row.get("scope") != "effort")


def _listed(row: Mapping[str, Any]) -> AddedRule:
    rule, root = row.get("rule", row), row.get("project")
    if not isinstance(rule, dict):
        raise ValueError("a rule of the list is no object")
    return added_rule(rule, root if isinstance(root, str) else None)


def parse_mode(text: str) -> tuple[str, str]:
    """Return policy and mode of `NAME=MODE`. Raise ValueError."""
    name, _, mode = text.partition("=")
    if name not in _BY_NAME:
        raise ValueError(f"there is no policy {name!r}: hookd policy list")
    if mode not in _MODES:
        raise ValueError(f"a mode is one of {', '.join(_MODES)}: --policy {name}=off")
    return name, mode


def parse_value(text: str) -> tuple[str, Any]:
    """Return key and value of `KEY=VALUE`: the value is JSON, or else a text. Raise ValueError."""
    key, equals, given = text.partition("=")
    parts = key.split(".")
    if not equals or not all(parts):
        raise ValueError(f"{text!r} is no setting: write --set heartbeat.block_after=20")
    if parts[0] in _BY_NAME:
        key = f"policies.options.{key}"
    try:
        return key, json.loads(given)
    except ValueError:
        return key, given


def changed_settings(settings: Settings, change: Change) -> Settings:
    """Return the settings with the change. Raise ValueError that names the key."""
    value = settings.model_dump(mode="json", by_alias=True, exclude_unset=True)
    for name, mode in change.modes:
        value = _with_mode(value, name, mode)
    for key, given in change.values:
        value = _with_value(value, key.split("."), given)
    try:
        return Settings.model_validate(value)
    except ValidationError as error:
        key, why = first_error(error, "there is no such setting")
        raise ValueError(f"{key}: {why}") from error


def affected_policies(
    change: Change,
    before: tuple[Settings, Mapping[str, PolicyOptions]],
    after: tuple[Settings, Mapping[str, PolicyOptions]],
) -> frozenset[str]:
    """Return the policies whose opinion may differ with the change.

    A guard reads the options of other guards, and many policies read the levels of `overflow`. Any
    policy may read another part of the settings.
    """
    changed = {name for name in _BY_NAME if before[1].get(name) != after[1].get(name)}
    others = [one.model_copy(update={"policies": None}) for one in (before[0], after[0])]
    if "overflow" in changed or others[0] != others[1]:
        return frozenset(_BY_NAME)
    found = frozenset(changed) | (_GUARDS if changed & _GUARDS else frozenset())
    return found | _RULES if change.rules or change.removed else found


def _with_mode(value: dict[str, Any], name: str, mode: str) -> dict[str, Any]:
    if mode == "off":
        return policy_edit.disable(value, name)
    value = policy_edit.enable(value, name, by_default=_BY_NAME[name].profiles == BOTH)
    return value if mode == "on" else policy_edit.with_option(value, name, "mode", mode)


def _with_value(value: Mapping[str, Any], parts: list[str], given: Any) -> dict[str, Any]:
    first, *rest = parts
    if not rest:
        return {**value, first: given}
    inner = value.get(first, {})
    if not isinstance(inner, dict):
        raise ValueError(f"{first} is no object")
    return {**value, first: _with_value(inner, rest, given)}


def _rule_words(one: AddedRule) -> str:
    rule = json.loads(one.rule)
    verb = {"block": "denies", "interrupt": "denies", "ask": "asks about"}.get(
        rule.get("urgency", "allow"), "comments on"
    )
    place = f" in {one.root}" if one.root else ""
    left_out = "" if one.tried else " (left out: events have no costs)"
    return f"rule {one.name} {verb} {calls_of(rule)}{place}{left_out}"
