"""Notify a window when its background tasks end.

A subagent or command that was started in the background ends while its window does other things.
With the next tool result or prompt, the model reads one line on the tasks that have ended since and
how many still run; each is reported once. Tasks that the client has reported by then are omitted.
At the end of a turn the client lists running tasks; a task no longer listed has ended. A task list
item that a teammate completes is reported to the window of the lead.
"""

import json
from typing import Any

from pydantic import Field

from hookd.config.models import PolicyOptions
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.fact_requests import FactRequest, StateOfSession
from hookd.core.model.facts import Facts, FactValue, Session
from hookd.core.model.policy import WORKFLOW, Policy, PolicyExample
from hookd.core.model.verdict import Opinion
from hookd.events.model import (
    HookInput,
    Notification,
    PostToolUse,
    Stop,
    SubagentStop,
    TaskEvent,
    UserPrompt,
)
from hookd.policy_support.background_tasks import Background, background, label, listed, saying

NAME = "background-notification"


class Options(PolicyOptions):
    """Reported tasks."""

    task_list: bool = Field(
        True, description="Report task list items that teammates complete, too."
    )


_LAUNCHED = ("async_launched", "remote_launched")


def opine(event: HookInput, facts: Facts, options: Options) -> Opinion | None:
    """Record started and ended tasks; notify the window before its next request."""
    session = facts.session
    if session is None:
        return None
    if session.agent_id is not None:
        return _of_subagent(event, session, facts, options)
    before = background(facts.policy_state.get(NAME))
    after = _moved(event, before, session, options)
    tells = event.hook_event_name in ("PostToolUse", "PostToolBatch", "UserPromptSubmit")
    if tells and (after.ended or after.more):
        context = f"[hookd:{NAME}] {saying(after)}"
        return Opinion(context=context, effects=(_kept(session.id, after.told()),))
    return None if after == before else Opinion(effects=(_kept(session.id, after),))


def _of_subagent(
    event: HookInput, session: Session, facts: Facts, options: Options
) -> Opinion | None:
    """Record the end of a subagent, or of its item, for its parent window."""
    parent = session.parent_session_id
    if parent is None or not isinstance(event, SubagentStop | TaskEvent):
        return None
    before = background(json.loads(facts.require(StateOfSession(parent, NAME)) or "null"))
    if isinstance(event, TaskEvent):
        # A subagent's list is its own; a teammate's is shared by the team.
        after = _item(event, before) if options.task_list and event.teammate_name else before
    else:
        # The window reads the result of a subagent that it waited for.
        known = session.agent_id in before.running
        after = before.over(session.agent_id or "") if known else before
    return None if after == before else Opinion(effects=(_kept(parent, after),))


def _moved(event: HookInput, before: Background, session: Session, options: Options) -> Background:
    """Return the background tasks of a window after one of its events."""
    match event:
        case PostToolUse():
            return _started(event, before)
        case UserPrompt():
            return before.known(event.prompt) if event.by_machine else before
        case Stop():
            return listed(before, event.background_tasks)
        case TaskEvent() if event.teammate_name and event.teammate_name != session.owner:
            return _item(event, before) if options.task_list else before
        case Notification(notification_type="agent_completed"):
            return _completed(event.message, before)
        case _:
            return before


def _started(event: PostToolUse, before: Background) -> Background:
    """Take note of what a call has left running."""
    result, given = event.tool_response, event.tool_input
    if not isinstance(result, dict):
        return before
    if event.tool_name in ("Agent", "Task") and result.get("status") in _LAUNCHED:
        key = result.get("agentId") or result.get("taskId")
    else:
        key = result.get("backgroundTaskId")
    if not isinstance(key, str) or not key:
        return before
    named = (given.get("description"), given.get("subagent_type"), given.get("command"))
    return before.started(key[:100], label(*named) or "a task")


def _item(event: TaskEvent, before: Background) -> Background:
    by = f" (by {label(event.teammate_name)})" if event.teammate_name else ""
    return before.over(f"item {event.task_id[:90]}", f"{label(event.task_subject)}{by}".strip())


def _completed(message: str, before: Background) -> Background:
    """Record that an agent is done: a known one, if its name is in the message."""
    text = label(message)
    if any(what in message for what in before.ended.values()):
        return before
    found = [key for key, what in before.running.items() if what in message]
    return before.over(found[0] if len(found) == 1 else f"message {text}", text)


def _kept(session_id: int, known: Background) -> Remember:
    # What runs in the background runs on while its window is compacted.
    return Remember(session_id, NAME, known.kept, lasts=True)


def _facts(running: Any = (), ended: Any = ()) -> Facts:
    state = {"running": dict(running), "ended": dict(ended), "more": 0}
    return Facts(session=Session(1, "s"), policy_state={NAME: state})


def _below(running: Any = ()) -> Facts:
    session = Session(2, "s", agent_id="a1", parent_session_id=1)
    kept: dict[FactRequest, FactValue | None] = {
        StateOfSession(1, NAME): json.dumps({"running": dict(running)})
    }
    return Facts(session=session, resolved=kept)


def _call(tool: str, result: Any) -> PostToolUse:
    given = {"description": "Read the logs"}
    return PostToolUse(
        hook_event_name="PostToolUse", tool_name=tool, tool_input=given, tool_response=result
    )


_ONE = {"a1": "Read the logs"}


def _examples() -> tuple[PolicyExample, ...]:
    launch = _call("Agent", {"status": "async_launched", "agentId": "a1"})
    read = _call("Read", {"type": "text"})
    stop = Stop(hook_event_name="Stop")
    end = SubagentStop(hook_event_name="SubagentStop", agent_id="a1")
    batch = HookInput(hook_event_name="PostToolBatch")
    return (
        PolicyExample(launch, _facts(), says="effects"),
        PolicyExample(_call("Agent", {"status": "completed", "agentId": "a1"}), _facts(), says=""),
        PolicyExample(_call("Bash", {"backgroundTaskId": "b1"}), _facts(), says="effects"),
        PolicyExample(end, _below(_ONE), says="effects"),
        PolicyExample(end, _below(), says=""),
        PolicyExample(read, _facts(ended=_ONE), says="context"),
        PolicyExample(batch, _facts({"a2": "Count"}, _ONE), says="context"),
        PolicyExample(read, _facts(_ONE), says=""),
        PolicyExample(stop, _facts(_ONE), says="effects"),
        PolicyExample(stop, _facts(), says=""),
        PolicyExample(
            UserPrompt(
                hook_event_name="UserPromptSubmit",
                prompt="<task-notification><task-id>a1</task-id></task-notification>",
            ),
            _facts(ended=_ONE),
            says="effects",
        ),
    )


POLICY = Policy(
    name=NAME,
    priority=200,
    events=frozenset(
        {
            *("PostToolUse", "PostToolBatch", "UserPromptSubmit", "SubagentStop"),
            *("TaskCompleted", "Stop", "Notification"),
        }
    ),
    options=Options,
    on_error="silence",
    profiles=WORKFLOW,
    opine=opine,
    examples=_examples,
)
