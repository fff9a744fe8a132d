"""A tool is about to run: count the call, and evaluate the policies.

Counts tool calls since the last log entry, except simple `hookd` commands and own tools; `hookd
log` sets the counter to zero. Calls of subagents move only their own counter, and only if the
subagent can log; repeated edits of one file count once. The denials come from policies: heartbeat,
overflow and the user's guard rules. While an effort is loading, handing over or finished nothing is
counted; guard rules still apply. A call of the skill `effort` that cannot be run is denied with its
usage; otherwise it is run after the call. Waiting file contents are delivered with the call.
Silence means the client's own permission flow; an explicit allow is never sent.
"""

from dataclasses import replace
from typing import Any

from hookd.core.context_window.injections import give, queued_texts
from hookd.core.efforts.skill_call import call_effort_command
from hookd.core.guard_rules.rule import fired_cached, payloads
from hookd.core.model.effects.sessions import Remember, SetHeartbeat
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.core.model.method import Decision, Example, HookMethod, HookResult
from hookd.core.model.verdict import Opinion, Outcome
from hookd.core.sessions.agent_status import working
from hookd.core.sessions.own_tools import own_call, own_tool
from hookd.events.model import PreToolUse
from hookd.policies.heartbeat import DUTY, counted, logs
from hookd.policies.overflow import overflows
from hookd.redaction.redact import redact


class Result(HookResult):
    """The merged verdict (`allow`) and its basis."""

    allow: bool = True
    heartbeat_count: int = 0
    context_usage: float | None = None
    overflow_warning: bool = False
    pending_preloads: list[str] = []
    fired_rules: list[dict[str, Any]] = []
    reason: str | None = None


def decide(event: PreToolUse, facts: Facts) -> Decision:
    """Move the counter; give waiting files; deny an effort command that cannot be run."""
    facts, effects = _counted(event, facts)
    one = call_effort_command(event.skill, event.skill_args, facts) if event.skill else None
    if one is not None and one.problem:
        return Decision(facts, effects, Opinion("deny", one.problem, rule="effort"))
    effects = (*effects, *own_call(event, facts))
    given = give(facts, files_only=True)
    opinion = Opinion(context=given.text) if given.text else None
    return Decision(facts, (*effects, *given.effects), opinion)


def _counted(event: PreToolUse, facts: Facts) -> tuple[Facts, tuple[Effect, ...]]:
    """Return the facts with the call counted, and the effects; an active agent is working."""
    effects, session = working(facts), facts.session
    if session is None:
        return facts, effects
    count, last, calls = session.heartbeat_counter, session.last_counted, 0
    if logs(event.call):
        count, last = 0, None
    elif counted(event.call, facts):
        this = _repeatable(event)
        count, last, calls = (count if this and this == last else count + 1), this, 1
    able = session.agent_id and (event.tool_name == "Bash" or own_tool(event.call.names))
    if able and DUTY not in facts.policy_state:  # it can log
        effects = (*effects, Remember(session.id, DUTY, {"by": "Bash"}))
    if (count, last, calls) == (session.heartbeat_counter, session.last_counted, 0):
        return facts, effects
    moved: tuple[Effect, ...] = (SetHeartbeat(session.id, count, last, calls),)
    if count == 0 and not calls:  # if the entry fails, what it set to zero comes back
        held = {"call": event.tool_use_id, "count": session.heartbeat_counter}
        moved += (Remember(session.id, "heartbeat", held),)
    total = session.tool_calls + calls
    session = replace(session, heartbeat_counter=count, last_counted=last, tool_calls=total)
    return replace(facts, session=session), (*effects, *moved)


def _repeatable(event: PreToolUse) -> str | None:
    calls = event.call.parts or (event.call,)
    alone = len(calls) == 1 and calls[0].name == "Edit"
    return redact(f"Edit {calls[0].primary}") if alone else None


def answer(event: PreToolUse, facts: Facts, outcome: Outcome) -> Result:
    """Report the merged verdict and the counters."""
    session = facts.session
    return Result(
        allow=outcome.verdict not in ("deny", "ask", "defer"),
        heartbeat_count=session.heartbeat_counter if session else 0,
        context_usage=session.context_usage if session else None,
        overflow_warning=overflows(facts),
        pending_preloads=[one.path for one in queued_texts(facts) if one.path],
        fired_rules=payloads(fired_cached(event.call, facts)) if facts.guards else [],
        reason=outcome.reason or None,
    )


METHOD = HookMethod(
    name="hooks.preToolUse",
    event="PreToolUse",
    params=PreToolUse,
    result=Result,
    decide=decide,
    answer=answer,
    examples=(
        Example(
            {
                "session_id": "11c8d28b-c95a-42d8-86b9-1f4e8aa7a4b7",
                "cwd": "/work/orders",
                "hook_event_name": "PreToolUse",
                "tool_name": "Bash",
                "tool_input": {"command": "git status"},
                "tool_use_id": "toolu_01",
            },
            says="allows, and counts one call",
        ),
    ),
)
