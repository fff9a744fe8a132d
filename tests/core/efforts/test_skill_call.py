"""What the call of a skill brings: an effort and its files, or nothing but a word to the user."""

from typing import Any

from hookd.config.models import EffortOptions, Settings
from hookd.core.efforts.skill_call import SkillCallResult, call_effort_command, call_skill
from hookd.core.model.effects.efforts import KeepSkill, OpenTask, StartEffort
from hookd.core.model.effects.sessions import AddSeen
from hookd.core.model.fact_requests import TaskByDir
from hookd.core.model.facts import Effort, Facts, NextIds, Session, Task
from support.fact_lookup import CLAUDE, PHASED, ROOT, SKILL, ask, here
from support.parametrize import parametrize_all

LOG = f"{ROOT}/.claude/skills/build/LOG.md"
FILES = {SKILL: PHASED, LOG: "the template"}
TASK = f"{ROOT}/tasks/pages"
PLAIN_SKILL = "---\ndescription: Has no phases.\n---\n"
AT_HAND = Effort(4, TASK, "build", ordinal=2, phase="1: Make")


def call(
    skill: str, args: str = "pages", facts: Facts | None = None, **files: str
) -> SkillCallResult:
    known = facts or here(next=NextIds(effort=9))
    return ask(lambda more: call_skill(skill, args, more), known, FILES | files)


def test_a_skill_with_phases_begins_its_effort_and_brings_its_templates() -> None:
    one = call("build")
    assert one.effort == Effort(9, TASK, "build", project_id=1, metadata={"loading": True})
    assert [(fresh.path, fresh.content) for fresh in one.fresh] == [(LOG, "the template")]
    kinds = [type(effect) for effect in one.effects]
    assert kinds.index(KeepSkill) < kinds.index(OpenTask) < kinds.index(StartEffort)
    assert AddSeen(3, (LOG,), ()) in one.effects
    assert one.text.splitlines() == [
        f"[hookd:effort] Effort 9 is active: build on {TASK}.",
        f'Log: {TASK}/1_BUILD_LOG.md. To write an entry: hookd log "..."',
        "Phases: 0: Setup; 1: Make; 2: Check.",
        "To enter the next phase: hookd effort phase '0'",
    ]


def test_what_earlier_efforts_left_is_named_and_where_the_effort_stands() -> None:
    left = {f"{TASK}/{name}": "x" for name in ("1_PLAN.md", "1_PLAN_LOG.md", "notes.md", "2_X.txt")}
    facts = here(effort=AT_HAND)
    rows = {TaskByDir(TASK): Task(True, 4, (AT_HAND,))}
    files = FILES | left | {f"{TASK}/2_BUILD_LOG.md": "own"}
    one = ask(lambda more: call_skill("build", "", more), facts, files, rows)
    assert one.text.splitlines()[3:] == [
        "Current phase: 1: Make. To leave it: --proof JSON with files.",
        "To enter the next phase: hookd effort phase '2'",
        f"Files of earlier efforts on this task: {TASK}/1_PLAN.md, {TASK}/1_PLAN_LOG.md.",
    ]


def test_a_template_that_the_window_has_had_is_not_brought_again() -> None:
    facts = here(session=Session(3, "s", preloaded_files=(LOG,)))
    assert call("build", facts=facts).fresh == ()


@parametrize_all(("skill", "files"), [("fix", {}), ("build", {SKILL: PLAIN_SKILL}), ("build", {})])
def test_a_skill_that_the_settings_name_begins_an_effort(skill: str, files: dict[str, str]) -> None:
    named = Settings(efforts=EffortOptions(auto=False, skills=("fix", "build")))
    one = call(skill, facts=here(next=NextIds(effort=9), settings=named), **files)
    assert one.effort is not None
    assert (one.effort.id, one.effort.skill, one.effort.task_dir) == (9, skill, TASK)


OFF = Settings(efforts=EffortOptions(auto=False))
NOTHING: list[tuple[str, dict[str, Any], dict[str, str]]] = [
    ("other", {}, {}),
    ("build", {"session": None}, {}),
    ("build", {"session": Session(3, "s", agent_id="sub")}, {}),
    ("build", {"settings": OFF}, {}),
    ("build", {"project": None}, {}),
    ("build", {}, {SKILL: PLAIN_SKILL}),
    ("", {}, {}),
    ("..", {}, {}),
    ("../build", {}, {}),
    ("build/../build", {}, {}),
    ("plugin:build", {}, {}),
    ("build\n", {}, {}),
    ("build\0", {}, {}),
    ("b" * 200, {}, {}),
]


@parametrize_all(("skill", "more", "files"), NOTHING)
def test_of_other_skills_nothing_begins(
    skill: str, more: dict[str, Any], files: dict[str, str]
) -> None:
    one = call(skill, "pages", here(**more), **files)
    assert (one.effort, one.text, one.fresh, one.problem) == (None, "", (), "")
    assert all(isinstance(effect, KeepSkill) for effect in one.effects)


def test_a_file_that_cannot_be_used_is_a_word_to_the_user() -> None:
    one = call("build", **{SKILL: "---\nphases: 3\n---\n"})
    assert one == SkillCallResult(problem=one.problem)
    assert one.problem == f"{SKILL}: phases is not a list"


def test_the_users_own_skill_goes_before_the_projects() -> None:
    own = f"{CLAUDE}/skills/build/SKILL.md"
    one = call("build", **{own: PHASED.replace("0: Setup", "0: Begin")})
    assert "Phases: 0: Begin" in one.text


def test_the_effort_command_is_told_from_other_skills() -> None:
    assert call_effort_command("build", "start a b", here()) is None
    assert call_effort_command("effort", "start a b", here(session=None)) is None


def test_the_effort_command_brings_what_it_did_or_why_it_did_nothing() -> None:
    one = ask(
        lambda more: call_effort_command("x:effort", "start pages build", more), here(), FILES
    )
    assert one is not None
    assert one.effort is not None
    assert [fresh.path for fresh in one.fresh] == [LOG]
    refused = call_effort_command("effort", "", here())
    assert refused is not None
    assert refused == SkillCallResult(problem=refused.problem)
    assert "it has no subcommand" in refused.problem
