"""Live: preparations, added folders, files that change, skills, worktrees, the last task."""

import json
from pathlib import Path
from typing import Any

import pytest

from support.flows import has_read, has_run, put, skill, within
from support.home import Home, Window, window_in


def result(window: Window, event: str) -> dict[str, Any]:
    """Return what the method answered at the last event of this name."""
    sql = "SELECT result FROM events WHERE claude_session_id = ? AND event = ? ORDER BY id DESC"
    kept: dict[str, Any] = json.loads(window.home.rows(sql, window.id, event)[0][0])
    assert kept.pop("hookOutput") is None
    return kept


@pytest.mark.parametrize("trigger", ["init", "maintenance"])
def test_a_preparation_is_recorded_and_opens_no_window(window: Window, trigger: str) -> None:
    assert window.says("Setup", trigger=trigger) is None
    assert result(window, "Setup") == {"trigger": trigger}
    assert window.sessions("id") == []
    window.says("SessionStart")
    assert window.sessions("source, prev_session_id") == [("startup", None)]


def test_a_folder_that_is_added_brings_its_directives_when_it_is_touched(window: Window) -> None:
    lib = str(window.home.path / "libs" / window.id)
    put(f"{lib}/AGENTS.md", "The rules of lib.")
    put(f"{lib}/src/AGENTS.md", "The rules of its src.")
    put(f"{lib}/../AGENTS.md", "The rules of somebody else.")
    window.starts()
    window.says("SessionStart")
    assert has_read(window, f"{lib}/src/x.py") == "", "it is not of the project"
    assert window.says("DirectoryAdded", directory=lib) is None
    assert result(window, "DirectoryAdded") == {"added": True}
    text = has_read(window, f"{lib}/src/x.py")
    assert "The rules of lib." in text
    assert "The rules of its src." in text
    assert has_read(window, f"{lib}/src/x.py") == ""
    assert has_read(window, f"{lib}/../x.py") == ""
    assert window.sessions("added_dirs_json") == [(json.dumps([lib]),)]
    window.says("DirectoryAdded", directory=f"{lib}/src/..")
    assert result(window, "DirectoryAdded") == {"added": False}


def test_an_added_folder_is_known_after_compaction_and_to_a_subagent(window: Window) -> None:
    lib = str(window.home.path / "libs" / window.id)
    put(f"{lib}/AGENTS.md", "The rules of lib.")
    window.starts()
    window.says("SessionStart")
    window.says("DirectoryAdded", directory=lib)
    window.says("PreCompact.auto")
    window.says("SessionStart.compact")
    window.says("SubagentStart", agent_id="sub")
    rows = window.sessions("agent_id, added_dirs_json", "ended_at IS NULL")
    assert rows == [(None, json.dumps([lib])), ("sub", json.dumps([lib]))]
    assert "The rules of lib." in has_read(window, f"{lib}/x.py")


def test_a_link_out_of_an_added_folder_is_not_followed(window: Window) -> None:
    lib = Path(window.home.path / "libs" / window.id)
    secret = put(window.home.path / "outside" / f"{window.id}.md", "the user's own")
    put(lib / "real" / "AGENTS.md", "The rules.")
    (lib / "AGENTS.md").symlink_to(secret)
    named = lib.with_name(f"{window.id}-link")
    named.symlink_to(lib)
    window.starts()
    window.says("SessionStart")
    window.says("DirectoryAdded", directory=str(named))
    text = has_read(window, f"{named}/real/x.py")
    assert "The rules." in text
    assert "the user's own" not in text


@pytest.mark.parametrize("event", ["change", "add"])
def test_a_file_that_has_changed_is_given_again(window: Window, event: str) -> None:
    path = put(f"{window.project}/AGENTS.md", "The rules.")
    window.starts()
    window.says("SessionStart")
    assert "The rules." in has_read(window, f"{window.project}/x.py")
    put(path, "Other rules.")
    assert has_read(window, f"{window.project}/x.py") == ""
    assert window.says("FileChanged", file_path=path, event=event) is None
    assert result(window, "FileChanged") == {"forgotten": True}
    assert "Other rules." in has_read(window, f"{window.project}/x.py")
    window.says("FileChanged", file_path=f"{window.project}/never.md", event=event)
    assert result(window, "FileChanged") == {"forgotten": False}


def test_a_file_that_is_gone_is_forgotten_by_its_real_name(window: Window) -> None:
    path = Path(put(f"{window.project}/real/AGENTS.md", "The rules."))
    linked = Path(window.project) / "linked"
    linked.symlink_to("real")
    window.starts()
    window.says("SessionStart")
    assert "The rules." in has_read(window, str(linked / "x.py"))
    path.unlink()
    window.says("FileChanged", file_path=str(linked / "AGENTS.md"), event="unlink")
    assert result(window, "FileChanged") == {"forgotten": True}
    assert window.sessions("preloaded_files_json") == [("[]",)]
    put(path, "They are back.")
    window.says("FileChanged", file_path=str(linked / "AGENTS.md"), event="add")
    assert "They are back." in has_read(window, str(linked / "y.py"))


def stamp(window: Window) -> str:
    """Return what tells that the project's one skill has changed."""
    sql = (
        "SELECT k.stamp FROM skills k JOIN sessions s ON s.project_id = k.project_id"
        " WHERE s.claude_session_id = ?"
    )
    ((kept,),) = window.home.rows(sql, window.id)
    return str(kept)


def test_what_is_kept_of_a_skill_is_read_anew_once_its_file_has_changed(window: Window) -> None:
    path = f"{skill(window)}/SKILL.md"
    window.says("SessionStart")
    has_run(window, "Skill", skill="implement", args="pages")
    told = [
        ("FileChanged", {"file_path": path}),
        ("ConfigChange", {"source": "skills", "file_path": path}),
        ("ConfigChange", {"source": "skills"}),
    ]
    for event, more in told:
        assert stamp(window), event
        assert window.says(event, **more) is None
        assert stamp(window) == "", event
        within(window, "effort.phase", phase="0: Setup")
        has_run(window, "Skill", skill="implement", args="pages")
    assert result(window, "ConfigChange") == {"reloaded": False, "skillsDropped": True}


def test_settings_of_the_client_change_nothing(window: Window) -> None:
    skill(window)
    window.says("SessionStart")
    has_run(window, "Skill", skill="implement", args="pages")
    before = stamp(window)
    path = put(f"{window.project}/.claude/settings.json", "{}")
    assert window.says("ConfigChange", file_path=path) is None
    assert result(window, "ConfigChange") == {"reloaded": False, "skillsDropped": False}
    assert stamp(window) == before


def test_a_worktree_that_is_removed_ends_nobody_s_window(window: Window) -> None:
    window.says("SessionStart")
    rows = window.sessions("project_id, ended_at, cwd")
    assert window.says("WorktreeRemove", worktree_path=window.project) is None
    assert result(window, "WorktreeRemove") == {}
    assert window.sessions("project_id, ended_at, cwd") == rows
    window.says("SessionEnd")
    window.says("WorktreeRemove", worktree_path=window.project)
    assert len(window.sessions("id")) == 1, "it opens no window behind the last one"


@pytest.fixture
def ending(home: Home) -> Window:
    """A window whose last task ends its effort, with two open items."""
    home.settings({"efforts": {"finish_on_tasks": True}})
    home.serves()
    window = window_in(home)
    window.starts()
    window.says("SessionStart")
    for number in "12":
        window.says("TaskCreated", task_id=number)
    return window


def working(window: Window) -> bool:
    """Whether the conversation's window works on an effort that is active."""
    sql = (
        "SELECT e.lifecycle = 'active' FROM efforts e JOIN sessions s ON s.effort_id = e.id"
        " WHERE s.claude_session_id = ? AND s.ended_at IS NULL"
    )
    return window.home.rows(sql, window.id) == [(1,)]


def test_the_last_item_of_the_list_finishes_the_effort(ending: Window) -> None:
    assert ending.says("TaskCompleted", task_id="1") is None
    assert result(ending, "TaskCompleted") == {"todoUpdated": True, "effortFinished": False}
    assert working(ending)
    assert ending.says("TaskCompleted", task_id="2") is None
    assert result(ending, "TaskCompleted") == {"todoUpdated": True, "effortFinished": True}
    assert not working(ending)
    ((lifecycle,),) = ending.home.rows("SELECT lifecycle FROM efforts")
    assert lifecycle == "finished"
    ending.says("TaskCompleted", task_id="2")
    assert result(ending, "TaskCompleted") == {"todoUpdated": True, "effortFinished": False}


def test_an_item_from_before_the_compaction_keeps_the_effort_going(ending: Window) -> None:
    ending.says("PreCompact.auto")
    ending.says("SessionStart.compact")
    assert len(ending.sessions("id")) == 2
    ending.says("TaskCompleted", task_id="1")
    assert working(ending)
    ending.says("TaskCompleted", task_id="2")
    assert not working(ending)


def test_by_default_no_item_finishes_an_effort(window: Window) -> None:
    window.starts()
    window.says("SessionStart")
    window.says("TaskCreated", task_id="1")
    window.says("TaskCompleted", task_id="1")
    assert result(window, "TaskCompleted") == {"todoUpdated": True, "effortFinished": False}
    assert working(window)
