"""The road of one hook event on the database thread: facts, decision, effects and the record.

Everything here runs in one hop, inside the one transaction of the event's answer.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from time import perf_counter
from typing import Any

from hookd.core.effects import Effect, LateEffect
from hookd.core.events import HookInput
from hookd.core.facts import Facts, Standing
from hookd.core.identity import Identity, Where
from hookd.core.judging import SLOW, Heard, judge
from hookd.core.method import Decision, HookMethod, HookResult
from hookd.core.outcome import Opinion, Outcome, merge
from hookd.core.policy import Policy
from hookd.core.protocol import EVENTS
from hookd.core.redaction import Record
from hookd.core.windows import open_window
from hookd.core.wording import not_judged
from hookd.journal import LOG
from hookd.policies import POLICIES
from hookd.store import facts as stored
from hookd.store import writes
from hookd.store.database import Connection
from hookd.wire import claude_code, json_text


@dataclass(frozen=True, slots=True)
class Delivery:
    """One hook event as it came, its folder resolved.

    `key` tells a repeated delivery; None: nothing does.
    """

    event: HookInput
    identity: Identity
    method: HookMethod[Any] | None
    record: Record
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """What became of a delivery: the method's result and the client's answer, as JSON texts."""

    result: bytes
    answer: bytes
    late: tuple[LateEffect, ...] = ()


@dataclass(frozen=True)
class House:
    """What holds for every event, and who is asked."""

    standing: Standing
    policies: tuple[Policy, ...] = POLICIES


def walk(
    db: Connection, house: House, delivery: Delivery, now: datetime, *, keep: bool = True
) -> Answered:
    """Decide one event and keep it; an event delivered before gets its first answer again.

    Without `keep` nothing is written: for a database that can only be read.
    """
    event, method = delivery.event, delivery.method
    facts = stored.read(db, _where(delivery), now, house.standing)
    if facts.replay is not None:
        return Answered(facts.replay.result.encode(), (facts.replay.answer or "null").encode())
    facts, opened = _seated(event, facts)
    decision = method.decide(event, facts) if method else Decision(facts)
    facts = decision.facts
    heard = _heard(house.policies, event, facts)
    said = [decision.opinion, *heard] if decision.opinion else heard
    outcome = merge(said)
    if outcome.updated_input is not None:
        outcome = merge((*said, *_rejudged(house, event, outcome, facts)))
    moved = tuple(effect for opinion in said for effect in opinion.effects)
    result = method.answer(event, facts, outcome) if method else HookResult()
    if not keep:
        return _answered(event, outcome, result, 0)[0]
    late = written(db, (*opened, *decision.effects, *moved), facts.at)
    return replace(_kept(db, delivery, facts, outcome, result), late=late)


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
    if keep:
        facts = stored.read(db, Where(bare.identity), now, house.standing)
        answered = _kept(db, bare, facts, outcome, HookResult())
    else:
        answered, _ = _answered(bare.event, outcome, HookResult(), 0)
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
    starts = event.hook_event_name == "SessionStart"
    return Where(
        delivery.identity,
        claude_session_id=event.session_id or None,
        agent_id=event.agent_id,
        cwd=event.cwd or delivery.identity.cwd,
        delivery_key=delivery.key,
        starts_session=getattr(event, "source", "startup") if starts else None,
    )


def _seated(event: HookInput, facts: Facts) -> tuple[Facts, tuple[Effect, ...]]:
    """Give a session that is seen for the first time its row; one that starts does so itself."""
    own = event.hook_event_name in ("SessionStart", "SessionEnd")
    if own or facts.session is not None or not event.session_id:
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


def _kept(
    db: Connection, delivery: Delivery, facts: Facts, outcome: Outcome, result: HookResult
) -> Answered:
    """Record the event with its answer, and return that."""
    event = delivery.event
    answered, said = _answered(event, outcome, result, facts.next.event)
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
    )
    writes.record(db, row)
    return answered


def _answered(
    event: HookInput, outcome: Outcome, result: HookResult, number: int
) -> tuple[Answered, bool]:
    """Return the answer as JSON, signed with the event's number, and whether it says anything."""
    output = claude_code.render(event.hook_event_name, outcome, number)
    whole = result.model_copy(update={"hook_output": output}).model_dump_json(by_alias=True)
    return Answered(whole.encode(), json_text.dump(output)), output is not None


def _decision(event: str, outcome: Outcome) -> str | None:
    """Return the verdict in the event's own word."""
    blocks = event in EVENTS and EVENTS[event].decides == "block"
    return "block" if blocks and outcome.verdict == "deny" else outcome.verdict
