"""Short form of a guard rule: `match`, `except`, and one of `deny`, `ask`, `tell`, `stop`.

It is what people write in a rules file. The stored form is the long one, with `toolFilter`,
`payload` and `urgency`.
"""

from collections.abc import Mapping
from typing import Any

URGENCIES = {"deny": "block", "ask": "ask", "tell": "allow", "stop": "interrupt"}
"""The urgency of each short key; its value is the text."""

_FILTERS = {"match": "include", "except": "exclude"}
"""The long name, in `toolFilter`, of each short key."""

EXAMPLES = ("denies", "asks", "tells", "allows")
"""Keys of a rule that list examples."""

SHORT_KEYS = (*_FILTERS, *URGENCIES)


def expand(rule: Mapping[str, Any]) -> dict[str, Any]:
    """Return a rule in its long form. Raise ValueError if both forms set the same value."""
    long = {key: value for key, value in rule.items() if key not in SHORT_KEYS}
    for short, name in _FILTERS.items():
        if short in rule:
            patterns = rule[short]
            patterns = [patterns] if isinstance(patterns, str) else patterns
            _set(long, "toolFilter", name, patterns, short)
    actions = [key for key in URGENCIES if key in rule]
    if len(actions) > 1:
        raise ValueError(f"give one of {' and '.join(actions)}, not both")
    for action in actions:
        if "urgency" in rule:
            raise ValueError(f"{action} and urgency say the same: give one of them")
        long["urgency"] = URGENCIES[action]
        _set(long, "payload", "text", rule[action], action)
    return long


def _set(rule: dict[str, Any], part: str, key: str, value: Any, short: str) -> None:
    known = rule.get(part, {})
    if not isinstance(known, Mapping):  # the model says what it expects there
        return
    if key in known:
        raise ValueError(f"{short} and {part}.{key} say the same: give one of them")
    rule[part] = {**known, key: value}


def shorten(rule: Mapping[str, Any]) -> dict[str, Any]:
    """Return a rule with the short keys that can say the same, in the order that people read.

    `expand` of the result is the rule again, with `id` for its name.
    """
    long = {("id" if key == "ruleId" else key): value for key, value in rule.items()}
    found: dict[str, Any] = {"id": long.pop("id")}
    if "description" in long:
        found["description"] = long.pop("description")
    for short, name in _FILTERS.items():
        if (value := _taken(long, "toolFilter", name)) is not None:
            found[short] = value
    urgency = long.get("urgency", "allow")
    action = next((key for key, one in URGENCIES.items() if one == urgency), None)
    if action and (text := _taken(long, "payload", "text")) is not None:
        found[action] = text
        long.pop("urgency", None)
    for kind in EXAMPLES:
        if isinstance(long.get(kind), list | tuple):
            long[kind] = [_short_example(one) for one in long[kind]]
    return found | long


def _short_example(value: Any) -> Any:
    """Return an example as a text if it sets no situation."""
    plain = isinstance(value, Mapping) and value.keys() == {"call"}
    return value["call"] if plain else value


def _taken(rule: dict[str, Any], part: str, key: str) -> Any:
    """Return a value of a part and remove it from the rule; None without it."""
    known = rule.get(part)
    if not isinstance(known, Mapping) or key not in known:
        return None
    left = {name: value for name, value in known.items() if name != key}
    if left:
        rule[part] = left
    else:
        del rule[part]
    return known[key]


def written_keys(key: tuple[str | int, ...]) -> tuple[tuple[str | int, ...], ...]:
    """Return the places where a value of the long form may be written, the long one first."""
    shorts: tuple[str, ...] = ()
    if key == ("urgency",):
        return (key, *((name,) for name in URGENCIES))
    if key[:1] == ("toolFilter",):
        shorts = tuple(short for short, long in _FILTERS.items() if key[1:2] == (long,))
    elif key[:2] == ("payload", "text"):
        shorts = tuple(URGENCIES)
    return (key, *((short, *key[2:]) for short in shorts))
