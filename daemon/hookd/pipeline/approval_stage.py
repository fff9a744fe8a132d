"""Approval stage: permission requests that wait for a person outside the client.

The client shows its own dialog meanwhile, and the first answer counts. A request waits in memory
only: whatever ends the daemon, or the last viewer, leaves it to that dialog.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import field, replace
from datetime import datetime, timedelta
from typing import Any

from hookd import json_text
from hookd.clients.contract import Adapter
from hookd.core.evaluation.approvals import DENIED, RULE, holds
from hookd.core.hook_rules.layers import ProjectConfig
from hookd.core.model.daemon_state import RuntimeConfig
from hookd.core.model.effects.after_commit import AnswerApproval, NotifyUser
from hookd.core.model.effects.union import AfterCommitEffect
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import iso
from hookd.core.model.identity import Where
from hookd.core.model.method import Trial
from hookd.core.model.verdict import Outcome, Verdict
from hookd.events.model import HookInput, ToolInput
from hookd.lazy_dataclass import dataclass
from hookd.log.logger import LOG
from hookd.pipeline.delivery import Delivery
from hookd.pipeline.evaluation import PolicyEngine
from hookd.pipeline.response import EventResponse
from hookd.pipeline.user_hook_stage import time_left
from hookd.policies import session_notification
from hookd.policy_support.held_call import HeldCall, held_call
from hookd.store import facts as stored
from hookd.store.database import Connection, StoreError, Writer
from hookd.store.writes import approvals, written
from hookd.store.writes.approvals import Decided, End
from hookd.system.person_name import person_name

MAX_HELD = 64
"""Requests that wait at a time; further ones are left to the dialog."""

_RESERVE_S = 1.0
"""Time before the shim's deadline that is left to store and to send the answer."""

_LEAST_S = 1.0
"""A request that could wait for less time is not held."""

_LOOK_INTERVAL_S = 0.3
"""Time between two looks whether the client has closed the connection."""

_MAX_BODY = 256 * 1024
"""Bytes of a payload from which a request is not held: they stay in memory while it waits."""

_MAX_ANSWERED = 64
"""Answered requests of which it is watched whether the client followed the answer."""

_MAX_REPEATS = 8
"""Deliveries of one request that wait: each is a connection."""

_OWN_DIALOG = End("ended", "answered in the client's own dialog")
_UNSEEN = End("dialog", "no viewer that can answer is left")
_STOPPING = End("dialog", "the daemon ended")
_TURN_OVER = End("ended", "the turn continued or ended without an answer here")
_FORGOTTEN = End("ended", "its session was forgotten")

_TOO_LATE = End("ended", "the client's own dialog had allowed it first")
_NO_RESULT = "no result of the call followed: the client's own dialog may have denied it first"

_RAN = {"PostToolUse", "PostToolUseFailure"}
_OVER = {*_RAN, "PermissionDenied"}
_TURNS = {"Stop", "StopFailure", "UserPromptSubmit", "SubagentStop", "SessionEnd"}
"""Events that show that requests of their session are no longer open."""

Row = dict[str, Any]
_NO_TEXTS: Row = {"text": "", "input": {}, "reason": None, "risk": None, "diff": None}
Publish = Callable[[Sequence[Row], Sequence[Row]], None]
"""Receives the rows of requests that are new, and of those that have ended."""

Try = Callable[[], Awaitable[Trial]]
"""Evaluates the call of a request as it would be judged now."""


def _future() -> "asyncio.Future[Any]":
    return asyncio.get_running_loop().create_future()


@dataclass(frozen=True)
class _Request:
    """A permission request: `response` is the one without a person, `judge` evaluates its call.

    `config` are the settings of its project.
    """

    delivery: Delivery
    response: EventResponse
    config: ProjectConfig | None
    judge: Try


@dataclass(eq=False)
class _Firing:
    """The deliveries of one request: `hung_up` has a function for each connection.

    `response` is the final one, for all of them.
    """

    hung_up: list[Callable[[], bool]]
    response: "asyncio.Future[EventResponse]" = field(default_factory=_future)

    def gone(self) -> bool:
        """Return whether no process waits for the answer any more."""
        return all(gone() for gone in self.hung_up)


@dataclass(eq=False)
class _Held:
    """A request that waits for a person.

    `over` is how it ended, None by an answer: `answered` is the response then.
    """

    number: int
    row: Row
    request: _Request
    firing: _Firing
    over: "asyncio.Future[End | None]" = field(default_factory=_future)
    answered: EventResponse | None = None

    @property
    def event(self) -> ToolInput:
        """The permission request."""
        event = self.request.delivery.event
        assert isinstance(event, ToolInput)  # noqa: S101 - only permission requests are held
        return event

    def ends(self, how: End | None) -> None:
        """Let the request end; None: it is answered."""
        if not self.over.done():
            self.over.set_result(how)


def _ignore_rows(_pending: Sequence[Row], _ended: Sequence[Row]) -> None:
    pass


def _ignore_notice(_notice: NotifyUser) -> None:
    pass


def _ignore_limit(_name: str, _text: str) -> None:
    pass


@dataclass(eq=False)
class ApprovalStage:
    """Holds permission requests. `viewers` says whether a viewer is connected that can answer.

    `publish` receives what is new and what has ended, `notify` notices for the user, `limit` what
    was not held because there are `most` already.
    """

    writer: Writer
    engine: PolicyEngine
    now: Callable[[], datetime]
    viewers: Callable[[], bool]
    publish: Publish = _ignore_rows
    notify: Callable[[NotifyUser], None] = _ignore_notice
    limit: Callable[[str, str], None] = _ignore_limit
    most: int = MAX_HELD
    held: dict[int, _Held] = field(default_factory=dict)
    answered: dict[int, _Held] = field(default_factory=dict)
    _writing: set["asyncio.Task[None]"] = field(default_factory=set)
    _firings: dict[str, _Firing] = field(default_factory=dict)
    _stopping: bool = False

    def rows(self) -> list[Row]:
        """Return the requests that wait, the oldest first."""
        return [one.row for one in self.held.values()]

    async def run(
        self,
        delivery: Delivery,
        response: EventResponse,
        config: ProjectConfig | None,
        judge: Try,
    ) -> EventResponse:
        """Return the response to a permission request: a person's, or else `response`.

        `config` are the settings of its project, and `judge` evaluates its call. A request that a
        policy, a user hook or a guard decides is not held; a repeated delivery waits with the
        first.
        """
        if response.outcome is None:
            return await self._join(delivery, response)
        request = _Request(delivery, response, config, judge)
        if not self._may_wait(request):
            return response
        firing, final, held = _Firing([delivery.received.hung_up]), response, None
        key = delivery.key or f"event {response.number}"
        self._firings[key] = firing
        try:
            held = await self._hold(request, firing)
            if held is not None:
                final = await self._wait_for_end(held)
        finally:
            if held is not None:
                del self.held[held.number]
            del self._firings[key]
            firing.response.set_result(final)
        return final

    def see(self, event: HookInput) -> None:
        """End the requests that an event of their session shows to be over.

        The client keeps its hook running when its own dialog is answered with yes, and ignores what
        it says then. So what follows an answer shows whether that counted.
        """
        name = event.hook_event_name
        if name not in _OVER and name not in _TURNS:
            return
        for one in tuple(self.answered.values()):
            if one.event.session_id == event.session_id and _is_over(one.event, event):
                self._check(one, name)
        for one in tuple(self.held.values()):
            if one.event.session_id == event.session_id and _is_over(one.event, event):
                one.ends(_OWN_DIALOG if name in _OVER else _TURN_OVER)

    def _check(self, held: _Held, event: str) -> None:
        """Correct the record of an answer that the client did not follow, by a later event."""
        if event in ("UserPromptSubmit", "PermissionDenied"):
            return  # a prompt may be typed while the call runs
        del self.answered[held.number]
        outcome = held.answered.outcome if held.answered else None
        denied = outcome is not None and outcome.verdict == "deny"
        if denied is not (event in _RAN):
            return
        how = _TOO_LATE if denied else End("allowed", _NO_RESULT)
        task = asyncio.get_running_loop().create_task(self._correct(held, how))
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)

    async def _correct(self, held: _Held, how: End) -> None:
        try:
            row = await self.writer.run(lambda db: approvals.correct(db, held.number, how))
        except StoreError as fault:
            LOG.error("permission request not corrected", exc_info=fault)
        else:
            self.publish((), (row,))

    def viewer_left(self) -> None:
        """Leave all requests to the dialog if no viewer that can answer is left."""
        if self.held and not self.viewers():
            self._release(_UNSEEN)

    def forget(self, events: Collection[int]) -> None:
        """End the requests of events that were deleted, and drop those that were answered."""
        for one in tuple(self.held.values()):
            if one.request.response.number in events:
                one.ends(_FORGOTTEN)
        for number, one in tuple(self.answered.items()):
            if one.request.response.number in events:
                del self.answered[number]

    def stop(self) -> None:
        """Leave all requests to the dialog, and hold no more: the daemon ends."""
        self._stopping = True
        self._release(_STOPPING)

    async def answer(self, said: AnswerApproval) -> None:
        """Answer a request for a person.

        Raise DomainError: NOT_PENDING if it has ended; GUARD_DENIES if it is to be allowed, but a
        guard denies the call; UNKEPT if the answer cannot be stored.
        """
        held = self.held.get(said.id)
        if held is None or held.over.done() or held.firing.gone():
            raise _ended(said.id)
        person = person_name(said.peer, said.via)
        if said.answer == "dialog":
            end = End("dialog", said.message or None, person)
            await self._store_answer(held, end, held.request.response)
            return
        if said.answer == "allow":
            await _expect_no_denial(held)
        response, decided = _decided(held, said)
        status = "allowed" if said.answer == "allow" else "denied"
        end = End(status, said.message or None, person)
        await self._store_answer(held, end, response, decided)

    async def _join(self, delivery: Delivery, response: EventResponse) -> EventResponse:
        """Return the answer of the request that this delivery repeats, if that one waits."""
        firing = self._firings.get(delivery.key or "")
        if firing is None or len(firing.hung_up) >= _MAX_REPEATS:
            return response
        firing.hung_up.append(delivery.received.hung_up)
        return replace(await asyncio.shield(firing.response), number=0)

    def _may_wait(self, request: _Request) -> bool:
        """Return whether a request is one to hold, by the settings and its response."""
        delivery, response, config = request.delivery, request.response, request.config
        options, outcome = self.engine.config.settings.approvals, response.outcome
        project = (config.root if config else None) or delivery.identity.project_dir
        if outcome is None or not holds(options, delivery.identity.agent, project):
            return False
        if self._stopping or not self.viewers() or not response.number:
            return False
        if outcome.verdict or outcome.stops_turn or outcome.rule == "pause":
            return False
        if delivery.received.terms.gone or len(delivery.received.body or b"") > _MAX_BODY:
            return False
        if len(self._firings) >= self.most:
            self.limit("held approvals", f"{self.most} wait; others are left to the dialog")
            return False
        return time_left(delivery) >= _RESERVE_S + _LEAST_S

    async def _hold(self, request: _Request, firing: _Firing) -> _Held | None:
        """Store and show a request; return None if a guard denies the call, or it cannot be."""
        number = request.response.number
        try:
            trial = await request.judge()
            if trial.outcome.verdict == "deny":
                why = f"not held: guard {trial.outcome.rule} denies the call"
                await self.writer.run(lambda db: approvals.note(db, number, RULE, why))
                return None
            call, until = held_call(trial), self._until(request.delivery)
            settings = self.engine.for_project(request.config).config
            row, late = await self.writer.run(
                lambda db: self._add(db, request, settings, call, until)
            )
        except Exception as fault:  # noqa: BLE001 - the client's own dialog is there
            LOG.error("permission request not held", exc_info=fault)
            return None
        held = _Held(int(row["id"]), row, request, firing)
        self.held[held.number] = held
        self.publish((row,), ())
        for effect in late:
            if isinstance(effect, NotifyUser):
                self.notify(effect)
        if self._stopping:
            held.ends(_STOPPING)
        elif not self.viewers():
            held.ends(_UNSEEN)
        return held

    def _until(self, delivery: Delivery) -> str:
        """Return when a request is left to the dialog."""
        return iso(self.now() + timedelta(seconds=time_left(delivery) - _RESERVE_S))

    def _add(
        self,
        db: Connection,
        request: _Request,
        settings: RuntimeConfig,
        call: HeldCall,
        until: str,
    ) -> tuple[Row, tuple[AfterCommitEffect, ...]]:
        """Store a request, and that the user is notified of it: a transaction's work."""
        delivery, event_id, now = request.delivery, request.response.number, self.now()
        event = delivery.event
        where = Where(delivery.identity, event.session_id or None, event.agent_id, cwd=event.cwd)
        facts = stored.read(db, where, now, settings)
        row = approvals.add(
            db,
            {
                "event_id": event_id,
                "session_id": facts.session.id if facts.session else None,
                "tool": call.tool,
                "text": call.text,
                "input_json": call.input,
                "reason": call.reason,
                "risk_json": call.risk,
                "diff": call.diff,
                "asked_at": iso(now),
                "until": until,
            },
        )
        what = f"{call.tool}: {call.text}"
        effects = session_notification.held_effects(facts, int(row["id"]), event_id, what)
        return row, written(db, effects, iso(now))

    async def _wait_for_end(self, held: _Held) -> EventResponse:
        """Wait for the end of a request; return the response to it."""
        left = time_left(held.request.delivery) - _RESERVE_S
        until = asyncio.get_running_loop().time() + left
        while not held.over.done():
            left = until - asyncio.get_running_loop().time()
            if left <= 0:
                held.ends(End("expired", "no answer before the deadline"))
            elif held.firing.gone():
                held.ends(_OWN_DIALOG)
            else:
                await asyncio.wait({held.over}, timeout=min(left, _LOOK_INTERVAL_S))
        how = held.over.result()
        if how is not None:
            await self._store_end(held, how)
        return held.answered or held.request.response

    async def _store_end(self, held: _Held, how: End) -> None:
        """Store how a request ended, unless an answer was stored at the same time."""
        at = iso(self.now())
        ended = {"status": how.status, "answeredAt": at, "message": how.message}
        try:
            row = await self.writer.run(lambda db: approvals.end(db, held.number, how, at))
        except StoreError as fault:
            LOG.error("end of a permission request not stored", exc_info=fault)
            row = held.row | ended
        if how is _FORGOTTEN:  # its row was deleted, and viewers still show it
            row = held.row | _NO_TEXTS | ended
        if row is not None:
            self.publish((), (row,))

    async def _store_answer(
        self, held: _Held, end: End, response: EventResponse, decided: Decided | None = None
    ) -> None:
        """Store a person's answer, then let it be sent. Raise DomainError as `answer` does."""
        at = iso(self.now())

        def work(db: Connection) -> Row | None:
            row = approvals.end(db, held.number, end, at)
            if row is not None and decided is not None:
                approvals.decide(db, held.request.response.number, decided)
            return row

        try:
            row = await self.writer.run(work)
        except StoreError as fault:
            raise DomainError("UNKEPT", f"the answer cannot be stored: {fault}") from fault
        if row is None:
            raise _ended(held.number)
        held.answered = response
        held.ends(None)
        if decided is not None:
            self.answered[held.number] = held
            if len(self.answered) > _MAX_ANSWERED:
                del self.answered[min(self.answered)]
        self.publish((), (row,))

    def _release(self, how: End) -> None:
        for one in tuple(self.held.values()):
            one.ends(how)


def _is_over(request: ToolInput, event: HookInput) -> bool:
    """Return whether an event of the same session ends a request."""
    if event.hook_event_name == "SessionEnd":
        return True
    if event.agent_id != request.agent_id:
        return False
    if isinstance(event, ToolInput):
        return (event.tool_name, event.tool_input) == (request.tool_name, request.tool_input)
    return True


async def _expect_no_denial(held: _Held) -> None:
    """Raise DomainError if a guard denies the call by now: a person's answer passes no guard."""
    outcome = (await held.request.judge()).outcome
    if outcome.verdict == "deny":
        raise DomainError("GUARD_DENIES", f"{outcome.rule} denies this call: {outcome.reason}")


def _ended(number: int) -> DomainError:
    return DomainError("NOT_PENDING", f"no permission request {number} waits for an answer")


def _decided(held: _Held, said: AnswerApproval) -> tuple[EventResponse, Decided]:
    """Return the response by which a person's answer reaches the client, and its record."""
    verdict: Verdict = "allow" if said.answer == "allow" else "deny"
    reason = (said.message or DENIED) if verdict == "deny" else ""
    first = held.request.response
    message = first.outcome.system_message if first.outcome else ""
    outcome = Outcome(verdict, reason, system_message=message, rule=RULE)
    client: Adapter = held.request.delivery.client
    rendered = client.encode.render(held.event, outcome, first.number)
    answer = json_text.dump(rendered.output)
    result = {**json_text.parse(first.result), "hookOutput": rendered.output}
    response = replace(
        first, result=json_text.dump(result), answer=answer, outcome=outcome, after_commit=()
    )
    record = Decided(verdict, RULE, reason, answer.decode(), response.result.decode())
    return response, record
