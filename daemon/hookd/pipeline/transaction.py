"""The road of one hook event on the database thread: facts, decision, effects and the record.

Everything here runs in one hop, inside the one transaction of the event's answer.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from hookd import json_text
from hookd.clients.claude_code import answers
from hookd.clients.claude_code.fail_closed import CLOSABLE
from hookd.core.context_window.injections import confirmed
from hookd.core.evaluation import canary
from hookd.core.evaluation import policies as judging
from hookd.core.evaluation.allow_rules import passed
from hookd.core.evaluation.explanation import mattered
from hookd.core.evaluation.pause import paused, put_by, unpaused
from hookd.core.evaluation.read_only import by_builtin_guards, let_go, uncounted, unread
from hookd.core.evaluation.stop_limit import released
from hookd.core.evaluation.texts import not_judged
from hookd.core.hook_rules.model import Hook, Run
from hookd.core.model.effects import Effect, LateEffect
from hookd.core.model.fact_requests import Unseen, Want
from hookd.core.model.facts import Facts, Known
from hookd.core.model.identity import Where
from hookd.core.model.method import HookResult, Trial
from hookd.core.model.verdict import Outcome, merge
from hookd.core.sessions.open_session import open_window
from hookd.events.model import HookInput, PreToolUse
from hookd.events.protocol import EVENTS
from hookd.log.logger import LOG
from hookd.pipeline.delivery import Delivery
from hookd.pipeline.evaluation import House, Judged, final_of, heeding, judge_event, rejudged
from hookd.store import facts as stored
from hookd.store import writes
from hookd.store.database import Connection

T = TypeVar("T")

Seen = Mapping[Want, Known | None]
"""The files that a decision wanted to see, once they were read."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What became of a delivery: the method's result and the client's answer, as JSON texts.

    `number` is the event's, or 0 where it was not kept, or kept before.
    `spill` is a file, and the whole text of what did not fit into the answer. `outcome` is what the
    answer says, None for an answer that was stored before.
    """

    result: bytes
    answer: bytes
    late: tuple[LateEffect, ...] = ()
    number: int = 0
    spill: tuple[str, str] | None = None
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True)
class Waiting:
    """An event that is decided, but for what the user's own hooks say of it.

    `number` is its event's, 0 where nothing can be kept; `late` is what follows the first commit.
    """

    delivery: Delivery
    judged: Judged
    hooks: tuple[Hook, ...]
    at: str
    number: int
    late: tuple[LateEffect, ...] = ()

    @property
    def event(self) -> HookInput:
        """The event as the house's rules have left it."""
        return final_of(self.delivery.event, self.judged.outcome)


Asked = Callable[[HookInput, Outcome], tuple[Hook, ...]]
"""Returns the user's hooks that are to run on an event, as the house's rules have left it."""


def nobody(_event: HookInput, _outcome: Outcome) -> tuple[Hook, ...]:
    """Ask no hook."""
    return ()


def walk(  # noqa: PLR0913 - what an event meets on its way
    db: Connection,
    house: House,
    delivery: Delivery,
    now: datetime,
    seen: Seen,
    *,
    asked: Asked = nobody,
    keep: bool = True,
) -> Answered | Waiting:
    """Decide one event and keep it; an event delivered before gets its first answer again.

    Where hooks of the user's are to run it is kept as pending, and `finish` ends it.

    Without `keep` nothing is written: for a database that can only be read. Raise Unseen where the
    decision wants to see files that are not in `seen`; nothing was done then.
    """
    facts = stored.read(db, _where(delivery), now, house.standing).seeing(seen)
    before = facts.replay
    if before is not None and not before.pending:
        if keep:
            writes.repeated(db, before.number, facts.at)
        return Answered(before.result.encode(), (before.answer or "null").encode())
    if delivery.canary:
        facts = replace(unpaused(facts), guards=(canary.guard(delivery.canary),))
    facts, opened = _seated(delivery, facts if keep else _unkept(facts, closed=delivery.closed))
    judged = _decided(db, house, delivery, facts)
    ask = nobody if paused(facts) else asked
    hooks = ask(final_of(delivery.event, judged.outcome), judged.outcome)
    if before is not None:
        # What it caused was kept; what the hooks had said was lost with the daemon.
        return Waiting(delivery, judged, hooks, facts.at, before.number if keep else 0)
    if not keep:
        judged = replace(judged, outcome=let_go(delivery.event, judged.outcome))
        answered = _answered(delivery.event, judged, 0)[0]
        return Waiting(delivery, judged, hooks, facts.at, 0) if hooks else answered
    heard = confirmed(delivery.event.hook_event_name, facts)
    late = writes.written(db, (*heard, *opened, *judged.effects), facts.at)
    answered = replace(_kept(db, delivery, judged, pending=bool(hooks)), late=late)
    if hooks:
        return Waiting(delivery, judged, hooks, facts.at, answered.number, late)
    return answered


def finish(  # noqa: PLR0913 - what an event meets at its end
    db: Connection,
    seen: Seen,
    house: House,
    waiting: Waiting,
    runs: Sequence[Run],
    *,
    keep: bool = True,
) -> Answered:
    """End an event by what the user's hooks said of it; the guards judge what has become of it.

    `late` of the answer is empty: it was done when the event was first kept. Raise Unseen as `walk`
    does: what was rewritten may lead elsewhere.
    """
    delivery, judged = waiting.delivery, waiting.judged
    event = delivery.event
    spoken = heeding(judged.outcome, (run.opinion for run in runs if run.opinion is not None))
    own = judged.said
    if any(one.updated_input is not None for one in spoken):
        # They were shown what the house had made of it: theirs is the later word.
        own = tuple(replace(one, updated_input=None) for one in own)
    said = (*own, *spoken)
    outcome = merge(said, event.hook_event_name)
    if outcome.updated_input is not None and outcome.updated_input != judged.outcome.updated_input:
        facts, now = judged.facts.seeing(seen), outcome
        again = sighted(db, facts, lambda known: rejudged(house, event, now, known))
        said = (*said, *(replace(one, effects=()) for one in again))
        outcome = merge(said, event.hook_event_name)
    outcome, counted = released(event, outcome, judged.facts)
    kept = keep and waiting.number
    outcome = outcome if kept else let_go(event, outcome)
    for conflict in outcome.conflicts:
        about = {"event": event.hook_event_name, "conflict": conflict}
        LOG.warning("two hooks do not agree", extra={"about": about})
    method = delivery.method
    result = method.answer(event, judged.facts, outcome) if method else HookResult()
    whole = Judged(judged.facts, said, outcome, result, judged.effects)
    path = f"{house.spill}/{waiting.number}.txt" if house.spill and waiting.number else ""
    answered, says = _answered(event, whole, waiting.number, path)
    if kept:
        writes.settle(db, _row(delivery, whole, answered, said=says), runs, waiting.at)
        writes.written(db, counted, waiting.at)
    return answered


def tried(  # noqa: PLR0913 - what an event meets on its way
    db: Connection,
    seen: Seen,
    house: House,
    delivery: Delivery,
    now: datetime,
    *,
    asked: Asked = nobody,
) -> Trial:
    """Evaluate a tool call as `walk` does, but record nothing and run no user hook."""
    event = delivery.event
    if not isinstance(event, PreToolUse):
        raise TypeError(f"only a tool call can be tried, not {event.hook_event_name}")
    facts = stored.read(db, _where(delivery), now, house.standing).seeing(seen)
    facts, _ = _seated(delivery, facts)
    name = event.hook_event_name
    judged = sighted(db, facts, lambda known: judge_event(house, event, delivery.method, known))
    outcome = judged.outcome
    hooks = () if paused(facts) else asked(final_of(event, outcome), outcome)
    judges = () if paused(facts) else judging.asked(house.policies, name, judged.facts)
    policies = tuple(policy.name for policy, _ in judges)
    answer = answers.render(name, outcome, 0)
    return Trial(event, judged.facts, policies, judged.said, outcome, hooks, answer)


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


def unjudged(  # noqa: PLR0913 - what is known of an event that cannot be read
    db: Connection,
    house: House,
    delivery: Delivery,
    now: datetime,
    why: str,
    *,
    guarded: bool = False,
    keep: bool = True,
) -> Answered | None:
    """Record an event that could not be judged, and ask the user where guard rules are set.

    `guarded`: the user's own hooks would have been heard of it. Return None where the client's fail
    policy must decide: no rule is set, or the event fails closed, since a denial is stronger than a
    question. Without `keep` nothing is written.
    """
    bare = replace(delivery, key=None)
    facts = stored.read(db, Where(bare.identity), now, house.standing)
    passes = paused(facts)
    fails_closed = bare.closed and not passes
    guarded = not (passes or fails_closed) and (guarded or stored.any_guard(db))
    outcome = Outcome("ask", not_judged(why), rule="unreadable") if guarded else Outcome()
    judged = Judged(facts, (), outcome, HookResult(), ())
    answered = _kept(db, bare, judged) if keep else _answered(bare.event, judged, 0)[0]
    name = bare.event.hook_event_name
    spec = EVENTS.get(name)
    refused = fails_closed and name in CLOSABLE
    holds = spec is not None and spec.holds
    return answered if guarded or passes or not (holds or refused) else None


def _decided(db: Connection, house: House, delivery: Delivery, facts: Facts) -> Judged:
    """Decide an event; an answer that reaches nobody uses up no notice and offers no text."""
    method = None if delivery.canary else delivery.method
    if delivery.gone:
        facts = replace(facts, daemon=replace(facts.daemon, unjudged=()))
    judged = sighted(db, facts, lambda known: judge_event(house, delivery.event, method, known))
    return replace(judged, effects=put_by(judged.effects)) if delivery.gone else judged


def _unkept(facts: Facts, *, closed: bool) -> Facts:
    """Return the facts as they hold where nothing can be stored."""
    facts = uncounted(facts)
    return by_builtin_guards(facts) if unread(facts) and not closed else facts


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


def _kept(db: Connection, delivery: Delivery, judged: Judged, *, pending: bool = False) -> Answered:
    """Record the event with its answer, and return that."""
    answered, said = _answered(delivery.event, judged, judged.facts.next.event)
    writes.record(db, _row(delivery, judged, answered, said=said, pending=pending))
    return answered


def _row(
    delivery: Delivery, judged: Judged, answered: Answered, *, said: bool, pending: bool = False
) -> writes.Event:
    event, facts, outcome = delivery.event, judged.facts, judged.outcome
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
        delivery_key=delivery.key,
        kind=canary.KIND if delivery.canary else "hook",
        facts=mattered(facts, judged.said) if said or passed(judged.said) else None,
        pending=pending,
    )


def _answered(
    event: HookInput, judged: Judged, number: int, spill: str = ""
) -> tuple[Answered, bool]:
    """Return the answer as JSON, signed with the event's number, and whether it says anything.

    What is too long for the client is cut, and `spill` named as the file that has the whole.
    """
    name, outcome = event.hook_event_name, judged.outcome
    text = answers.overflow(name, outcome, number) if spill else None
    output = answers.render(name, outcome, number, spill if text is not None else "")
    result = judged.result.model_copy(update={"hook_output": output})
    whole = result.model_dump_json(by_alias=True).encode()
    spilled = None if text is None else (spill, text)
    answer = json_text.dump(output)
    answered = Answered(whole, answer, number=number, spill=spilled, outcome=outcome)
    return answered, output is not None


def _decision(event: str, outcome: Outcome) -> str | None:
    """Return the verdict in the event's own word."""
    blocks = event in EVENTS and EVENTS[event].decides == "block"
    return "block" if blocks and outcome.verdict == "deny" else outcome.verdict
