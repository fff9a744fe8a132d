"""Event pipeline: runs one hook event from its payload to the response, stage by stage.

It has the only catch-all on an event's way: a fault of hookd is logged, and its guards still apply.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import field, replace
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from pydantic import ValidationError

from hookd import json_text
from hookd.clients.adapters import CLAUDE_CODE, adapter_of, sender_of
from hookd.clients.contract import Adapter
from hookd.config.refusal import refusal_text
from hookd.core.evaluation import canary
from hookd.core.hook_rules.layers import ProjectConfig
from hookd.core.hook_rules.model import HookRun
from hookd.core.model.effects.messages import LoseAnswer
from hookd.core.model.effects.union import AfterCommitEffect
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts, iso
from hookd.core.model.identity import OF_WINDOW, Identity, identify
from hookd.core.model.method import Trial
from hookd.events.delivery_identity import Firings
from hookd.events.model import HookInput, PermissionRequest, parse_event, salvage
from hookd.events.payload_excerpt import excerpt_record
from hookd.lazy_dataclass import dataclass
from hookd.log.logger import LOG
from hookd.methods import HOOKS
from hookd.pipeline.approval_stage import ApprovalStage
from hookd.pipeline.delivery import Delivery, OwnRegistrations, Received, make_delivery, unsent
from hookd.pipeline.evaluation import PolicyEngine
from hookd.pipeline.event_order import EarlyError, Turns
from hookd.pipeline.fact_loader import FactLoader, ResolvedFacts
from hookd.pipeline.latency import Trace
from hookd.pipeline.recorder import DATABASE, NOTHING, Recorder
from hookd.pipeline.response import SILENCE, EventResponse
from hookd.pipeline.transaction import (
    EventContext,
    PendingEvent,
    complete_event,
    dry_run,
    foreseen_requests,
    no_hooks,
    process_event,
    record_unjudged,
)
from hookd.pipeline.transcript_path import with_transcript
from hookd.pipeline.user_hook_stage import UserHookStage, has_hooks
from hookd.policy_support.held_call import call_of
from hookd.redaction.redact import record
from hookd.store.database import Connection, StoreError, Writer
from hookd.store.reader import Reader
from hookd.store.writes import repeated, written
from hookd.system import real_paths, spill
from hookd.system.running_client import in_shared_server

Env = Mapping[str, object]
Completion = Callable[[EventContext, Connection, ResolvedFacts], EventResponse]
"""Completes a pending event in a transaction."""

T = TypeVar("T")

_MAX_BYTES_ON_LOOP = 65_536
"""Size of a payload up to which it is parsed on the event loop's thread."""


async def _off_loop(size: int, work: Callable[..., T], *args: Any) -> T:
    """Run work on `size` bytes: what is large must not delay the answers to other events."""
    return work(*args) if size <= _MAX_BYTES_ON_LOOP else await asyncio.to_thread(work, *args)


async def _no_spool() -> None:
    pass


def _no_runs() -> frozenset[str]:
    return frozenset()


def _ignore_change(_identity: Identity | None) -> None:
    pass


def _ignore_late(_number: int, _trace: Trace) -> None:
    pass


@dataclass(frozen=True)
class EventPipeline:
    """Runs events, each through these stages.

    1. receive: take its place in the session's order (`run`)
    2. parse: bytes to JSON to a typed event (`run_payload`)
    3. identify: its sender, its firing, a repeated delivery (`run_delivery`)
    4. load facts: rows in the transaction, files outside it (`FactLoader`)
    5. evaluate: handler, policies, guards once more (`evaluation.evaluate_event`)
    6. commit: the event and its effects (`transaction.process_event`)
    7. after commit: files, restarts, notifications (`after_commit`)
    8. run user hooks, if any (`UserHookStage`)
    9. re-evaluate: guards judge what hooks rewrote (`transaction.complete_event`)
    10. commit: the response and the hook runs
    11. a permission request may wait for a person outside the client (`ApprovalStage`)
    12. respond: the answer as JSON, `null` for silence (`response.respond`)

    `now` is the clock. `import_spool` stores what shims left while no daemon answered.
    `supervised_runs` returns the runs whose supervisor is connected, `changed` is called with an
    event's sender after each commit, `late` with the number and the times of an event
    that took long after its row was written. `canaries` has the answer of each announced self
    test by its nonce.
    """

    writer: Writer
    reader: Reader
    engine: PolicyEngine
    now: Callable[[], datetime]
    after_commit: Callable[[AfterCommitEffect], Awaitable[None]]
    loader: FactLoader = field(default_factory=FactLoader)
    hooks: UserHookStage | None = None
    canaries: dict[str, str] = field(default_factory=dict)
    import_spool: Callable[[], Awaitable[None]] = field(default=_no_spool)
    supervised_runs: Callable[[], frozenset[str]] = field(default=_no_runs)
    changed: Callable[[Identity | None], None] = field(default=_ignore_change)
    late: Callable[[int, Trace], None] = field(default=_ignore_late)
    approvals: ApprovalStage | None = None
    in_progress: dict[str, "asyncio.Future[EventResponse]"] = field(default_factory=dict)
    firings: Firings = field(default_factory=Firings)
    own_registrations: OwnRegistrations = field(default_factory=OwnRegistrations)
    turns: Turns = field(default_factory=Turns)

    async def run(self, received: Received) -> EventResponse:
        """Return the response to a hook event whose payload is `received.body`.

        Raise DomainError if the daemon has no verdict: UNREADABLE, the shim's fail policy must
        decide; FAILED, hookd failed on it, and the judge may still decide.
        """
        body = received.body or b""
        at, turn = asyncio.get_running_loop().time(), self.turns.take(body)
        received = replace(received, at=at, turn=turn, trace=Trace())
        try:
            await self.import_spool()
            try:
                payload = await _off_loop(len(body), json_text.parse, body)
            except (ValueError, RecursionError, MemoryError):
                return await self.unreadable(received, "the payload is not JSON that can be read")
            return await self.run_payload(received, payload)
        finally:
            turn.end()

    async def run_payload(self, received: Received, payload: Any) -> EventResponse:
        """Return the response to an event whose payload is parsed, whatever JSON it is."""
        if not isinstance(payload, dict):
            return await self.unreadable(received, "the payload is not a JSON object")
        body = received.body
        try:
            registered = adapter_of(received.client)
            client = sender_of(registered, payload, received.env)
            payload = with_transcript(client, client.decode.normalize(payload, received.name))
            if self.own_registrations.deliver(registered, client, payload.get("session_id")):
                return EventResponse(b"{}", SILENCE)
            name: str = payload["hook_event_name"]
            # It is imported on first use; `get` would take a KeyError of that import for no method.
            method = HOOKS[name] if name in HOOKS else None  # noqa: SIM401
        except Exception as fault:  # noqa: BLE001 - a fault of hookd must not allow a call
            return await self._failed(received, None, fault)
        try:
            event = parse_event(payload, method.params if method else HookInput)
        except ValidationError as error:
            kept = excerpt_record(record(payload, whole=body), body)
            salvaged, identity = salvage(payload), self.identity(received.env, client=client)
            delivery = Delivery(salvaged, identity, None, kept, received, client=client)
            return await self._unjudged(delivery, refusal_text(error))
        known: Delivery | None = None
        try:
            identity = self.identity(received.env, received.terms.peer, client)
            parsed = (event, identity, method, payload, received)
            made = await _off_loop(len(body or b""), make_delivery, *parsed)
            known = self._identify(made if client is made.client else replace(made, client=client))
            return await self.run_delivery(known)
        except Exception as fault:  # noqa: BLE001 - a fault of hookd must not allow a call
            return await self._failed(received, known, fault)

    async def run_delivery(self, delivery: Delivery) -> EventResponse:
        """Return the response to a delivery; if it repeats an event in progress, wait for that."""
        config = await self._project_config(delivery)
        delivery.received.trace.mark("settings")
        if not has_hooks(config, delivery):
            return await self._process(delivery, config)
        running = self.in_progress.get(delivery.key or "")
        if running is not None:
            if delivery.received.turn is not None:
                delivery.received.turn.end()
            await asyncio.wait({running})
            if running.cancelled():
                return await self.run_delivery(delivery)
            return await self._repeat(running.result())
        future = asyncio.get_running_loop().create_future()
        if delivery.key:
            self.in_progress[delivery.key] = future
        try:
            response = await self._process(delivery, config)
            future.set_result(response)
            return response
        finally:
            self.in_progress.pop(delivery.key or "", None)
            future.cancel()

    async def unreadable(
        self, received: Received, reason: str, code: str = "UNREADABLE"
    ) -> EventResponse:
        """Return the response to an event without a readable payload. Raise as `run` does."""
        kept, client = record({"why": reason}), adapter_of(received.client)
        event = HookInput(hook_event_name=received.name)
        identity = self.identity(received.env, client=client)
        delivery = Delivery(event, identity, None, kept, received, client=client)
        return await self._unjudged(delivery, reason, code)

    async def answer_lost(self, response: EventResponse) -> None:
        """Record that an answer did not arrive: the texts in it wait again."""
        effects, at = (LoseAnswer(response.number),), iso(self.now())
        await self.writer.run(lambda db: written(db, effects, at))

    async def dry_run(self, delivery: Delivery) -> Trial:
        """Evaluate a tool call that no client sent, on a connection that only reads."""
        ctx = self._context(delivery, await self._project_config(delivery), NOTHING)
        return await self.loader.run(self.reader.decide, lambda db, facts: dry_run(db, ctx, facts))

    def identity(
        self, env: Env, peer: int | None = None, client: Adapter | None = None
    ) -> Identity:
        """Return who sent these variables over a connection of the process `peer`.

        `client` is None for the caller of a method. The variables of a process that serves several
        windows are those of the window that started it, so no name in them counts.
        """
        own = client in (None, CLAUDE_CODE)
        shares = client is None or client.shares_process
        if shares and peer and not OF_WINDOW.isdisjoint(env) and in_shared_server(peer):
            env = {name: value for name, value in env.items() if name not in OF_WINDOW}
        who = identify(env, claude_code=own)
        return real_paths.located(who, self.supervised_runs(), peer, claude_code=own)

    def with_project_options(self, facts: Facts) -> Facts:
        """Return facts with the options of their project. Raise MissingFacts to read them."""
        return self.hooks.with_project_options(facts) if self.hooks else facts

    def _identify(self, delivery: Delivery) -> Delivery:
        """Return the delivery with what identifies its firing.

        A self test that was announced is marked, once. An event without an id of its own gets a
        key by its sender.
        """
        answer = self.canaries.pop(canary.nonce_of(delivery.event.session_id), None)
        if answer is not None:
            return replace(delivery, canary=answer, key=None)
        shared, sender = delivery.payload_key, delivery.received.sender
        if sender is None or shared is None:
            return delivery
        now = asyncio.get_running_loop().time()
        return replace(delivery, key=self.firings.key(shared, sender, now))

    async def _project_config(self, delivery: Delivery) -> ProjectConfig | None:
        return await self.hooks.project_config(delivery) if self.hooks else None

    def _context(
        self, delivery: Delivery, config: ProjectConfig | None, recorder: Recorder = DATABASE
    ) -> EventContext:
        select = self.hooks.selector(config) if self.hooks and config else no_hooks
        return EventContext(delivery, self.engine.for_project(config), self.now(), select, recorder)

    async def _repeat(self, response: EventResponse) -> EventResponse:
        """Count a repeated delivery, if that can be stored, and return its response."""
        at = iso(self.now())
        if response.number:
            with suppress(StoreError):
                await self.writer.run(lambda db: repeated(db, response.number, at))
        return response

    async def _process(self, delivery: Delivery, config: ProjectConfig | None) -> EventResponse:
        ctx, trace = self._context(delivery, config), delivery.received.trace
        first = await self._decide(ctx)
        trace.mark("commit")
        for effect in first.after_commit:
            try:
                await self.after_commit(effect)
            except DomainError as error:  # the decision is committed, and its answer is sent
                about = {"event": ctx.event.hook_event_name, "why": str(error)}
                LOG.error("after-commit effect failed", extra={"about": about})
        try:
            response = await self._complete(ctx, first, config)
        finally:
            self.changed(delivery.identity)
        if trace.late and response.number:
            self.late(response.number, trace)
        stage, event = self.approvals, delivery.event
        if stage is None:
            return response
        if stage.held or stage.answered:
            stage.see(event)
        if isinstance(event, PermissionRequest):
            return await stage.run(delivery, response, config, partial(self._judge, delivery))
        return response

    async def _judge(self, request: Delivery) -> Trial:
        """Evaluate the call that a permission request is about, as it would be judged now."""
        call = call_of(request.event)
        method = HOOKS[call.hook_event_name]
        return await self.dry_run(unsent(call, request.identity, method, request.client.name))

    async def _decide(self, ctx: EventContext) -> EventResponse | PendingEvent:
        """Decide and commit an event, after the events of its session that arrived before it."""
        turn, trace = ctx.delivery.received.turn, ctx.delivery.received.trace
        decide = partial(
            self.loader.run,
            self.writer.run,
            loaded=partial(trace.mark, "files"),
            foreseen=foreseen_requests(ctx),
        )
        try:
            first = await decide(partial(_process_in_turn, ctx))
        except EarlyError:
            if turn is not None:
                await turn.wait()
            trace.mark("order")
            ctx = replace(ctx, now=self.now())
            first = await decide(partial(_process_in_turn, ctx))
        if turn is not None:
            turn.end()
        return first

    async def _complete(
        self, ctx: EventContext, first: EventResponse | PendingEvent, config: ProjectConfig | None
    ) -> EventResponse:
        """Return the response; if the event is pending, run its user hooks for it."""
        if isinstance(first, EventResponse):
            return first
        if self.hooks is None or config is None:
            raise RuntimeError("an event is pending without user hooks")
        trace = ctx.delivery.received.trace
        trace.mark("effects")
        self.changed(ctx.delivery.identity)
        runs = await self.hooks.run(ctx, first, config)
        trace.mark("user_hooks")
        complete = partial(_complete_pending, first, runs)
        response = await (self._store if first.number else self._respond_only)(complete, ctx)
        trace.mark("commit")
        if response.spill is not None:
            await asyncio.to_thread(spill.keep, *response.spill)
        return response

    async def _store(self, complete: Completion, ctx: EventContext) -> EventResponse:
        """Complete a pending event; if that cannot be stored in time, respond all the same."""
        timeout_s = self.hooks.store_timeout(ctx.delivery) if self.hooks else None
        try:
            async with asyncio.timeout(timeout_s):
                return await self.loader.run(self.writer.run, partial(complete, ctx))
        except (StoreError, TimeoutError) as fault:  # what is only late is stored all the same
            LOG.error("response sent before it was stored", exc_info=fault)
            return await self._respond_only(complete, ctx)

    async def _respond_only(self, complete: Completion, ctx: EventContext) -> EventResponse:
        """Complete a pending event on a read-only connection."""
        ctx = replace(ctx, recorder=NOTHING)
        return await self.loader.run(self.reader.decide, partial(complete, ctx))

    async def _failed(
        self, received: Received, delivery: Delivery | None, fault: Exception
    ) -> EventResponse:
        """Return the response to an event on which hookd failed: by its guards, or by asking."""
        about = {"event": received.name}
        if delivery is not None and isinstance(fault, StoreError):
            LOG.error("event could not be stored", exc_info=fault, extra={"about": about})
            return await self._process_unstored(delivery)
        LOG.error("event failed", exc_info=fault, extra={"about": about})
        reason = f"hookd failed on it: {type(fault).__name__}"
        if delivery is None:
            return await self.unreadable(received, reason, "FAILED")
        return await self._unjudged(delivery, reason, "FAILED")

    async def _process_unstored(self, delivery: Delivery) -> EventResponse:
        """Judge an event on a read-only connection: the disk is full, or the database locked."""
        config = await self._project_config(delivery)
        ctx = self._context(delivery, config, NOTHING)
        first = await self.loader.run(
            self.reader.decide, lambda db, facts: process_event(db, ctx, facts)
        )
        return await self._complete(ctx, first, config)

    async def _unjudged(
        self, delivery: Delivery, reason: str, code: str = "UNREADABLE"
    ) -> EventResponse:
        about = {"event": delivery.event.hook_event_name, "why": reason}
        LOG.warning("event could not be judged", extra={"about": about})
        ctx = self._context(delivery, None)
        guarded = has_hooks(await self._project_config(delivery), delivery)

        def store(ctx: EventContext, db: Connection) -> EventResponse | None:
            return record_unjudged(db, ctx, reason, guarded=guarded)

        try:
            response = await self.writer.run(partial(store, ctx))
        except StoreError:
            response = await self.reader.read(partial(store, replace(ctx, recorder=NOTHING)))
        self.changed(delivery.identity)
        if response is None:
            raise DomainError(code, reason)
        return response


def _process_in_turn(
    ctx: EventContext, db: Connection, facts: ResolvedFacts
) -> EventResponse | PendingEvent:
    """Process an event. Raise EarlyError if the event before it is not decided yet."""
    turn = ctx.delivery.received.turn
    ctx.delivery.received.trace.mark("wait")
    if turn is None:
        return process_event(db, ctx, facts)
    turn.check()
    first = process_event(db, ctx, facts)
    turn.decide()
    return first


def _complete_pending(
    pending: PendingEvent,
    runs: tuple[HookRun, ...],
    ctx: EventContext,
    db: Connection,
    facts: ResolvedFacts,
) -> EventResponse:
    ctx.delivery.received.trace.mark("wait")
    return complete_event(db, ctx, pending.with_facts(facts), runs)
