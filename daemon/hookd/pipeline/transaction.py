"""The transaction of one hook event on the database thread: read facts, decide, store, respond.

`process_event` runs until the response, or until user hooks have to run; `complete_event` continues
once they ended. Each runs inside one transaction. MissingFacts ends it, and nothing was written.
"""

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from datetime import datetime

from hookd.core.context_window.injections import confirm_delivery
from hookd.core.evaluation import canary
from hookd.core.evaluation.pause import paused, unpaused, without_sending
from hookd.core.evaluation.policies import EarlierAnswers, applicable_policies
from hookd.core.evaluation.stop_limit import apply_stop_limit
from hookd.core.evaluation.texts import not_judged
from hookd.core.hook_rules.model import Hook, HookRun
from hookd.core.mail.delivery import mail_of_task
from hookd.core.model.effects.union import AfterCommitEffect, Effect
from hookd.core.model.fact_requests import FileRequest
from hookd.core.model.facts import Facts
from hookd.core.model.fail_policy import CLOSABLE
from hookd.core.model.identity import Where
from hookd.core.model.method import HookResult, Trial
from hookd.core.model.verdict import Opinion, Outcome, merge
from hookd.core.sessions.open_session import open_session
from hookd.events.model import HookInput, PreToolUse
from hookd.events.protocol import EVENTS
from hookd.lazy_dataclass import dataclass
from hookd.log.logger import LOG
from hookd.pipeline import recorder
from hookd.pipeline.delivery import Delivery
from hookd.pipeline.evaluation import (
    Attempts,
    Evaluation,
    PolicyEngine,
    evaluate_event,
    ignore_defer_under_ask,
    recheck_guards,
    with_rewritten_input,
)
from hookd.pipeline.fact_loader import ResolvedFacts, decide_with_rows
from hookd.pipeline.held_context import hold_context
from hookd.pipeline.recorder import DATABASE, Recorder
from hookd.pipeline.response import EventResponse, respond
from hookd.policy_support.changed_files import foreseen_places
from hookd.policy_support.foreseen_files import foreseen_files
from hookd.store import facts as stored
from hookd.store.database import Connection

HookSelector = Callable[[HookInput, Outcome], tuple[Hook, ...]]
"""Returns the user hooks that are to run on an event, as hookd's rules have left it."""


def no_hooks(_event: HookInput, _outcome: Outcome) -> tuple[Hook, ...]:
    """Select no hook."""
    return ()


@dataclass(frozen=True, slots=True)
class EventContext:
    """What the pipeline knows of an event besides its facts. `now` is the time of the decision.

    `earlier` has the answers of policies in attempts that ended with MissingFacts.
    """

    delivery: Delivery
    engine: PolicyEngine
    now: datetime
    select_hooks: HookSelector = no_hooks
    recorder: Recorder = DATABASE
    earlier: EarlierAnswers = field(default_factory=EarlierAnswers)

    @property
    def event(self) -> HookInput:
        """The event as it was delivered."""
        return self.delivery.event


@dataclass(frozen=True, slots=True)
class PendingEvent:
    """An event that is evaluated, but waits for the user hooks that are to run on it.

    `number` is its event's, 0 if it is not stored; `after_commit` are the effects of that commit.
    """

    event: HookInput
    evaluation: Evaluation
    hooks: tuple[Hook, ...]
    number: int
    after_commit: tuple[AfterCommitEffect, ...] = ()

    def with_facts(self, facts: ResolvedFacts) -> "PendingEvent":
        """Return the pending event with more resolved facts."""
        if not facts:
            return self
        known = self.evaluation.facts.with_facts(facts)
        return replace(self, evaluation=replace(self.evaluation, facts=known))


def foreseen_requests(ctx: EventContext) -> tuple[FileRequest, ...]:
    """Return the files that the decision on an event will request, as far as is known before."""
    delivery = ctx.delivery
    config = ctx.engine.config
    facts = Facts(identity=delivery.identity, daemon=config.daemon, options=config.options)
    try:
        found = foreseen_files(delivery.event, facts)
        if delivery.event.session_id in ctx.engine.company:
            found += foreseen_places(delivery.event, facts)
        return found
    except Exception:  # noqa: BLE001 - a guard that fails for the same reason asks
        return ()


def process_event(
    db: Connection, ctx: EventContext, facts: ResolvedFacts
) -> EventResponse | PendingEvent:
    """Evaluate one event and store it; an event that was delivered before gets its first response.

    If user hooks are to run on it, it is stored as pending, and `complete_event` ends it. Raise
    MissingFacts if the decision requests files that are not in `facts`.
    """
    delivery = ctx.delivery
    known = stored.read(db, _where(delivery), ctx.now, ctx.engine.config).with_facts(facts)
    delivery.received.trace.mark("facts")
    ctx.engine.note_company(known.session)
    before = known.replay
    if before is not None and not before.pending:
        ctx.recorder.repeat(db, before.number, known.at)
        return EventResponse(before.result.encode(), (before.answer or "null").encode())
    if delivery.canary:
        known = replace(unpaused(known), guards=(canary.canary_guard(delivery.canary),))
    fails_closed = delivery.received.terms.fails_closed
    known, opened = _ensure_session(delivery, ctx.recorder.facts(known, fails_closed=fails_closed))
    evaluation = _evaluate(db, ctx, known)
    rewritten = with_rewritten_input(delivery.event, evaluation.outcome)
    hooks = () if paused(known) else ctx.select_hooks(rewritten, evaluation.outcome)
    if before is not None:
        # Its effects are stored; what its hooks said was lost with the daemon.
        number = ctx.recorder.number(before.number)
        return PendingEvent(rewritten, evaluation, hooks, number)
    outcome = ctx.recorder.outcome(delivery.event, evaluation.outcome)
    if outcome is not evaluation.outcome:
        evaluation = replace(evaluation, outcome=outcome)
    delivered = confirm_delivery(delivery.event.hook_event_name, known)
    held = () if hooks else _held(delivery, evaluation)
    effects = (*delivered, *opened, *evaluation.effects, *held, *mail_of_task(evaluation.facts))
    after_commit = ctx.recorder.effects(db, effects, known.at)
    response = respond(delivery, evaluation, ctx.recorder.number(evaluation.facts.next.event))
    ctx.recorder.event(db, recorder.row(delivery, evaluation, response, pending=bool(hooks)))
    if hooks:
        return PendingEvent(rewritten, evaluation, hooks, response.number, after_commit)
    return replace(response, after_commit=after_commit) if after_commit else response


def complete_event(
    db: Connection, ctx: EventContext, pending: PendingEvent, runs: Sequence[HookRun]
) -> EventResponse:
    """End an event with the replies of its user hooks; the guards judge what they rewrote.

    The response has no after-commit effects: they followed the first commit. Raise MissingFacts if
    the rewritten call needs other files.
    """
    event, evaluation = ctx.event, pending.evaluation
    facts, opinions = evaluation.facts, _with_replies(evaluation, runs)
    outcome = merge(opinions, event.hook_event_name)
    rewritten = outcome.updated_input
    if rewritten is not None and rewritten != evaluation.outcome.updated_input:
        again = decide_with_rows(
            db, facts, lambda known: recheck_guards(ctx.engine, event, outcome, known)
        )
        opinions = (*opinions, *(replace(opinion, effects=()) for opinion in again))
        outcome = merge(opinions, event.hook_event_name)
    outcome, counted = apply_stop_limit(event, outcome, facts)
    outcome = ctx.recorder.outcome(event, outcome)
    for conflict in outcome.conflicts:
        about = {"event": event.hook_event_name, "conflict": conflict}
        LOG.warning("two hooks disagree", extra={"about": about})
    method = ctx.delivery.method
    result = method.answer(event, facts, outcome) if method else HookResult()
    final = Evaluation(facts, opinions, outcome, result, evaluation.effects)
    folder = ctx.engine.spill
    spill = f"{folder}/{pending.number}.txt" if folder and pending.number else ""
    response = respond(ctx.delivery, final, pending.number, spill)
    ctx.recorder.completion(db, recorder.row(ctx.delivery, final, response), runs)
    held = hold_context(ctx.delivery.client, event, outcome, facts)
    ctx.recorder.effects(db, (*counted, *held), facts.at)
    return response


def _held(delivery: Delivery, evaluation: Evaluation) -> tuple[Effect, ...]:
    return hold_context(delivery.client, delivery.event, evaluation.outcome, evaluation.facts)


def _with_replies(evaluation: Evaluation, runs: Sequence[HookRun]) -> tuple[Opinion, ...]:
    """Return hookd's opinions and the replies of user hooks."""
    said = (run.opinion for run in runs if run.opinion is not None)
    replies = ignore_defer_under_ask(evaluation.outcome, said)
    opinions = evaluation.opinions
    if any(reply.updated_input is not None for reply in replies):
        # The hooks saw the call as hookd had rewritten it: theirs is the later rewrite.
        opinions = tuple(replace(opinion, updated_input=None) for opinion in opinions)
    return (*opinions, *replies)


def dry_run(db: Connection, ctx: EventContext, facts: ResolvedFacts) -> Trial:
    """Evaluate a tool call as `process_event` does, but store nothing and run no user hook."""
    event = ctx.event
    if not isinstance(event, PreToolUse):
        raise TypeError(f"only a tool call can be tried, not {event.hook_event_name}")
    delivery, engine = ctx.delivery, ctx.engine
    known = stored.read(db, _where(delivery), ctx.now, engine.config).with_facts(facts)
    known, _ = _ensure_session(delivery, known)
    evaluation = decide_with_rows(
        db, known, lambda more: evaluate_event(engine, event, delivery.method, more)
    )
    outcome = evaluation.outcome
    policies: tuple[str, ...] = ()
    hooks: tuple[Hook, ...] = ()
    if not paused(known):
        asked = applicable_policies(engine.policies, event.hook_event_name, evaluation.facts)
        policies = tuple(policy.name for policy, _ in asked)
        hooks = ctx.select_hooks(with_rewritten_input(event, outcome), outcome)
    answer = delivery.client.encode.render(event, outcome, 0).output
    return Trial(event, evaluation.facts, policies, evaluation.opinions, outcome, hooks, answer)


def record_unjudged(
    db: Connection, ctx: EventContext, reason: str, *, guarded: bool
) -> EventResponse | None:
    """Store an event that could not be judged, and ask the user if guard rules are set.

    `guarded`: user hooks would have run on it. Return None if the client's fail policy must decide:
    no rule is set, or the event fails closed, since a denial is stronger than a question.
    """
    delivery = replace(ctx.delivery, key=None)
    facts = stored.read(db, Where(delivery.identity), ctx.now, ctx.engine.config)
    passes = paused(facts)
    fails_closed = delivery.received.terms.fails_closed and not passes
    guarded = not (passes or fails_closed) and (guarded or stored.any_guard(db))
    outcome = (
        Outcome("ask", not_judged(reason), rule="unreadable")
        if guarded
        else Outcome(rule="unreadable")
    )
    evaluation = Evaluation(facts, (), outcome, HookResult(), ())
    response = respond(delivery, evaluation, ctx.recorder.number(facts.next.event))
    ctx.recorder.event(db, recorder.row(delivery, evaluation, response))
    name = delivery.event.hook_event_name
    spec = EVENTS.get(name)
    refused = fails_closed and name in CLOSABLE
    holds = spec is not None and spec.can_block_tool
    return response if guarded or passes or not (holds or refused) else None


def _evaluate(db: Connection, ctx: EventContext, facts: Facts) -> Evaluation:
    """Evaluate an event; if its answer reaches no process, report no notice and offer no text."""
    delivery, engine = ctx.delivery, ctx.engine
    method = None if delivery.canary else delivery.method
    gone = delivery.received.terms.gone
    if gone:
        facts = replace(facts, daemon=replace(facts.daemon, unjudged=()))
    attempts = Attempts(delivery.received.trace, ctx.earlier)
    try:
        evaluation = decide_with_rows(
            db, facts, lambda known: evaluate_event(engine, delivery.event, method, known, attempts)
        )
    finally:
        attempts.trace.mark("policies")
    if not gone:
        return evaluation
    return replace(evaluation, effects=without_sending(evaluation.effects))


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
        client=delivery.client.name,
    )


_SESSIONLESS = frozenset(
    {
        *("Setup", "SessionStart", "SessionEnd", "SubagentStop"),
        *("PreCompact", "PostCompact", "WorktreeRemove"),
        "InstructionsLoaded",  # Qwen Code sends it before SessionStart
    }
)
"""Events at the ends of a window: they add no row for an unknown session."""


def _ensure_session(delivery: Delivery, facts: Facts) -> tuple[Facts, tuple[Effect, ...]]:
    """Open a session that is seen for the first time; SessionStart opens its own."""
    event = delivery.event
    known = facts.session is not None or not event.session_id or delivery.canary
    if known or event.hook_event_name in _SESSIONLESS:
        return facts, ()
    return open_session(event, facts, "seen")
