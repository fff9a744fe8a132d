"""The change that a replay tries: what it is made from, in words, and whom it affects."""

from typing import Any

import pytest

from hookd.config.models import Settings
from hookd.core.model.daemon_state import DaemonState
from hookd.core.model.errors import DomainError
from hookd.policies import POLICIES, configure
from hookd.replay.change import (
    Change,
    added_rule,
    affected_policies,
    changed_settings,
    listed_rules,
    parse_mode,
    parse_value,
)
from hookd.replay.plan import make_plan
from hookd.store.replays import NO_ROWS

RULE = {"id": "no-push", "urgency": "block", "toolFilter": {"include": ["Bash(git push *)"]}}
EVERY = frozenset(policy.name for policy in POLICIES)
GUARDS = frozenset(policy.name for policy in POLICIES if policy.on_error == "ask")


def test_the_change_in_words() -> None:
    rules = (
        added_rule(RULE),
        added_rule({"id": "care", "urgency": "ask"}, "/work/shop"),
        added_rule({"id": "note", "toolFilter": {"include": ["Read", "Edit"]}}),
    )
    change = Change(rules, ("old",), (("heartbeat", "off"),), (("context.budget", 2000),))
    assert change.words() == (
        "rule no-push denies Bash(git push *)",
        "rule care asks about every call in /work/shop",
        "rule note comments on Read, Edit",
        "without the rule old",
        "policy heartbeat: off",
        "context.budget = 2000",
    )
    assert bool(change)
    assert not Change()


def test_a_rule_about_costs_is_left_out() -> None:
    rule = added_rule({"id": "cheap", "urgency": "ask", "budget": {"day": 5}})
    plan = make_plan(DaemonState(), Settings(), Change((rule,)), NO_ROWS, ("", ""))
    assert plan.changed is not None
    assert plan.changed.rules == ()
    assert rule.tried is False
    assert Change((rule,)).words()[0].endswith(" (left out: events have no costs)")
    assert added_rule(RULE).tried


@pytest.mark.parametrize(
    "value",
    [
        [RULE],
        {"rules": [RULE]},
        {"guards": [{"ruleId": "no-push", "scope": "user", "project": None, "rule": RULE}]},
    ],
)
def test_rules_of_a_list(value: Any) -> None:
    (rule,) = listed_rules(value)
    assert (rule.name, rule.root) == ("no-push", None)


def test_a_listed_rule_keeps_its_project_and_one_of_an_effort_is_left_out() -> None:
    rows = [
        {"scope": "project", "project": "/work/shop", "rule": RULE},
        {"scope": "effort", "effortId": 3, "rule": RULE},
    ]
    assert [rule.root for rule in listed_rules(rows)] == ["/work/shop"]


@pytest.mark.parametrize("value", [7, {"a": 1}, ["x"], {"guards": {}}, [{"rule": 7}]])
def test_another_list_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match=r"list"):
        listed_rules(value)


@pytest.mark.parametrize("value", [[{"id": "x", "bad": 1}], [{"id": "x", "rule": {"id": "?"}}]])
def test_an_invalid_rule_is_refused(value: Any) -> None:
    with pytest.raises(DomainError):
        listed_rules(value)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("heartbeat=off", ("heartbeat", "off")),
        ("path-guard=on", ("path-guard", "on")),
        ("heartbeat=x", "a mode is one of"),
        ("heartbeat", "a mode is one of"),
        ("nothing=off", "there is no policy 'nothing'"),
    ],
)
def test_a_mode(text: str, found: Any) -> None:
    if isinstance(found, tuple):
        assert parse_mode(text) == found
        return
    with pytest.raises(ValueError, match=found):
        parse_mode(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("context.budget=2000", ("context.budget", 2000)),
        ("heartbeat.block_after=20", ("policies.options.heartbeat.block_after", 20)),
        ("efforts.tasks=work", ("efforts.tasks", "work")),
        ("efforts.skills=[1]", ("efforts.skills", [1])),
        ("a.b=c=d", ("a.b", "c=d")),
        ("context.budget", None),
        ("=1", None),
        ("a..b=1", None),
    ],
)
def test_a_setting(text: str, found: Any) -> None:
    if found is not None:
        assert parse_value(text) == found
        return
    with pytest.raises(ValueError, match="is no setting"):
        parse_value(text)


def test_settings_with_the_change() -> None:
    own = Settings.model_validate(
        {"policies": {"disabled": ["heartbeat"]}, "log": {"level": "debug"}}
    )
    change = Change(
        modes=(("heartbeat", "warn"), ("secrets-guard", "off"), ("path-guard", "on")),
        values=(("context.budget", 2000), ("policies.options.heartbeat.block_after", 7)),
    )
    after = changed_settings(own, change)
    options = configure(after.policies)
    assert (options["heartbeat"].mode, options["secrets-guard"].mode) == ("warn", "off")
    assert options["heartbeat"].model_dump()["block_after"] == 7
    assert (after.context.budget, after.log.level) == (2000, "debug")


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("context.budget", 1, "context.budget: "),
        ("context.nothing", 1, "context.nothing: there is no such setting"),
        ("nothing", 1, "nothing: there is no such setting"),
        ("log.level.x", 1, "level is no object"),
    ],
)
def test_an_invalid_setting_is_named(key: str, value: Any, said: str) -> None:
    own = Settings.model_validate({"log": {"level": "debug"}})
    with pytest.raises(ValueError, match=said):
        changed_settings(own, Change(values=((key, value),)))


@pytest.mark.parametrize(
    ("change", "affected"),
    [
        (Change(), frozenset()),
        (Change(rules=(added_rule(RULE),)), {"guard-rules"}),
        (Change(removed=("old",)), {"guard-rules"}),
        (Change(modes=(("keyword-detector", "warn"),)), {"keyword-detector"}),
        (Change(modes=(("secrets-guard", "off"),)), GUARDS),
        (Change(modes=(("overflow", "off"),)), EVERY),
        (Change(values=(("context.budget", 2000),)), EVERY),
    ],
)
def test_whom_a_change_affects(change: Change, affected: Any) -> None:
    before = Settings()
    after = changed_settings(before, change)
    sides = [(one, configure(one.policies)) for one in (before, after)]
    assert affected_policies(change, sides[0], sides[1]) == affected
