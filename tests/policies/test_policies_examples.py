"""Every example of a policy is evaluated, in the modes enforce and warn."""

import pytest

from hookd.config.models import Mode, Policies
from hookd.core.evaluation.policies import ask_policies
from hookd.core.model.policy import WORKFLOW, Policy, PolicyExample, opinion_kind
from hookd.core.model.verdict import Opinion
from hookd.policies import POLICIES, configure
from support.parametrize import parametrize_all
from support.policy_examples import EXAMPLES, asked


def heard(policy: Policy, example: PolicyExample, mode: Mode = "enforce") -> Opinion | None:
    (one,) = ask_policies([policy], *asked(policy, example, mode), lambda: 0.0)
    assert one.fault is None
    return one.opinion


@parametrize_all(("policy", "example"), EXAMPLES)
def test_an_example_gives_the_stated_kind_of_opinion(
    policy: Policy, example: PolicyExample
) -> None:
    assert opinion_kind(heard(policy, example)) == example.says


@parametrize_all(("policy", "example"), EXAMPLES)
def test_an_example_has_an_event_of_the_policy(policy: Policy, example: PolicyExample) -> None:
    event = example.event.hook_event_name
    assert event in policy.events or (not event and len(policy.events) == 1)


@parametrize_all(("policy", "example"), EXAMPLES)
def test_a_verdict_has_a_reason_and_advice_has_the_prefix_of_hookd(
    policy: Policy, example: PolicyExample
) -> None:
    opinion = heard(policy, example)
    if opinion is not None:
        assert bool(opinion.reason) == bool(opinion.verdict)
        assert not opinion.context or opinion.context.startswith("[hookd:")


@parametrize_all(("policy", "example"), EXAMPLES)
def test_an_example_decides_nothing_in_mode_warn(policy: Policy, example: PolicyExample) -> None:
    opinion = heard(policy, example, "warn")
    assert opinion_kind(opinion) not in {"deny", "ask", "rewrite", "output"}
    if example.says in {"deny", "ask"}:
        assert opinion_kind(opinion) == "context"
    if not example.says:
        assert opinion is None


@parametrize_all(("policy", "example"), EXAMPLES)
def test_a_policy_applies_wherever_it_has_an_opinion(
    policy: Policy, example: PolicyExample
) -> None:
    if policy.applies is not None and example.says:
        assert policy.applies(example.event, example.facts)


ON = {
    *("destructive-guard", "secrets-guard", "self-guard", "path-guard", "guard-rules"),
    *("overflow", "heartbeat", "stop-continuation-guard"),
}
"""The profile guards: nothing in it advises a model or keeps it working without being asked."""

BY_NAME = {
    *("auto-slash-command", "file-guard", "non-interactive-env", "read-throttle", "session-gate"),
    *("session-notification", "single-task", "verification", "write-existing-file-guard"),
}
"""Policies that change how everybody works: they are turned on by name."""


def test_a_profile_says_which_policies_are_on() -> None:
    every = [policy.name for policy in POLICIES]
    guards, workflow = configure(Policies()), configure(Policies(profile="workflow"))
    assert list(guards) == list(workflow) == every
    helping = {policy.name for policy in POLICIES if policy.profiles == WORKFLOW}
    assert {name for name, one in guards.items() if one.mode == "off"} == BY_NAME | helping
    assert {name for name, one in workflow.items() if one.mode == "off"} == BY_NAME
    assert not helping & ON
    assert len(helping) == 14
    assert {one.mode for one in workflow.values()} == {"enforce", "off"}


def test_settings_reach_the_policy_that_they_name() -> None:
    given = Policies(disabled=("overflow",), options={"heartbeat": {"block_after": 50}})
    options = configure(given)
    assert options["overflow"].mode == "off"
    assert options["heartbeat"].model_dump() == {
        "mode": "enforce",
        "clients": (),
        "warn_after": 3,
        "block_after": 50,
        "subagents": "able",
    }


@parametrize_all("given", [Policies(disabled=("heartbeet",)), Policies(options={"heartbeet": {}})])
def test_an_unknown_policy_is_refused(given: Policies) -> None:
    with pytest.raises(ValueError, match=r"unknown policy 'heartbeet'; available are .*heartbeat"):
        configure(given)


@parametrize_all(
    ("name", "options"),
    [
        ("heartbeat", {"blok_after": 1}),
        ("heartbeat", {"block_after": -1}),
        ("heartbeat", {"mode": "sometimes"}),
        ("overflow", {"at": 1.01}),
        ("overflow", {"at": float("nan")}),
        ("guard-rules", {"rules": []}),
    ],
)
def test_an_invalid_option_is_refused(name: str, options: dict[str, object]) -> None:
    (key,) = options
    with pytest.raises(ValueError, match=rf"^policies\.options\.{name}\.{key}: "):
        configure(Policies(options={name: options}))
