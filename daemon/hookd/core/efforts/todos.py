"""Todos: the items of the client's task list, followed by events and tool calls.

TaskCreated and TaskCompleted report created and completed items. Other changes, and the older tool
that writes the whole list at once, are read from the tool calls.
"""

from collections.abc import Mapping
from typing import Any, get_args

from hookd.core.model.effects.messages import ChangeTodo, SetTodoList, TodoStatus
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts, Todo
from hookd.events.model import PostToolUse

_MAX_TODOS = 200
"""Maximum items of one list that are stored."""

_STATUSES: dict[str, TodoStatus] = {status: status for status in get_args(TodoStatus)}


def todo_changes(event: PostToolUse, facts: Facts) -> tuple[Effect, ...]:
    """Return the changes to the list by a call of TaskUpdate or TodoWrite."""
    session = facts.session
    if session is None or event.tool_name not in ("TaskUpdate", "TodoWrite"):
        return ()
    given = event.tool_input
    if event.tool_name == "TodoWrite":
        return _whole(session.id, given.get("todos"))
    number, status, subject = (given.get(key) for key in ("taskId", "status", "subject"))
    known = "deleted" if status == "deleted" else _status(status)
    named = subject if isinstance(subject, str) else None
    if not isinstance(number, str) or (known is None and named is None):
        return ()
    return (ChangeTodo(session.id, number, known, named),)


def _whole(session_id: int, todos: Any) -> tuple[Effect, ...]:
    if not isinstance(todos, list):
        return ()
    items = tuple(item for one in todos[:_MAX_TODOS] if (item := _item(one)) is not None)
    return (SetTodoList(session_id, items),)


def _item(one: Any) -> tuple[str, TodoStatus] | None:
    if not isinstance(one, Mapping) or not isinstance(one.get("content"), str):
        return None
    return one["content"], _status(one.get("status")) or "pending"


def _status(said: Any) -> TodoStatus | None:
    return _STATUSES.get(said) if isinstance(said, str) else None


def format_todos(todos: tuple[Todo, ...]) -> str:
    """Return open items as lines of text."""
    return "\n".join(
        f"- [{'~' if one.status == 'in_progress' else ' '}] {one.subject}" for one in todos
    )
