"""Commands for efforts, phases, tasks and skills, with a real daemon and real files."""

import json
from pathlib import Path
from typing import Any

import pytest

from support import forkserver
from support.home import Home, Window, window_in

SKILL = """---
name: {name}
description: Writes the code.
version: "1.2"
phases:
  - {{label: "1", name: Plan, proof: [plan], steps: [Read the request]}}
  - {{label: "2", name: Build, proof: [tests]}}
  - {{label: "3", name: Review}}
nextSkills: [review]
---
"""


@pytest.fixture
def task(window: Window) -> str:
    """A window's project with a skill of three phases, and the folder of a task in it."""
    folder = Path(window.project, ".claude", "skills", "implement")
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(SKILL.format(name="implement"))
    window.says("SessionStart")
    return f"{window.project}/tasks/pagination"


def run(window: Window, *args: str, **more: Any) -> str:
    return window.home.hookd(*args, cwd=window.project, **more).stdout


def refused(window: Window, *args: str, **more: Any) -> list[str]:
    """Return the two lines that say why and what next."""
    done = window.home.hookd(*args, cwd=window.project, check=False, **more)
    assert (done.returncode, done.stdout) == (1, "")
    return done.stderr.splitlines()


def test_the_sessions_that_an_effort_binds_are_named_before(window: Window, task: str) -> None:
    window.says("UserPromptSubmit", prompt="Add pages to the list of orders, as the API has them")
    (number,) = window.home.rows("SELECT id FROM sessions WHERE claude_session_id = ?", window.id)
    named = f"session {number[0]}: Add pages to the list of orders, as the"
    done = window.home.hookd("effort", "start", task, "implement", cwd=window.project)
    first, second = done.stderr.splitlines()
    assert first == f"It binds the open session of {window.project}:"
    assert second.strip().startswith(named)
    args = ("effort", "start", task, "review")
    env = window.home.env
    code, shown = forkserver.at_a_terminal(args, env, window.project, "n\n")
    ((effort,),) = window.home.rows("SELECT id FROM efforts WHERE task_dir = ?", task)
    assert code == 1
    assert f"(leaves effort {effort}, which stays active)" in shown
    assert "Start the effort? [Y/n]" in shown
    code, shown = forkserver.at_a_terminal((*args, "--yes"), env, window.project)
    assert code == 0, shown
    assert "Start the effort?" not in shown
    assert window.sessions("effort_id") != [(effort,)]


def test_a_session_of_another_project_is_not_named(window: Window, task: str) -> None:
    window_in(window.home).says("SessionStart")
    done = window.home.hookd("effort", "start", task, "implement", cwd=window.project)
    assert len(done.stderr.splitlines()) == 2


def test_an_effort_that_starts_tells_its_phases(window: Window, task: str) -> None:
    said = run(window, "effort", "start", "tasks/pagination", "implement").splitlines()
    assert said[0].endswith(" is active: implement.")
    assert said[1] == f"  task  {task}"
    assert "Phases: 1: Plan; 2: Build; 3: Review." in said
    assert any("hookd effort phase '1'" in line for line in said)


def test_an_effort_goes_through_its_phases(window: Window, task: str) -> None:
    run(window, "effort", "start", task, "implement")
    assert "is in no phase yet. The next phase is 1: Plan." in run(window, "effort", "phase")
    assert "is in 1: Plan." in run(window, "effort", "phase", "1")
    lines = refused(window, "effort", "phase", "2")
    assert lines[0] == "hookd: Leaving 1: Plan requires a proof of: plan."
    assert "--proof JSON" in lines[1]
    moved = run(window, "effort", "phase", "2", "--proof", '{"plan": "short"}')
    assert "is in 2: Build." in moved
    assert "  before  1: Plan\n" in moved
    proof = json.dumps({"tests": ["a", "b"]})
    one = json.loads(run(window, "effort", "phase", "3", "--proof", "-", "--json", input=proof))
    assert (one["phase"], one["moved"], one["next"]) == ("3: Review", True, None)
    assert refused(window, "effort", "phase", "1")[1].endswith("another takes --reason TEXT")
    run(window, "effort", "phase", "1", "--reason", "The plan was wrong.")


def test_an_effort_is_shown_with_its_phases_windows_and_files(window: Window, task: str) -> None:
    run(window, "effort", "start", task, "implement")
    run(window, "effort", "phase", "1")
    run(window, "effort", "phase", "2", "--proof", '{"plan": "short"}')
    run(window, "log", "Begun.")
    Path(task, "1_PLAN.md").write_text("x")
    Path(task, "2_OTHER.md").write_text("x")
    Path(task, "notes.md").write_text("x")
    said = run(window, "effort", "show")
    assert "  current phase" in said
    assert "plan: short" in said
    assert window.id in said
    assert f"\nin {task}\n  1_IMPLEMENT_LOG.md\n  1_PLAN.md\n" in said
    assert said.endswith("1_PLAN.md\n")
    one = json.loads(run(window, "effort", "show", "--json"))
    assert [phase["phase"] for phase in one["phases"]] == ["1: Plan", "2: Build"]
    assert [phase["proof"] for phase in one["phases"]] == [None, {"plan": "short"}]
    assert [row["claudeSessionId"] for row in one["windows"]] == [window.id]
    assert run(window, "effort", "show", str(one["id"])) == said


def test_an_effort_is_resumed_by_nothing_number_and_folder(window: Window, task: str) -> None:
    started = json.loads(run(window, "effort", "start", task, "implement", "--json"))
    number = str(started["effortId"])
    for which in ([], [number], [task], ["tasks/pagination", "--skill", "implement"]):
        one = json.loads(run(window, "effort", "resume", *which, "--json"))
        assert one["effortId"] == started["effortId"], which
    assert run(window, "effort", "resume").startswith(f"Effort {number} is resumed.\n")


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("resume", "999999"), "There is no effort 999999."),
        (("resume", "9" * 30), f"There is no effort {'9' * 30}."),
        (("resume", "nowhere"), "No effort is active on the task"),
        (("resume", "nowhere\x01"), "No effort is active on the task"),
        (("resume",), "No effort is active here."),
        (("resume", ""), "The task is missing: it is a folder."),
        (("phase",), "No effort is active here."),
        (("show",), "No effort is active here."),
        (("show", "999999"), "There is no effort 999999."),
        (("phase", "1", "--proof", "[]"), "A proof is a JSON object."),
        (("phase", "1", "--proof", "{"), "Invalid JSON: "),
    ],
)
def test_what_cannot_be_done_with_an_effort_is_told(
    window: Window, args: tuple[str, ...], sentence: str
) -> None:
    why, step = refused(window, "effort", *args)
    assert why.startswith(f"hookd: {sentence}")
    assert step.startswith("  next: ")


def test_a_phase_that_there_is_not_is_told_with_those_that_there_are(
    window: Window, task: str
) -> None:
    run(window, "effort", "start", task, "implement")
    why, step = refused(window, "effort", "phase", "9")
    assert "1: Plan, 2: Build, 3: Review" in why
    assert "hookd effort phase" in step


def test_a_proof_without_a_phase_is_no_use(window: Window) -> None:
    done = window.home.hookd("effort", "phase", "--proof", "{}", check=False)
    assert done.returncode == 2
    assert "require a LABEL" in done.stderr


def test_a_named_task_begins_with_the_phase_of_its_skill(window: Window, task: str) -> None:
    run(window, "effort", "start", task, "implement")
    run(window, "effort", "finish")
    one = json.loads(run(window, "effort", "phase", "1: Plan", "--task-name", "sorting", "--json"))
    assert one["phase"] == "1: Plan"
    shown = json.loads(run(window, "effort", "show", str(one["effortId"]), "--json"))
    assert shown["task"] == f"{window.project}/tasks/sorting"


def test_a_task_is_shown_with_its_efforts_and_what_they_left(window: Window, task: str) -> None:
    run(window, "effort", "start", task, "implement", "--title", "Pages of orders")
    run(window, "log", "Begun.")
    run(window, "effort", "finish")
    run(window, "effort", "start", task, "review")
    Path(task, "10_LATE.md").write_text("x")
    listed = json.loads(run(window, "task", "list", "--json"))
    (own,) = [one for one in listed if one["task"] == task]
    assert (own["title"], own["effortCount"], own["activeEfforts"]) == ("Pages of orders", 2, 1)
    assert "Pages of orders" in run(window, "task", "list")
    one = json.loads(run(window, "task", "show", "tasks/pagination", "--json"))
    assert [effort["skill"] for effort in one["efforts"]] == ["review", "implement"]
    assert one["artifacts"] == ["1_IMPLEMENT_LOG.md", "10_LATE.md"]
    said = run(window, "task", "show", task)
    assert said.startswith(f"{task}\n  title           Pages of orders\n")
    assert said.endswith(f"\nin {task}\n  1_IMPLEMENT_LOG.md\n  10_LATE.md\n")
    assert window.home.rpc("task.list", {"project": window.project})["tasks"] == [own]


def test_a_task_that_is_not_known_is_told(window: Window) -> None:
    why, step = refused(window, "task", "show", "nowhere")
    assert why == f"hookd: There is no task in {window.project}/nowhere."
    assert "hookd task list" in step


def test_a_skill_is_shown_as_it_was_read(window: Window, task: str) -> None:
    run(window, "effort", "start", task, "implement")
    listed = json.loads(run(window, "skill", "list", "--json"))
    assert window.project in {one["project"] for one in listed}
    assert "Writes the code." in run(window, "skill", "list")
    said = run(window, "skill", "show", "implement")
    assert said.startswith("Skill implement\n  description  Writes the code.\n")
    assert "next skills" in said
    assert "1: Plan    plan" in said
    one = json.loads(run(window, "skill", "show", "implement", "--json"))
    assert one["project"] == window.project
    assert [phase["label"] for phase in one["phases"]] == ["1", "2", "3"]


def test_a_skill_that_was_not_read_is_told(window: Window) -> None:
    why, step = refused(window, "skill", "show", "nothing")
    assert why == "hookd: hookd has read no skill nothing."
    assert "hookd skill list" in step


@pytest.mark.parametrize(
    ("command", "empty"),
    [
        ("task", "No tasks yet."),
        ("skill", "No skills yet."),
        ("handover", "No handovers yet."),
        ("message", "No messages"),
    ],
)
def test_an_empty_list_says_how_it_is_filled(daemon: Home, command: str, empty: str) -> None:
    assert daemon.hookd(command, "list").stdout.startswith(empty)
    assert daemon.hookd(command, "list", "--json").stdout == "[]\n"
