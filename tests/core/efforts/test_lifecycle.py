"""How an effort begins or continues, and the task folder of a called skill."""

import posixpath
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from hookd.config.models import EffortOptions, Settings
from hookd.core.efforts.lifecycle import (
    EffortRequest,
    EffortStart,
    begin,
    bind_to_effort,
    task_for,
    without_flags,
)
from hookd.core.efforts.skill import Phase, Skill
from hookd.core.model.effects.efforts import (
    BindAgent,
    BindSessions,
    OpenProject,
    OpenTask,
    SetMetadata,
    StartEffort,
)
from hookd.core.model.effects.messages import RegisterAgent
from hookd.core.model.fact_requests import TaskByDir
from hookd.core.model.facts import Effort, Facts, NextIds, Session, Task
from hookd.core.model.identity import Identity
from support.fact_lookup import ROOT, ask, here
from support.parametrize import parametrize_all

TASK = f"{ROOT}/tasks/pages"
PHASED = Skill("build", phases=(Phase("0", "Setup"),))
NEXT = NextIds(effort=9, project=5)


def begun(
    wanted: EffortRequest, facts: Facts, task: Task | None, skill: Skill | None = None
) -> EffortStart:
    rows = {TaskByDir(wanted.task_dir): task} if task else {}
    return ask(lambda known: begin(wanted, known, skill), facts, rows=rows)


def test_the_first_effort_on_a_folder_makes_it_a_task() -> None:
    one = begun(EffortRequest(TASK, "build", "fast"), here(next=NEXT), Task())
    assert one.effort == Effort(9, TASK, "build", 1, "fast", project_id=1)
    assert not one.resumed
    assert one.effects == (
        OpenTask(TASK, 1, "pages"),
        StartEffort(9, TASK, 1, "build", "fast", 1, {}, None),
        BindSessions(9, 3, 1, None),
    )


def test_a_task_that_is_known_gets_its_next_ordinal_and_keeps_its_title() -> None:
    one = begun(EffortRequest(TASK, "build", title="Pages"), here(next=NEXT), Task(True, 4))
    assert one.effort.ordinal == 5
    assert not any(isinstance(effect, OpenTask) for effect in one.effects)


def test_its_title_is_the_given_one() -> None:
    one = begun(EffortRequest(TASK, "build", title="Pages"), here(), Task())
    assert OpenTask(TASK, 1, "Pages") in one.effects


def test_with_an_agent_it_is_the_agents() -> None:
    facts = here(next=NEXT, identity=Identity(agent="builder"), session=None)
    one = begun(EffortRequest(TASK, "build"), facts, Task(True))
    assert one.effects == (
        RegisterAgent("builder"),
        StartEffort(9, TASK, 1, "build", None, 1, {}, "builder"),
        BindSessions(9, None, 1, "builder"),
    )


def test_where_no_project_is_known_the_asker_s_folder_becomes_one_first() -> None:
    facts = here(next=NEXT, project=None, identity=Identity(cwd=ROOT))
    one = begun(EffortRequest(TASK, "build"), facts, Task())
    assert one.effects[:2] == (OpenProject(5, ROOT, "orders"), OpenTask(TASK, 5, "pages"))
    assert one.effort.project_id == 5


LOADING: list[tuple[Skill | None, dict[str, Any], dict[str, Any]]] = [
    (None, {}, {}),
    (Skill("build"), {"warnAfter": 1}, {"warnAfter": 1}),
    (PHASED, {}, {"loading": True}),
    (PHASED, {"warnAfter": 1}, {"loading": True, "warnAfter": 1}),
    (PHASED, {"loading": False}, {"loading": False}),
]


@parametrize_all(("skill", "given", "kept"), LOADING)
def test_with_phases_it_is_loading_until_it_enters_the_first(
    skill: Skill | None, given: dict[str, Any], kept: dict[str, Any]
) -> None:
    one = begun(EffortRequest(TASK, "build", metadata=given), here(), Task(), skill)
    assert dict(one.effort.metadata) == kept


ACTIVE = (Effort(8, TASK, "review", 3), Effort(7, TASK, "build", 2), Effort(6, TASK, "build", 1))


def test_the_newest_active_one_of_the_same_skill_goes_on() -> None:
    facts = here(identity=Identity(agent="builder"))
    one = begun(EffortRequest(TASK, "build"), facts, Task(True, 3, ACTIVE))
    assert one.resumed
    assert one.effort == ACTIVE[1]
    assert one.effects == (
        RegisterAgent("builder"),
        BindAgent("builder", 7),
        BindSessions(7, 3, 1, "builder"),
    )
    assert one == bind_to_effort(ACTIVE[1], facts)


def test_unless_a_new_one_is_wanted_or_no_other_is_of_that_skill() -> None:
    rows = {TaskByDir(TASK): Task(True, 3, ACTIVE)}
    wanted = EffortRequest(TASK, "build")
    one = ask(lambda known: begin(wanted, known, None, resume=False), here(), rows=rows)
    assert (one.resumed, one.effort.ordinal) == (False, 4)
    assert begun(EffortRequest(TASK, "fix"), here(), Task(True, 3, ACTIVE)).resumed is False


def test_flags_are_taken_away_where_one_of_them_is_set() -> None:
    effort = Effort(4, TASK, "build", metadata={"loading": True, "warnAfter": 3, "other": False})
    assert without_flags(effort, "loading", "dehydrating") == (
        SetMetadata(4, {"warnAfter": 3, "other": False}),
    )
    assert without_flags(effort, "dehydrating") == ()
    assert without_flags(effort, "other") == ()


FILES = {f"{ROOT}/docs/api/x.md": "x", f"{ROOT}/src/x.py": "x", "/work/web/x.py": "x"}
FOLDERS = [
    ("", "build"),
    ("   ", "build"),
    ("pages of orders", "pages-of-orders"),
    ("Pages: of ORDERS!", "pages-of-orders"),
    ("one two three four five six seven", "one-two-three-four-five-six"),
    ("x" * 200, "x" * 60),
    ("a" * 59 + " b c", "a" * 59),
    ("日本語 の タスク", "日本語-の-タスク"),
    ("!!! ...", "build"),
    ("snake_case_name", "snake-case-name"),
    ("../../../etc", "etc"),
    ("/etc/passwd", "etc-passwd"),
    ("../web fix it", "web-fix-it"),
    ("and/or both", "and-or-both"),
]


@parametrize_all(("words", "folder"), FOLDERS)
def test_the_words_of_a_call_name_the_task(words: str, folder: str) -> None:
    task = ask(lambda known: task_for("build", words, known), here(), FILES)
    assert task == f"{ROOT}/tasks/{folder}"


NAMED = [
    ("docs/api write it", f"{ROOT}/docs/api"),
    ("./docs/api", f"{ROOT}/docs/api"),
    ("docs/../docs/api/", f"{ROOT}/docs/api"),
    (f"{ROOT}/docs/api write it", f"{ROOT}/docs/api"),
    ("docs", f"{ROOT}/tasks/docs"),
    ("write docs/api", f"{ROOT}/tasks/write-docs-api"),
]


@parametrize_all(("words", "task"), NAMED)
def test_a_folder_of_the_project_that_comes_first_is_the_task(words: str, task: str) -> None:
    assert ask(lambda known: task_for("build", words, known), here(), FILES) == task


AT_HAND = Effort(4, TASK, "plan")
OWN = Session(3, "s", own_effort=True)
IN_HAND = [
    ("", Session(3, "s"), TASK),
    ("  ", Session(3, "s"), TASK),
    ("other words", Session(3, "s"), f"{ROOT}/tasks/other-words"),
    ("other words", OWN, TASK),
    ("", OWN, TASK),
    ("other words", None, f"{ROOT}/tasks/other-words"),
]


@parametrize_all(("words", "session", "task"), IN_HAND)
def test_the_task_in_hand_goes_before_words_where_the_window_has_it_of_its_own(
    words: str, session: Session | None, task: str
) -> None:
    facts = here(effort=AT_HAND, session=session)
    assert ask(lambda known: task_for("build", words, known), facts) == task


def test_the_setting_says_where_tasks_are_and_without_a_project_there_is_none() -> None:
    settings = Settings(efforts=EffortOptions(tasks="work/./items"))
    facts = here(settings=settings)
    assert ask(lambda known: task_for("build", "x", known), facts) == f"{ROOT}/work/items/x"
    assert task_for("build", "x", here(project=None)) is None


@given(st.text(max_size=200), st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}", fullmatch=True))
@example("", "_")
@example("", "-".join("_" * 9))
@example("/", "build")
@example("İ\0/..", "build")
def test_whatever_the_words_the_task_is_a_folder_below_that_for_tasks(
    words: str, skill: str
) -> None:
    task = ask(lambda known: task_for(skill, words, known), here())
    assert task is not None
    folder, name = posixpath.split(task)
    assert folder == f"{ROOT}/tasks"
    assert name not in ("", ".", "..")
    assert "\0" not in name
    assert len(name.encode()) <= 255
    assert ask(lambda known: task_for(skill, words, known), here()) == task
