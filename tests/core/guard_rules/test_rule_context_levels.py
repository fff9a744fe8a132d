"""A guard rule may name a level of the context window; where it begins, the user's settings say."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from hookd.config.models import Policies, PolicyOptions
from hookd.core.guard_rules.rule import Rule, fired
from hookd.core.model.facts import Facts, Guard, Session
from hookd.events.tool_pattern import ToolCall
from hookd.policies import configure
from hookd.policies.overflow import Options
from support.parametrize import parametrize_all

LS = ToolCall("Bash", {"command": "ls"})
MOVED = Options(notice=0.1, warn=0.2, at=0.3, critical=0.4)


def fires(usage: float | None, options: PolicyOptions | None = None, **rule: Any) -> bool:
    """Whether a rule fires in a window that is so full, once it was kept and read again."""
    kept = Rule.model_validate({"id": "a"} | rule).model_dump_json(by_alias=True)
    return bool(
        fired(
            LS,
            Facts(
                session=Session(1, "s", context_usage=usage),
                guards=(Guard(1, "a", "user", kept),),
                options={"overflow": options} if options else {},
            ),
        )
    )


def on_share(**condition: Any) -> dict[str, Any]:
    return {"trigger": {"type": "contextThreshold", "condition": condition}}


USUAL = [("notice", 0.70), ("warn", 0.80), ("overflow", 0.90), ("critical", 0.95)]
CHOSEN = [("notice", 0.1), ("warn", 0.2), ("overflow", 0.3), ("critical", 0.4)]


@parametrize_all(
    ("options", "level", "limit"),
    [*((None, *one) for one in USUAL), *((MOVED, *one) for one in CHOSEN)],
)
def test_a_level_is_where_the_settings_have_it(
    options: Options | None, level: str, limit: float
) -> None:
    for rule in (
        on_share(gte=level),
        {"condition": {"field": "context_usage", "op": "gte", "value": level}},
    ):
        assert fires(limit, options, **rule)
        assert not fires(limit - 0.001, options, **rule)
        assert not fires(None, options, **rule)


def test_a_level_and_a_number_can_stand_together() -> None:
    rule = on_share(gte="notice", lt="overflow", gt=0.75)
    assert [fires(usage, **rule) for usage in (0.7, 0.76, 0.89, 0.9)] == [False, True, True, False]


def test_a_policy_that_is_switched_off_still_says_where_its_levels_are() -> None:
    settings = Policies(disabled=("overflow",), options={"overflow": {"at": 0.85}})
    options = configure(settings)["overflow"]
    assert options.mode == "off"
    assert fires(0.86, options, **on_share(gte="overflow"))
    assert not fires(0.84, options, **on_share(gte="overflow"))


@parametrize_all("level", ["notice", "warn", "overflow", "critical"])
def test_a_level_is_kept_by_its_name(level: str) -> None:
    rule = Rule.model_validate({"id": "a"} | on_share(gte=level))
    kept = json.loads(rule.model_dump_json(by_alias=True, exclude_none=True))
    assert kept["trigger"]["condition"] == {"gte": level}


WRONG = [
    (on_share(gte="full"), "trigger.condition.gte", "notice, warn, overflow, critical"),
    (on_share(gte="0.9"), "trigger.condition.gte", "a number, or a level"),
    (on_share(gte=1.5), "trigger.condition.gte", "less than or equal to 1"),
    (
        {"trigger": {"type": "toolCount", "condition": {"gte": "warn"}}},
        "trigger.condition.gte",
        "valid integer",
    ),
    (
        {"condition": {"field": "context_usage", "op": "gte", "value": "full"}},
        "condition.value",
        "notice, warn, overflow, critical",
    ),
    (
        {"condition": {"field": "tool_calls", "op": "gte", "value": "warn"}},
        "condition",
        "warn is a level of context_usage; tool_calls is a number",
    ),
    (
        {"condition": {"field": "context_usage", "op": "gte", "value": float("nan")}},
        "condition.value",
        "finite number",
    ),
]


@parametrize_all(("rule", "path", "said"), WRONG, ids=lambda value: str(value)[:60])
def test_what_is_no_level_is_refused_in_one_sentence(
    rule: dict[str, Any], path: str, said: str
) -> None:
    with pytest.raises(ValidationError, match=said) as caught:
        Rule.model_validate({"id": "a"} | rule)
    (error,) = caught.value.errors()
    assert ".".join(map(str, error["loc"])) == path
