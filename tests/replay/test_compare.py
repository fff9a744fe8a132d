"""The comparison: what is a difference, sums in any order, and conditions of failure."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.replay.compare import (
    Answer,
    Difference,
    Gap,
    Kind,
    Tally,
    kind_of,
    merged,
    parse_limit,
)


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("", "", None),
        ("", "deny", "newDeny"),
        ("", "ask", "newAsk"),
        ("", "allow", None),
        ("allow", "", None),
        ("allow", "ask", "newAsk"),
        ("ask", "", "noStop"),
        ("ask", "allow", "noStop"),
        ("ask", "ask", None),
        ("ask", "deny", "newDeny"),
        ("ask", "defer", None),
        ("defer", "", "noStop"),
        ("deny", "", "noStop"),
        ("deny", "ask", "newAsk"),
        ("deny", "deny", None),
        ("block", "deny", None),
        ("block", "", "noStop"),
    ],
)
def test_only_a_change_of_what_happens_to_the_call_is_a_difference(
    before: str, after: str, kind: Kind | None
) -> None:
    assert kind_of(Answer(before, "a", "x"), Answer(after, "b", "y")) == kind


def difference(number: int, kind: Kind = "newDeny") -> Difference:
    order = f"2026-01-31T08:00:{number:02}", number
    return Difference(f"#{number}", order, "s", "Bash", "ls", kind, Answer(), Answer("deny", "r"))


TALLIES = st.lists(
    st.builds(
        Tally,
        events=st.integers(0, 50),
        sessions=st.integers(0, 3),
        same=st.integers(0, 50),
        since=st.sampled_from(["", "2026-01-01", "2026-01-02"]),
        until=st.sampled_from(["", "2026-01-03", "2026-01-04"]),
        differences=st.lists(st.integers(0, 59).map(difference), max_size=4).map(tuple),
        gaps=st.lists(
            st.integers(0, 59).map(lambda n: Gap(f"#{n}", (f"{n:02}", n), "cut")), max_size=4
        ).map(tuple),
    ),
    max_size=6,
)


@given(TALLIES, st.randoms())
def test_the_order_of_sessions_does_not_matter(tallies: list[Tally], chance: object) -> None:
    other = list(tallies)
    chance.shuffle(other)  # type: ignore[attr-defined]
    assert merged(other) == merged(tallies)
    assert merged([merged(tallies[:2]), merged(tallies[2:])]) == merged(tallies)


def test_a_tally_counts_what_could_be_compared() -> None:
    gaps = (Gap("#1", ("a", 1), "cut"), Gap("#2", ("b", 2), "lacks"), Gap("#3", ("c", 3), "lacks"))
    tally = Tally(9, 1, 4, differences=(difference(1), difference(2, "newAsk")), gaps=gaps)
    assert tally.compared == 6
    assert [len(tally.of(kind)) for kind in ("newDeny", "newAsk", "noStop")] == [1, 1, 0]
    assert tally.reasons() == {"lacks": 2, "cut": 1}


RESULT = Tally(
    events=40,
    same=33,
    differences=(difference(1), difference(2), difference(3, "noStop")),
    gaps=tuple(Gap(f"#{number}", ("", number), "cut") for number in range(4)),
)


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ("new-deny > 1", "new-deny > 1: it is 2"),
        ("new-deny>2", ""),
        ("new-deny >= 2", "new-deny >= 2: it is 2"),
        ("new-ask > 0", ""),
        ("no-stop == 1", "no-stop == 1: it is 1"),
        ("any > 2", "any > 2: it is 3"),
        ("any < 3", ""),
        ("any <= 3", "any <= 3: it is 3"),
        ("not-comparable > 9%", "not-comparable > 9%: it is 10%"),
        ("not-comparable > 10 %", ""),
    ],
)
def test_a_condition_of_failure(limit: str, said: str) -> None:
    assert parse_limit(limit).exceeded(RESULT) == said


@pytest.mark.parametrize(
    "text", ["", "new-deny", "new-deny > x", "newDeny > 1", "any > 1.5", "> 1"]
)
def test_another_condition_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="names are new-deny, new-ask, no-stop, any, not-comp"):
        parse_limit(text)


def test_a_share_of_nothing_is_zero() -> None:
    assert parse_limit("not-comparable > 0%").exceeded(Tally()) == ""
