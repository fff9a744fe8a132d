"""The road of one hook event on the database thread: facts, decision, effects and the record.

Everything here runs in one hop, inside the one transaction of the event's answer.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from hookd import json_text
from hookd.clients.claude_code.fail_closed import CLOSABLE
from hookd.clients.contract import Rendered
from hookd.core.context_window.injections import confirm_delivery
from hookd.core.evaluation import canary
from hookd.core.evaluation import policies as judging
from hookd.core.evaluation.allow_rules import any_allowed
from hookd.core.evaluation.explanation import decision_record
from hookd.core.evaluation.pause import paused, unpaused, without_sending
from hookd.core.evaluation.read_only import (
    by_builtin_guards,
    release_stop,
    rules_unread,
    without_heartbeat,
)
from hookd.core.evaluation.stop_limit import apply_stop_limit
from hookd.core.evaluation.texts import not_judged
from hookd.core.hook_rules.model import Hook, HookRun
from hookd.core.model.effects.union import AfterCommitEffect, Effect
from hookd.core.model.fact_requests import FactRequest, MissingFacts
from hookd.core.model.facts import Facts, FactValue
from hookd.core.model.identity import Where
from hookd.core.model.method import HookResult, Trial
from hookd.core.model.verdict import Outcome, merge
from hookd.core.sessions.open_session import open_session
from hookd.events.model import HookInput, PreToolUse
from hookd.events.protocol import EVENTS
from hookd.log.logger import LOG
from hookd.pipeline.delivery import Delivery
from hookd.pipeline.evaluation import (
    Evaluation,
    PolicyEngine,
    evaluate_event,
    ignore_defer_under_ask,
    recheck_guards,
    with_rewritten_input,
)
from hookd.store import facts as stored
from hookd.store import writes
from hookd.store.database import Connection

T = TypeVar("T")

ResolvedFacts = Mapping[FactRequest, FactValue | None]
"""The files that a decision wanted to see, once they were read."""


@dataclass(frozen=True, slots=True)
class EventResponse:
    """What became of a delivery: the method's result and the client's answer, as JSON texts.

    `number` is the event's, or 0 where it was not kept, or kept before.
    `spill` is a file, and the whole text of what did not fit into the answer. `outcome` is what the
    answer says, None for an answer that was stored before.
    """

    result: bytes
    answer: bytes
    late: tuple[AfterCommitEffect, ...] = ()
    number: int = 0
    spill: tuple[str, str] | None = None
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True)
class PendingEvent:
    """An event that is decided, but for what the user's own hooks say of it.

    `number` is its event's, 0 where nothing can be kept; `late` is what follows the first commit.
    """

    delivery: Delivery
    evaluation: Evaluation
    hooks: tuple[Hook, ...]
    at: str
    number: int
    late: tuple[AfterCommitEffect, ...] = ()

    @property
    def event(self) -> HookInput:
        """The event as the house's rules have left it."""
        return with_rewritten_input(self.delivery.event, self.evaluation.outcome)


HookSelector = Callable[[HookInput, Outcome], tuple[Hook, ...]]
"""Returns the user's hooks that are to run on an event, as the house's rules have left it."""


def no_hooks(_event: HookInput, _outcome: Outcome) -> tuple[Hook, ...]:
    """Ask no hook."""
    return ()


def process_event(  # noqa: PLR0913 - what an event meets on its way
    db: Connection,
    house: PolicyEngine,
    delivery: Delivery,
    now: datetime,
    seen: ResolvedFacts,
    *,
    asked: HookSelector = no_hooks,
    keep: bool = True,
) -> EventResponse | PendingEvent:
    """Decide one event and keep it; an event delivered before gets its first answer again.

    Where hooks of the user's are to run it is kept as pending, and `finish` ends it.

    Without `keep` nothing is written: for a database that can only be read. Raise MissingFacts if
    the decision requests files that are not in `seen`; nothing was written then.
    """
    facts = stored.read(db, _where(delivery), now, house.config).with_facts(seen)
    before = facts.replay
    if before is not None and not before.pending:
        if keep:
            writes.repeated(db, before.number, facts.at)
        return EventResponse(before.result.encode(), (before.answer or "null").encode())
    if delivery.canary:
        facts = replace(unpaused(facts), guards=(canary.canary_guard(delivery.canary),))
    facts, opened = _ensure_session(
        delivery, facts if keep else _unkept(facts, closed=delivery.closed)
    )
    judged = _decided(db, house, delivery, facts)
    ask = no_hooks if paused(facts) else asked
    hooks = ask(with_rewritten_input(delivery.event, judged.outcome), judged.outcome)
    if before is not None:
        # What it caused was kept; what the hooks had said was lost with the daemon.
        return PendingEvent(delivery, judged, hooks, facts.at, before.number if keep else 0)
    if not keep:
        judged = replace(judged, outcome=release_stop(delivery.event, judged.outcome))
        answered = _answered(delivery, judged, 0)[0]
        return PendingEvent(delivery, judged, hooks, facts.at, 0) if hooks else answered
    heard = confirm_delivery(delivery.event.hook_event_name, facts)
    late = writes.written(db, (*heard, *opened, *judged.effects), facts.at)
    answered = replace(_kept(db, delivery, judged, pending=bool(hooks)), late=late)
    if hooks:
        return PendingEvent(delivery, judged, hooks, facts.at, answered.number, late)
    return answered


def complete_event(  # noqa: PLR0913 - what an event meets at its end
    db: Connection,
    seen: ResolvedFacts,
    house: PolicyEngine,
    waiting: PendingEvent,
    runs: Sequence[HookRun],
    *,
    keep: bool = True,
) -> EventResponse:
    """End an event by what the user's hooks said of it; the guards judge what has become of it.

    `late` of the answer is empty: it was done when the event was first kept. Raise MissingFacts
    as `process_event` does: a rewritten call may need other files.
    """
    delivery, judged = waiting.delivery, waiting.evaluation
    event = delivery.event
    spoken = ignore_defer_under_ask(
        judged.outcome, (run.opinion for run in runs if run.opinion is not None)
    )
    own = judged.opinions
    if any(one.updated_input is not None for one in spoken):
        # They were shown what the house had made of it: theirs is the later word.
        own = tuple(replace(one, updated_input=None) for one in own)
    said = (*own, *spoken)
    outcome = merge(said, event.hook_event_name)
    if outcome.updated_input is not None and outcome.updated_input != judged.outcome.updated_input:
        facts, now = judged.facts.with_facts(seen), outcome
        again = with_facts_from_db(
            db, facts, lambda known: recheck_guards(house, event, now, known)
        )
        said = (*said, *(replace(one, effects=()) for one in again))
        outcome = merge(said, event.hook_event_name)
    outcome, counted = apply_stop_limit(event, outcome, judged.facts)
    kept = keep and waiting.number
    outcome = outcome if kept else release_stop(event, outcome)
    for conflict in outcome.conflicts:
        about = {"event": event.hook_event_name, "conflict": conflict}
        LOG.warning("two hooks do not agree", extra={"about": about})
    method = delivery.method
    result = method.answer(event, judged.facts, outcome) if method else HookResult()
    whole = Evaluation(judged.facts, said, outcome, result, judged.effects)
    path = f"{house.spill}/{waiting.number}.txt" if house.spill and waiting.number else ""
    answered, rendered = _answered(delivery, whole, waiting.number, path)
    if kept:
        writes.settle(db, _row(delivery, whole, answered, rendered), runs, waiting.at)
        writes.written(db, counted, waiting.at)
    return answered


def dry_run(  # noqa: PLR0913 - what an event meets on its way
    db: Connection,
    seen: ResolvedFacts,
    house: PolicyEngine,
    delivery: Delivery,
    now: datetime,
    *,
    asked: HookSelector = no_hooks,
) -> Trial:
    """Evaluate a tool call as `walk` does, but record nothing and run no user hook."""
    event = delivery.event
    if not isinstance(event, PreToolUse):
        raise TypeError(f"only a tool call can be tried, not {event.hook_event_name}")
    facts = stored.read(db, _where(delivery), now, house.config).with_facts(seen)
    facts, _ = _ensure_session(delivery, facts)
    name = event.hook_event_name
    judged = with_facts_from_db(
        db, facts, lambda known: evaluate_event(house, event, delivery.method, known)
    )
    outcome = judged.outcome
    hooks = () if paused(facts) else asked(with_rewritten_input(event, outcome), outcome)
    judges = (
        () if paused(facts) else judging.applicable_policies(house.policies, name, judged.facts)
    )
    policies = tuple(policy.name for policy, _ in judges)
    answer = delivery.client.encode.render(name, outcome, 0).output
    return Trial(event, judged.facts, policies, judged.opinions, outcome, hooks, answer)


def with_facts_from_db(db: Connection, facts: Facts, decide: Callable[[Facts], T]) -> T:
    """Decide, and look up what the decision finds that it lacks, as far as the database has it.

    Raise MissingFacts for what it has not: files.
    """
    while True:
        try:
            return decide(facts)
        except MissingFacts as lack:
            found = stored.seen(db, lack.requests)
            if found is None:
                raise
            facts = facts.with_facts(found)


def record_unjudged(  # noqa: PLR0913 - what is known of an event that cannot be read
    db: Connection,
    house: PolicyEngine,
    delivery: Delivery,
    now: datetime,
    why: str,
    *,
    guarded: bool = False,
    keep: bool = True,
) -> EventResponse | None:
    """Record an event that could not be judged, and ask the user where guard rules are set.

    `guarded`: the user's own hooks would have been heard of it. Return None where the client's fail
    policy must decide: no rule is set, or the event fails closed, since a denial is stronger than a
    question. Without `keep` nothing is written.
    """
    bare = replace(delivery, key=None)
    facts = stored.read(db, Where(bare.identity), now, house.config)
    passes = paused(facts)
    fails_closed = bare.closed and not passes
    guarded = not (passes or fails_closed) and (guarded or stored.any_guard(db))
    outcome = Outcome("ask", not_judged(why), rule="unreadable") if guarded else Outcome()
    judged = Evaluation(facts, (), outcome, HookResult(), ())
    answered = _kept(db, bare, judged) if keep else _answered(bare, judged, 0)[0]
    name = bare.event.hook_event_name
    spec = EVENTS.get(name)
    refused = fails_closed and name in CLOSABLE
    holds = spec is not None and spec.can_block_tool
    return answered if guarded or passes or not (holds or refused) else None


def _decided(db: Connection, house: PolicyEngine, delivery: Delivery, facts: Facts) -> Evaluation:
    """Decide an event; an answer that reaches nobody uses up no notice and offers no text."""
    method = None if delivery.canary else delivery.method
    if delivery.gone:
        facts = replace(facts, daemon=replace(facts.daemon, unjudged=()))
    judged = with_facts_from_db(
        db, facts, lambda known: evaluate_event(house, delivery.event, method, known)
    )
    return replace(judged, effects=without_sending(judged.effects)) if delivery.gone else judged


def _unkept(facts: Facts, *, closed: bool) -> Facts:
    """Return the facts as they hold where nothing can be stored."""
    facts = without_heartbeat(facts)
    return by_builtin_guards(facts) if rules_unread(facts) and not closed else facts


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


_SESSIONLESS = frozenset(
    {
        *("Setup", "SessionStart", "SessionEnd", "SubagentStop"),
        *("PreCompact", "PostCompact", "WorktreeRemove"),
    }
)
"""Events that come at the ends of a window: they open no row for one that is not known."""


def _ensure_session(delivery: Delivery, facts: Facts) -> tuple[Facts, tuple[Effect, ...]]:
    """Give a session that is seen for the first time its row; one that starts does so itself."""
    event = delivery.event
    known = facts.session is not None or not event.session_id or delivery.canary
    if known or event.hook_event_name in _SESSIONLESS:
        return facts, ()
    return open_session(event, facts, "seen")


def _kept(
    db: Connection, delivery: Delivery, judged: Evaluation, *, pending: bool = False
) -> EventResponse:
    """Record the event with its answer, and return that."""
    answered, rendered = _answered(delivery, judged, judged.facts.next.event)
    writes.record(db, _row(delivery, judged, answered, rendered, pending=pending))
    return answered


def _row(
    delivery: Delivery,
    judged: Evaluation,
    answered: EventResponse,
    rendered: Rendered,
    *,
    pending: bool = False,
) -> writes.Event:
    event, facts, outcome = delivery.event, judged.facts, judged.outcome
    said = rendered.output is not None
    return writes.Event(
        id=answered.number,
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
        rewrites=rendered.rewrites,
        delivery_key=delivery.key,
        kind=canary.KIND if delivery.canary else "hook",
        facts=decision_record(facts, judged.opinions)
        if said or any_allowed(judged.opinions)
        else None,
        pending=pending,
    )


def _answered(
    delivery: Delivery, judged: Evaluation, number: int, spill: str = ""
) -> tuple[EventResponse, Rendered]:
    """Return the answer as JSON, signed with the event's number, and as it was rendered.

    What is too long for the client is cut, and `spill` named as the file that has the whole.
    """
    name, outcome = delivery.event.hook_event_name, judged.outcome
    rendered = delivery.client.encode.render(name, outcome, number, spill)
    result = judged.result.model_copy(update={"hook_output": rendered.output})
    whole = result.model_dump_json(by_alias=True).encode()
    overflow = rendered.overflow_text if spill else None
    spilled = None if overflow is None else (spill, overflow)
    answer = json_text.dump(rendered.output)
    answered = EventResponse(whole, answer, number=number, spill=spilled, outcome=outcome)
    return answered, rendered


def _decision(event: str, outcome: Outcome) -> str | None:
    """Return the verdict in the event's own word."""
    blocks = event in EVENTS and EVENTS[event].decides == "block"
    return "block" if blocks and outcome.verdict == "deny" else outcome.verdict
