"""Promises of all policies together: order, state, shared facts, texts, purity."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from hookd.config.models import Policies, PolicyOptions
from hookd.core.context_window.injections import has_tag
from hookd.core.evaluation.policies import PolicyAnswer, ask_policies
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.fact_requests import MissingFacts
from hookd.core.model.facts import Facts, Session
from hookd.core.model.policy import Policy, PolicyExample
from hookd.core.model.verdict import Opinion, Outcome, merge
from hookd.events.model import HookInput, UserPrompt
from hookd.methods import HOOKS
from hookd.policies import POLICIES, configure, keyword_detector
from support.parametrize import parametrize_all

EXAMPLES = [
    pytest.param(policy, example, id=f"{policy.name}-{number}")
    for policy in POLICIES
    for number, example in enumerate(policy.examples(), 1)
]
EXAMPLE = parametrize_all(("policy", "example"), EXAMPLES)
POLICY = parametrize_all("policy", POLICIES, ids=lambda policy: policy.name)


def example_of(policy: Policy, example: PolicyExample) -> tuple[HookInput, Facts]:
    """Return an example with its policy switched on."""
    own = example.facts.options.get(policy.name) or policy.options()
    on = own.model_copy(update={"mode": "enforce"})
    name = example.event.hook_event_name or next(iter(policy.events))
    model = HOOKS[name].params if name in HOOKS else HookInput
    whole = model.model_validate(example.event.model_dump() | {"hook_event_name": name})
    event = (
        whole
        if not isinstance(example.event, model)
        else example.event.model_copy(update={"hook_event_name": name})
    )
    return event, replace(example.facts, options={**example.facts.options, policy.name: on})


def heard(policies: tuple[Policy, ...], event: HookInput, facts: Facts) -> list[PolicyAnswer]:
    """Ask policies; of what they want to look up there is nothing."""
    for _ in range(12):
        try:
            return list(ask_policies(policies, event, facts, lambda: 0.0))
        except MissingFacts as lack:
            facts = facts.with_facts(dict.fromkeys(lack.requests))
    raise AssertionError("they ask without end")


def outcome(policies: tuple[Policy, ...], event: HookInput, facts: Facts) -> Outcome:
    reports = heard(policies, event, facts)
    assert [one.policy for one in reports if one.fault] == []
    return merge((one.opinion for one in reports if one.opinion), event.hook_event_name)


def said_of(policy: Policy) -> Iterator[Opinion]:
    """Yield what a policy says of its examples."""
    for example in policy.examples():
        event, facts = example_of(policy, example)
        yield from (one.opinion for one in heard((policy,), event, facts) if one.opinion)


@EXAMPLE
def test_what_is_decided_does_not_depend_on_who_is_asked_first(
    policy: Policy, example: PolicyExample
) -> None:
    event, facts = example_of(policy, example)
    others = {one.name: one.options(mode="enforce") for one in POLICIES}
    facts = replace(facts, options={**others, **facts.options})
    forth = outcome(POLICIES, event, facts)
    back = outcome(POLICIES[::-1], event, facts)
    assert (forth.verdict, forth.stops_turn) == (back.verdict, back.stops_turn)
    if forth.verdict is not None and event.hook_event_name == "PreToolUse":
        names = [sorted((one.rule or "").split(", ")) for one in (forth, back)]
        assert names[0] == names[1]


class Noted(dict[str, Any]):
    """Facts that policies share; it records the requested keys."""

    def __init__(self) -> None:
        super().__init__()
        self.wanted: set[str] = set()

    def __contains__(self, key: object) -> bool:
        self.wanted.add(str(key))
        return False


def test_who_goes_by_what_another_tells_is_asked_after_it() -> None:
    tellers: dict[str, list[int]] = {}
    readers: dict[str, list[int]] = {}
    for policy in POLICIES:
        for one in said_of(policy):
            for key in one.shared_facts:
                tellers.setdefault(key, []).append(policy.priority)
        told = Noted()
        for example in policy.examples():
            event, facts = example_of(policy, example)
            heard((policy,), event, replace(facts, shared=told))
        for key in told.wanted:
            readers.setdefault(key, []).append(policy.priority)
    assert {"continuation", "stop-continuation-guard"} <= readers.keys() <= tellers.keys()
    for key, places in readers.items():
        # Whoever holds a stop both looks for that and tells it: the first of them does.
        others = set(tellers[key]) - set(places)
        assert all(other < place for other in others for place in places), key


@POLICY
def test_texts_for_the_model_name_their_policy_and_do_not_shout(policy: Policy) -> None:
    for one in said_of(policy):
        if one.context:
            assert has_tag(one.context)
            own = f"[hookd:{policy.name}] "  # a rule of the user's speaks in its own name
            assert one.context.startswith(own) or policy.name == "guard-rules"
        words = f"{one.context}\n{one.reason}"
        assert not re.search(r"\byou must\b|\b(?:IMPORTANT|MUST|ALWAYS|NEVER)\b", words), words


def test_keywords_in_texts_from_hookd_are_ignored() -> None:
    brought = [one.context for policy in POLICIES for one in said_of(policy) if one.context]
    assert len(brought) >= 20
    options = keyword_detector.Options(broad=True)
    facts = Facts(options={"keyword-detector": options})
    for text in brought:
        prompt = UserPrompt(hook_event_name="UserPromptSubmit", prompt=f"{text} ultrawork")
        assert outcome((keyword_detector.POLICY,), prompt, facts) == Outcome()


SHARED = {
    "context-window-monitor": {"overflow"},  # whichever of the two comes first has said it
    "stop-continuation-guard": {"continuation"},
    "ralph-loop": {"continuation"},
    "todo-continuation-enforcer": {"continuation"},
    "empty-task-response-detector": {"continuation"},
}
"""What a policy keeps besides its own: the marks of a turn, and who has told of a level."""


@POLICY
def test_a_policy_keeps_what_it_keeps_under_its_own_name(policy: Policy) -> None:
    kept = {
        effect.policy
        for one in said_of(policy)
        for effect in one.effects
        if isinstance(effect, Remember)
    }
    assert kept <= {policy.name} | SHARED.get(policy.name, set())


@EXAMPLE
def test_without_a_window_nothing_breaks_and_nothing_is_kept(
    policy: Policy, example: PolicyExample
) -> None:
    event, facts = example_of(policy, example)
    (one,) = heard((policy,), event, replace(facts, session=None, policy_state={}))
    assert one.fault is None
    effects = one.opinion.effects if one.opinion else ()
    assert not [effect for effect in effects if isinstance(effect, Remember)]


@EXAMPLE
def test_in_a_subagent_whose_window_is_not_known_nothing_is_kept_for_another(
    policy: Policy, example: PolicyExample
) -> None:
    event, facts = example_of(policy, example)
    alone = Session(7, "s", agent_id="a", context_usage=0.99)
    event = event.model_copy(update={"agent_id": "a"})
    (one,) = heard((policy,), event, replace(facts, session=alone, policy_state={}))
    assert one.fault is None
    effects = one.opinion.effects if one.opinion else ()
    assert {effect.session_id for effect in effects if isinstance(effect, Remember)} <= {7}


@parametrize_all("kept", [None, 7, "x", [], [None]])
@POLICY
def test_what_a_policy_cannot_have_kept_breaks_nothing(policy: Policy, kept: Any) -> None:
    for example in policy.examples():
        event, facts = example_of(policy, example)
        state = dict.fromkeys((policy.name, "continuation", "stop-blocks", "overflow"), kept)
        for one in heard((policy,), event, replace(facts, policy_state=state)):
            assert one.fault is None


@POLICY
def test_what_is_set_of_one_policy_reaches_no_other(policy: Policy) -> None:
    usual = configure(Policies())
    mode = "warn" if usual[policy.name].mode != "warn" else "off"
    given = configure(Policies(options={policy.name: {"mode": mode}}))
    changed = {name for name, options in given.items() if options != usual[name]}
    assert changed == {policy.name}
    seen: list[PolicyOptions] = []

    def probe(_event: HookInput, _facts: Facts, options: PolicyOptions) -> None:
        seen.append(options)

    name = next(iter(policy.events))
    table = tuple(replace(one, opine=probe, events=policy.events) for one in POLICIES)
    every = {one.name: one.options(mode="enforce") for one in POLICIES}
    heard(table, HookInput(hook_event_name=name), Facts(options=every))
    assert [type(one) for one in seen] == [one.options for one in POLICIES]


def test_no_two_policies_share_a_name_and_one_of_a_name_is_found() -> None:
    names = [policy.name for policy in POLICIES]
    assert len(names) == len(set(names))
    assert list(configure(Policies())) == names


@POLICY
def test_switched_off_and_on_at_once_a_policy_is_off(policy: Policy) -> None:
    both = configure(Policies(enabled=(policy.name,), disabled=(policy.name,)))
    assert both[policy.name].mode == "off"
    name = next(iter(policy.events))
    event = HookInput(hook_event_name=name)
    assert heard((policy,), event, Facts(options=both)) == []


PLACES = {
    "destructive-guard": 10,
    "self-guard": 13,
    "path-guard": 15,
    "overflow": 20,
    "read-throttle": 25,
    "session-gate": 30,
    "heartbeat": 40,
    "keyword-detector": 50,
    "auto-slash-command": 55,
    "non-interactive-env": 60,
    "guard-rules": 80,
    "tool-output-truncator": 100,
    "context-window-monitor": 105,
    "directory-agents-injector": 115,
    "rules-injector": 120,
    "empty-task-response-detector": 125,
    "edit-error-recovery": 130,
    "delegate-task-retry": 135,
    "verification": 140,
    "single-task": 141,
    "stop-continuation-guard": 150,
    "session-recovery": 155,
    "ralph-loop": 160,
    "todo-continuation-enforcer": 170,
    "compaction-context-injector": 180,
    "background-notification": 200,
    "session-notification": 210,
}
"""Guards come first, then what comes in, what comes back, what goes on, and what is only told."""


def test_every_policy_has_the_place_that_people_count_on() -> None:
    found = {policy.name: policy.priority for policy in POLICIES}
    assert {name: found.get(name) for name in PLACES} == PLACES
    guards = [policy.priority for policy in POLICIES if policy.on_error == "ask"]
    assert max(guards) < 100, "what only advises comes after what decides"
