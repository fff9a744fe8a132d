"""An agent that stops while items of its task list are open is told which, and goes on.

Off by default. It is for windows in which the agent shall work its list off by itself: at the end
of a turn it is told how many items are done, which come next, and how to get out. The list is the
client's own, as its calls have written it in this conversation: it is known where the events
TaskCreated and TaskCompleted reach hookd, and PostToolUse of TaskUpdate and TodoWrite. Without a
list, or with all of it done, it is silent. What was deleted from the list does not count.

It never holds an agent that the user has told to stop ("stop continuing"), after an interrupt or an
error, in a turn that a machine began, while a question to the user is open, in plan mode, in a
window that is nearly full, while tasks run in the background or a wake-up is scheduled, or when the
agent was held twice and did nothing. It holds one `max` times for a prompt, and never more often
than `user_hooks.max_consecutive_stop_blocks` says, 5 times by default; Claude Code itself lets go
after 8 in a row. In mode `warn` it holds nobody, and the user is shown what is open.
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

_NAMED = 5
_LONGEST = 120


class Options(PolicyOptions):
    """Whether agents work their lists off, how long, and which of them."""

    mode: Mode = Field("off", description="`enforce` holds an agent, `warn` tells the user.")
    max: int = Field(5, ge=1, le=100, description="How often an agent is held for one prompt.")
    subagents: bool = Field(
        False, description="Subagents are held as well, for a list of their own, once each."
    )
    skip_agents: tuple[str, ...] = Field(
        ("Explore", "Plan"), description="Types of agents that are never held, by their names."
    )


def opine(event: HookInput, facts: Facts, options: Options) -> Opinion | None:
    """Hold an agent that has open items, where nothing speaks against it."""
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
    named = "\n".join(f"- {_line(one.subject)}" for one in worked[:_NAMED])
    more = f"\n- and {len(left) - _NAMED} more" if len(left) > _NAMED else ""
    items = "item" if known == 1 else "items"
    are = "is" if len(left) == 1 else "are"
    return (
        f"{POLICY.name}: {len(left)} of {known} {items} of the task list {are} open."
        f" Next:\n{named}{more}\n"
        f"[Status: {done}/{known} completed, {len(left)} remaining]\n"
        "No permission is needed to go on with the next one. The list can be closed item by item:"
        " as completed when it is done, as deleted when it is not needed. Where only the user can"
        ' help, the turn can end with what is missing; the user can also say "stop continuing".'
    )


def _line(subject: str) -> str:
    line = without_tag(" ".join(subject.split()))
    return line if len(line) <= _LONGEST else line[: _LONGEST - 3] + "..."


_LIST = (Todo("Plan it", "completed"), Todo("Build it", "in_progress"), Todo("Document it"))
_DONE = (Todo("Plan it", "completed"), Todo("Build it", "deleted"))


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


POLICY = Policy(
    name="todo-continuation-enforcer",
    priority=170,
    events=frozenset({"Stop", "SubagentStop"}),
    options=Options,
    on_error="silence",
    profiles=WORKFLOW,
    opine=opine,
    examples=(
        PolicyExample(_stop(), _facts(), says="deny"),
        PolicyExample(_stop(), _facts(_DONE), says=""),
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
    ),
)
