"""What a new window is given: the line, what was left for it, and files as far as there is room."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hookd.config.models import ContextOptions, Settings
from hookd.core.context_window.session_start import SessionBriefing, brief_session, pending_handover
from hookd.core.model.effects.efforts import SetMetadata
from hookd.core.model.effects.messages import AddInjection
from hookd.core.model.effects.sessions import AddSeen, OfferHandover
from hookd.core.model.fact_requests import PendingHandover, PromptsOfEffort
from hookd.core.model.facts import Effort, Facts, Handover, Prompt, Session
from hookd.core.model.identity import Identity
from support.fact_lookup import PHASED, ROOT, SKILL, ask, here
from support.parametrize import parametrize_all

LINE = "[Session Context] the line"
TASK = f"{ROOT}/tasks/pages"
EFFORT = Effort(4, TASK, "build", directives=(f"{ROOT}/AGENTS.md",))
LOG = f"{ROOT}/.claude/skills/build/LOG.md"
FILES = {SKILL: PHASED, LOG: "the template", f"{ROOT}/AGENTS.md": "mind the tests"}
LEFT: dict[str, Any] = {
    "summary": "Half of it.",
    "lastAction": "The parser.",
    "nextSteps": ["The rest."],
    "requiredFiles": [],
    "userHistory": "pages, please",
}
GIVEN = f"[Preloaded: {LOG}]\nthe template\n\n[Preloaded: {ROOT}/AGENTS.md]\nmind the tests"


def handover(**more: Any) -> Handover:
    return Handover(2, LEFT | more, "2026-01-31T07:00:00.000Z")


def started(
    facts: Facts, source: str = "clear", line: str = LINE, rows: Any = None, **files: str
) -> SessionBriefing:
    return ask(lambda known: brief_session(source, known, line), facts, FILES | files, rows)


def waits(one: SessionBriefing) -> list[AddInjection]:
    """Return the texts that found no room."""
    texts = [effect for effect in one.effects if isinstance(effect, AddInjection)]
    return [effect for effect in texts if effect.offered_by is None]


SOURCES = [("startup", 1), ("clear", 1), ("compact", 1), ("resume", 0), ("fork", 0), ("new", 0)]


@parametrize_all(("source", "asked"), SOURCES)
def test_only_a_window_that_is_empty_is_left_something(source: str, asked: int) -> None:
    facts = here(effort=EFFORT, previous=Session(2, "s"), identity=Identity(agent="builder"))
    want = PendingHandover(4, 2, 1, "builder", "2026-01-30T08:00:00.000Z")
    found = ask(lambda known: pending_handover(source, known), facts, rows={want: handover()})
    assert found == (handover() if asked else None)


def test_where_nothing_is_known_it_is_asked_for_nobody() -> None:
    want = PendingHandover(None, None, None, None, "2026-01-30T08:00:00.000Z")
    assert (
        ask(lambda known: pending_handover("clear", known), Facts(), rows={want: handover()})
        is not None
    )


def test_without_an_effort_and_a_handover_there_is_the_line_alone() -> None:
    assert started(here(), line="") == SessionBriefing("", ())
    assert started(here()) == SessionBriefing(LINE, ())


def test_the_line_comes_first_then_the_handover_then_files() -> None:
    one = started(here(effort=EFFORT, handover=handover()))
    assert one.text.startswith(
        f"{LINE}\n\n## Session Recovery (Dehydrated Context), handover of the previous session\n\n"
        f"Task: {TASK} | Skill: build | Phase: none\n\n### Summary\nHalf of it."
    )
    assert one.text.endswith(f"### What the user asked for\npages, please\n\n{GIVEN}")
    assert OfferHandover(2) in one.effects
    assert AddSeen(3, (LOG, f"{ROOT}/AGENTS.md"), ()) in one.effects
    assert waits(one) == []


def test_the_pieces_of_a_handover_know_whose_they_are() -> None:
    one = started(here(handover=handover(summary="word " * 4_000)))
    texts = [effect for effect in one.effects if isinstance(effect, AddInjection)]
    assert {(text.session_id, text.handover_of, text.rule_id) for text in texts} == {
        (3, 2, "handover")
    }
    assert "(part 1 of 3)" in one.text
    assert len(waits(one)) == 2


def test_an_effort_that_was_handing_over_is_not_any_more() -> None:
    effort = Effort(4, TASK, "build", metadata={"dehydrating": True, "warnAfter": 2})
    one = started(here(effort=effort, handover=handover()))
    assert SetMetadata(4, {"warnAfter": 2}) in one.effects


REQUIRED = [
    ("docs/api.md", f"[Preloaded: {ROOT}/docs/api.md]\nthe api"),
    ("./docs/../docs/api.md", f"[Preloaded: {ROOT}/docs/api.md]\nthe api"),
    (f"{ROOT}/docs/api.md", f"[Preloaded: {ROOT}/docs/api.md]\nthe api"),
    ("docs/none.md", f"[Files to preload]:\n  - {ROOT}/docs/none.md (missing)"),
    ("../../etc/passwd", "[Files to preload]:\n  - /etc/passwd (missing)"),
    ("/etc/passwd", "[Files to preload]:\n  - /etc/passwd (missing)"),
    (f"{ROOT}/../../etc/passwd", "[Files to preload]:\n  - /etc/passwd (missing)"),
]


@parametrize_all(("path", "said"), REQUIRED)
def test_required_files_are_the_projects_and_none_from_outside(path: str, said: str) -> None:
    files = {f"{ROOT}/docs/api.md": "the api", "/etc/passwd": "root:x:0"}
    one = started(here(handover=handover(requiredFiles=[path])), **files)
    assert one.text.endswith(said)
    assert "root:x:0" not in one.text


def test_a_handover_that_names_no_files_is_given_all_the_same() -> None:
    one = started(here(handover=Handover(2, {"summary": "Half of it."}, "")))
    assert "### Summary\nHalf of it." in one.text


OWN = {
    f"{TASK}/1_BUILD_LOG.md": "old " * 2_000 + "the end",
    f"{TASK}/1_BUILD_PLAN.md": "the plan",
    f"{TASK}/1_BUILD.md": " \n",
}
SAID = {PromptsOfEffort(4, 5): (Prompt("2026-01-31T07:05:00.000Z", "pages, please " + "x" * 400),)}


def test_where_nobody_left_one_it_is_rebuilt_from_the_works_own_files() -> None:
    one = started(here(effort=EFFORT), rows=SAID, **OWN)
    parts = [part.split("\n", 1) for part in one.text.split("### ")[1:]]
    titles = [title for title, _ in parts]
    assert titles == [
        "The log's end",
        "The plan",
        "The user's last requests",
        "Files in the task's folder",
    ]
    log, plan, prompts, names = (text.strip() for _, text in parts)
    assert log.endswith(f"the end\n[the rest is in {TASK}/1_BUILD_LOG.md]")
    assert len(log) < 4_100
    assert plan == "the plan"
    assert prompts == "- 2026-01-31 07:05: pages, please " + "x" * 286
    assert names.startswith("1_BUILD.md, 1_BUILD_LOG.md, 1_BUILD_PLAN.md")
    assert not any(isinstance(effect, OfferHandover) for effect in one.effects)


@parametrize_all("source", ["resume", "fork"])
def test_a_conversation_that_goes_on_recovers_nothing(source: str) -> None:
    one = started(here(effort=EFFORT), source, rows=SAID, **OWN)
    assert "Session Recovery" not in one.text


def test_an_effort_without_files_and_words_recovers_nothing() -> None:
    assert started(here(effort=EFFORT)).text == f"{LINE}\n\n{GIVEN}"


def test_files_without_room_are_named_and_not_taken_for_had() -> None:
    effort = Effort(4, TASK, "other", directives=(f"{ROOT}/big.md", f"{ROOT}/small.md"))
    big = {f"{ROOT}/big.md": "x" * 9_000, f"{ROOT}/small.md": "small"}
    one = started(here(effort=effort), **big)
    assert one.text == (
        f"{LINE}\n\n[Preloaded: {ROOT}/small.md]\nsmall\n\n[Files to preload]:\n  - {ROOT}/big.md"
    )
    assert AddSeen(3, (f"{ROOT}/small.md",), ()) in one.effects
    assert waits(one) == []


def test_a_long_list_of_files_leaves_room_for_what_was_left() -> None:
    effort = Effort(4, TASK, "other", directives=tuple(f"{ROOT}/{n:04}.md" for n in range(900)))
    one = started(here(effort=effort, handover=handover()))
    assert len(one.text) <= 9_000
    assert "### Summary\nHalf of it." in one.text
    listed = one.text.partition("[Files to preload]:\n")[2].splitlines()
    assert listed[0] == f"  - {ROOT}/0000.md (missing)"
    assert listed[-1] == f"  - and {900 - len(listed) + 1} more"


@given(
    st.integers(1_000, 9_500),
    st.text("ab\n😀", max_size=3_000),
    st.lists(
        st.tuples(st.text("abc/", min_size=1, max_size=300), st.text("x😀\n", max_size=4_000))
    ),
    st.integers(0, 200),
)
def test_the_budget_holds_whatever_was_left_and_found(
    budget: int, summary: str, files: list[tuple[str, str]], length: int
) -> None:
    paths = {f"{ROOT}/f/{name}": text for name, text in files}
    facts = here(
        effort=Effort(4, TASK, "other", directives=tuple(paths)),
        handover=handover(summary=summary * 4, requiredFiles=list(paths)[:8]),
        settings=Settings(context=ContextOptions(budget=budget)),
    )
    one = started(facts, line="x" * length, **paths)
    assert len(one.text.encode("utf-16-le")) // 2 <= budget
    assert not any(text.path for text in waits(one)), "a file that has no room is only named"


def test_a_line_that_is_longer_than_the_budget_stands_alone_and_all_waits() -> None:
    settings = Settings(context=ContextOptions(budget=1_000))
    one = started(here(effort=EFFORT, handover=handover(), settings=settings), line="x" * 2_000)
    assert one.text.startswith("x" * 2_000)
    assert "Session Recovery" not in one.text
    assert [text.rule_id for text in waits(one)][:1] == ["handover"]
