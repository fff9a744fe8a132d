"""Report a delegated call that returned nothing, so that the window does not wait.

The window that delegated reads that the subagent ended without a result. Background and failed
subagents are ignored. With `ask_again`, a subagent that is about to end without a last message is
kept from stopping once, and asked for its result.
"""

import json
from typing import Any

from pydantic import Field

from hookd.config.models import PolicyOptions
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.fact_requests import StateOfPolicy, StateOfSession
from hookd.core.model.facts import Facts, Session
from hookd.core.model.policy import WORKFLOW, Policy, PolicyExample
from hookd.core.model.verdict import Opinion
from hookd.events.delegation import Report, report, resume_hint
from hookd.events.model import HookInput, PostToolUse, SubagentStop
from hookd.policy_support.continuation import hindrance, hold


class Options(PolicyOptions):
    """Definition of an empty result, and the reaction to it."""

    min_chars: int = Field(
        1, ge=1, description="Minimum characters of a result, without surrounding spaces."
    )
    ask_again: bool = Field(
        False, description="Ask a subagent that ends without a last message for it, once."
    )


_NAME = "empty-task-response-detector"
_MAX_ASKED = 50
"""Last asked subagents that a window remembers."""


def opine(event: HookInput, facts: Facts, options: Options) -> Opinion | None:
    """Report an empty result; ask a subagent for its result, once."""
    if isinstance(event, PostToolUse):
        known = report(event)
        return _empty(known, options) if known else None
    return _held(event, facts, options) if options.ask_again else None


def _empty(known: Report, options: Options) -> Opinion | None:
    if known.text is None or len(known.text.strip()) >= options.min_chars:
        return None
    size = len(known.text.strip())
    brought = f"only {size} characters" if size else "nothing"
    return Opinion(
        context=f"[hookd:{_NAME}] The delegated call returned {brought}: the subagent failed, was"
        " cut off, or had no answer. No further answer will come."
        f"{resume_hint(known)}"
    )


def _held(event: HookInput, facts: Facts, options: Options) -> Opinion | None:
    """Ask a subagent without a last message for it; the client omits an empty one.

    Its row ends with each stop, so its window remembers that it was asked.
    """
    session, said = facts.session, getattr(event, "last_assistant_message", None)
    if session is None or not (session.agent_id and event.agent_type):
        return None  # a compaction ends a nameless one
    if (isinstance(said, str) and said.strip()) or hindrance(event, facts):
        return None
    window = session.parent_session_id
    asked = _asked(facts.require(StateOfSession(window, _NAME))) if window is not None else []
    if window is None or session.agent_id in asked:
        return None
    kept = Remember(window, _NAME, {"asked": [*asked, session.agent_id][-_MAX_ASKED:]})
    reason = (
        f"{_NAME}: the last message is empty, so the window that delegated this gets no result."
        " End with a short report: what was found or done, and what remains."
    )
    asks = Opinion("deny", reason, rule=_NAME, effects=(kept,))
    return hold(asks, event, facts, options.mode)


def _asked(state: str | None) -> list[Any]:
    value = json.loads(state) if state else {}
    asked = value.get("asked") if isinstance(value, dict) else None
    return asked if isinstance(asked, list) else []


def _done(**response: object) -> PostToolUse:
    event = {"hook_event_name": "PostToolUse", "tool_name": "Agent", "tool_input": {}}
    return PostToolUse.model_validate({**event, "tool_response": response})


def _stop(**more: object) -> SubagentStop:
    event = {"hook_event_name": "SubagentStop", "agent_id": "a1", "agent_type": "Explore"}
    return SubagentStop.model_validate({**event, **more})


def _facts(state: str | None = None, **more: bool) -> Facts:
    return Facts(
        session=Session(7, "", agent_id="a1", parent_session_id=3),
        options={_NAME: Options(**more)},
        resolved={StateOfSession(3, _NAME): state, **{StateOfPolicy(one): () for one in _MARKS}},
    )


_MARKS = ("continuation", "stop-continuation-guard")
_NOTHING = [{"type": "text", "text": " \n"}]
_SAID = [{"type": "text", "text": "It holds."}]


def _examples() -> tuple[PolicyExample, ...]:
    return (
        PolicyExample(_done(status="completed", content=_NOTHING), Facts(), says="context"),
        PolicyExample(_done(status="completed", content=_SAID), Facts(), says=""),
        PolicyExample(_done(status="async_launched", agentId="a1"), Facts(), says=""),
        PolicyExample(_stop(), _facts(), says=""),
        PolicyExample(_stop(), _facts(ask_again=True), says="deny"),
        PolicyExample(_stop(), _facts('{"asked": ["a1"]}', ask_again=True), says=""),
        PolicyExample(_stop(stop_hook_active=True), _facts(ask_again=True), says=""),
        PolicyExample(_stop(last_assistant_message="Done."), _facts(ask_again=True), says=""),
    )


POLICY = Policy(
    name=_NAME,
    priority=125,
    events=frozenset({"PostToolUse", "SubagentStop"}),
    options=Options,
    on_error="silence",
    profiles=WORKFLOW,
    opine=opine,
    examples=_examples,
)
