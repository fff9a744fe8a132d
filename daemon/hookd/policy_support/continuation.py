"""Decide whether a policy may keep an agent from stopping, and record its progress.

Every policy that keeps an agent working calls `hindrance` first, and then `hold`: so only one of
them acts at a stop, the user's wishes take precedence, and an idle agent is not kept working. The
limit of blocked stops is in core/evaluation/stop_limit.py. The state belongs to the conversation
and survives compactions; the policy `stop-continuation-guard` records it.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hookd.config.models import Mode
from hookd.core.evaluation.stop_limit import blocked_stops
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.effects.union import Effect
from hookd.core.model.fact_requests import StateOfPolicy, TodosOfSession
from hookd.core.model.facts import Facts, Todo
from hookd.core.model.verdict import Opinion
from hookd.events.model import HookInput, PostToolUseFailure, ToolInput, UserPrompt

STOPPED = "stop-continuation-guard"
"""State key of the phrase by which the user stopped automatic continuation."""

FULL = 0.95
"""Share of a window in use from which agents may stop: it is about to be compacted."""

_TURN = "continuation"  # state key of a turn's marks, and shared fact for later policies

_MAX_IDLE_STOPS = 2
"""Consecutive stops without progress after which an agent may stop."""

_MARKS = {
    "interrupted": "the user interrupted the turn",
    "failed": "the previous turn ended with an error",
    "machine": "the prompt was not from the user",
    "asking": "a question to the user is open",
}
"""Marks that last until the user's next prompt, with their meaning."""


def hindrance(event: HookInput, facts: Facts, *, own_cap: bool = False) -> str:
    """Return why the agent may stop; "" if a policy may keep it working.

    `own_cap`: the caller bounds its stops itself, so `max_consecutive_stop_blocks` does not apply.
    """
    return (
        _known(event, facts)
        or _around(event, facts)
        or _wanted(event, facts)
        or ("" if own_cap else _often(event, facts))
        or _vain(event, facts)
    )


def hold(opinion: Opinion, event: HookInput, facts: Facts, mode: Mode) -> Opinion:
    """Return the opinion of a policy with the effects of keeping the agent working.

    In mode `warn` only the user is notified: any text for the model at a stop would keep it
    working.
    """
    if mode == "warn":
        why = opinion.reason.removeprefix(f"{opinion.rule}: ")
        told = f"[hookd:{opinion.rule}] Not kept from stopping, since the mode is `warn`: {why}"
        return replace(opinion, system_message=told, effects=())
    effects = (*opinion.effects, *_progress(event, facts))
    return replace(opinion, effects=effects, shared_facts={_TURN: opinion.rule})


def turn(event: HookInput, facts: Facts) -> tuple[Effect, ...]:
    """Return the effect that stores the marks of a turn, if an event changes them."""
    session, before = facts.session, _state(facts, _TURN)
    after = _marked(event, before)
    if session is None or after == before:
        return ()
    return (Remember(session.id, _TURN, after or None, lasts=True),)


def stopped(facts: Facts) -> bool:
    """Return whether the user stopped automatic continuation in this conversation."""
    return heeded(facts) and bool(_state(facts, STOPPED))


def heeded(facts: Facts) -> bool:
    """Return whether marks apply: if the guard is off, they are neither set nor removed."""
    options = facts.options.get(STOPPED)
    return options is None or options.mode != "off"


def items(facts: Facts) -> tuple[Todo, ...]:
    """Return the client's task list of this conversation, without what was deleted."""
    found = facts.require(TodosOfSession(facts.session.id)) if facts.session else None
    return tuple(one for one in found or () if one.status != "deleted")


def unfinished(todos: tuple[Todo, ...]) -> tuple[Todo, ...]:
    """Return the items that are still open."""
    return tuple(one for one in todos if one.status in ("pending", "in_progress"))


def _known(event: HookInput, facts: Facts) -> str:
    session = facts.session
    if session is None or session.id == facts.next.session:
        # The state of the conversation is available from the window's next event on.
        return "the window is new"
    if _TURN in facts.shared:
        return f"{facts.shared[_TURN]} keeps it working already"
    if event.agent_id and _active(event):
        return "the subagent was kept from stopping before"  # its row ends with each stop
    return ""


def _around(event: HookInput, facts: Facts) -> str:
    """Return a reason to stop in the state of the client and the window."""
    usage = facts.session.context_usage if facts.session else None
    if getattr(event, "background_tasks", None):
        return "background tasks are running"
    if getattr(event, "session_crons", None):
        return "a wake-up is scheduled"
    if event.permission_mode == "plan":
        return "it is in plan mode"
    if usage is not None and usage >= FULL:
        return "the context window is nearly full"
    return ""


def _wanted(event: HookInput, facts: Facts) -> str:
    """Return a reason to stop in the user's messages and actions."""
    if not heeded(facts):
        return ""
    own, around = _state(facts, _TURN), _above(event, facts, _TURN)
    if _state(facts, STOPPED) or _above(event, facts, STOPPED):
        return 'the user has said "stop continuing"'
    return next((why for mark, why in _MARKS.items() if own.get(mark) or around.get(mark)), "")


def _often(event: HookInput, facts: Facts) -> str:
    if blocked_stops(event, facts) >= facts.settings.user_hooks.max_consecutive_stop_blocks:
        return f"it was kept from stopping {blocked_stops(event, facts)} times since the prompt"
    return ""


def _vain(event: HookInput, facts: Facts) -> str:
    return "it did nothing for two rounds" if _idle(event, facts) >= _MAX_IDLE_STOPS else ""


def _idle(event: HookInput, facts: Facts) -> int:
    """Return the number of consecutive stops without progress."""
    mark = _state(facts, _TURN)
    if not _active(event) or "calls" not in mark or facts.session is None:
        return 0
    called = facts.session.tool_calls != mark["calls"]
    closed = len(unfinished(items(facts))) < mark["open"]
    return 0 if called or closed else int(mark["idle"]) + 1


def _progress(event: HookInput, facts: Facts) -> tuple[Effect, ...]:
    session = facts.session
    if session is None or event.agent_id:
        return ()
    mark = {
        "calls": session.tool_calls,
        "open": len(unfinished(items(facts))),
        "idle": _idle(event, facts),
    }
    return (Remember(session.id, _TURN, {**_state(facts, _TURN), **mark}, lasts=True),)


def _marked(event: HookInput, marks: Mapping[str, Any]) -> dict[str, Any]:
    name, asks = event.hook_event_name, _asks(event)
    if isinstance(event, UserPrompt):
        return _prompted(event, marks)
    if name == "StopFailure":
        return {**marks, "failed": True}
    if isinstance(event, PostToolUseFailure) and event.is_interrupt:
        return {**marks, "interrupted": True}
    if name == "Elicitation" or (name == "PreToolUse" and asks):
        return {**marks, "asking": True}
    if name == "ElicitationResult" or asks:
        return {mark: value for mark, value in marks.items() if mark != "asking"}
    return dict(marks)


def _prompted(event: UserPrompt, marks: Mapping[str, Any]) -> dict[str, Any]:
    """Return the marks after a prompt: the user's begins a turn that is the user's.

    A machine's prompt with the same prompt_id is delivered into that turn and changes nothing.
    """
    begun = {"prompt": event.prompt_id} if event.prompt_id else {}
    if not event.by_machine:
        return begun
    own = begun and marks.get("prompt") == event.prompt_id
    return dict(marks) if own else {**marks, "machine": True}


def _asks(event: HookInput) -> bool:
    return isinstance(event, ToolInput) and event.tool_name == "AskUserQuestion"


def _active(event: HookInput) -> bool:
    return bool(getattr(event, "stop_hook_active", False))


def _state(facts: Facts, name: str) -> Mapping[str, Any]:
    found = facts.policy_state.get(name)
    return found if isinstance(found, dict) else {}


def _above(event: HookInput, facts: Facts, name: str) -> Mapping[str, Any]:
    """Return the state of the window in which a subagent runs."""
    kept = (facts.require(StateOfPolicy(name)) or ()) if event.agent_id else ()
    own = (one.value for one in kept if one.claude_session_id == event.session_id)
    found = next(own, None)
    return found if isinstance(found, dict) else {}
