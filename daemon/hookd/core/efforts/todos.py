"""The home of the client's own task list as hookd follows it: its items are a session's todos.

TaskCreated and TaskCompleted tell of items that are made and done. What is between, and the older
tool that writes the whole list at once, is told by the calls themselves.
"""

from collections.abc import Mapping
from typing import Any, get_args

from hookd.core.model.effects.messages import ChangeTodo, SetTodoList, TodoStatus
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts, Todo
from hookd.events.model import PostToolUse

_MAX_TODOS = 200
"""Items of one list that are kept; a model does not keep more in view."""

_STATUSES: dict[str, TodoStatus] = {status: status for status in get_args(TodoStatus)}


def todo_changes(event: PostToolUse, facts: Facts) -> tuple[Effect, ...]:
    """Return what a call of the client's TaskUpdate or TodoWrite did to the list."""
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
    """Return open items as a person reads them."""
    return "\n".join(
        f"- [{'~' if one.status == 'in_progress' else ' '}] {one.subject}" for one in todos
    )
