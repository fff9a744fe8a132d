"""A tool has failed or was interrupted: the agent has the status error, or needs attention.

An interrupt is no error: a person has stepped in. The next success, or prompt, clears both. The
failure is stored as a message of the role `system`, once per call. If it was a `hookd log`, no
entry was written, and the calls since the last one count again.
"""

from hookd.core.guard_rules.results import record_result
from hookd.core.model.effects.sessions import SetHeartbeat
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.core.model.method import Example, HookResult
from hookd.core.sessions.agent_status import becomes
from hookd.core.sessions.open_session import add_note
from hookd.events.model import PostToolUseFailure
from hookd.methods.hook_event import effects_event


class Result(HookResult):
    """Whether the agent's status changed, and whether the failure was stored."""

    agent_updated: bool = False
    message_logged: bool = False


def _changes(event: PostToolUseFailure, facts: Facts) -> tuple[Effect, ...]:
    return becomes("attention" if event.is_interrupt else "error", facts)


def effects(event: PostToolUseFailure, facts: Facts) -> tuple[Effect, ...]:
    """Set the status, store the failure; undo the reset of the counter by a failed log entry."""
    told = {"toolName": event.tool_name, "error": event.error, "interrupt": event.is_interrupt}
    kept = add_note("tool_use_failure", told, facts, tool=event.tool_name, ref=event.tool_use_id)
    results = record_result(event, facts)
    return (*_changes(event, facts), *kept, *_unlogged(event, facts), *results)


def _unlogged(event: PostToolUseFailure, facts: Facts) -> tuple[Effect, ...]:
    session, held = facts.session, facts.policy_state.get("heartbeat")
    if session is None or not isinstance(held, dict) or held.get("call") != event.tool_use_id:
        return ()
    return (SetHeartbeat(session.id, session.heartbeat_counter + int(held["count"]), None),)


def report(event: PostToolUseFailure, facts: Facts) -> Result:
    """Report what changed."""
    return Result(
        agent_updated=bool(_changes(event, facts)), message_logged=facts.session is not None
    )


METHOD = effects_event(
    "PostToolUseFailure",
    PostToolUseFailure,
    effects,
    report,
    Result,
    Example(
        {
            "session_id": "11c8d28b",
            "hook_event_name": "PostToolUseFailure",
            "tool_name": "Bash",
            "tool_input": {"command": "false"},
            "tool_use_id": "toolu_01",
            "error": "Exit code 1",
        },
        says="the agent has the status error",
    ),
)
