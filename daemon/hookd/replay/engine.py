"""Replay the events of a session: each is evaluated by the pipeline, as it is and with the change.

A fact from outside the database is the recorded one. A policy that needs a fact which was not
recorded has no opinion then, on either side: the event can be compared only if that cannot matter.
"""

from collections.abc import Iterable, Sequence
from dataclasses import field, fields, replace
from datetime import datetime
from functools import lru_cache
from operator import attrgetter
from typing import Any

from pydantic import ValidationError

from hookd.clients.adapters import adapter_of
from hookd.core.evaluation.policies import EarlierAnswers, FactComparison, PolicyAnswer
from hookd.core.hook_rules.layers import ProjectConfig
from hookd.core.hook_rules.model import Hook, HookExecution, HookRun, Source
from hookd.core.model.fact_requests import FactRequest, HooksOfProject, MissingFacts
from hookd.core.model.facts import Facts, FactValue
from hookd.core.model.identity import Identity
from hookd.core.model.verdict import Opinion, Outcome
from hookd.events.call_parts import APPLY_PATCH, patched_names
from hookd.events.model import HookInput, parse_event
from hookd.lazy_dataclass import dataclass
from hookd.methods import HOOKS
from hookd.pipeline.delivery import Delivery, Received
from hookd.pipeline.evaluation import PolicyEngine
from hookd.pipeline.transaction import (
    EventContext,
    HookSelector,
    PendingEvent,
    complete_event,
    foreseen_requests,
    process_event,
)
from hookd.redaction.redact import Record, redact
from hookd.replay.compare import Answer, Difference, Gap, Tally, kind_of
from hookd.replay.event import ALLOWED, DAMAGED, LACKS_FACTS, Damaged, RecordedEvent
from hookd.replay.plan import Plan, SideConfig
from hookd.replay.recorder import ReplayRecorder
from hookd.store.replays import ReplayDatabase
from hookd.user_hooks.project_settings import Pages

_MAX_ROUNDS = 20
"""Attempts of one evaluation, each with more facts or without a policy that lacks one."""

_MAX_TEXT = 300
"""Characters of a call in a result."""

Known = dict[FactRequest, FactValue | None]
"""Facts by their requests; None: there was no such thing."""

_NO_RECORD = Record("")
_TEXT_FIELDS = ("command", "file_path", "notebook_path", "pattern", "url", "query", "skill", "path")


_SAME_FACTS = attrgetter(
    *(
        one.name
        for one in fields(Facts)
        if one.name not in ("resolved", "guards", "options", "settings")
    )
)
"""The facts that must be equal on both sides for a policy that the change does not affect."""


class _Answers(EarlierAnswers):
    """Answers of earlier attempts, and the policies that were asked and did not answer.

    The answer of a policy that the change does not affect is that of the `other` side, as far as
    the facts are equal; `shared` are these policies.
    """

    def __init__(
        self, other: "_Answers | None" = None, shared: frozenset[str] = frozenset()
    ) -> None:
        super().__init__()
        self.open: set[str] = set()
        self._other, self._shared = other, shared
        self._sides = FactComparison(_SAME_FACTS)

    def find(self, policy: str, facts: Facts) -> PolicyAnswer | None:
        """Return the answer of a policy that is valid with these facts, None if there is none."""
        found = super().find(policy, facts)
        if found is None and policy in self._shared and self._other is not None:
            before, answer = self._other._answers.get(policy, (None, None))
            found = answer if before is not None and self._sides.extends(facts, before) else None
        if found is None:
            self.open.add(policy)
        return found

    def keep(self, answer: PolicyAnswer, facts: Facts) -> None:
        """Keep an answer, and the facts that the policy had."""
        self.open.discard(answer.policy)
        super().keep(answer, facts)


@dataclass(frozen=True, slots=True)
class _Evaluated:
    """The answer of one side; policies without an opinion; `lacks`: the handler lacked facts."""

    answer: Answer
    blind: frozenset[str] = frozenset()
    lacks: bool = False


@dataclass
class _Side:
    """One of the two evaluations: its settings, its database, its recorder."""

    engine: PolicyEngine
    database: ReplayDatabase
    recorder: ReplayRecorder
    _without: dict[tuple[int, frozenset[str]], PolicyEngine] = field(default_factory=dict)

    def engine_for(self, page: ProjectConfig, blind: frozenset[str]) -> PolicyEngine:
        """Return the engine of a project without the policies that lack a fact."""
        engine = self.engine.for_project(page)
        if not blind:
            return engine
        key = (id(engine), blind)
        if key not in self._without:
            rest = tuple(one for one in engine.policies if one.name not in blind)
            self._without[key] = replace(engine, policies=rest)
        return self._without[key]


class Replayer:
    """Replays sessions, one after the other; `plan` says how. Close it at the end."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._base = _side(plan, plan.base)
        self._other = None if plan.changed is None else _side(plan, plan.changed)
        self._sides = (self._base,) if self._other is None else (self._base, self._other)
        self._pages = Pages(plan.home, plan.config_folder)
        self._by_root: dict[str | None, ProjectConfig] = {}

    def close(self) -> None:
        """Close the databases."""
        for side in self._sides:
            side.database.close()

    def run(self, conversation: str, events: Iterable[RecordedEvent | Damaged]) -> Tally:
        """Return the comparison of one session's events, which are in their order."""
        for side in self._sides:
            side.database.begin(conversation)
        try:
            found = [
                _damaged(one) if isinstance(one, Damaged) else self._event(one) for one in events
            ]
        finally:
            for side in self._sides:
                side.database.end()
        return _tally([one for one in found if one is not None])

    def _event(self, event: RecordedEvent) -> "_Result | None":
        """Return the result for one event, None if it is before the window."""
        try:
            delivery = self._delivery(event)
            at = datetime.fromisoformat(event.at)
        except (ValidationError, ValueError, TypeError):
            result = _Result(event, gap=_gap(event, DAMAGED))
        else:
            known = self._foreseen(event, delivery, at)
            found: list[_Evaluated] = []
            answers: _Answers | None = None
            for side in self._sides:
                answers = _Answers(answers, self._plan.shared)
                found.append(self._evaluated(side, event, delivery, (at, known, answers)))
            result = self._compared(event, delivery.event, found)
        return result if event.window else None

    def _delivery(self, event: RecordedEvent) -> Delivery:
        """Return the event as the pipeline takes it. Raise ValidationError."""
        method = HOOKS[event.name] if event.name in HOOKS else None  # noqa: SIM401 - as in the pipeline
        model = method.params if method else HookInput
        parsed = parse_event({**event.payload, "hook_event_name": event.name}, model)
        cwd = event.facts.cwd or parsed.cwd
        cwd = cwd if cwd and cwd.startswith("/") else None
        if cwd != parsed.cwd:
            parsed = parsed.model_copy(update={"cwd": cwd})
        identity = _identity(
            event.agent, event.project, cwd, event.run, event.claude_code, self._plan.home
        )
        received = Received(event.name)
        return Delivery(
            parsed,
            identity,
            method,
            _NO_RECORD,
            received,
            payload=event.payload,
            client=adapter_of(event.client),
        )

    def _page(self, root: str | None) -> ProjectConfig:
        page = self._by_root.get(root)
        if page is None:
            page = self._by_root[root] = self._pages.read(root, self._plan.rows.trusted)[0]
        return page

    def _foreseen(self, event: RecordedEvent, delivery: Delivery, at: datetime) -> Known:
        """Return the recorded ones of the facts that guards will request."""
        requests = foreseen_requests(EventContext(delivery, self._base.engine, at))
        return _found(event, None, requests)[0]

    def _evaluated(
        self,
        side: _Side,
        event: RecordedEvent,
        delivery: Delivery,
        with_: tuple[datetime, Known, _Answers],
    ) -> _Evaluated:
        """Evaluate an event on one side, with the facts that were recorded.

        `with_` has the time, the facts that the other side has found, and its answers. More facts
        are added.
        """
        at, known, answers = with_
        side.database.advance(event.at)
        side.recorder.event_now = event
        page = self._page(event.project or delivery.event.cwd)
        own: Known = {}
        blind, lacks = frozenset[str](), False
        for _ in range(_MAX_ROUNDS):
            engine = side.engine_for(page, blind)
            select = _recorded_hooks(event)
            ctx = EventContext(delivery, engine, at, select, side.recorder, answers)
            answers.open.clear()
            try:
                return _Evaluated(_answer(side, ctx, event, {**known, **own}), blind, lacks)
            except MissingFacts as missing:
                found, lacking = _found(event, page, missing.requests)
                known.update(found)
                if found or not lacking:
                    continue
                if answers.open:
                    blind |= answers.open
                else:  # the handler of the event: its session continues without them
                    own.update(dict.fromkeys(lacking))
                    lacks = True
        raise RuntimeError("a decision requests facts without end")

    def _compared(
        self, event: RecordedEvent, parsed: HookInput, found: Sequence[_Evaluated]
    ) -> "_Result":
        """Return whether the sides differ, or why that is not known."""
        last = found[-1]
        if len(found) == 2:
            before, blind = found[0].answer, found[0].blind | last.blind
        else:
            before, blind = Answer(event.decided or "", event.by), last.blind
        kind = kind_of(before, last.answer)
        why, detail = event.problem, ""
        if not why and any(one.lacks for one in found):
            why = LACKS_FACTS
        if not why and blind and self._matters(event, blind, kind):
            why, detail = LACKS_FACTS, ", ".join(sorted(blind))
        if not why and len(found) == 1 and event.by == "allow" and last.answer.state:
            why = ALLOWED
        if why:
            gap = _gap(event, why, detail)
            return _Result(event, gap=replace(gap, kind=kind, **_call(parsed)) if kind else gap)
        if kind is None:
            return _Result(event)
        session = parsed.session_id
        order, call = event.order, _call(parsed)
        difference = Difference(
            event.label, order, session, call["tool"], call["text"], kind, before, last.answer
        )
        return _Result(event, difference)

    def _matters(self, event: RecordedEvent, blind: frozenset[str], kind: str | None) -> bool:
        """Return whether the policies that lack a fact may change the comparison.

        They have the same opinion on both sides, unless the change affects them. If the event was
        answered with silence, that opinion was silence.
        """
        if self._other is None or blind & self._plan.affected:
            return True
        return kind is not None and event.decided != ""


@dataclass(frozen=True, slots=True)
class _Result:
    """An event with what came of its comparison: a difference, a gap, or neither."""

    event: RecordedEvent | Damaged
    difference: Difference | None = None
    gap: Gap | None = None


def _side(plan: Plan, config: SideConfig) -> _Side:
    database = ReplayDatabase(plan.rows)
    for name in config.removed:
        database.remove_rule(name)
    for rule in config.rules:
        database.add_rule(rule.name, rule.rule, rule.root)
    return _Side(PolicyEngine(config.runtime), database, ReplayRecorder(plan.rows, database))


def _answer(side: _Side, ctx: EventContext, event: RecordedEvent, known: Known) -> Answer:
    """Return the pipeline's answer. Raise MissingFacts."""
    response = process_event(side.database.db, ctx, known)
    if isinstance(response, PendingEvent):
        response = complete_event(side.database.db, ctx, response, _recorded_runs(event))
    outcome = response.outcome
    if response.silent or outcome is None:
        return Answer()
    return Answer(outcome.verdict or "", outcome.rule or "", outcome.reason)


def _found(
    event: RecordedEvent, page: ProjectConfig | None, requests: Iterable[FactRequest]
) -> tuple[Known, list[FactRequest]]:
    """Return the recorded facts among those requested, and the requests without one."""
    found: Known = {}
    lacking: list[FactRequest] = []
    for request in requests:
        if isinstance(request, HooksOfProject):
            found[request] = page
            continue
        try:
            found[request] = event.facts.find(request)
        except (KeyError, TypeError, ValueError):  # a damaged record has no fact
            lacking.append(request)
    return found, lacking


def _recorded_hooks(event: RecordedEvent) -> HookSelector:
    """Return the selector of the user hooks that ran on the event."""
    hooks = tuple(_hook(name, event.name) for name, _ in event.hooks)

    def select(_event: HookInput, _outcome: Outcome) -> tuple[Hook, ...]:
        return hooks

    return select


def _recorded_runs(event: RecordedEvent) -> tuple[HookRun, ...]:
    """Return the runs of the user hooks, with the decisions that were recorded."""
    runs = []
    for name, decision in event.hooks:
        verdict: Any = decision
        said = Opinion(verdict, "recorded", rule=name) if decision else None
        runs.append(HookRun(HookExecution(_hook(name, event.name)), said))
    return tuple(runs)


def _hook(name: str, event: str) -> Hook:
    return Hook(name, event, "command", Source("user", "", ""))


@lru_cache(maxsize=256)
def _identity(  # noqa: PLR0913, PLR0917 - the parts of an identity
    agent: str | None,
    project: str | None,
    cwd: str | None,
    run: str | None,
    client: tuple[int, int, int] | None,
    home: str,
) -> Identity:
    return Identity(
        agent=agent, project_dir=project, cwd=cwd, run=run, client=client, home=home or None
    )


def _call(event: HookInput) -> dict[str, Any]:
    """Return the tool and the text of a call, without secrets, on one line."""
    tool = getattr(event, "tool_name", "") or event.hook_event_name
    given = getattr(event, "tool_input", None) or {}
    if tool == APPLY_PATCH:
        given = {"command": ", ".join(patched_names(given))}
    texts = (given.get(name) for name in _TEXT_FIELDS)
    text = next((text for text in texts if isinstance(text, str)), "") or str(given or "")
    line = " ".join(redact(text[: 10 * _MAX_TEXT]).split())
    return {"tool": tool, "text": line[:_MAX_TEXT]}


def _gap(event: RecordedEvent, why: str, detail: str = "") -> Gap:
    return Gap(event.label, event.order, why, detail)


def _damaged(one: Damaged) -> _Result | None:
    return _Result(one, gap=Gap(one.label, one.order, one.why)) if one.window else None


def _tally(found: Sequence[_Result]) -> Tally:
    times = [one.event.order[0] for one in found]
    return Tally(
        len(found),
        1 if found else 0,
        sum(one.difference is None and one.gap is None for one in found),
        min(times, default=""),
        max(times, default=""),
        tuple(one.difference for one in found if one.difference),
        tuple(one.gap for one in found if one.gap),
    )
