"""Recorders: store an event in its transaction, or nothing if the database is read-only."""

from collections.abc import Sequence
from typing import Protocol

from hookd.core.evaluation import canary
from hookd.core.evaluation.allow_rules import any_allowed
from hookd.core.evaluation.explanation import decision_record
from hookd.core.evaluation.read_only import (
    by_builtin_guards,
    release_stop,
    rules_unread,
    without_heartbeat,
)
from hookd.core.evaluation.recorded_facts import facts_record
from hookd.core.hook_rules.model import HookRun
from hookd.core.model.effects.union import AfterCommitEffect, Effect
from hookd.core.model.facts import Facts
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput
from hookd.events.protocol import EVENTS
from hookd.pipeline.delivery import Delivery
from hookd.pipeline.evaluation import Evaluation
from hookd.pipeline.response import EventResponse
from hookd.store import writes
from hookd.store.database import Connection

Effects = tuple[Effect, ...]
AfterCommitEffects = tuple[AfterCommitEffect, ...]


class Recorder(Protocol):
    """Stores an event; says as well which facts and which outcome apply if it cannot."""

    def facts(self, facts: Facts, *, fails_closed: bool) -> Facts:
        """Return the facts that apply."""

    def outcome(self, event: HookInput, outcome: Outcome) -> Outcome:
        """Return the outcome that applies."""

    def number(self, number: int) -> int:
        """Return the number under which an event is stored, 0 if it is not."""

    def repeat(self, db: Connection, number: int, at: str) -> None:
        """Count another delivery of a stored event."""

    def effects(self, db: Connection, effects: Effects, at: str) -> AfterCommitEffects:
        """Store effects; return those that wait for the commit."""

    def event(self, db: Connection, row: writes.Event) -> None:
        """Store an event with its response."""

    def completion(self, db: Connection, row: writes.Event, runs: Sequence[HookRun]) -> None:
        """Store the response to a pending event, and what its user hooks did."""


class DatabaseRecorder:
    """Stores everything; the facts and the outcome apply unchanged."""

    def facts(self, facts: Facts, *, fails_closed: bool) -> Facts:
        """Return them unchanged."""
        return facts

    def outcome(self, event: HookInput, outcome: Outcome) -> Outcome:
        """Return it unchanged."""
        return outcome

    def number(self, number: int) -> int:
        """Return it unchanged."""
        return number

    def repeat(self, db: Connection, number: int, at: str) -> None:
        """Count another delivery of a stored event."""
        writes.repeated(db, number, at)

    def effects(self, db: Connection, effects: Effects, at: str) -> AfterCommitEffects:
        """Store effects; return those that wait for the commit."""
        return writes.written(db, effects, at)

    def event(self, db: Connection, row: writes.Event) -> None:
        """Store an event with its response."""
        writes.record(db, row)

    def completion(self, db: Connection, row: writes.Event, runs: Sequence[HookRun]) -> None:
        """Store the response to a pending event, and what its user hooks did."""
        writes.settle(db, row, runs, row.at)


class NullRecorder:
    """Stores nothing, for a database that can only be read.

    So no rule applies that only a stored row could end, and no stop is blocked twice.
    """

    def facts(self, facts: Facts, *, fails_closed: bool) -> Facts:
        """Return them without what only a stored row could end."""
        facts = without_heartbeat(facts)
        return by_builtin_guards(facts) if rules_unread(facts) and not fails_closed else facts

    def outcome(self, event: HookInput, outcome: Outcome) -> Outcome:
        """Return it, but allow a stop that was blocked before."""
        return release_stop(event, outcome)

    def number(self, number: int) -> int:
        """Return 0."""
        return 0

    def repeat(self, db: Connection, number: int, at: str) -> None:
        """Store nothing."""

    def effects(self, db: Connection, effects: Effects, at: str) -> AfterCommitEffects:
        """Store nothing, and cause nothing."""
        return ()

    def event(self, db: Connection, row: writes.Event) -> None:
        """Store nothing."""

    def completion(self, db: Connection, row: writes.Event, runs: Sequence[HookRun]) -> None:
        """Store nothing."""


DATABASE = DatabaseRecorder()
NOTHING = NullRecorder()


def row(
    delivery: Delivery, evaluation: Evaluation, response: EventResponse, *, pending: bool = False
) -> writes.Event:
    """Return an event as it is stored; `pending`: user hooks are to run on it."""
    event, facts, outcome = delivery.event, evaluation.facts, evaluation.outcome
    trace = delivery.received.trace
    trace.mark("write")
    duration, stages = (None, None) if delivery.canary else trace.row()
    explains = not response.silent or any_allowed(evaluation.opinions)
    return writes.Event(
        id=response.number,
        at=facts.at,
        event=event.hook_event_name,
        record=delivery.record,
        session_id=facts.session.id if facts.session else None,
        claude_session_id=event.session_id or None,
        agent_id=event.agent_id,
        tool_name=getattr(event, "tool_name", None),
        tool_use_id=getattr(event, "tool_use_id", None),
        prompt_id=event.prompt_id,
        decision=None if response.silent else _decision(event.hook_event_name, outcome),
        rule=outcome.rule,
        answer=None if response.silent else response.answer.decode(),
        result=response.result.decode(),
        rewrites=response.rewrites,
        delivery_key=delivery.key,
        kind=canary.KIND if delivery.canary else "hook",
        facts=decision_record(facts, evaluation.opinions) if explains else None,
        pending=pending,
        duration_us=duration,
        stages=stages,
        resolved=facts_record(facts, event.cwd, delivery.payload.get("cwd")),
        client=delivery.client.name,
        client_version=delivery.client.decode.version(delivery.received.env),
    )


def _decision(event: str, outcome: Outcome) -> str | None:
    """Return the verdict in the event's own word."""
    blocks = event in EVENTS and EVENTS[event].decides == "block"
    return "block" if blocks and outcome.verdict == "deny" else outcome.verdict
