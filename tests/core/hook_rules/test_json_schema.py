"""The schema that editors use takes what hookd's own examples say, and no misspelt word of it."""

import copy
import re
from collections.abc import Iterator
from typing import Any

from hookd.core.hook_rules.dialects import UNSUPPORTED_EVENTS
from hookd.core.hook_rules.field_reader import COMMON_KEYS, TYPE_KEYS
from hookd.core.hook_rules.json_schema import schema
from hookd.events.protocol import EVENTS
from support.hook_files import example, on, parsed, run
from support.parametrize import parametrize_all

KINDS: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "number": (int, float),
}
WORDS = {
    *("$schema", "$defs", "$ref", "title", "description", "type", "properties", "items", "const"),
    *("additionalProperties", "required", "enum", "oneOf", "allOf", "not", "pattern", "minLength"),
    *("minimum", "maximum"),
}
SCHEMA = schema()


def accepts(rule: dict[str, Any], value: Any) -> bool:
    """Return whether a schema made of WORDS takes a value."""
    assert set(rule) <= WORDS
    if "$ref" in rule:
        return accepts(SCHEMA["$defs"][rule["$ref"].rpartition("/")[2]], value)
    return (
        _typed(rule, value)
        and ("const" not in rule or value == rule["const"])
        and ("enum" not in rule or value in rule["enum"])
        and all(accepts(one, value) for one in rule.get("allOf", []))
        and ("oneOf" not in rule or sum(accepts(one, value) for one in rule["oneOf"]) == 1)
        and ("not" not in rule or not accepts(rule["not"], value))
        and _bounded(rule, value)
        and (not isinstance(value, dict) or _members(rule, value))
        and (
            not isinstance(value, list) or all(accepts(rule.get("items", {}), one) for one in value)
        )
    )


def _typed(rule: dict[str, Any], value: Any) -> bool:
    if "type" not in rule:
        return True
    return isinstance(value, KINDS[rule["type"]]) and (
        rule["type"] != "number" or not isinstance(value, bool)
    )


def _bounded(rule: dict[str, Any], value: Any) -> bool:
    if isinstance(value, str):
        long = len(value) >= rule.get("minLength", 0)
        return long and bool(re.search(rule.get("pattern", ""), value))
    if isinstance(value, int | float) and not isinstance(value, bool):
        return bool(rule.get("minimum", value) <= value <= rule.get("maximum", value))
    return True


def _members(rule: dict[str, Any], value: dict[str, Any]) -> bool:
    known, further = rule.get("properties", {}), rule.get("additionalProperties", True)
    return set(rule.get("required", [])) <= set(value) and all(
        accepts(known[key], one)
        if key in known
        else (further if isinstance(further, bool) else accepts(further, one))
        for key, one in value.items()
    )


def misspelt(value: Any) -> Iterator[Any]:
    """Yield the value with one of its keys misspelt, for each key in it, headers left out."""
    if isinstance(value, dict):
        for key, one in value.items():
            rest = {other: kept for other, kept in value.items() if other != key}
            yield rest | {key + "x": one}
            if key != "headers":
                yield from (value | {key: worse} for worse in misspelt(one))
    elif isinstance(value, list):
        for at, one in enumerate(value):
            yield from ([*value[:at], worse, *value[at + 1 :]] for worse in misspelt(one))


OWN = ["settings.nested.json", "settings.local.json", "plugin.hooks.json"]


@parametrize_all("name", OWN)
def test_an_example_in_hookds_own_form_is_taken(name: str) -> None:
    assert accepts(SCHEMA, example(name))


@parametrize_all("name", OWN)
def test_no_key_can_be_misspelt(name: str) -> None:
    worse = list(misspelt(example(name)))
    assert len(worse) > 5
    for one in worse:
        assert not accepts(SCHEMA, one), one


REFUSED: list[Any] = [
    [],
    {"hooks": []},
    {"hooks": {"tool.pre": []}},
    {"hooks": {"Stop": [run("x")]}},
    {"disabled_hooks": [""]},
    on("Stop", run("")),
    on("Stop", run("x", timeout=0)),
    on("Stop", run("x", timeout=30000)),
    on("Stop", run("x", on_failure="halt")),
    on("Stop", run("x", id="a b")),
    on("Stop", run("x", **{"if": "Bash(git *)"})),
    on("Stop", run("x", url="http://x")),
    on("Stop", {"type": "agent", "prompt": "x"}),
    on("Stop", {"type": "http", "url": "ftp://x"}),
]


@parametrize_all("document", REFUSED)
def test_what_the_parser_refuses_or_notes_is_refused(document: Any) -> None:
    assert not accepts(SCHEMA, document)


@parametrize_all("event", [name for name in EVENTS if name not in UNSUPPORTED_EVENTS])
def test_a_plain_hook_is_taken_on_every_event(event: str) -> None:
    document = on(event, run("x", timeout=5), {"type": "prompt", "prompt": "y"})
    assert accepts(SCHEMA, document)
    assert parsed(document).problems == ()


def test_every_key_of_the_schema_is_one_that_the_parser_knows() -> None:
    for kind, keys in TYPE_KEYS.items():
        assert set(SCHEMA["$defs"][kind]["properties"]) <= {*COMMON_KEYS, *keys}


def test_everything_in_it_is_described() -> None:
    def undescribed(rule: dict[str, Any], path: str) -> Iterator[str]:
        for name, one in rule.get("properties", {}).items():
            if "description" not in one:
                yield f"{path}.{name}"
            yield from undescribed(one, f"{path}.{name}")

    for name, rule in {"": SCHEMA, **SCHEMA["$defs"]}.items():
        assert list(undescribed(rule, name)) == []
        assert rule["title"]
        assert rule["description"]


def test_it_is_made_anew_each_time() -> None:
    before = copy.deepcopy(SCHEMA)
    schema()["properties"].clear()
    assert schema() == before
