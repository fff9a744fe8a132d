"""JSON Schema of a rules file, for editors: the model of a rule, and its short form."""

from typing import Any

from hookd.core.guard_rules.rule import Rule
from hookd.core.guard_rules.rule_file import MAX_RULES
from hookd.core.guard_rules.short_form import URGENCIES

FILE_NAME = "rules.schema.json"
"""Name of the schema beside a project's rules file."""

_ACTIONS = {
    "deny": "Deny the call; the model reads this text.",
    "ask": "Ask the user first, with this text.",
    "tell": "Allow the call; the model reads this text.",
    "stop": "Deny the call; the model reads this text, stops and tells the user.",
}

_EXAMPLES = {
    "denies": "Examples that the rule denies; `hookd guard test` evaluates them.",
    "asks": "Examples that the rule asks about.",
    "tells": "Examples with which the model reads the rule's text.",
    "allows": "Examples that the rule does not apply to.",
}


def schema() -> dict[str, Any]:
    """Return the schema, draft 2020-12."""
    rule = Rule.model_json_schema(by_alias=True, ref_template="#/$defs/{model}")
    parts = rule.pop("$defs", {})
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Guard rules of hookd",
        "description": "Rules about tool calls, such as .hookd/rules.yaml of a project.",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "version": {"description": "The version of this format.", "const": 1},
            "rules": {
                "description": "The rules. Each has a name of its own.",
                "type": ["array", "null"],
                "maxItems": MAX_RULES,
                "items": {"$ref": "#/$defs/Rule"},
            },
        },
        "$defs": {"Rule": _with_short_form(rule), **parts},
    }


def _with_short_form(rule: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a rule that may also be written with the short keys."""
    properties = dict(rule["properties"])
    name = properties.pop("ruleId")
    for key, text in _EXAMPLES.items():
        properties[key] = {**properties[key], "description": text}
    patterns = {
        "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}],
    }
    short = {
        "id": {**name, "title": "Id", "description": "The rule's name."},
        "match": {**patterns, "description": "The calls that the rule matches; all without it."},
        "except": {**patterns, "description": "The calls that the rule ignores."},
        **{key: {"type": "string", "description": _ACTIONS[key]} for key in URGENCIES},
    }
    return {
        "description": "A rule: a name, the calls, and what happens to them.",
        "type": "object",
        "additionalProperties": False,
        "required": ["id"],
        "properties": short | properties,
    }
