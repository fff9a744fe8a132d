"""All calls of one batch have run: texts that still wait are delivered before the model continues.

So texts that had no room beside the single calls are delivered. The agent is working.
"""

from hookd.core.context_window.injections import give, queued_texts
from hookd.core.model.facts import Facts
from hookd.core.model.method import Decision, Example, HookResult
from hookd.core.model.verdict import Opinion
from hookd.core.sessions.agent_status import working
from hookd.events.model import HookInput
from hookd.methods.hook_event import hook_event


class Result(HookResult):
    """How many texts waited."""

    waiting: int = 0


def decide(_event: HookInput, facts: Facts) -> Decision:
    """Give the waiting texts."""
    given = give(facts)
    opinion = Opinion(context=given.text) if given.text else None
    return Decision(facts, (*working(facts), *given.effects), opinion)


def report(_event: HookInput, facts: Facts) -> Result:
    """Report how many waited."""
    return Result(waiting=len(queued_texts(facts)))


METHOD = hook_event(
    "PostToolBatch",
    HookInput,
    decide,
    report,
    Result,
    Example(
        {"session_id": "11c8d28b", "hook_event_name": "PostToolBatch", "tool_calls": []},
        says="silent where nothing waits",
    ),
)
