"""All opinions become one outcome: deny over defer over ask over allow over silence."""

from itertools import permutations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hookd.core.model.verdict import Opinion, Outcome, Verdict, merge
from support.parametrize import parametrize_all

NEW = {"command": "ls -l"}
OTHER = {"command": "pwd"}

VERDICTS: list[tuple[tuple[Verdict | None, ...], Verdict | None]] = [
    ((), None),
    ((None,), None),
    ((None, None), None),
    (("allow",), "allow"),
    (("allow", None), "allow"),
    (("ask", "allow"), "ask"),
    (("defer", "ask"), "defer"),
    (("deny", "defer"), "deny"),
    (("deny", "ask", "allow"), "deny"),
    (("allow", "allow", "deny", None), "deny"),
    (("deny", "defer", "ask", "allow", None), "deny"),
    (("defer", "ask", "allow", None), "defer"),
    (("ask", "allow", None, None), "ask"),
]


@parametrize_all(("said", "expected"), VERDICTS)
def test_the_strongest_verdict_wins_in_whatever_order(said: Any, expected: Any) -> None:
    for order in permutations(said):
        assert merge(Opinion(verdict) for verdict in order).verdict == expected


MERGED = {
    "silence": ([], Outcome()),
    "opinions that say nothing": ([Opinion(), Opinion(rule="a")], Outcome()),
    "only those who won give reasons": (
        [Opinion("ask", "Sure?", rule="a"), Opinion("deny", "No.", rule="b")],
        Outcome("deny", "No.", rule="b"),
    ),
    "reasons of one verdict are joined": (
        [Opinion("deny", "No.", rule="a"), Opinion("deny", "Never.", rule="b")],
        Outcome("deny", "No. Never.", rule="a, b"),
    ),
    "a reason said twice is said once": (
        [Opinion("deny", "No.", rule="a"), Opinion("deny", "No.", rule="a")],
        Outcome("deny", "No.", rule="a"),
    ),
    "the reason of silence is not heard": ([Opinion(reason="x", rule="a")], Outcome()),
    "contexts of all are joined by blank lines": (
        [Opinion("deny", "No.", "one"), Opinion(context="two"), Opinion(context="one")],
        Outcome("deny", "No.", "one\n\ntwo"),
    ),
    "messages are joined by lines": (
        [Opinion(system_message="one"), Opinion(system_message="two")],
        Outcome(system_message="one\ntwo"),
    ),
    "the first who rewrites the input wins": (
        [Opinion(updated_input=NEW), Opinion("ask", "Sure?", updated_input=OTHER)],
        Outcome("ask", "Sure?", updated_input=NEW),
    ),
    "an empty input is an input": (
        [Opinion(updated_input={}), Opinion(updated_input=NEW)],
        Outcome(updated_input={}),
    ),
    "a denied call keeps no rewritten input": (
        [Opinion("allow", updated_input=NEW), Opinion("deny", "No.")],
        Outcome("deny", "No."),
    ),
    "a deferred call keeps no rewritten input": (
        [Opinion(updated_input=NEW), Opinion("defer")],
        Outcome("defer"),
    ),
    "an allowed call keeps it": (
        [Opinion("allow", "Go.", updated_input=NEW, rule="a")],
        Outcome("allow", "Go.", updated_input=NEW, rule="a"),
    ),
}


@parametrize_all("name", MERGED)
def test_opinions_become_one_outcome(name: str) -> None:
    said, expected = MERGED[name]
    assert merge(said) == expected
    assert merge(iter(said)) == expected


TEXTS = st.sampled_from(["", "one", "two", "three"])
OPINIONS = st.lists(
    st.builds(
        Opinion,
        st.sampled_from([None, "deny", "defer", "ask", "allow"]),
        TEXTS,
        TEXTS,
        TEXTS,
        st.sampled_from([None, {}, NEW, OTHER]),
        st.sampled_from(["", "a", "b"]),
    ),
    max_size=6,
)


@given(OPINIONS, st.randoms(use_true_random=False))
def test_the_verdict_does_not_depend_on_the_order(said: list[Opinion], chance: Any) -> None:
    other = list(said)
    chance.shuffle(other)
    assert merge(said).verdict == merge(other).verdict


@given(OPINIONS)
def test_nothing_is_allowed_that_anybody_denies(said: list[Opinion]) -> None:
    verdicts = {opinion.verdict for opinion in said}
    outcome = merge(said)
    assert (outcome.verdict == "deny") == ("deny" in verdicts)
    assert outcome.verdict in verdicts | {None}
    assert outcome.verdict != "allow" or verdicts <= {"allow", None}


@given(OPINIONS)
def test_no_context_is_lost_and_none_is_said_twice(said: list[Opinion]) -> None:
    heard = merge(said).context
    assert sorted(heard.split("\n\n")) == sorted({o.context for o in said if o.context} or {""})


@given(OPINIONS)
def test_one_more_opinion_never_weakens_the_verdict(said: list[Opinion]) -> None:
    order = ["deny", "defer", "ask", "allow", None]
    before = order.index(merge(said).verdict)
    for verdict in order:
        more = merge([*said, Opinion(verdict)])  # type: ignore[arg-type]
        assert order.index(more.verdict) <= before
