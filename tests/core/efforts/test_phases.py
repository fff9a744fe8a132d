"""Phases are walked in order, a step out of it needs a reason, and proof is missed on leaving."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.core.efforts.phases import (
    PhaseError,
    PhaseStep,
    find_phase,
    missing_proof,
    next_phase,
    take_step,
)
from hookd.core.efforts.skill import Phase
from support.parametrize import parametrize_all

PHASES = (
    Phase("0", "Setup"),
    Phase("1", "Plan", proof=("plan", "questions", "ready")),
    Phase("2", "Build"),
    Phase("2.A", "Sketch"),
    Phase("2.B", "Operation"),
    Phase("3", "Review"),
    Phase("5", "Close"),
)

LABELS = st.lists(
    st.builds(
        lambda major, minor: f"{major}.{minor}" if minor else f"{major}",
        st.integers(0, 12),
        st.sampled_from(["", "1", "2", "10", "D", "Z", "3.1"]),
    ),
    min_size=1,
    max_size=12,
    unique=True,
)
NAMES = st.text("abc XYZ:.é-ß1", max_size=8).map(lambda text: " ".join(text.split()))


@st.composite
def declared(draw: Callable[..., list[str]]) -> tuple[Phase, ...]:
    """Return phases with labels of their own, in any order, with any names."""
    return tuple(Phase(label, draw(NAMES)) for label in draw(LABELS))


FOUND = [
    ("2.B: Operation", "2.B"),
    ("2.b: operation", "2.B"),
    ("  2.B :  OPERATION ", "2.B"),
    ("2.B:Operation", "2.B"),
    ("2.B", "2.B"),
    ("operation", "2.B"),
    ("Review", "3"),
    ("3.0: Review", "3"),
    ("3.0", "3"),
    ("3.0.0", "3"),
    ("3:", "3"),
    ("2.B: Review", None),
    ("4", None),
    ("2.C", None),
    ("Operat", None),
    ("", None),
    (":", None),
]


@parametrize_all(("asked", "label"), FOUND)
def test_a_phase_is_found_by_title_label_or_name(asked: str, label: str | None) -> None:
    found = find_phase(PHASES, asked)
    assert (found.label if found else None) == label


def test_a_label_goes_before_a_name_that_looks_like_one() -> None:
    odd = (Phase("0", "1"), Phase("1", "0: 1"))
    assert find_phase(odd, "1") == odd[1]
    assert find_phase(odd, "0: 1") == odd[0]
    assert find_phase(odd, "1: 0: 1") == odd[1]


ALLOWED = [
    (None, "0: Setup"),
    ("", "0: Setup"),
    ("0: Setup", "1: Plan"),
    ("0: Setup", "plan"),
    ("1: Plan", "2"),
    ("2: Build", "2.A"),
    ("2.A: Sketch", "2.B"),
    ("2.B: Operation", "3"),
    ("2: Build", "3: Review"),
    ("2.A: Sketch", "3: Review"),
    ("3: Review", "5: Close"),
    ("2.D: Polish", "3: Review"),
    ("4: Gone", "5: Close"),
    ("1.7: Gone", "2: Build"),
    ("2.1: Gone", "2.B: Operation"),
    ("Gone", "0: Setup"),
    ("3: Another name", "5: Close"),
]


@parametrize_all(("current", "asked"), ALLOWED)
def test_the_next_phase_and_the_next_major_need_no_reason(current: str | None, asked: str) -> None:
    assert take_step(PHASES, current, asked) == PhaseStep(
        find_phase(PHASES, asked), PHASES, moved=True
    )


REASONED = [
    (None, "1: Plan", "the first phase is 0: Setup; going to 1: Plan instead needs a reason"),
    ("0: Setup", "2: Build", "0: Setup is followed by 1: Plan; going to 2: Build"),
    ("1: Plan", "0: Setup", "1: Plan is followed by 2: Build; going to 0: Setup"),
    ("2: Build", "2.B", "2: Build is followed by 2.A: Sketch; going to 2.B: Operation"),
    ("2.B: Operation", "2.A", "2.B: Operation is followed by 3: Review"),
    ("2.A: Sketch", "5", "2.A: Sketch is followed by 2.B: Operation; going to 5: Close"),
    ("1: Plan", "2.A", "1: Plan is followed by 2: Build; going to 2.A: Sketch"),
    ("5: Close", "3", "no phase comes after 5: Close; going to 3: Review"),
    ("9: Gone", "5", "no phase comes after 9: Gone; going to 5: Close"),
    ("Gone", "5", "Gone is followed by 0: Setup; going to 5: Close"),
]


@parametrize_all(("current", "asked", "told"), REASONED)
@parametrize_all("reason", [None, "", " \n"])
def test_any_other_step_is_refused_without_a_reason(
    current: str | None, asked: str, told: str, reason: str | None
) -> None:
    with pytest.raises(PhaseError) as refused:
        take_step(PHASES, current, asked, reason)
    assert refused.value.code == "PHASE_NOT_SEQUENTIAL"
    assert str(refused.value).startswith(told)


@parametrize_all(("current", "asked", "told"), REASONED)
def test_any_other_step_is_taken_with_a_reason(current: str | None, asked: str, told: str) -> None:
    taken = take_step(PHASES, current, asked, "The plan was wrong.")
    assert taken == PhaseStep(find_phase(PHASES, asked), PHASES, moved=True)


@parametrize_all(
    ("current", "asked"),
    [
        ("2.B: Operation", "2.B: Operation"),
        ("2.B: Operation", "2.b"),
        ("2.B: Operation", "operation"),
        ("2.B: Its older name", "2.B: Operation"),
        ("2.D: Undeclared", "2.D: Undeclared"),
        ("2.D: Undeclared", "2.d"),
        ("Undeclared", " undeclared"),
    ],
)
def test_re_entering_the_current_phase_is_no_move(current: str, asked: str) -> None:
    taken = take_step(PHASES, current, asked)
    assert (taken.moved, taken.phases) == (False, PHASES)
    assert taken.phase == find_phase(
        (*PHASES, Phase("2.D", "Undeclared"), Phase("Undeclared", "")), asked
    )


APPENDED = [
    ("2.B: Operation", "2.C: Polish", "2.B"),
    ("2.A: Sketch", "2.E", "2.B"),
    ("2: Build", "2.3: Third", "2.B"),
    ("2.B: Operation", "2.10: Tenth", "2.B"),
    ("2.D: Undeclared", "2.E: Next", "2.B"),
    ("2.B: Operation", "2.B.1: Part", "2.B"),
    ("1: Plan", "1.1: Details", "1"),
    ("5: Close", "5.1: Last words", "5"),
    (None, "3.1: Another look", "3"),
    ("4: Gone", "4.1: Gone too", "3"),
]


@parametrize_all(("current", "asked", "behind"), APPENDED)
def test_a_new_sub_phase_is_appended_to_its_major(
    current: str | None, asked: str, behind: str
) -> None:
    taken = take_step(PHASES, current, asked)
    assert taken.moved
    assert taken.phase.title == asked
    assert tuple(one for one in taken.phases if one != taken.phase) == PHASES
    before = taken.phases[taken.phases.index(taken.phase) - 1]
    assert before.label == behind


def test_a_sub_phase_below_all_majors_goes_first() -> None:
    later = (Phase("3", "Build"), Phase("4", "Close"))
    assert take_step(later, "1: Gone", "1.1: More").phases == (Phase("1.1", "More"), *later)


UNKNOWN = [
    ("2.B: Operation", "3.1: Another major"),
    ("2.D: Undeclared", "2.C: Lower"),
    ("2.D: Undeclared", "2.4: The same by number"),
    ("2.B: Operation", "2.1: Lower"),
    ("2.A: Sketch", "2.B: A name of its own"),
    ("2.A: Sketch", "4: No sub-phase"),
    ("2.A: Sketch", "Cleanup"),
    ("Gone", "2.C"),
    (None, "4.1: No such major"),
    (None, "4"),
]


@parametrize_all(("current", "asked"), UNKNOWN)
def test_any_other_unknown_phase_is_refused_even_with_a_reason(
    current: str | None, asked: str
) -> None:
    with pytest.raises(PhaseError) as refused:
        take_step(PHASES, current, asked, "I want it.")
    assert refused.value.code == "UNKNOWN_PHASE"
    assert repr(asked) in str(refused.value)
    assert all(phase.title in str(refused.value) for phase in PHASES)


def test_a_major_is_no_sub_phase_of_itself() -> None:
    with pytest.raises(PhaseError, match=r"there is no phase '4'; the phases are: 4\.1: Only"):
        take_step((Phase("4.1", "Only"),), None, "4")


@parametrize_all(
    ("current", "asked", "title", "moved"),
    [
        (None, "Building", "Building", True),
        (None, " 3.A :  Operation ", "3.A: Operation", True),
        ("3.A: Operation", "0", "0", True),
        ("Building", "building", "Building", False),
        ("3.A: Operation", "3.A", "3.A: Operation", False),
    ],
)
def test_without_declared_phases_any_is_taken(
    current: str | None, asked: str, title: str, moved: bool
) -> None:
    taken = take_step((), current, asked)
    assert (taken.phase.title, taken.phases, taken.moved) == (title, (), moved)


@parametrize_all("phases", [(), PHASES], ids=["none declared", "declared"])
@parametrize_all("asked", ["", " \t\n"])
def test_no_name_is_no_phase(phases: tuple[Phase, ...], asked: str) -> None:
    with pytest.raises(PhaseError) as refused:
        take_step(phases, None, asked, "a reason")
    assert refused.value.code == "UNKNOWN_PHASE"


@parametrize_all(
    ("current", "label"),
    [
        (None, "0"),
        ("0: Setup", "1"),
        ("2.B: Operation", "3"),
        ("5: Close", None),
        ("2.1: Gone", "2.B"),
        ("4.Z: Gone", "5"),
        ("6: Gone", None),
        ("Gone", "0"),
    ],
)
def test_what_follows_is_known(current: str | None, label: str | None) -> None:
    after = next_phase(PHASES, current)
    assert (after.label if after else None) == label


def test_nothing_follows_where_nothing_is_declared() -> None:
    assert next_phase((), None) is None
    assert next_phase((), "1: Plan") is None


MISSING = [
    (None, ("plan", "questions", "ready")),
    ({}, ("plan", "questions", "ready")),
    ({"plan": "p.md", "questions": 0, "ready": False}, ()),
    ({"plan": "p.md", "questions": ["a"], "ready": {"by": "me"}, "more": 1}, ()),
    ({"plan": " \n", "questions": [], "ready": None}, ("plan", "questions", "ready")),
    ({"plan": "", "questions": 3, "Ready": True}, ("plan", "ready")),
]


@parametrize_all(("proof", "missing"), MISSING)
def test_proof_that_is_absent_or_blank_is_missing(
    proof: dict[str, object] | None, missing: tuple[str, ...]
) -> None:
    assert missing_proof(PHASES[1], proof) == missing


def test_where_no_proof_is_asked_for_none_is_missing() -> None:
    assert missing_proof(None, None) == ()
    assert missing_proof(PHASES[0], {"plan": ""}) == ()


@given(declared())
def test_walking_the_declared_order_never_needs_a_reason(phases: tuple[Phase, ...]) -> None:
    current = None
    for phase in phases:
        assert next_phase(phases, current) == phase
        assert take_step(phases, current, phase.title) == PhaseStep(phase, phases, moved=True)
        current = phase.title
    assert next_phase(phases, current) is None


TITLES = st.one_of(
    st.none(), LABELS.map(lambda labels: f"{labels[0]}: x"), NAMES, st.text(max_size=12)
)


@given(declared(), TITLES, st.text(max_size=12) | LABELS.map(lambda labels: labels[0]))
def test_a_refused_step_changes_nothing(
    phases: tuple[Phase, ...], current: str | None, asked: str
) -> None:
    before, after = list(phases), next_phase(phases, current)
    try:
        taken = take_step(before, current, asked)
    except PhaseError as refused:
        assert refused.code in {"PHASE_NOT_SEQUENTIAL", "UNKNOWN_PHASE"}
    else:
        assert tuple(one for one in taken.phases if one in phases) == phases
        assert len(taken.phases) - len(phases) == (taken.moved and taken.phase not in phases)
        assert not take_step(taken.phases, taken.phase.title, taken.phase.title).moved
    assert before == list(phases)
    assert next_phase(before, current) == after


@given(declared(), st.data())
def test_titles_are_found_by_any_spelling(phases: tuple[Phase, ...], data: st.DataObject) -> None:
    phase = data.draw(st.sampled_from(phases))
    space = data.draw(st.text(" \t", max_size=2))
    spell = data.draw(st.sampled_from([str, str.upper, str.lower, str.title]))
    title = spell(phase.title.replace(": ", f"{space}: {space}", 1))
    assert find_phase(phases, f"{space}{title}{space}") == phase
    assert find_phase(phases, spell(phase.label)) == phase


@given(declared(), st.text(max_size=20), st.text(max_size=20), st.text(max_size=3))
def test_no_words_lead_to_another_error(
    phases: tuple[Phase, ...], current: str, asked: str, reason: str
) -> None:
    try:
        assert take_step(phases, current, asked, reason).phase.title
    except PhaseError as refused:
        assert str(refused)
