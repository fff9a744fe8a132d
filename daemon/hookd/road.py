"""The road of one hook event on the database thread: facts, decision, effects and the record.

Everything here runs in one hop, inside the one transaction of the event's answer.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from time import perf_counter
from typing import Any, TypeVar

from hookd.core import canary
from hookd.core.effects import Effect, LateEffect
from hookd.core.events import HookInput
from hookd.core.facts import Facts, Known
from hookd.core.identity import Identity, Where
from hookd.core.judging import SLOW, Heard, judge
from hookd.core.method import Decision, HookMethod, HookResult
from hookd.core.outcome import Opinion, Outcome, merge
from hookd.core.policy import Policy
from hookd.core.protocol import EVENTS
from hookd.core.redaction import Record
from hookd.core.standing import Standing
from hookd.core.telling.injections import confirmed, offers
from hookd.core.wants import Unseen, Want
from hookd.core.why import mattered
from hookd.core.windows import open_window
from hookd.core.wording import not_judged
from hookd.journal import LOG
from hookd.policies import POLICIES
from hookd.store import facts as stored
from hookd.store import writes
from hookd.store.database import Connection
from hookd.wire import claude_code, json_text

T = TypeVar("T")

Seen = Mapping[Want, Known | None]
"""The files that a decision wanted to see, once they were read."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """One hook event as it came, its folder resolved.

    `key` tells a repeated delivery; None: nothing does. `canary` is the answer of a check.
    """

    event: HookInput
    identity: Identity
    method: HookMethod[Any] | None
    record: Record
    key: str | None = None
    canary: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    """What became of a delivery: the method's result and the client's answer, as JSON texts.

    `number` is the event's, or 0 where it was not kept or nothing hangs on the answer's arrival.
    """

    result: bytes
    answer: bytes
    late: tuple[LateEffect, ...] = ()
    number: int = 0


@dataclass
class House:
    """What holds for every event, and who is asked; the daemon replaces `standing` at a reload."""

    standing: Standing
    policies: tuple[Policy, ...] = POLICIES


@dataclass(frozen=True, slots=True)
class _Judged:
    """One event, decided: what it rests on, what all said of it, and what it causes."""

    facts: Facts
    said: tuple[Opinion, ...]
    outcome: Outcome
    result: HookResult
    effects: tuple[Effect, ...]


def walk(  # noqa: PLR0913 - what an event meets on its way
    db: Connection,
    house: House,
    delivery: Delivery,
    now: datetime,
    seen: Seen,
    *,
    keep: bool = True,
) -> Answered:
    """Decide one event and keep it; an event delivered before gets its first answer again.

    Without `keep` nothing is written: for a database that can only be read. Raise Unseen where the
    decision wants to see files that are not in `seen`; nothing was done then.
    """
    facts = stored.read(db, _where(delivery), now, house.standing).seeing(seen)
    if facts.replay is not None:
        return Answered(facts.replay.result.encode(), (facts.replay.answer or "null").encode())
    if delivery.canary:
        facts = replace(facts, guards=(canary.guard(delivery.canary),))
    facts, opened = _seated(delivery, facts)
    judged = sighted(db, facts, lambda known: _judged(house, delivery, known))
    if not keep:
        return _answered(delivery.event, judged, 0)[0]
    heard = confirmed(delivery.event.hook_event_name, facts)
    late = written(db, (*heard, *opened, *judged.effects), facts.at)
    answered = replace(_kept(db, delivery, judged), late=late)
    return answered if offers(judged.effects) else replace(answered, number=0)


def sighted(db: Connection, facts: Facts, decide: Callable[[Facts], T]) -> T:
    """Decide, and look up what the decision finds that it lacks, as far as the database has it.

    Raise Unseen for what it has not: files.
    """
    while True:
        try:
            return decide(facts)
        except Unseen as lack:
            found = stored.seen(db, lack.wants)
            if found is None:
                raise
            facts = facts.seeing(found)


def _judged(house: House, delivery: Delivery, facts: Facts) -> _Judged:
    event = delivery.event
    method = None if delivery.canary else delivery.method
    decision = method.decide(event, facts) if method else Decision(facts)
    facts = decision.facts
    heard = _heard(house.policies, event, facts)
    said = (decision.opinion, *heard) if decision.opinion else tuple(heard)
    outcome = merge(said)
    if outcome.updated_input is not None:
        # What they cause, they have caused when they first spoke.
        again = (replace(one, effects=()) for one in _rejudged(house, event, outcome, facts))
        said = (*said, *again)
        outcome = merge(said)
    result = method.answer(event, facts, outcome) if method else HookResult()
    moved = tuple(effect for opinion in said for effect in opinion.effects)
    return _Judged(facts, said, outcome, result, (*decision.effects, *moved))


def unjudged(  # noqa: PLR0913 - what is known of an event that cannot be read
    db: Connection,
    house: House,
    delivery: Delivery,
    now: datetime,
    why: str,
    *,
    keep: bool = True,
) -> Answered | None:
    """Keep an event that could not be judged, and ask the user where guards hold.

    Return None where the client's fail policy must decide. Without `keep` nothing is written.
    """
    bare = replace(delivery, key=None)
    guarded = stored.any_guard(db)
    outcome = Outcome("ask", not_judged(why), rule="unreadable") if guarded else Outcome()
    facts = stored.read(db, Where(bare.identity), now, house.standing)
    judged = _Judged(facts, (), outcome, HookResult(), ())
    answered = _kept(db, bare, judged) if keep else _answered(bare.event, judged, 0)[0]
    spec = EVENTS.get(bare.event.hook_event_name)
    return answered if guarded or spec is None or not spec.holds else None


def written(db: Connection, effects: tuple[Effect, ...], at: str) -> tuple[LateEffect, ...]:
    """Write the effects that are rows; return those that wait for the commit."""
    late: list[LateEffect] = []
    for effect in effects:
        if isinstance(effect, LateEffect):
            late.append(effect)
        else:
            writes.write(db, effect, at)
    return tuple(late)


def _where(delivery: Delivery) -> Where:
    event = delivery.event
    if delivery.canary:
        return Where()
    starts = event.hook_event_name == "SessionStart"
    return Where(
        delivery.identity,
        claude_session_id=event.session_id or None,
        agent_id=event.agent_id,
        cwd=event.cwd or delivery.identity.cwd,
        delivery_key=delivery.key,
        starts_session=getattr(event, "source", "startup") if starts else None,
    )


_NO_SEAT = frozenset(
    {
        *("Setup", "SessionStart", "SessionEnd", "SubagentStop"),
        *("PreCompact", "PostCompact", "WorktreeRemove"),
    }
)
"""Events that come at the ends of a window: they open no row for one that is not known."""


def _seated(delivery: Delivery, facts: Facts) -> tuple[Facts, tuple[Effect, ...]]:
    """Give a session that is seen for the first time its row; one that starts does so itself."""
    event = delivery.event
    known = facts.session is not None or not event.session_id or delivery.canary
    if known or event.hook_event_name in _NO_SEAT:
        return facts, ()
    return open_window(event, facts, "seen")


def _heard(policies: tuple[Policy, ...], event: HookInput, facts: Facts) -> list[Opinion]:
    reports = judge(policies, event, facts, perf_counter)
    return [one.opinion for one in map(_reported, reports) if one.opinion is not None]


def _reported(one: Heard) -> Heard:
    if one.fault is None and one.seconds <= SLOW:
        return one
    about = {"policy": one.policy, "milliseconds": round(one.seconds * 1000, 1)}
    if one.fault is not None:
        LOG.error("a policy failed", exc_info=one.fault, extra={"about": about})
    else:
        LOG.warning("a policy was slow", extra={"about": about})
    return one


def _rejudged(house: House, event: HookInput, outcome: Outcome, facts: Facts) -> list[Opinion]:
    """Let the guards judge what the call has become: who rewrites it must not get by them."""
    final = type(event).model_validate(event.model_dump() | {"tool_input": outcome.updated_input})
    guards = tuple(policy for policy in house.policies if policy.on_error == "ask")
    return _heard(guards, final, facts)


def _kept(db: Connection, delivery: Delivery, judged: _Judged) -> Answered:
    """Record the event with its answer, and return that."""
    event, facts, outcome = delivery.event, judged.facts, judged.outcome
    answered, said = _answered(event, judged, facts.next.event)
    row = writes.Event(
        id=facts.next.event,
        at=facts.at,
        event=event.hook_event_name,
        record=delivery.record,
        session_id=facts.session.id if facts.session else None,
        claude_session_id=event.session_id or None,
        agent_id=event.agent_id,
        tool_name=getattr(event, "tool_name", None),
        tool_use_id=getattr(event, "tool_use_id", None),
        prompt_id=event.prompt_id,
        decision=_decision(event.hook_event_name, outcome) if said else None,
        rule=outcome.rule,
        answer=answered.answer.decode() if said else None,
        result=answered.result.decode(),
        delivery_key=delivery.key,
        kind=canary.KIND if delivery.canary else "hook",
        facts=mattered(facts, judged.said) if said else None,
    )
    writes.record(db, row)
    return answered


def _answered(event: HookInput, judged: _Judged, number: int) -> tuple[Answered, bool]:
    """Return the answer as JSON, signed with the event's number, and whether it says anything."""
    output = claude_code.render(event.hook_event_name, judged.outcome, number)
    result = judged.result.model_copy(update={"hook_output": output})
    whole = result.model_dump_json(by_alias=True).encode()
    return Answered(whole, json_text.dump(output), number=number), output is not None


def _decision(event: str, outcome: Outcome) -> str | None:
    """Return the verdict in the event's own word."""
    blocks = event in EVENTS and EVENTS[event].decides == "block"
    return "block" if blocks and outcome.verdict == "deny" else outcome.verdict
