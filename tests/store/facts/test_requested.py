"""What a decision asks the database for: each want in each of its ways."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from sqlite3 import Connection
from typing import Any

import pytest

from hookd.core.efforts.skill import Phase, Skill
from hookd.core.model.effects.efforts import FinishEffort, KeepSkill, OpenTask
from hookd.core.model.effects.messages import (
    AddInjection,
    AddMessage,
    ChangeTodo,
    ConfirmInjections,
    SetTodo,
)
from hookd.core.model.effects.sessions import (
    EndSession,
    OfferHandover,
    Remember,
    ReserveHandover,
    SaveHandover,
)
from hookd.core.model.fact_requests import (
    CallerSession,
    CallsThatRan,
    CanaryCount,
    DirListing,
    FactRequest,
    FileText,
    OpenTodos,
    PendingHandover,
    PromptsOfEffort,
    PromptsOfSession,
    SavedState,
    SkillByName,
    SkillByPhase,
    StateOfPolicy,
    StateOfSession,
    TaskByDir,
    TodosOfSession,
)
from hookd.core.model.facts import Handover, KnownSkill, Prompt, Todo
from hookd.store import facts, writes
from hookd.store.database import open_database
from support.database_rows import AT, LATER, effort, event, fill, session, write

EARLY, SINCE = "2026-01-29T08:00:00.000Z", "2026-01-30T08:00:00.000Z"
BUILT = Skill(
    "build", "Builds.", "3", (Phase("0", "Setup", ("plan",)), Phase("1.A", "Cut")), {"fast": {}}
)


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Connection]:
    with closing(open_database(tmp_path / "hookd.db")) as connection:
        yield connection


@pytest.fixture
def full(db: Connection) -> Connection:
    fill(db)
    return db


def ask(db: Connection, want: FactRequest) -> Any:
    found = facts.seen(db, [want])
    assert found is not None
    return found[want]


CALLERS = [
    (CallerSession("9:1", None), 12),  # the one with the latest event
    (CallerSession("9:1", None, 11), 11),
    (CallerSession("9:1", None, 1), 12),  # another process's
    (CallerSession("8:1", "builder"), 2),
    (CallerSession("8:1", None, 1), None),
    (CallerSession("7:1", None), None),  # it has ended
    (CallerSession("", "builder"), 2),
    (CallerSession("", None), None),
    (CallerSession("", "idler"), 15),
    (CallerSession("6:1", "idler"), 15),
    (CallerSession("8:1", "idler"), None),  # another process names the agent
]


@pytest.mark.parametrize(("want", "expected"), CALLERS)
def test_a_callers_session_is_an_open_one_of_its_process_else_of_its_agent(
    full: Connection, want: CallerSession, expected: int | None
) -> None:
    for number, process in ((11, "9:1"), (12, "9:1"), (13, "9:1"), (14, "7:1")):
        parent = 12 if number == 13 else None
        more = {"client_process": process, "parent_session_id": parent}
        agent = "sub" if parent else None
        write(full, [session(number, f"s{number}", agent_id=agent, **more)], LATER)
    write(full, [session(10, "older", client_process="9:1")])
    write(full, [session(15, "kept", owner="idler", client_process="6:1")], LATER)
    write(full, [EndSession(14, "other")], LATER)
    found = ask(full, want)
    assert (found and found.id) == expected


def test_whoever_wants_a_file_must_look_elsewhere_for_all_of_it(full: Connection) -> None:
    for want in (FileText("/work/a", "/work"), DirListing("/work", "/work")):
        assert facts.seen(full, [CanaryCount(), want]) is None
    assert facts.seen(full, []) == {}


def test_several_things_are_found_at_once(full: Connection) -> None:
    wants = (CanaryCount(), TaskByDir("/nowhere"), SkillByName(1, "implement"))
    found = facts.seen(full, wants)
    assert found is not None
    assert tuple(found) == wants


def test_a_skill_is_found_in_its_project_only_as_it_was_kept(full: Connection) -> None:
    write(full, [KeepSkill(1, BUILT, "/work/build/SKILL.md", "4-5-6")])
    known = KnownSkill(BUILT, "/work/build/SKILL.md", "4-5-6")
    assert ask(full, SkillByName(1, "build")) == known
    for want in (SkillByName(2, "build"), SkillByName(1, "Build"), SkillByName(1, "x' OR 1 --")):
        assert ask(full, want) is None


PHASES = [("1.A: Cut", True), ("1.a", True), ("cut", True), ("0", True), ("2", False), ("", False)]


@pytest.mark.parametrize(("phase", "there"), PHASES)
def test_a_skill_is_found_by_a_phase_that_it_has(phase: str, there: bool, full: Connection) -> None:
    write(full, [KeepSkill(1, BUILT, "/work/build/SKILL.md", "4-5-6")])
    found = ask(full, SkillByPhase(1, phase))
    assert (found.skill.name if found else None) == ("build" if there else None)
    assert ask(full, SkillByPhase(2, phase)) is None


def test_of_several_skills_that_have_it_none_is_guessed(full: Connection) -> None:
    write(full, [KeepSkill(1, Skill("zeta", phases=BUILT.phases), "/x", "1")])
    assert ask(full, SkillByPhase(1, "0: Setup")).skill.name == "zeta"
    write(full, [KeepSkill(1, Skill("alpha", phases=BUILT.phases), "/x", "1")])
    assert ask(full, SkillByPhase(1, "0: Setup")) is None


def test_of_a_task_its_last_ordinal_and_its_active_efforts_are_known(full: Connection) -> None:
    write(full, [FinishEffort(3)])
    task = ask(full, TaskByDir("/work/orders/pagination"))
    assert (task.known, task.last_ordinal) == (True, 3)
    assert [one.id for one in task.active] == [2, 1]


def test_a_task_without_efforts_is_known_and_a_folder_is_not(full: Connection) -> None:
    write(full, [OpenTask("/work/orders/empty", 1, "Empty")])
    for folder, known in (("/work/orders/empty", True), ("/work/orders", False)):
        task = ask(full, TaskByDir(folder))
        assert (task.known, task.last_ordinal, task.active) == (known, 0, ())


def test_the_last_things_the_user_said_on_an_effort_are_found_oldest_first(
    full: Connection,
) -> None:
    said = [("user", f"wish {number}", None) for number in range(4)]
    said += [("system", "a task ended", None), ("log", "done", None), ("user", "{}", "Ask")]
    write(full, [AddMessage(1, 1, role, text, tool) for role, text, tool in said])
    write(full, [AddMessage(2, 2, "user", "on another effort")], LATER)
    assert ask(full, PromptsOfEffort(1, 2)) == (Prompt(AT, "wish 2"), Prompt(AT, "wish 3"))
    assert len(ask(full, PromptsOfEffort(1, 10))) == 4
    assert ask(full, PromptsOfEffort(3, 10)) == ()


def test_the_first_and_the_last_things_that_the_user_said_in_a_conversation_are_found(
    full: Connection,
) -> None:
    write(full, [AddMessage(1, None, "user", f"wish {number}") for number in range(3)])
    write(full, [EndSession(1, "compact"), session(11, "plain"), session(12, "plain")])
    write(full, [session(13, "plain", agent_id="sub", parent_session_id=12)])
    more = [(11, "user", "wish 3", None), (11, "system", "a task ended", None)]
    more += [(12, "user", "{}", "Ask"), (13, "user", "of a subagent", None)]
    more += [(2, "user", "in another conversation", None)]
    write(
        full,
        [AddMessage(one, 1, role, said, tool) for one, role, said, tool in more],
        LATER,
    )
    whole = (*(Prompt(AT, f"wish {number}") for number in range(3)), Prompt(LATER, "wish 3"))
    for window in (1, 11, 12):
        assert ask(full, PromptsOfSession(window, 9)) == whole
    assert ask(full, PromptsOfSession(12, 2)) == (whole[0], *whole[2:])
    assert ask(full, PromptsOfSession(12, 1, 4)) == (Prompt(AT, "wish"), Prompt(LATER, "wish"))
    assert ask(full, PromptsOfSession(4, 9)) == ()


def test_only_checks_by_doctor_are_counted(full: Connection) -> None:
    assert ask(full, CanaryCount()) == 0
    for number, kind in enumerate(("hook", "canary", "hook", "canary"), 1):
        writes.record(full, event(number, kind=kind))
    assert ask(full, CanaryCount()) == 2


def test_the_calls_of_a_session_that_ran_are_known_by_their_results(full: Connection) -> None:
    rows = [("PreToolUse", "a", 1), ("PostToolUse", "a", 1), ("PreToolUse", "b", 1)]
    rows += [("PostToolUse", "c", 2), ("PostToolUse", "d", 1)]
    for number, (name, call, window) in enumerate(rows, 1):
        writes.record(full, event(number, name, tool_use_id=call, session_id=window))
    assert ask(full, CallsThatRan(1, ("a", "b", "c", "x"))) == ("a",)
    assert ask(full, CallsThatRan(1, ())) == ()


def left(db: Connection, window: int, summary: str, at: str = AT) -> None:
    write(db, [SaveHandover(window, f'{{"summary":"{summary}"}}')], at)


def _when(window: int) -> str:
    """Return when a window left its handover: who has ended did so last."""
    return LATER if window in (13, 14) else AT


@pytest.fixture
def windows(full: Connection) -> Connection:
    """Windows 11 to 17, of which each has left a handover that says where it was."""
    write(full, [SaveHandover(2, "{}"), *(OfferHandover(2) for _ in range(3))])
    effort_4 = effort(4, "/work/orders/pagination", 4, project_id=1)
    rows = [
        session(11, "worked", project_id=1, effort_id=1),
        session(12, "elsewhere", project_id=1, effort_id=4),
        session(13, "ended", project_id=1),
        session(14, "ended-long-ago", project_id=1),
        session(15, "open", project_id=1),
        session(16, "owned", project_id=1, owner="builder"),
        session(17, "other-project", project_id=2),
    ]
    write(full, [effort_4, *rows])
    for number in range(11, 18):
        left(full, number, str(number), _when(number))
    write(full, [EndSession(14, "other")], EARLY)
    write(full, [EndSession(number, "other") for number in (13, 16, 17)])
    return full


RUN = "0b6a6f0e-2f4f-4a0e-9d6c-6f1f6a0c2f11"


def test_one_that_is_reserved_for_a_run_is_for_that_run_alone(windows: Connection) -> None:
    here, there = (PendingHandover(None, 12, 1, None, SINCE, run) for run in (RUN, None))
    write(windows, [AddInjection(3, "handover", "part 2", None, 12, None)])
    write(windows, [*(OfferHandover(12) for _ in range(3)), ReserveHandover(12, RUN)])
    assert ask(windows, here).session_id == 12
    assert ask(windows, there).session_id == 13
    waiting = "SELECT count(*) FROM injections WHERE handover_of = 12"
    assert windows.execute(waiting).fetchone() == (0,)
    write(windows, [OfferHandover(12)])
    assert ask(windows, here).offers == 1
    write(windows, [ReserveHandover(12, None)])
    assert ask(windows, here) == ask(windows, there)
    assert ask(windows, there).session_id == 12


def test_a_reserved_one_is_found_by_an_index(windows: Connection) -> None:
    plan = windows.execute(
        "EXPLAIN QUERY PLAN SELECT id FROM sessions WHERE handover_run = ?", (RUN,)
    ).fetchall()
    assert "sessions_by_handover_run" in str(plan)


WAYS: list[tuple[str, PendingHandover, int | None]] = [
    ("of who worked on it", PendingHandover(1, None, None, None, SINCE), 11),
    ("of who worked on it, whoever it was", PendingHandover(1, None, 1, "builder", SINCE), 11),
    (
        "of who worked on it, before the last of the project",
        PendingHandover(1, None, 1, None, EARLY),
        11,
    ),
    ("of an effort on which nobody left one", PendingHandover(3, None, None, None, SINCE), None),
    ("of the window before", PendingHandover(None, 12, None, None, SINCE), 12),
    ("of the window before, though it is open", PendingHandover(None, 15, None, None, SINCE), 15),
    ("of the window before, before others", PendingHandover(None, 15, 1, None, EARLY), 15),
    ("of the effort, before the window before", PendingHandover(1, 15, 1, None, SINCE), 11),
    ("of the window before, where the effort has none", PendingHandover(3, 15, 1, None, SINCE), 15),
    ("of the project, of the same owner", PendingHandover(None, None, 1, None, SINCE), 13),
    ("of the project, where the effort has none", PendingHandover(3, 4, 1, None, SINCE), 13),
    ("of the project, of an agent", PendingHandover(None, None, 1, "builder", SINCE), 16),
    ("of an agent that left none", PendingHandover(None, None, 1, "idler", SINCE), None),
    ("of another project", PendingHandover(None, None, 2, None, SINCE), 17),
    ("of the project, of that very moment", PendingHandover(None, None, 1, None, AT), 13),
    ("of the project, too long ago", PendingHandover(None, None, 1, None, LATER), None),
    ("of nobody", PendingHandover(None, None, None, None, SINCE), None),
]


@pytest.mark.parametrize(("_way", "want", "window"), WAYS, ids=[way for way, *_ in WAYS])
def test_a_handover_is_found(
    _way: str, want: PendingHandover, window: int | None, windows: Connection
) -> None:
    found = ask(windows, want)
    expected = Handover(window, {"summary": str(window)}, _when(window)) if window else None
    assert (found and replace(found, open=False)) == expected


def test_what_ended_long_ago_is_found_while_it_is_not_too_long(windows: Connection) -> None:
    write(windows, [*(OfferHandover(13) for _ in range(3))])
    for since, window in ((EARLY, 14), (SINCE, None)):
        found = ask(windows, PendingHandover(None, None, 1, None, since))
        assert (found.session_id if found else None) == window


MINE = PendingHandover(1, None, None, None, SINCE)


def test_it_is_offered_three_times_at_most(windows: Connection) -> None:
    for offers in range(3):
        assert ask(windows, MINE).offers == offers
        write(windows, [OfferHandover(11)])
    assert ask(windows, MINE) is None
    left(windows, 11, "anew", LATER)
    assert ask(windows, MINE) == Handover(11, {"summary": "anew"}, LATER, open=True)


def test_what_was_delivered_is_not_offered_again(windows: Connection) -> None:
    write(windows, [AddInjection(4, "handover", "one", handover_of=11, offered_by=5)])
    assert ask(windows, MINE) is not None
    write(windows, [ConfirmInjections(4)])
    assert ask(windows, MINE) is None


def test_what_another_window_took_is_still_owed_to_the_one_that_follows(
    windows: Connection,
) -> None:
    write(windows, [AddInjection(4, "handover", "one", handover_of=11, offered_by=5)])
    write(windows, [ConfirmInjections(4)])
    follower = PendingHandover(1, 11, None, None, SINCE)
    assert ask(windows, follower).session_id == 11
    write(windows, [session(21, "next", project_id=1, effort_id=1, prev_session_id=11)])
    assert ask(windows, follower) is None


def test_on_one_effort_the_last_is_taken_and_none_from_before_it(windows: Connection) -> None:
    write(windows, [session(21, "later", project_id=1, effort_id=1)])
    left(windows, 21, "later", LATER)
    assert ask(windows, MINE).session_id == 21
    write(windows, [AddInjection(4, "handover", "one", handover_of=21, offered_by=5)])
    write(windows, [ConfirmInjections(4)])
    assert ask(windows, MINE) is None


def test_a_window_before_is_followed_though_another_on_its_effort_has_left_a_later_one(
    windows: Connection,
) -> None:
    write(windows, [session(21, "later", project_id=1, effort_id=1)])
    left(windows, 21, "later", LATER)
    assert ask(windows, PendingHandover(1, 11, 1, None, SINCE)).session_id == 11


def todo(window: int, item: str, status: Any) -> SetTodo:
    return SetTodo(window, item, f"Item {item}", None, status)


ITEMS: list[tuple[str, list[tuple[SetTodo, str]], int]] = [
    ("none is there", [], 0),
    ("it is the one that is left out", [(todo(1, "1", "pending"), AT)], 0),
    ("another is pending", [(todo(1, "2", "pending"), AT)], 1),
    ("another is worked on", [(todo(1, "2", "in_progress"), AT)], 1),
    ("another is completed", [(todo(1, "2", "completed"), AT)], 0),
    ("it is another conversation's", [(todo(2, "2", "pending"), AT)], 0),
    ("an earlier window has made it", [(todo(21, "2", "pending"), AT)], 1),
    (
        "an earlier window has made it and this one has completed it",
        [(todo(21, "2", "pending"), AT), (todo(1, "2", "completed"), LATER)],
        0,
    ),
    (
        "a subagent has made it and the main window has completed it",
        [(todo(22, "2", "pending"), AT), (todo(1, "2", "completed"), LATER)],
        0,
    ),
    (
        "it was opened again",
        [(todo(1, "2", "completed"), AT), (todo(21, "2", "in_progress"), LATER)],
        1,
    ),
]


@pytest.mark.parametrize(("_way", "items", "count"), ITEMS, ids=[way for way, *_ in ITEMS])
def test_the_open_items_of_a_conversation_are_counted_besides_one(
    _way: str, items: list[tuple[SetTodo, str]], count: int, full: Connection
) -> None:
    write(full, [session(21, "plain"), session(22, "plain", agent_id="a1")])
    for item, at in items:
        write(full, [item], at)
    assert ask(full, OpenTodos(1, "1")) == count


def test_an_item_s_name_is_compared_as_it_is_kept(full: Connection) -> None:
    name = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"
    write(full, [todo(1, name, "pending")])
    assert ask(full, OpenTodos(1, name)) == 0
    assert ask(full, OpenTodos(1, "1")) == 1


def test_the_list_of_a_conversation_is_found_as_it_was_last_seen(full: Connection) -> None:
    write(full, [session(21, "plain"), session(22, "plain", agent_id="a1")])
    write(full, [todo(1, "2", "pending"), todo(1, "10", "pending"), todo(2, "3", "pending")])
    write(full, [todo(21, "1", "in_progress"), todo(22, "7", "pending")])
    write(full, [todo(21, "2", "completed")], LATER)
    write(full, [ChangeTodo(1, "10", "deleted", None)], LATER)
    listed = [
        Todo("Item 1", "in_progress"),
        Todo("Item 2", "completed"),
        Todo("Item 10", "deleted"),
    ]
    assert ask(full, TodosOfSession(1)) == ask(full, TodosOfSession(21)) == tuple(listed)
    assert ask(full, TodosOfSession(22)) == (Todo("Item 7"),)
    assert ask(full, TodosOfSession(4)) == ()


def test_what_a_policy_keeps_is_found_for_conversations_also_between_their_windows(
    full: Connection,
) -> None:
    write(full, [Remember(number, "x", {"n": number}, lasts=True) for number in (1, 2, 3, 4)])
    write(
        full,
        [
            Remember(1, "y", 1),
            EndSession(1, "compact"),
            EndSession(4, "other"),
        ],
    )
    one = SavedState(1, "plain", "/work/orders", {"n": 1})
    assert ask(full, StateOfPolicy("x")) == (one, SavedState(2, "built", "/work/orders", {"n": 2}))
    write(full, [session(21, "plain", project_id=1)])
    assert [kept.session_id for kept in ask(full, StateOfPolicy("x"))] == [2, 21]
    assert ask(full, StateOfPolicy("z")) == ()


def test_what_a_policy_remembers_for_another_session_is_found_as_json(full: Connection) -> None:
    write(full, [Remember(1, "x", {"n": [1]}), Remember(2, "y", 2)])
    assert ask(full, StateOfSession(1, "x")) == '{"n": [1]}'
    assert ask(full, StateOfSession(2, "x")) is None
    write(full, [Remember(1, "x", None)])
    assert ask(full, StateOfSession(1, "x")) is None
