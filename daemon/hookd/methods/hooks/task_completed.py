"""An item of the client's task list was completed: it is stored among the session's todos.

It is also stored as a message of the role `system`, once. It is not a hookd task. With the setting
`efforts.finish_on_tasks` the conversation's last open item finishes its effort, as
`hookd effort finish` does.
"""

from hookd.core.efforts.lifecycle import finish
from hookd.core.model.effects.messages import SetTodo
from hookd.core.model.effects.union import Effect
from hookd.core.model.fact_requests import OpenTodos
from hookd.core.model.facts import Facts
from hookd.core.model.method import Example, HookResult
from hookd.core.sessions.open_session import add_note
from hookd.events.model import TaskEvent
from hookd.methods.hook_event import effects_event


class Result(HookResult):
    """Whether it was stored, and whether it finished the effort."""

    todo_updated: bool = False
    effort_finished: bool = False


def effects(event: TaskEvent, facts: Facts) -> tuple[Effect, ...]:
    """Store the item."""
    if facts.session is None:
        return ()
    item = SetTodo(
        facts.session.id, event.task_id, event.task_subject, event.task_description, "completed"
    )
    told = {
        "taskId": event.task_id,
        "taskSubject": event.task_subject,
        "teammateName": event.teammate_name,
    }
    kept = add_note("task_completed", told, facts, ref=f"task {event.task_id}")
    changes: tuple[Effect, ...] = (item, *kept, *_finished(event, facts))
    return changes


def _finished(event: TaskEvent, facts: Facts) -> tuple[Effect, ...]:
    """Return the effects that finish the effort if this was the last open item."""
    session, effort = facts.session, facts.effort
    if not facts.settings.efforts.finish_on_tasks or session is None or effort is None:
        return ()
    left = facts.require(OpenTodos(session.id, event.task_id)) if effort.active else 0
    return () if left else finish(effort)


def report(event: TaskEvent, facts: Facts) -> Result:
    """Report whether it was stored."""
    kept = facts.session is not None
    return Result(todo_updated=kept, effort_finished=bool(_finished(event, facts)))


METHOD = effects_event(
    "TaskCompleted",
    TaskEvent,
    effects,
    report,
    Result,
    Example(
        {
            "session_id": "11c8d28b",
            "hook_event_name": "TaskCompleted",
            "task_id": "1",
            "task_subject": "Write the parser",
        },
        says="keeps the item as completed",
    ),
)
