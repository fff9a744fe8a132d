"""Keep an agent working while items of its task list are open; off by default.

At the end of a turn the agent reads how many items are done, which come next, and how to stop.
The list is the client's own, as recorded from its calls in this conversation: it is known if the
events TaskCreated and TaskCompleted, and PostToolUse of TaskUpdate and TodoWrite, reach hookd.
Without a list, or with all items done, it is silent. Deleted items do not count.

The agent may always stop after the user has said "stop continuing", after an interrupt or an error,
in a turn that a machine began, while a question to the user is open, in plan mode, in a window that
is nearly full, while background tasks run or a wake-up is scheduled, or when it did nothing for two
rounds. It is kept working at most `max` times per prompt, and at most
`user_hooks.max_consecutive_stop_blocks` times (5 by default); Claude Code itself ends a turn after
8 in a row. In mode `warn` the agent may stop, and the user is shown the open items.
"""

from typing import Any

from pydantic import Field

from hookd.config.models import Mode, PolicyOptions
from hookd.core.context_window.injections import without_tag
from hookd.core.evaluation.stop_limit import blocked_stops
from hookd.core.model.fact_requests import FactRequest, StateOfPolicy, TodosOfSession
from hookd.core.model.facts import Facts, FactValue, Session, Todo
from hookd.core.model.policy import WORKFLOW, Policy, PolicyExample
from hookd.core.model.verdict import Opinion
from hookd.events.model import HookInput, Stop, SubagentStop
from hookd.policy_support.continuation import hindrance, hold, items, unfinished

_MAX_LISTED = 5
_MAX_ITEM_CHARS = 120


class Options(PolicyOptions):
    """Agents that are kept working, and for how long."""

    mode: Mode = Field(
        "off",
        description="Off by default; `enforce` keeps the agent working, `warn` notifies the user.",
    )
    max: int = Field(
        5, ge=1, le=100, description="Maximum times an agent is kept from stopping per prompt."
    )
    subagents: bool = Field(
        False, description="Keep subagents with a list of their own working as well, once each."
    )
    skip_agents: tuple[str, ...] = Field(
        ("Explore", "Plan"), description="Agent types that may always stop."
    )


def opine(event: HookInput, facts: Facts, options: Options) -> Opinion | None:
    """Keep an agent with open items from stopping, unless a reason to stop exists."""
    subagent = event.hook_event_name == "SubagentStop"
    skipped = event.agent_type in options.skip_agents or (subagent and not options.subagents)
    if facts.session is None or skipped or blocked_stops(event, facts) >= options.max:
        return None
    todos = items(facts)
    left = unfinished(todos)
    if not left or hindrance(event, facts):
        return None
    opinion = Opinion("deny", _reason(todos, left), rule=POLICY.name)
    return hold(opinion, event, facts, options.mode)


def _reason(todos: tuple[Todo, ...], left: tuple[Todo, ...]) -> str:
    known, done = len(todos), len(todos) - len(left)
    worked = sorted(left, key=lambda one: one.status != "in_progress")
    named = "\n".join(f"- {_line(one.subject)}" for one in worked[:_MAX_LISTED])
    more = f"\n- and {len(left) - _MAX_LISTED} more" if len(left) > _MAX_LISTED else ""
    items = "item" if known == 1 else "items"
    are = "is" if len(left) == 1 else "are"
    return (
        f"{POLICY.name}: {len(left)} of {known} {items} of the task list {are} open."
        f" Next:\n{named}{more}\n"
        f"[Status: {done}/{known} completed, {len(left)} remaining]\n"
        "Continue with the next item; no permission is needed. Mark each as completed when it is"
        " done, or as deleted if it is not needed. If only the user can help, say what is missing"
        ' and stop. The user can also say "stop continuing".'
    )


def _line(subject: str) -> str:
    line = without_tag(" ".join(subject.split()))
    return line if len(line) <= _MAX_ITEM_CHARS else line[: _MAX_ITEM_CHARS - 3] + "..."


_LIST = (Todo("Plan it", "completed"), Todo("Build it", "in_progress"), Todo("Document it"))


def _facts(todos: tuple[Todo, ...] = _LIST, **more: Any) -> Facts:
    return Facts(session=Session(2, "s"), resolved={TodosOfSession(2): todos}, **more)


def _stop(**more: Any) -> Stop:
    return Stop(hook_event_name="Stop", session_id="s", **more)


def _subagent(**more: Any) -> tuple[SubagentStop, Facts]:
    event = SubagentStop(hook_event_name="SubagentStop", session_id="s", agent_id="a", **more)
    seen: dict[FactRequest, FactValue | None] = {
        TodosOfSession(2): _LIST,
        StateOfPolicy("continuation"): (),
        StateOfPolicy("stop-continuation-guard"): (),
    }
    options = {"todo-continuation-enforcer": Options(subagents=True)}
    return event, Facts(session=Session(2, "s", "a"), resolved=seen, options=options)


def _examples() -> tuple[PolicyExample, ...]:
    done = (Todo("Plan it", "completed"), Todo("Build it", "deleted"))
    return (
        PolicyExample(_stop(), _facts(), says="deny"),
        PolicyExample(_stop(), _facts(done), says=""),
        PolicyExample(_stop(), _facts(()), says=""),
        PolicyExample(_stop(background_tasks=[{"id": "b1"}]), _facts(), says=""),
        PolicyExample(_stop(permission_mode="plan"), _facts(), says=""),
        PolicyExample(_stop(agent_type="Plan"), _facts(), says=""),
        PolicyExample(
            _stop(), _facts(policy_state={"stop-continuation-guard": {"said": "x"}}), says=""
        ),
        PolicyExample(
            _stop(), _facts(policy_state={"stop-blocks": {"prompt": None, "count": 5}}), says=""
        ),
        PolicyExample(*_subagent(), says="deny"),
        PolicyExample(*_subagent(agent_type="Explore"), says=""),
        PolicyExample(*_subagent(stop_hook_active=True), says=""),
    )


POLICY = Policy(
    name="todo-continuation-enforcer",
    priority=170,
    events=frozenset({"Stop", "SubagentStop"}),
    options=Options,
    on_error="silence",
    profiles=WORKFLOW,
    opine=opine,
    examples=_examples,
)
