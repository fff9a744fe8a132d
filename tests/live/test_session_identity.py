"""Live: how events find their session, project and effort, and the model's context."""

from pathlib import Path

import pytest

from support.home import Home, Window, window_in
from support.payloads import context, payload, verdict


def project_of(window: Window) -> str:
    """Return the path of the project that the newest row belongs to."""
    sql = (
        "SELECT path FROM projects p JOIN sessions s ON s.project_id = p.id"
        " WHERE claude_session_id = ? ORDER BY s.id DESC LIMIT 1"
    )
    path: str = window.home.rows(sql, window.id)[0][0]
    return path


def test_an_event_is_answered_and_kept(daemon: Home) -> None:
    assert daemon.said(payload("PreToolUse.Bash")) is None
    assert daemon.rows("SELECT event, tool_name, decision FROM events") == [
        ("PreToolUse", "Bash", None)
    ]


def test_a_session_that_starts_gets_a_row(window: Window) -> None:
    assert window.says("SessionStart", model="some-model") is None
    columns = "source, model, cwd, ended_at, heartbeat_counter"
    assert window.sessions(columns) == [("startup", "some-model", window.project, None, 0)]


def test_a_session_has_the_name_and_the_version_of_its_client(window: Window) -> None:
    window.env["AI_AGENT"] = "claude-code_2-1-330_harness"
    window.says("SessionStart")
    assert window.sessions("client, client_version") == [("claude-code", "2.1.330")]
    (row,) = window.rpc("session.list", claudeSessionId=window.id)["sessions"]
    assert (row["client"], row["clientVersion"]) == ("claude-code", "2.1.330")


def test_the_first_event_of_an_unseen_session_gives_it_a_row(window: Window) -> None:
    window.says("Stop")
    window.bash()
    assert window.sessions("source, ended_at") == [("seen", None)]


def test_the_end_of_an_unseen_session_gives_it_no_row(window: Window) -> None:
    window.says("SessionEnd")
    assert window.sessions("id") == []


def test_a_session_start_delivered_twice_is_one_window(window: Window) -> None:
    window.says("SessionStart")
    window.says("SessionStart")
    assert len(window.sessions("id")) == 1
    window.bash()
    window.says("SessionStart")
    assert window.sessions("end_reason") == [("superseded",), (None,)]


def test_a_resumed_session_is_a_new_window_that_follows_the_old_one(window: Window) -> None:
    window.says("SessionStart")
    window.bash()
    window.says("SessionStart", source="resume")
    first, second = window.sessions("id, prev_session_id, end_reason, heartbeat_counter")
    assert first[2:] == ("superseded", 1)
    assert second[1:] == (first[0], None, 0)


def test_the_end_of_a_session_closes_exactly_its_row(window: Window) -> None:
    other = window_in(window.home)
    for one in (window, other):
        one.says("SessionStart")
    window.says("SessionEnd", reason="prompt_input_exit")
    assert window.sessions("ended_at IS NULL, end_reason") == [(0, "prompt_input_exit")]
    assert other.sessions("ended_at IS NULL, end_reason") == [(1, None)]


def test_a_subagent_has_a_row_of_its_own_below_its_window(window: Window) -> None:
    window.starts(blockAfter=2)
    window.bash()
    window.says("SubagentStart", agent_id="a1", agent_type="explorer")
    for command in ("ls", "pwd", "id"):
        answer = window.bash(command, agent_id="a1", agent_type="explorer")
    assert verdict(answer)[0] == "deny", "a subagent shares the effort, and its discipline"
    (parent,) = window.sessions("id, heartbeat_counter, effort_id")
    (child,) = window.sessions(
        "parent_session_id, heartbeat_counter, effort_id, agent_type", "agent_id = 'a1'"
    )
    assert child == (parent[0], 3, parent[2], "explorer")
    assert parent[1] == 1, "the calls of a subagent do not move its parent"
    window.says("SessionEnd", reason="other")
    assert window.sessions("ended_at IS NULL", "agent_id = 'a1'") == [(0,)]


@pytest.mark.parametrize("start", ["SessionStart", "UserPromptSubmit"])
def test_an_effort_s_context_line_reaches_the_model(window: Window, start: str) -> None:
    effort = window.starts("review", blockAfter=7)
    line = context(window.says(start))
    assert line.startswith("[Session Context] Time: 20")
    for part in (effort["taskDir"], "Skill: review", "Phase: none", "Heartbeat: 0/7"):
        assert part in line


def test_without_an_effort_the_model_is_told_nothing(window: Window) -> None:
    for name in ("SessionStart", "UserPromptSubmit", "PreToolUse.Bash", "PostToolUse"):
        assert window.says(name) is None


def test_a_finished_effort_lets_go_of_its_windows(window: Window) -> None:
    window.starts()
    assert context(window.says("UserPromptSubmit"))
    window.rpc("effort.finish")
    assert window.says("UserPromptSubmit") is None
    assert window.sessions("effort_id") == [(None,)]


def test_a_subfolder_stays_in_the_project(window: Window) -> None:
    window.says("SessionStart")
    window.env["CLAUDE_PROJECT_DIR"] = ""  # as where only the payload tells the folder
    below = f"{window.project}/src/deep"
    window.bash(cwd=below)
    assert project_of(window) == window.project
    other = window_in(window.home, CLAUDE_PROJECT_DIR="")
    other.says("SessionStart", cwd=below)
    assert project_of(other) == window.project, "a new window below a known root is of its project"


def test_the_nearest_root_is_the_project(window: Window) -> None:
    window.says("SessionStart")
    inner = Window(window.home, f"{window.project}/inner")
    inner.says("SessionStart")
    assert project_of(inner) == inner.project
    for cwd, project in (
        (f"{window.project}/inner/src", inner.project),
        (f"{window.project}/inner-not", window.project),
    ):
        one = Window(window.home, cwd, env={"CLAUDE_PROJECT_DIR": ""})
        one.says("SessionStart")
        assert project_of(one) == project


def test_a_folder_reached_by_a_link_is_the_same_project(window: Window) -> None:
    link = Path(f"{window.project}-link")
    link.symlink_to(window.project)
    for cwd in (f"{link}", f"{link}/", f"{window.project}/../{Path(window.project).name}"):
        one = Window(window.home, cwd, env={"CLAUDE_PROJECT_DIR": ""})
        assert one.says("SessionStart") is None
        assert project_of(one) == window.project


def test_an_effort_is_its_project_s_own(window: Window) -> None:
    window.starts()
    assert context(window.says("SessionStart"))
    assert window_in(window.home).says("SessionStart") is None


def test_an_effort_started_before_any_session_is_found_by_the_next_one(home: Home) -> None:
    home.settings({"efforts": {"join": "latest"}})
    window = window_in(home.serves())
    home.hookd("effort", "start", "task", "implement", cwd=window.project)
    window.env["CLAUDE_PROJECT_DIR"] = window.project
    assert "Skill: implement" in context(window.says("SessionStart"))
