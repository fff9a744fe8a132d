"""An item of the client's task list was made: it is kept among the session's todos.

It is not a task of hookd's, which is a folder.
"""

from hookd.core.model.effects.messages import SetTodo
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.core.model.method import Decision, Example, HookMethod, HookResult
from hookd.core.model.verdict import Outcome
from hookd.events.model import TaskEvent


class Result(HookResult):
    """Whether it was kept."""

    todo_updated: bool = False


def decide(event: TaskEvent, facts: Facts) -> Decision:
    """Keep the item."""
    if facts.session is None:
        return Decision(facts)
    item = SetTodo(
        facts.session.id, event.task_id, event.task_subject, event.task_description, "pending"
    )
    effects: tuple[Effect, ...] = (item,)
    return Decision(facts, effects)


def answer(_event: TaskEvent, facts: Facts, _outcome: Outcome) -> Result:
    """Report it."""
    return Result(todo_updated=facts.session is not None)


METHOD = HookMethod(
    name="hooks.taskCreated",
    event="TaskCreated",
    params=TaskEvent,
    result=Result,
    decide=decide,
    answer=answer,
    examples=(
        Example(
            {
                "session_id": "11c8d28b",
                "hook_event_name": "TaskCreated",
                "task_id": "1",
                "task_subject": "Write the parser",
            },
            says="keeps the item as pending",
        ),
    ),
)
