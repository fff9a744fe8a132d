"""An item of the client's task list was created: it is stored among the session's todos.

It is not a hookd task, which is a folder.
"""

from hookd.core.model.effects.messages import SetTodo
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.core.model.method import Example, HookResult
from hookd.events.model import TaskEvent
from hookd.methods.hook_event import effects_event


class Result(HookResult):
    """Whether it was stored."""

    todo_updated: bool = False


def effects(event: TaskEvent, facts: Facts) -> tuple[Effect, ...]:
    """Store the item."""
    if facts.session is None:
        return ()
    item = SetTodo(
        facts.session.id, event.task_id, event.task_subject, event.task_description, "pending"
    )
    changes: tuple[Effect, ...] = (item,)
    return changes


def report(_event: TaskEvent, facts: Facts) -> Result:
    """Report whether it was stored."""
    return Result(todo_updated=facts.session is not None)


METHOD = effects_event(
    "TaskCreated",
    TaskEvent,
    effects,
    report,
    Result,
    Example(
        {
            "session_id": "11c8d28b",
            "hook_event_name": "TaskCreated",
            "task_id": "1",
            "task_subject": "Write the parser",
        },
        says="keeps the item as pending",
    ),
)
