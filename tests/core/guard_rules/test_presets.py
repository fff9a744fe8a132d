"""Each rule of a preset is valid, has a name of its own, and is what the YAML of it says."""

from hookd.core.guard_rules.dead_rules import validate_rule, warnings
from hookd.core.guard_rules.example_check import check_examples
from hookd.core.guard_rules.presets import PRESETS
from hookd.core.guard_rules.rule_file import parse_yaml
from hookd.core.guard_rules.rule_file_edit import rules_text
from hookd.core.guard_rules.short_form import expand
from hookd.core.model.facts import Guard


def test_each_rule_is_valid_and_can_match() -> None:
    for rules in PRESETS.values():
        assert len({rule["id"] for rule in rules}) == len(rules)
        for rule in rules:
            parsed = validate_rule(expand(rule))
            assert not warnings(parsed), rule["id"]
            assert parsed.payload.text, rule["id"]


def test_the_yaml_of_a_preset_is_its_rules() -> None:
    for rules in PRESETS.values():
        text = f"rules:\n{rules_text([expand(rule) for rule in rules])}"
        known = [validate_rule(expand(rule)) for rule in parse_yaml(text.encode()).value["rules"]]
        assert known == [validate_rule(expand(rule)) for rule in rules]


def test_each_rule_has_examples_that_pass() -> None:
    for rules in PRESETS.values():
        for rule in rules:
            text = validate_rule(expand(rule)).model_dump_json(by_alias=True, exclude_none=True)
            checked = list(check_examples([Guard(1, rule["id"], "user", text)], "/w/shop", "/home"))
            assert {one.said for one in checked} > {"allows"}, rule["id"]
            assert [one for one in checked if not one.passed] == []
