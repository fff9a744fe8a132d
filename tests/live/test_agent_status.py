"""Live: how an agent stands, which event made it so, and what is kept of what went wrong."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.flows import after_clear, has_run, put
from support.home import Home, Window, until, window_in
from support.payloads import verdict


@pytest.fixture
def agent(shared: Home) -> Iterator[Window]:
    """A window of an agent of its own, with its session begun."""
    window = window_in(shared)
    window.env["AGENT_ID"] = f"agent-{window.id[:8]}"
    window.says("SessionStart")
    yield window


def status(agent: Window) -> str:
    """Return how the agent stands."""
    sql = "SELECT status FROM agents WHERE id = ?"
    ((found,),) = agent.home.rows(sql, agent.env["AGENT_ID"])
    return str(found)


def notes(agent: Window) -> list[dict[str, Any]]:
    """Return the notes that were kept of the agent's session."""
    sql = (
        "SELECT content FROM messages m JOIN sessions s ON s.id = m.session_id"
        " WHERE s.claude_session_id = ? AND role = 'system' ORDER BY m.id"
    )
    return [json.loads(row[0]) for row in agent.home.rows(sql, agent.id)]


def test_a_status_walks_with_the_work(agent: Window) -> None:
    steps: list[tuple[str, dict[str, Any], str]] = [
        ("UserPromptSubmit", {}, "working"),
        ("PermissionRequest", {}, "attention"),
        ("PostToolUse.Bash", {}, "working"),
        ("PostToolUseFailure.Bash", {}, "error"),
        ("PreToolUse.Bash", {}, "working"),
        ("PostToolUseFailure.Bash", {"is_interrupt": True}, "attention"),
        ("UserPromptSubmit", {}, "working"),
        ("Stop", {"background_tasks": [{"id": "b1", "type": "shell"}]}, "working"),
        ("Stop", {}, "done"),
        ("UserPromptSubmit", {}, "working"),
        ("StopFailure", {}, "error"),
        ("UserPromptSubmit", {}, "working"),
        ("SessionEnd", {"reason": "clear"}, "working"),
    ]
    for event, more, expected in steps:
        assert agent.says(event, **more) is None or event == "UserPromptSubmit", event
        assert status(agent) == expected, (event, more)


KINDS = [
    ("permission_prompt", "attention"),
    ("idle_prompt", "attention"),
    ("elicitation_dialog", "attention"),
    ("elicitation_url_dialog", "attention"),
    ("agent_needs_input", "attention"),
    ("auth_success", "working"),
    ("elicitation_complete", "working"),
    ("elicitation_response", "working"),
    ("agent_completed", "working"),
    ("newer_kind", "working"),
]


@pytest.mark.parametrize(("kind", "expected"), KINDS)
def test_a_notification_means_attention_where_a_person_is_waited_for(
    agent: Window, kind: str, expected: str
) -> None:
    agent.says("UserPromptSubmit")
    agent.says("Notification", notification_type=kind)
    assert status(agent) == expected


def test_each_change_keeps_the_event_that_caused_it(agent: Window) -> None:
    agent.says("PostToolUseFailure.Bash", error="Exit code 3\noops")
    done = agent.home.hookd("agent", "explain", agent.env["AGENT_ID"])
    assert f"{agent.env['AGENT_ID']}: error" in done.stdout
    assert "PostToolUseFailure" in done.stdout
    agent.says("PostToolUseFailure.Bash")
    ((event,),) = agent.home.rows(
        "SELECT e.event FROM agents a JOIN events e ON e.id = a.status_event_id WHERE a.id = ?",
        agent.env["AGENT_ID"],
    )
    assert event == "PostToolUseFailure"
    listed = json.loads(agent.home.hookd("agent", "list", "--json").stdout)
    assert [one["status"] for one in listed if one["id"] == agent.env["AGENT_ID"]] == ["error"]


def test_what_failed_is_kept_once(agent: Window) -> None:
    event = agent.event("PostToolUseFailure.Bash", error="Exit code 3\noops")
    for _ in range(2):
        agent.home.said(event, env=agent.identity)
    agent.says("PermissionDenied", reason="Classifier unavailable")
    agent.says("StopFailure", error="rate_limit")
    told = [(one["event"], one.get("error") or one.get("reason")) for one in notes(agent)]
    assert told == [
        ("tool_use_failure", "Exit code 3\noops"),
        ("permission_denied", "Classifier unavailable"),
        ("stop_failure", "rate_limit"),
    ]


def test_a_log_entry_that_failed_frees_nobody(agent: Window) -> None:
    agent.starts(blockAfter=3)
    for number in range(3):
        agent.bash(f"echo {number}")
    log = agent.event("PreToolUse", tool_name="Bash", tool_input={"command": "hookd log x"})
    assert agent.home.said(log, env=agent.identity) is None
    assert agent.count == 0
    failed = {"tool_use_id": log["tool_use_id"], "tool_name": "Bash"}
    agent.says("PostToolUseFailure", tool_input={"command": "hookd log x"}, **failed)
    assert agent.count == 3
    assert verdict(agent.bash("ls"))[0] == "deny"
    agent.says("PostToolUseFailure", tool_input={"command": "ls"})
    assert agent.count == 4, "what else fails is no matter of the log"


def test_a_teammate_becomes_an_agent_that_is_done(agent: Window) -> None:
    team = f"team-{agent.id[:6]}"
    agent.says("TeammateIdle", teammate_name="ann", team_name=team)
    sql = "SELECT status, parent FROM agents WHERE id = ?"
    assert agent.home.rows(sql, f"{team}:ann") == [("done", agent.env["AGENT_ID"])]
    agent.says("TeammateIdle", teammate_name=f"bob-{team}", team_name=None)
    assert agent.home.rows(sql, f"bob-{team}") == [("done", agent.env["AGENT_ID"])]


def test_the_client_s_tasks_are_kept_as_todos(agent: Window) -> None:
    agent.says("TaskCreated", task_id="1", task_subject="Write the parser")
    agent.says("TaskCreated", task_id="2", task_subject="Test it")
    agent.says("TaskCompleted", task_id="1", task_subject="Write the parser")
    sql = (
        "SELECT todo_id, subject, t.status FROM todos t JOIN sessions s ON s.id = t.session_id"
        " WHERE s.claude_session_id = ? ORDER BY todo_id"
    )
    assert agent.home.rows(sql, agent.id) == [
        ("1", "Write the parser", "completed"),
        ("2", "Test it", "pending"),
    ]
    assert [one["event"] for one in notes(agent)] == ["task_completed"]


def shown(window: Window) -> tuple[Any, ...]:
    """Return status, cause and what else the fleet shows of the session of a window."""
    rows = json.loads(window.home.hookd("fleet", "--all", "--json").stdout)
    ((number,),) = window.sessions("id", "agent_id IS NULL AND ended_at IS NULL")
    (row,) = [one for one in rows if one["agent"] == f"session {number}"]
    return tuple(row[key] for key in ("status", "firstPrompt", "branch", "project"))


WALK: list[tuple[str, dict[str, Any], str]] = [
    ("SessionStart", {}, "idle"),
    ("UserPromptSubmit", {"prompt": "Add pages.\nThen test."}, "working"),
    ("PermissionRequest", {}, "attention"),
    ("PostToolUse.Bash", {}, "working"),
    ("PostToolUseFailure.Bash", {}, "error"),
    ("PreToolUse.Bash", {}, "working"),
    ("Stop", {"background_tasks": []}, "done"),
    ("Notification", {"notification_type": "idle_prompt"}, "attention"),
    ("UserPromptSubmit", {"prompt": "And now?"}, "working"),
    ("StopFailure", {}, "error"),
    ("UserPromptSubmit", {"prompt": "Again."}, "working"),
    ("PreCompact.auto", {}, "working"),
    ("SessionStart.compact", {}, "working"),
    ("SubagentStart", {"agent_id": "a1"}, "working"),
    ("PermissionRequest", {"agent_id": "a1"}, "attention"),
    ("PreToolUse.Bash", {"agent_id": "a1"}, "working"),
    ("Stop", {"background_tasks": []}, "done"),
]


def test_a_session_without_an_agent_has_a_status_of_its_own(window: Window) -> None:
    put(f"{window.project}/.git/HEAD", "ref: refs/heads/feature/pages\n")
    for event, more, expected in WALK:
        window.says(event, **more)
        status, prompt, branch, project = shown(window)
        assert status == expected, (event, more)
        assert branch == "feature/pages"
        assert project == window.project
        assert prompt == (None if event == "SessionStart" else "Add pages. Then test.")
    put(f"{window.project}/.git/HEAD", "0123456789abcdef0123456789abcdef01234567\n")
    window.says("UserPromptSubmit", prompt="More.")
    assert shown(window)[2] == "01234567"
    ((number,),) = window.sessions("id", "agent_id IS NULL AND ended_at IS NULL")
    for name in (["session", str(number)], [str(number)]):
        said = window.home.hookd("agent", "explain", *name).stdout
        assert said.startswith(f"session {number}: working\n")
        assert "UserPromptSubmit" in said
    window.says("SessionEnd")
    assert window.sessions("status")[-1] == ("done",)
    unknown = window.home.hookd("agent", "explain", "session", "999999", check=False)
    assert (unknown.returncode, "hookd fleet --all" in unknown.stderr) == (1, True)


def test_a_session_after_clear_has_its_own_first_prompt(window: Window) -> None:
    window.says("UserPromptSubmit", prompt="<task-notification>x</task-notification>")
    window.says("UserPromptSubmit", prompt="The key is sk-ant-api03-" + "a1B2" * 20)
    following, _ = after_clear(window)
    following.says("UserPromptSubmit", prompt="Another task.")
    assert shown(following)[1] == "Another task."
    ((kept,),) = window.sessions("first_prompt")
    assert kept.startswith("The key is ")
    assert "a1B2a1B2" not in kept


def test_a_session_that_waits_in_a_pane_is_checked_when_somebody_looks(window: Window) -> None:
    place = f"{window.project}/fleet"
    window.env |= {"TMUX": f"{place},7,0", "TMUX_PANE": "%4"}
    window.says("PermissionRequest")
    ((number,),) = window.sessions("id")
    look = ("fleet", "focus", "%4", "--socket", place)
    assert window.home.hookd(*look).stdout == f"session {number} is checked.\n"
    assert shown(window)[0] == "checked"
    assert "did not need" in window.home.hookd(*look).stdout


def test_without_an_agent_all_is_kept(window: Window) -> None:
    window.says("SessionStart")
    for event in ("PostToolUseFailure.Bash", "Notification.idle_prompt", "Stop", "StopFailure"):
        assert window.says(event) is None
    assert has_run(window, "Bash", command="ls") is None
    assert [one["event"] for one in notes(window)] == ["tool_use_failure", "stop_failure"]


def test_an_error_that_only_the_transcript_tells_is_one_unless_the_work_went_on(
    agent: Window,
) -> None:
    path = Path(agent.project) / "t.jsonl"
    said = {"type": "assistant", "isApiErrorMessage": True, "message": {"content": "Overloaded"}}
    path.write_text(json.dumps(said) + "\n")
    agent.says("Stop", background_tasks=[], transcript_path=str(path))
    until(lambda: status(agent) == "error")
    assert agent.sessions("status") == [("error",)]
    assert {"event": "stop_failure", "error": "overloaded"} in notes(agent)
    explained = agent.home.hookd("agent", "explain", agent.env["AGENT_ID"]).stdout
    assert "Stop" in explained
    agent.says("UserPromptSubmit")
    assert status(agent) == "working"


RESULTS = [
    ("PermissionRequest", {}),
    ("Stop", {"background_tasks": []}),
    ("StopFailure", {"error": "overloaded"}),
    ("Notification", {"notification_type": "permission_prompt"}),
    ("PostToolUseFailure", {"is_interrupt": False}),
]


@pytest.mark.parametrize(("event", "more"), RESULTS, ids=[event for event, _ in RESULTS])
def test_the_method_tells_whether_the_status_changed(
    agent: Window, window: Window, event: str, more: dict[str, Any]
) -> None:
    def result(who: Window) -> dict[str, Any]:
        method = "hooks." + event[0].lower() + event[1:]
        found: dict[str, Any] = who.home.rpc(method, who.event(event, **more, env=who.identity))
        assert found.get("messageLogged", True)
        return found

    assert result(agent)["agentUpdated"] is True
    assert result(agent)["agentUpdated"] is False
    window.says("UserPromptSubmit")
    assert result(window)["agentUpdated"] is True, "a session without an agent has a status, too"
    assert result(window)["agentUpdated"] is False


def test_the_end_of_a_session_is_told_once(agent: Window) -> None:
    def result(reason: str) -> Any:
        event = agent.event("SessionEnd", reason=reason, env=agent.identity)
        found = agent.home.rpc("hooks.sessionEnd", event)
        return found["sessionEnded"], found["agentUpdated"]

    assert result("logout") == (True, True)
    assert result("logout") == (False, False)
    agent.says("SessionStart", source="resume")
    assert result("clear") == (True, False)


@pytest.mark.parametrize("reason", ["other", "resume", "logout", "prompt_input_exit"])
def test_an_agent_is_done_by_whatever_reason_its_session_ends(agent: Window, reason: str) -> None:
    agent.says("SessionEnd", reason=reason)
    assert status(agent) == "done"


def test_a_teammate_s_idling_is_noted(agent: Window) -> None:
    agent.says("TeammateIdle", teammate_name="ann", team_name="team-a")
    told = {"event": "teammate_idle", "teammateName": "ann", "teamName": "team-a"}
    assert told in notes(agent)


def test_unchecked_is_another_word_for_attention(agent: Window) -> None:
    name = agent.env["AGENT_ID"]
    agent.home.rpc("agents.updateStatus", {"id": name, "status": "unchecked"})
    assert status(agent) == "attention"


def test_an_agent_can_be_taken_off_the_board(agent: Window) -> None:
    name = agent.env["AGENT_ID"]
    agent.home.hookd("agent", "remove", name)
    assert agent.home.rows("SELECT id FROM agents WHERE id = ?", name) == []
    assert agent.sessions("ended_at IS NULL, owner") == [(1, None)]
    gone = agent.home.hookd("agent", "remove", name, check=False)
    assert (gone.returncode, "hookd agent list" in gone.stderr) == (1, True)


@pytest.mark.parametrize("args", [("default",), ("ann", "--parent", "ann")])
def test_a_name_that_is_nobody_s_is_not_registered(agent: Window, args: tuple[str, ...]) -> None:
    done = agent.home.hookd("agent", "register", *args, check=False)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr


def test_subagents_files_are_merged_in_order_each_once(agent: Window) -> None:
    agent.starts(blockAfter=50)
    for name, files in (("a1", "bab"), ("a2", "ca")):
        agent.says("SubagentStart", agent_id=name)
        for file in files:
            event = {"tool_name": "Read", "tool_input": {"file_path": f"/w/{file}"}}
            agent.says("PostToolUse", **event, tool_response={}, agent_id=name)
    for name in ("a1", "a2"):
        agent.says("SubagentStop", agent_id=name)
    sql = "SELECT metadata_json FROM efforts e JOIN agents a ON a.effort_id = e.id WHERE a.id = ?"
    ((kept,),) = agent.home.rows(sql, agent.env["AGENT_ID"])
    metadata = json.loads(kept)
    assert metadata["loadedFiles"] == ["/w/b", "/w/a", "/w/c"]
    assert metadata["blockAfter"] == 50


def test_a_subagent_is_told_how_to_log_and_its_row(agent: Window) -> None:
    effort = agent.starts()
    event = agent.event("SubagentStart", agent_id="a9", env=agent.identity)
    result = agent.home.rpc("hooks.subagentStart", event)
    ((number,),) = agent.sessions("id", "agent_id = 'a9'")
    assert (result["sessionId"], result["effortId"]) == (number, effort["effortId"])
    said = result["hookOutput"]["hookSpecificOutput"]["additionalContext"]
    assert "hookd log" in said


def test_the_first_call_can_be_held(agent: Window) -> None:
    agent.starts(blockAfter=0)
    assert verdict(agent.bash())[0] == "deny"
