"""The schema for editors has every field of a rule, in both forms."""

from hookd.core.guard_rules.rule import Rule
from hookd.core.guard_rules.rule_schema import schema
from hookd.core.guard_rules.short_form import SHORT_KEYS


def test_the_schema_has_all_fields_of_the_model_and_the_short_keys() -> None:
    rule = schema()["$defs"]["Rule"]
    fields = {field.alias or name for name, field in Rule.model_fields.items()}
    assert set(rule["properties"]) == (fields - {"ruleId"}) | {"id", *SHORT_KEYS}
    assert rule["additionalProperties"] is False


def test_every_reference_is_there() -> None:
    whole = schema()
    text = str(whole)
    for name in {one.split("'")[0] for one in text.split("#/$defs/")[1:]}:
        assert name in whole["$defs"]


def test_examples_and_required_commands_are_texts_or_objects_one_or_several() -> None:
    rule = schema()["$defs"]["Rule"]["properties"]
    for key, name in (("denies", "Example"), ("allows", "Example"), ("after", "After")):
        one = [{"type": "string"}, {"$ref": f"#/$defs/{name}"}]
        *alone, several, nothing = rule[key]["anyOf"]
        assert (alone, several["items"], nothing) == (one, {"anyOf": one}, {"type": "null"})
    assert rule["denies"]["anyOf"][2]["maxItems"] == 100
