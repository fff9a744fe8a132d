"""Live: hookd follows the client's task list; a rebuilt window gets its open items."""

from typing import Any

from support.home import Window
from support.payloads import context


def did(window: Window, tool: str, **tool_input: Any) -> None:
    window.says("PostToolUse", tool_name=tool, tool_input=tool_input, tool_response={})


def made(window: Window, number: str, subject: str) -> None:
    window.says("TaskCreated", task_id=number, task_subject=subject)


def todos(window: Window) -> list[Any]:
    sql = (
        "SELECT t.todo_id, t.subject, t.status FROM todos t JOIN sessions s ON s.id = t.session_id"
        " WHERE s.claude_session_id = ? ORDER BY t.session_id, t.todo_id"
    )
    return window.home.rows(sql, window.id)


def test_an_item_is_followed_from_its_making_to_its_end(window: Window) -> None:
    window.says("SessionStart")
    made(window, "1", "Write the parser")
    made(window, "2", "Document it")
    did(window, "TaskUpdate", taskId="1", status="in_progress")
    did(window, "TaskUpdate", taskId="2", subject="Document both", status="deleted")
    assert todos(window) == [
        ("1", "Write the parser", "in_progress"),
        ("2", "Document both", "deleted"),
    ]
    window.says("TaskCompleted", task_id="1", task_subject="Write the parser")
    assert todos(window)[0][2] == "completed"


def test_a_whole_list_takes_the_place_of_the_one_before(window: Window) -> None:
    window.says("SessionStart")
    did(
        window,
        "TodoWrite",
        todos=[
            {"content": "Plan", "status": "completed", "activeForm": "Planning"},
            {"content": "Build", "status": "in_progress", "activeForm": "Building"},
            {"content": "Close", "status": "strange"},
            "no item",
            {"status": "pending"},
        ],
    )
    assert todos(window) == [
        ("list-001", "Plan", "completed"),
        ("list-002", "Build", "in_progress"),
        ("list-003", "Close", "pending"),
    ]
    did(window, "TodoWrite", todos=[{"content": "Only this", "status": "pending"}])
    assert todos(window) == [("list-001", "Only this", "pending")]


def test_calls_of_another_shape_change_nothing(window: Window) -> None:
    window.says("SessionStart")
    made(window, "1", "Write the parser")
    before = todos(window)
    for odd in ({}, {"taskId": 1, "status": "completed"}, {"taskId": "1", "status": "no"}):
        did(window, "TaskUpdate", **odd)
    did(window, "TaskUpdate", taskId="9", status="completed")
    did(window, "TodoWrite", todos="all")
    assert todos(window) == before


def test_a_window_without_a_handover_is_told_what_is_open(window: Window) -> None:
    window.starts()
    window.says("SessionStart")
    made(window, "1", "Write the parser")
    made(window, "2", "Document it")
    made(window, "10", "Release it")
    did(window, "TaskUpdate", taskId="2", status="in_progress")
    window.says("TaskCompleted", task_id="1", task_subject="Write the parser")
    window.says("PreCompact.auto")
    text = context(window.says("SessionStart.compact"))
    assert "### Open items of the task list" in text
    assert "- [~] Document it\n- [ ] Release it" in text
    assert "Write the parser" not in text


def test_an_item_of_an_earlier_window_of_the_conversation_is_followed_on(window: Window) -> None:
    window.starts()
    window.says("SessionStart")
    made(window, "1", "Write the parser")
    window.says("PreCompact.auto")
    window.says("SessionStart.compact")
    did(window, "TaskUpdate", taskId="1", status="completed")
    window.says("PreCompact.auto")
    assert "Open items" not in context(window.says("SessionStart.compact"))
