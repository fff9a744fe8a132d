"""State that another version stored may have another shape; no policy fails on it."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from hookd.core.evaluation.policies import ask_policies
from hookd.core.model.fact_requests import MissingFacts
from hookd.core.model.policy import Policy, PolicyExample
from hookd.policies import rules_injector
from hookd.policies.rules_injector import Options
from support.parametrize import parametrize_all
from support.policy_examples import EXAMPLES, asked

ODD: tuple[Any, ...] = (3, "x", True, ["x"], {}, {"x": 1})
VALUES: tuple[Any, ...] = (None, "x", -1, 1.5, ["x"], [{}], [3], {"x": "y"}, {"x": {}})
KEYS = (
    *("level", "at", "told", "limit", "tokens", "folders", "rules", "given", "errors", "failures"),
    *("count", "untold", "strikes", "files", "prompt", "iteration", "calls", "open", "idle"),
)


def shapes(kept: Any) -> Iterator[Any]:
    """Yield what else might have been kept: other kinds of values, and each key with another."""
    yield from ODD
    yield from (dict.fromkeys(KEYS, value) for value in VALUES)
    for key in kept if isinstance(kept, dict) else ():
        yield {name: one for name, one in kept.items() if name != key}
        yield from ({**kept, key: value} for value in VALUES)


@parametrize_all(("policy", "example"), EXAMPLES)
def test_a_state_of_another_shape_breaks_no_policy(policy: Policy, example: PolicyExample) -> None:
    event, facts = asked(policy, example, "enforce")
    for shape in shapes(facts.policy_state.get(policy.name)):
        state = {**facts.policy_state, policy.name: shape}
        try:
            (one,) = ask_policies([policy], event, replace(facts, policy_state=state), lambda: 0.0)
        except MissingFacts:
            continue  # it has requested facts
        assert one.fault is None, shape


@parametrize_all(
    "kept",
    [
        {"folders": {}, "rules": [{"path": "/r"}], "given": []},
        {"folders": {"/a": 3}, "rules": [], "given": []},
        {"folders": {}, "given": []},
    ],
)
def test_rules_that_were_kept_otherwise_are_looked_for_anew(kept: Any) -> None:
    example = rules_injector.POLICY.examples()[0]
    facts = replace(example.facts, policy_state={"rules-injector": kept})
    assert rules_injector.opine(example.event, facts, Options()) == rules_injector.opine(
        example.event, replace(facts, policy_state={}), Options()
    )
