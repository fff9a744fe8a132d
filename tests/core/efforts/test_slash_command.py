"""The effort command: what it does with which words, and what it says where it does nothing."""

from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from hookd.core.efforts.log_entry import with_timestamp
from hookd.core.efforts.slash_command import CommandResult, is_effort_command, run_effort_command
from hookd.core.model.effects.after_commit import AppendLog
from hookd.core.model.effects.efforts import BindSessions, StartEffort
from hookd.core.model.effects.messages import AddMessage
from hookd.core.model.effects.sessions import SetHeartbeat
from hookd.core.model.fact_requests import TaskByDir
from hookd.core.model.facts import Effort, Facts, NextIds, Session, Task
from hookd.core.model.identity import Identity
from support.fact_lookup import PHASED, ROOT, SKILL, ask, here
from support.parametrize import parametrize_all

TASK = f"{ROOT}/tasks/pages"
AT_HAND = Effort(4, TASK, "build")
ROWS = {TaskByDir(TASK): Task(True, 4, (AT_HAND,))}


def done(args: str, facts: Facts | None = None) -> CommandResult:
    files = {SKILL: PHASED, f"{ROOT}/.claude/skills/build/LOG.md": "the template"}
    return ask(
        lambda known: run_effort_command(args, known),
        facts or here(next=NextIds(effort=9)),
        files,
        ROWS,
    )


@parametrize_all(
    ("skill", "is_it"),
    [
        ("effort", True),
        ("hookd:effort", True),
        ("efforts", False),
        ("effort:x", False),
        ("", False),
    ],
)
def test_it_is_known_by_its_name(skill: str, is_it: bool) -> None:
    assert is_effort_command(skill) is is_it


STARTED = [
    ("start docs fix", f"{ROOT}/tasks/docs", "fix", None),
    ("start docs/api fix", f"{ROOT}/docs/api", "fix", None),
    ("start 'the docs' fix", f"{ROOT}/tasks/the docs", "fix", None),
    (f"start {ROOT}/docs fix", f"{ROOT}/docs", "fix", None),
    ("start docs fix --mode fast", f"{ROOT}/tasks/docs", "fix", "fast"),
    ("start --mode fast docs fix", f"{ROOT}/tasks/docs", "fix", "fast"),
    ("  start   docs\nfix ", f"{ROOT}/tasks/docs", "fix", None),
    ("start docs hookd:fix", f"{ROOT}/tasks/docs", "hookd:fix", None),
]


@parametrize_all(("args", "task", "skill", "mode"), STARTED)
def test_start_begins_an_effort(args: str, task: str, skill: str, mode: str | None) -> None:
    one = done(args)
    assert not one.refused
    assert one.effort == Effort(9, task, skill, 1, mode, project_id=1)
    assert [effect.task_dir for effect in one.effects if isinstance(effect, StartEffort)] == [task]
    assert f"Effort 9 is active: {skill} on {task}." in one.text


def test_start_goes_on_where_an_effort_of_that_skill_is_active_and_brings_its_files() -> None:
    one = done("start pages build")
    assert one.effort == AT_HAND
    assert "Effort 4 is resumed" in one.text
    assert [fresh.content for fresh in one.fresh] == ["the template"]
    assert not any(isinstance(effect, StartEffort) for effect in one.effects)


@parametrize_all("args", ["resume", "resume pages", f"resume {TASK}"])
def test_resume_goes_on_with_the_effort_at_hand_or_on_a_task(args: str) -> None:
    one = done(args, here(effort=AT_HAND))
    assert one.effort == AT_HAND
    assert BindSessions(4, 3, 1, None) in one.effects


LOGGED = [
    ("log done", "done"),
    ("log 'the parser: done'", "the parser: done"),
    ('log "it\'s done"', "it's done"),
    ("log the parser is done", "the parser is done"),
]


@parametrize_all(("args", "text"), LOGGED)
def test_log_writes_an_entry(args: str, text: str) -> None:
    facts = here(effort=AT_HAND)
    one = done(args, facts)
    assert one.text == f"[hookd:effort] Logged: {AT_HAND.log_path}"
    assert one.effects == (
        AddMessage(3, 4, "log", text),
        SetHeartbeat(3, 0, None),
        AppendLog(AT_HAND.log_path, with_timestamp(text, facts.at), "build log", ROOT),
    )


FINISHED = Effort(4, TASK, "build", lifecycle="finished")
REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("", {}, "it has no subcommand"),
    ("   ", {}, "it has no subcommand"),
    ("finish", {}, "there is no subcommand 'finish'"),
    ("Start a b", {}, "there is no subcommand 'Start'"),
    ("start 'docs fix", {}, "its arguments cannot be parsed (No closing quotation)"),
    ("start", {}, "start needs a task and a skill"),
    ("start docs", {}, "start needs a task and a skill"),
    ("start docs fix more", {}, "start needs a task and a skill"),
    ("start docs fix --mode", {}, "start needs a task and a skill"),
    ("start --help fix", {}, "start needs a task and a skill"),
    ("start docs ../fix", {}, "start needs a task and a skill"),
    ("start docs 'a b'", {}, "start needs a task and a skill"),
    ("start docs " + "x" * 81, {}, "start needs a task and a skill"),
    ("start docs fix", {"project": None}, "there is no project here"),
    ("resume a b", {"effort": AT_HAND}, "resume accepts at most one task"),
    ("resume", {}, "no effort is active here"),
    ("resume", {"effort": FINISHED}, "no effort is active here"),
    ("resume other", {}, f"no effort is active on the task {ROOT}/tasks/other"),
    ("log", {"effort": AT_HAND}, "log needs a text"),
    ("log ' '", {"effort": AT_HAND}, "log needs a text"),
    ("log done", {}, "no effort is active here"),
    ("log done", {"effort": FINISHED}, "effort 4 is finished"),
]


@parametrize_all(("args", "known", "why"), REFUSED)
def test_what_is_wrong_is_said_with_the_usage_and_nothing_is_done(
    args: str, known: dict[str, Any], why: str
) -> None:
    one = done(args, here(**known))
    assert one == CommandResult(one.text, refused=True)
    assert one.text.startswith(f"The effort command was not run: {why}. Usage: effort start")


def test_a_subagent_may_log_and_no_more() -> None:
    facts = here(effort=AT_HAND, session=Session(3, "s", agent_id="sub"))
    assert not done("log done", facts).refused
    for args in ("start docs fix", "resume"):
        assert "a subagent works on its parent's effort" in done(args, facts).text


@parametrize_all("task", ["/elsewhere/docs", "../docs", "docs/../../x", "/"])
def test_a_task_outside_of_the_project_is_refused(task: str) -> None:
    one = ask(lambda known: run_effort_command(f"start {task} fix", known), here())
    assert one.refused
    assert one.effects == ()


def test_without_a_project_the_folder_at_hand_is_the_root() -> None:
    one = done("start docs/api fix", here(project=None, identity=Identity(cwd="/work")))
    assert one.effort is not None
    assert one.effort.task_dir == "/work/docs/api"


WORDS = st.lists(
    st.sampled_from(
        ["start", "resume", "log", "--mode", "pages", "build", "'", '"', "\\", "..", "/"]
    )
    | st.text(max_size=6),
    max_size=7,
).map(" ".join)


@given(WORDS | st.text(max_size=60), st.booleans(), st.booleans())
@example("start a\0b fix", False, False)
@example("resume \0", False, False)
@example("log \ud800", True, False)
def test_whatever_is_said_is_done_or_refused_with_a_sentence(
    args: str, at_hand: bool, bare: bool
) -> None:
    more: dict[str, Any] = {"effort": AT_HAND} if at_hand else {}
    more |= {"project": None, "session": None} if bare else {}
    one = done(args, here(**more))
    assert one.text
    assert one.refused is (one.effort is None)
    assert not (one.refused and (one.effects or one.fresh))
    assert one.effort is None or "\0" not in one.effort.task_dir
