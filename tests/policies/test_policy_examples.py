"""Every example that stands beside a policy is what the policy says."""

import pytest

from hookd.core.facts import Facts
from hookd.core.judging import judge
from hookd.core.options import Policies
from hookd.core.outcome import Opinion
from hookd.core.policy import Policy, PolicyExample
from hookd.policies import POLICIES, configure

EXAMPLES = [
    pytest.param(policy, example, id=f"{policy.name}-{number}-{example.says or 'silence'}")
    for policy in POLICIES
    for number, example in enumerate(policy.examples, 1)
]


def said(opinion: Opinion | None) -> str:
    if opinion is None:
        return ""
    return opinion.verdict or ("context" if opinion.context else "")


@pytest.mark.parametrize(("policy", "example"), EXAMPLES)
def test_an_example_of_a_policy_is_what_it_says(policy: Policy, example: PolicyExample) -> None:
    assert said(policy.opine(example.event, example.facts, policy.options())) == example.says


@pytest.mark.parametrize(("policy", "example"), EXAMPLES)
def test_what_decides_gives_a_reason_and_what_advises_says_who_speaks(
    policy: Policy, example: PolicyExample
) -> None:
    opinion = policy.opine(example.event, example.facts, policy.options())
    if opinion is not None:
        assert bool(opinion.reason) == bool(opinion.verdict)
        assert not opinion.context or opinion.context.startswith("[hookd:")


@pytest.mark.parametrize(("policy", "example"), EXAMPLES)
def test_an_example_is_heard_the_same_when_it_is_judged(
    policy: Policy, example: PolicyExample
) -> None:
    (event,) = policy.events
    asked = example.event.model_copy(update={"hook_event_name": event})
    (heard,) = judge([policy], asked, example.facts, lambda: 0.0)
    assert heard.fault is None
    assert said(heard.opinion) == example.says


@pytest.mark.parametrize(("policy", "example"), EXAMPLES)
def test_an_example_decides_nothing_in_mode_warn(policy: Policy, example: PolicyExample) -> None:
    (event,) = policy.events
    asked = example.event.model_copy(update={"hook_event_name": event})
    facts = Facts(
        effort=example.facts.effort,
        session=example.facts.session,
        guards=example.facts.guards,
        policy_state=example.facts.policy_state,
        options={policy.name: policy.options(mode="warn")},
    )
    (heard,) = judge([policy], asked, facts, lambda: 0.0)
    assert said(heard.opinion) == ("context" if example.says else "")


def test_without_settings_every_policy_enforces() -> None:
    options = configure(Policies())
    assert list(options) == [policy.name for policy in POLICIES]
    assert {one.mode for one in options.values()} == {"enforce"}


def test_settings_reach_the_policy_that_they_name() -> None:
    given = Policies(disabled=("overflow",), options={"heartbeat": {"block_after": 50}})
    options = configure(given)
    assert options["overflow"].mode == "off"
    assert options["heartbeat"].model_dump() == {
        "mode": "enforce",
        "warn_after": 3,
        "block_after": 50,
    }


@pytest.mark.parametrize(
    "given", [Policies(disabled=("heartbeet",)), Policies(options={"heartbeet": {}})]
)
def test_a_policy_that_there_is_not_is_refused_by_name(given: Policies) -> None:
    with pytest.raises(ValueError, match=r"'heartbeet' is no policy; there are .*heartbeat"):
        configure(given)


@pytest.mark.parametrize(
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
def test_an_option_that_does_not_hold_is_refused(name: str, options: dict[str, object]) -> None:
    (key,) = options
    with pytest.raises(ValueError, match=rf"^policies\.options\.{name}\.{key}: "):
        configure(Policies(options={name: options}))
