"""Many hooks become one answer in the order of the settings, whoever finished first."""

from itertools import permutations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hookd.core.model.verdict import Opinion, Outcome, merge
from support.parametrize import parametrize_all


def wrote(rule: str, **also: Any) -> Opinion:
    return Opinion(rule=rule, event_fields=also)


ACCEPT = {"action": "accept", "content": {"a": 1}}

MERGED: list[tuple[str, list[dict[str, Any]], dict[str, Any], list[str]]] = [
    ("one alone", [{"session_title": "x"}], {"session_title": "x"}, []),
    ("the first", [{"session_title": "x"}, {"session_title": "y"}], {"session_title": "x"}, ["1"]),
    ("the same", [{"session_title": "x"}, {"session_title": "x"}], {"session_title": "x"}, []),
    (
        "different fields",
        [{"session_title": "x"}, {"watch_paths": ["/a"]}],
        {"session_title": "x", "watch_paths": ["/a"]},
        [],
    ),
    (
        "all paths, each once",
        [{"watch_paths": ["/a", "/b"]}, {"watch_paths": ["/b", "/c"]}],
        {"watch_paths": ["/a", "/b", "/c"]},
        [],
    ),
    ("one yes", [{"retry": False}, {"retry": True}], {"retry": True}, []),
    ("all no", [{"reload_skills": False}, {"reload_skills": False}], {"reload_skills": False}, []),
    (
        "texts of both",
        [{"classifier_context": "a"}, {"classifier_context": "b"}],
        {"classifier_context": "a\n\nb"},
        [],
    ),
    ("titles of both", [{"terminal_sequence": "\x07"}] * 2, {"terminal_sequence": "\x07"}, []),
    (
        "the first output",
        [{"tool_output": None}, {"tool_output": "x"}],
        {"tool_output": None},
        ["1"],
    ),
    (
        "who cancels wins",
        [ACCEPT, {"action": "cancel"}, {"action": "decline"}],
        {"action": "cancel"},
        ["0", "2"],
    ),
    ("who declines wins", [ACCEPT, {"action": "decline"}], {"action": "decline"}, ["0"]),
    (
        "of those who accept, the last that was filled in",
        [{"action": "accept", "content": {"b": 2}}, ACCEPT, {"action": "accept"}],
        ACCEPT,
        [],
    ),
    ("accepted without a word", [{"action": "accept"}], {"action": "accept"}, []),
]


@parametrize_all(("_", "said", "expected", "lost"), MERGED, ids=[row[0] for row in MERGED])
def test_fields_of_several_become_one(
    _: str, said: list[dict[str, Any]], expected: dict[str, Any], lost: list[str]
) -> None:
    outcome = merge(wrote(str(at), **also) for at, also in enumerate(said))
    assert outcome.event_fields == expected
    assert [line.rpartition(" ")[2] for line in outcome.conflicts] == lost
    assert outcome.verdict is None


def test_who_did_not_get_their_way_is_named() -> None:
    two = [Opinion(updated_input={"a": at}, rule=rule) for at, rule in enumerate(("one", "two"))]
    assert merge(two).conflicts == ("updated_input: the value of one is used, not that of two",)
    assert merge([two[0], two[0]]).conflicts == ()
    assert merge([*two, Opinion("deny", "no")]).conflicts == ()
    assert merge(two) == Outcome(updated_input={"a": 0})


def test_a_turn_ends_where_anybody_ends_it() -> None:
    said = [
        Opinion(stops_turn=True, stop_reason="spent"),
        Opinion(stop_reason="of nobody"),
        Opinion("allow", "fine"),
        Opinion(stops_turn=True, stop_reason="late"),
    ]
    assert merge(said) == Outcome("allow", "fine", stops_turn=True, stop_reason="spent late")


@parametrize_all("event", ["Stop", "SubagentStop"])
def test_a_model_that_must_go_on_gets_one_thing_to_do(event: str) -> None:
    said = [Opinion("deny", rule="x"), Opinion("deny", "tests", rule="a"), Opinion("deny", "docs")]
    assert merge(said, event).reason == "tests"
    assert merge(said, event).rule == "x, a"
    assert merge(said, "TaskCreated").reason == merge(said).reason == "tests docs"


VALUES: dict[str, st.SearchStrategy[Any]] = {
    "session_title": st.sampled_from(["a", "b"]),
    "watch_paths": st.lists(st.sampled_from(["/a", "/b", "/c"]), max_size=3),
    "retry": st.booleans(),
    "classifier_context": st.sampled_from(["", "one", "two"]),
    "action": st.sampled_from(["accept", "decline", "cancel"]),
    "content": st.fixed_dictionaries({"a": st.integers(0, 2)}),
}
VOICES = st.builds(
    Opinion,
    st.sampled_from([None, "deny", "defer", "ask", "allow"]),
    st.sampled_from(["", "one", "two"]),
    st.sampled_from(["", "one", "two"]),
    updated_input=st.sampled_from([None, {}, {"a": 1}]),
    rule=st.sampled_from(["a", "b", "c"]),
    stops_turn=st.booleans(),
    stop_reason=st.sampled_from(["", "spent"]),
    event_fields=st.fixed_dictionaries({}, optional=VALUES),
)


@given(st.lists(VOICES, max_size=5), st.randoms(use_true_random=False))
def test_who_finishes_first_changes_nothing(said: list[Opinion], chance: Any) -> None:
    finished = list(enumerate(said))
    chance.shuffle(finished)
    configured = [opinion for _, opinion in sorted(finished, key=lambda one: one[0])]
    one, other = merge(said, "Stop"), merge(configured, "Stop")
    assert (one, one.conflicts) == (other, other.conflicts)


@given(st.lists(VOICES, max_size=5))
def test_a_denial_a_halt_and_a_refusal_are_never_lost(said: list[Opinion]) -> None:
    outcome = merge(said)
    assert (outcome.verdict == "deny") == any(one.verdict == "deny" for one in said)
    assert outcome.stops_turn == any(one.stops_turn for one in said)
    actions = {one.event_fields["action"] for one in said if "action" in one.event_fields}
    strongest = next((word for word in ("cancel", "decline", "accept") if word in actions), None)
    assert outcome.event_fields.get("action") == strongest
    paths = [path for one in said for path in one.event_fields.get("watch_paths", ())]
    assert outcome.event_fields.get("watch_paths", []) == list(dict.fromkeys(paths))


@given(st.lists(VOICES, min_size=2, max_size=4))
def test_what_only_adds_up_is_the_same_in_every_order(said: list[Opinion]) -> None:
    summed = {
        (one.verdict, one.stops_turn, one.event_fields.get("retry"), one.event_fields.get("action"))
        for one in map(merge, permutations(said))
    }
    assert len(summed) == 1
