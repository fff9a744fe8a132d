"""Policies are evaluated in order; a failing one asks the user or is silent."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from hookd.config.models import PolicyOptions
from hookd.core.evaluation.policies import (
    EarlierAnswers,
    PolicyAnswer,
    PolicyLimits,
    ask_policies,
)
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.fact_requests import MissingFacts, RealPath
from hookd.core.model.facts import Facts, Session
from hookd.core.model.policy import Policy
from hookd.core.model.verdict import Opinion
from hookd.events.model import HookInput, PreToolUse
from support.parametrize import parametrize_all

EVENT = PreToolUse(hook_event_name="PreToolUse", tool_name="Bash", tool_input={"command": "ls"})
FAULT = ValueError("a fault of the rule")

Opine = Callable[[Any, Facts, Any], Opinion | None]

FAILED = "rule failed and could not evaluate this call."


class Options(PolicyOptions):
    """The options of a policy for tests."""

    word: str = "no"


def policy(opine: Opine, name: str = "rule", on_error: Any = "ask") -> Policy:
    return Policy(name, 10, frozenset({"PreToolUse"}), Options, on_error, opine, ())


def saying(opinion: Opinion | None, **more: Any) -> Policy:
    return policy(lambda *_: opinion, **more)


def failing(**more: Any) -> Policy:
    def opine(*_: Any) -> Opinion | None:
        raise FAULT

    return policy(opine, **more)


def facts(**modes: Any) -> Facts:
    return Facts(options={name: Options(mode=mode) for name, mode in modes.items()})


def heard(
    *policies: Policy, event: HookInput = EVENT, given: Facts | None = None
) -> list[PolicyAnswer]:
    return list(ask_policies(policies, event, given or Facts(), lambda: 0.0))


def opinion(asked: Policy, given: Facts | None = None) -> Opinion | None:
    (one,) = heard(asked, given=given)
    return one.opinion


def test_policies_are_heard_in_their_order() -> None:
    said = heard(
        saying(Opinion("ask"), name="b"), saying(None, name="a"), saying(Opinion("deny"), name="c")
    )
    assert [one.policy for one in said] == ["b", "a", "c"]
    assert [one.opinion and one.opinion.verdict for one in said] == ["ask", None, "deny"]


def test_an_opinion_without_a_name_gets_that_of_its_policy() -> None:
    assert opinion(saying(Opinion("deny"))) == Opinion("deny", rule="rule")
    assert opinion(saying(Opinion("deny", rule="guard-7"))) == Opinion("deny", rule="guard-7")


def test_a_guard_that_fails_asks_the_user() -> None:
    (one,) = heard(failing())
    assert one.opinion == Opinion(
        "ask", "rule failed and could not evaluate this call.", rule="rule"
    )
    assert one.fault is FAULT


def test_advice_that_fails_is_silent_and_its_fault_is_told() -> None:
    (one,) = heard(failing(on_error="silence"))
    assert (one.opinion, one.fault) == (None, FAULT)


@parametrize_all("garbage", ["deny", {"verdict": "deny"}, 7, True, [Opinion("deny")]])
def test_what_is_no_opinion_is_a_fault_of_the_policy(garbage: Any) -> None:
    (one,) = heard(saying(garbage))
    assert one.opinion == Opinion(
        "ask", "rule failed and could not evaluate this call.", rule="rule"
    )
    assert isinstance(one.fault, TypeError)


def test_what_a_policy_tells_is_known_to_those_who_are_asked_later() -> None:
    def echo(_event: HookInput, facts: Facts, _options: Any) -> Opinion:
        return Opinion(context=f"{sorted(facts.shared.items())}")

    first = saying(Opinion(shared_facts={"a": 1, "b": 1}), name="first")
    second = saying(Opinion(shared_facts={"b": 2}), name="second")
    said = heard(policy(echo, "zero"), first, second, policy(echo, "last"))
    assert [one.opinion and one.opinion.context for one in said] == [
        "[]",
        "",
        "",
        "[('a', 1), ('b', 2)]",
    ]


def test_a_policy_that_fails_does_not_silence_the_others() -> None:
    said = heard(failing(name="a"), saying(Opinion("deny", "No."), name="b"))
    assert [one.opinion and one.opinion.verdict for one in said] == ["ask", "deny"]


@parametrize_all("asked", [saying(Opinion("deny")), failing()])
def test_a_policy_that_is_off_is_not_asked(asked: Policy) -> None:
    assert heard(asked, given=facts(rule="off")) == []


def test_a_policy_is_asked_about_its_own_events_only() -> None:
    assert heard(saying(Opinion("deny")), event=HookInput(hook_event_name="Stop")) == []


DENIED = "Allowed; in mode `enforce` this would be denied: "
ASKED = "Allowed; in mode `enforce` the user would be asked: "
WARNED = [
    (Opinion("deny", "No."), Opinion(context=f"[hookd:rule] {DENIED}No.", rule="rule")),
    (Opinion("deny", "rule: No."), Opinion(context=f"[hookd:rule] {DENIED}No.", rule="rule")),
    (Opinion("ask", "Sure?"), Opinion(context=f"[hookd:rule] {ASKED}Sure?", rule="rule")),
    (
        Opinion("deny", "No.", "So it stands.", rule="guard-7"),
        Opinion(context=f"So it stands.\n\n[hookd:guard-7] {DENIED}No.", rule="guard-7"),
    ),
    (Opinion(context="Mind."), Opinion(context="Mind.", rule="rule")),
    (
        Opinion("allow", "Go.", updated_input={"command": "ls -l"}),
        Opinion(context="[hookd:rule] Go.", rule="rule"),
    ),
    (Opinion(updated_input={"command": "ls -l"}), Opinion(rule="rule")),
    (None, None),
]


@parametrize_all(("said", "expected"), WARNED)
def test_in_mode_warn_a_verdict_becomes_advice(said: Any, expected: Any) -> None:
    assert opinion(saying(said), facts(rule="warn")) == expected


def test_in_mode_warn_a_guard_that_fails_only_says_so() -> None:
    (one,) = heard(failing(), given=facts(rule="warn"))
    assert one.fault is FAULT
    assert one.opinion is not None
    assert one.opinion.verdict is None
    assert one.opinion.context == f"[hookd:rule] {ASKED}{FAILED}"


def test_in_mode_warn_what_a_policy_remembers_is_still_remembered() -> None:
    effect = Remember(1, "rule", 1)
    said = opinion(saying(Opinion("deny", effects=(effect,))), facts(rule="warn"))
    assert said is not None
    assert said.effects == (effect,)


def test_a_policy_gets_its_options_or_their_defaults() -> None:
    asked = policy(lambda _event, _facts, options: Opinion("deny", options.word))
    other = Facts(options={"rule": Options(word="never"), "another": Options(word="x")})
    assert opinion(asked) == Opinion("deny", "no", rule="rule")
    assert opinion(asked, other) == Opinion("deny", "never", rule="rule")


def test_the_time_of_each_policy_is_measured() -> None:
    ticks = iter([1.0, 1.5, 2.0, 4.0])
    said = list(ask_policies([failing(), saying(None)], EVENT, Facts(), lambda: next(ticks)))
    assert [one.seconds for one in said] == [0.5, 2.0]


def test_nobody_is_asked_before_the_answer_is_wanted() -> None:
    judged = ask_policies([failing()], EVENT, Facts(), lambda: 0.0)
    assert next(judged).policy == "rule"


def test_what_several_lack_is_asked_for_at_once_and_nobody_is_heard_before() -> None:
    def lacking(path: str) -> Policy:
        def opine(_event: Any, facts: Facts, _options: Any) -> Opinion | None:
            return Opinion("ask", facts.require(RealPath(path)) or "")

        return policy(opine)

    said = ask_policies(
        (lacking("/a"), saying(Opinion("deny")), failing(), lacking("/b"), lacking("/a")),
        EVENT,
        Facts(),
        lambda: 0.0,
    )
    with pytest.raises(MissingFacts) as lack:
        list(said)
    assert lack.value.requests == (RealPath("/a"), RealPath("/b"))
    known = Facts(resolved={RealPath("/a"): "/x", RealPath("/b"): "/y"})
    told = heard(lacking("/a"), lacking("/b"), given=known)
    assert [one.opinion and one.opinion.reason for one in told] == ["/x", "/y"]


def ran(earlier: EarlierAnswers, facts: Facts) -> list[str]:
    """Return the names of the policies that ran, of two: `looks` requests the file /a."""
    told: list[str] = []

    def looks(_event: Any, known: Facts, _options: Any) -> None:
        told.append("looks")
        known.require(RealPath("/a"))

    def plain(_event: Any, known: Facts, _options: Any) -> Opinion:
        told.append("plain")
        return Opinion(context=str(known.now))

    policies = [policy(plain, "plain"), policy(looks, "looks")]
    with suppress(MissingFacts):
        list(ask_policies(policies, EVENT, facts, lambda: 0.0, PolicyLimits(earlier=earlier)))
    return told


def test_with_equal_facts_only_the_policies_that_missed_some_run_again() -> None:
    earlier, seen = EarlierAnswers(), {RealPath("/a"): "/x"}
    assert ran(earlier, Facts()) == ["plain", "looks"]
    assert ran(earlier, Facts()) == ["looks"]
    assert ran(earlier, Facts(resolved=seen)) == ["looks"]
    assert ran(earlier, Facts(resolved=seen)) == []


def test_with_other_facts_all_policies_run_again() -> None:
    seen = {RealPath("/a"): "/x"}
    for other in (
        Facts(session=Session(7, "s")),
        Facts(shared={"a": 1}),
        Facts(resolved={RealPath("/a"): "/y"}),
        Facts(),
    ):
        earlier = EarlierAnswers()
        assert ran(earlier, Facts(resolved=seen)) == ["plain", "looks"]
        assert ran(earlier, other) == ["plain", "looks"]


def test_a_policy_that_failed_runs_again_with_the_next_attempt() -> None:
    earlier, runs = EarlierAnswers(), list[int]()

    def opine(*_: Any) -> Opinion | None:
        runs.append(1)
        raise FAULT

    for _ in range(2):
        limits = PolicyLimits(earlier=earlier)
        (answer,) = ask_policies([policy(opine)], EVENT, Facts(), lambda: 0.0, limits)
        assert answer.fault is FAULT
    assert len(runs) == 2


@parametrize_all(
    ("clients", "client", "on_error", "runs"),
    [
        ((), "codex", "ask", True),
        ((), "", "silence", True),
        (("codex",), "codex", "ask", True),
        (("codex",), "codex", "silence", True),
        (("codex", "gemini"), "gemini", "silence", True),
        (("codex",), "claude-code", "ask", False),
        (("codex",), "claude-code", "silence", False),
        # A guard is in force where it is not known which client it is.
        (("codex",), "", "ask", True),
        (("codex",), "unknown", "ask", True),
        (("codex",), "", "silence", False),
        (("codex",), "unknown", "silence", False),
    ],
)
def test_a_policy_for_some_clients_is_silent_in_the_others(
    clients: tuple[str, ...], client: str, on_error: str, runs: bool
) -> None:
    given = Facts(options={"rule": Options(clients=clients)}, client=client)
    assert bool(heard(saying(Opinion("deny"), on_error=on_error), given=given)) is runs
