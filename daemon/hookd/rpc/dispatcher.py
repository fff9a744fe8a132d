"""Who is asked: from a JSON-RPC request, or an event of the shim, to its answer.

The only catch-all of the daemon: a fault of ours is logged here, and never waves a call through.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache, partial
from time import perf_counter
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from hookd import json_text
from hookd.core.evaluation import canary
from hookd.core.hook_rules.layers import ProjectConfig
from hookd.core.model.effects.messages import LoseAnswer
from hookd.core.model.effects.union import AfterCommitEffect
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts, iso
from hookd.core.model.identity import Identity, identify
from hookd.core.model.method import ChangeMethod, HookMethod, ListMethod, PushMethod, TrialMethod
from hookd.core.model.renamed_methods import current_method, method_deprecation
from hookd.events.delivery_identity import Firings, Sender
from hookd.events.model import HookInput, transform_keys
from hookd.events.payload_excerpt import excerpt_record
from hookd.log.logger import LOG
from hookd.methods import HOOKS, METHODS
from hookd.pipeline.delivery import UNSAID, Delivery, Terms, make_delivery, salvage_fields, unsent
from hookd.pipeline.evaluation import PolicyEngine
from hookd.pipeline.event_order import EarlyError, Turn, Turns
from hookd.pipeline.fact_loader import FactLoader
from hookd.pipeline.transaction import (
    EventResponse,
    PendingEvent,
    ResolvedFacts,
    complete_event,
    dry_run,
    no_hooks,
    process_event,
    record_unjudged,
    with_facts_from_db,
)
from hookd.pipeline.user_hook_stage import UserHookStage, concerned
from hookd.redaction.redact import record
from hookd.rpc import openrpc
from hookd.rpc.jsonrpc import INVALID_PARAMS, METHOD_NOT_FOUND, Request, RpcError
from hookd.rpc.params import first, separated, validated
from hookd.rpc.peer_credentials import Callers
from hookd.rpc.subscriptions import Subscriber, Subscriptions
from hookd.store import facts as stored
from hookd.store.database import Connection, StoreError, Writer
from hookd.store.reader import Reader
from hookd.store.writes import repeated, written
from hookd.system import real_paths, spill

Json = dict[str, Any]
Env = Mapping[str, object]
T = TypeVar("T")

_LARGE = 65_536
"""Bytes of a payload that is parsed beside the loop."""


async def aside(size: int, work: Callable[..., T], *args: Any) -> T:
    """Do work on something of `size` bytes: what is large must not hold up the others' answers."""
    return work(*args) if size <= _LARGE else await asyncio.to_thread(work, *args)


async def _no_spool() -> None:
    """Import nothing: no shim can have left anything."""


class _Came(NamedTuple):
    """How a hook event came: the event that its shim names, its variables, its bytes and when."""

    name: str
    env: Env
    body: bytes | None = None
    since: float = 0.0
    terms: Terms = UNSAID
    sender: Sender | None = None
    turn: Turn | None = None


@cache
def _discovered(version: str) -> json_text.Raw:
    """Return the OpenRPC document as JSON: building it takes a tenth of a second."""
    return json_text.Raw(json_text.dump(openrpc.document(METHODS.values(), version)))


@dataclass(frozen=True)
class Dispatcher:
    """Finds who answers. `now` is the clock; `late` does what has to wait for the commit.

    `canaries` are the announced checks: the answer to each nonce. Each event begins with `look`.
    """

    writer: Writer
    reader: Reader
    engine: PolicyEngine
    now: Callable[[], datetime]
    after_commit: Callable[[AfterCommitEffect], Awaitable[None]]
    canaries: dict[str, str] = field(default_factory=dict)
    subscriptions: Subscriptions = field(default_factory=Subscriptions)
    fleet_changed: Callable[[Identity | None], None] = field(default=lambda _identity: None)
    subscriber_added: Callable[[], None] = field(default=lambda: None)
    fact_loader: FactLoader = field(default_factory=FactLoader)
    user_hook_stage: UserHookStage | None = None
    import_spool: Callable[[], Awaitable[None]] = field(default=_no_spool)
    callers: Callers = field(default_factory=lambda: Callers(perf_counter))
    asking: dict[str, "asyncio.Future[EventResponse]"] = field(default_factory=dict)
    firings: Firings = field(default_factory=Firings)
    turns: Turns = field(default_factory=Turns)
    deprecated_names: set[str] = field(default_factory=set)

    async def call(self, request: Request, link: Subscriber | None = None) -> Any:
        """Answer one request with a value for JSON. Raise RpcError or DomainError.

        `link` is the connection, for methods that go on telling.
        """
        try:
            return await self._call(request, link)
        except (RpcError, DomainError):
            raise
        except Exception:
            LOG.exception("a request failed", extra={"about": {"method": request.method}})
            raise

    async def event(
        self,
        name: str,
        env: Env,
        body: bytes,
        sender: Sender | None = None,
        terms: Terms = UNSAID,
    ) -> EventResponse:
        """Answer a hook event whose payload is `body`; the answer is JSON, null is silence.

        `name` is the event that the shim was registered for. Without a `sender` no delivery of an
        event that has no id of its own counts as repeated. Raise DomainError (UNREADABLE) where the
        shim's fail policy must decide.
        """
        since = asyncio.get_running_loop().time()
        turn = self.turns.take(body)
        try:
            came = _Came(name, env, body, since, terms, sender, turn)
            return await self._arrived(came, body)
        finally:
            turn.end()

    async def _arrived(self, came: _Came, body: bytes) -> EventResponse:
        """Answer a hook event that has its place in the order of its session."""
        await self.import_spool()
        try:
            payload = await aside(len(body), json_text.parse, body)
        except (ValueError, RecursionError, MemoryError):
            why = "the payload is not JSON that can be read"
            return await self.unreadable(came.name, came.env, why, closed=came.terms.closed)
        return await self._event(came, payload)

    async def answer_lost(self, answered: EventResponse) -> None:
        """Keep that an answer did not arrive: what was offered with it waits again."""
        effects, at = (LoseAnswer(answered.number),), iso(self.now())
        await self.writer.run(lambda db: written(db, effects, at))

    async def unreadable(
        self, name: str, env: Env, why: str, *, closed: bool = False
    ) -> EventResponse:
        """Answer an event whose payload cannot be had. Raise DomainError (UNREADABLE)."""
        event, kept = HookInput(hook_event_name=name), record({"why": why})
        bare = Delivery(event, self._identity(env), None, kept, closed=closed)
        return await self._unjudged(bare, why)

    async def _call(self, request: Request, link: Subscriber | None) -> Any:
        if request.method == "rpc.discover":
            return _discovered(self.engine.config.daemon.version)
        if request.method == "hooks.dispatch":
            return json_text.Raw((await self._inline(request.params, link)).answer)
        method = METHODS.get(self._current_name(request.method))
        if method is None:
            raise RpcError(METHOD_NOT_FOUND, f"there is no method {request.method!r}")
        params, env = separated(request.params, method.params)
        asked = validated(method, params)
        if isinstance(method, HookMethod):
            who = self._identity(env, link)
            answered = await self._process_once(
                make_delivery(asked, who, method, params, None, sent=env)
            )
            return json_text.Raw(answered.result)
        if isinstance(method, ListMethod | TrialMethod):
            return await self._read(method, asked, self._identity(env, link))
        if isinstance(method, PushMethod):
            return self._subscribe(method, asked, link)
        refusal = self._refusal(method, asked, link) if method.person else None
        return await self._change(method, asked, self._identity(env, link), refusal)

    def _current_name(self, name: str) -> str:
        """Return the current name of a method; log each deprecated name once."""
        notice = method_deprecation(name)
        if notice and name not in self.deprecated_names:
            self.deprecated_names.add(name)
            LOG.warning(notice)
        return current_method(name)

    def _refusal(
        self, method: ChangeMethod[Any], asked: Any, link: Subscriber | None
    ) -> DomainError | None:
        """Return why a caller may not do what is for a person, None if it may.

        Without a connection, the caller is a part of the daemon.
        """
        why = self.callers.caller(link.pid).why if link else ""
        act = getattr(asked, "act", method.name)
        return DomainError("PERSON_ONLY", f"{act} is for a person: {why}") if why else None

    async def _tried(self, method: TrialMethod[Any], asked: Any, identity: Identity) -> Json:
        """Evaluate an event that no client sent, on a connection that only reads."""
        event, who = method.event(asked, identity), method.who(asked, identity)
        delivery = unsent(event, who, HOOKS.get(event.hook_event_name))
        page = await self._project_config(delivery)
        house, now = self.engine.for_project(page), self.now()
        hooks = self.user_hook_stage.selector(page) if self.user_hook_stage and page else no_hooks
        hop = partial(dry_run, house=house, delivery=delivery, now=now, asked=hooks)
        trial = await self.fact_loader.run_with_facts(self.reader.decide, hop)
        return method.shape(asked, trial).model_dump(mode="json", by_alias=True)

    async def _read(
        self, method: ListMethod[Any] | TrialMethod[Any], asked: Any, who: Identity
    ) -> Any:
        if isinstance(method, TrialMethod):
            return await self._tried(method, asked, who)
        shaped = method.shape(asked, await self.reader.rows(method.select(asked, who)))
        if isinstance(shaped, bytes):
            return json_text.Raw(shaped)
        return shaped.model_dump(mode="json", by_alias=True)

    def _subscribe(self, method: PushMethod[Any], asked: Any, link: Subscriber | None) -> Json:
        if link is not None:
            self.subscriptions.add(method.topic(asked), link)
            self.subscriber_added()
        return method.result().model_dump(mode="json", by_alias=True)

    def _identity(self, env: Env, link: Subscriber | None = None) -> Identity:
        """Return who asks over a connection, and which supervisors are there."""
        return self._asker(env, link.pid if link else None)

    def _asker(self, env: Env, peer: int | None) -> Identity:
        return replace(real_paths.located(identify(env)), runs=self.subscriptions.runs(), peer=peer)

    def _notify_fleet(self, who: Identity | None = None) -> None:
        self.fleet_changed(who)

    async def _inline(
        self, params: Json | list[Any] | None, link: Subscriber | None
    ) -> EventResponse:
        given = params if isinstance(params, dict) else {}
        event, env = given.get("event"), given.get("env", {})
        if not isinstance(event, dict) or not isinstance(env, dict):
            raise RpcError(INVALID_PARAMS, 'params are {"event": {...}, "env": {...}}')
        terms = Terms(peer=link.pid if link else None)
        return await self._event(_Came("", env, terms=terms), event)

    async def _event(self, came: _Came, payload: Any) -> EventResponse:
        """Take one payload, whatever it is, down the road."""
        name, env, body, since, terms, sender, turn = came
        if not isinstance(payload, dict):
            why = "the payload is not a JSON object"
            return await self.unreadable(name, env, why, closed=terms.closed)
        fields = transform_keys(payload)
        said = fields.get("hook_event_name")
        name = said if isinstance(said, str) and said else name
        method = HOOKS.get(name)
        try:
            model = method.params if method else HookInput
            event = model.model_validate(fields | {"hook_event_name": name})
        except ValidationError as error:
            kept = excerpt_record(record(payload, whole=body), body)
            bare = Delivery(
                salvage_fields(fields, name), self._identity(env), None, kept, closed=terms.closed
            )
            return await self._unjudged(bare, first(error))
        delivery = None
        try:
            make = partial(
                make_delivery,
                event,
                self._asker(env, terms.peer),
                method,
                payload,
                body,
                sent=env,
                since=since,
                terms=terms,
            )
            delivery = self._mark_canary(await aside(len(body or b""), make))
            delivery = self._identified(delivery, sender)
            return await self._process_once(replace(delivery, turn=turn))
        except Exception as fault:  # noqa: BLE001 - a fault of ours must not wave a call through
            return await self._failed(came, delivery, fault)

    def _mark_canary(self, delivery: Delivery) -> Delivery:
        """Return the delivery, marked where it is a check that was announced; each is one once."""
        answer = self.canaries.pop(canary.nonce_of(delivery.event.session_id), None)
        return delivery if answer is None else replace(delivery, canary=answer, key=None)

    def _identified(self, delivery: Delivery, sender: Sender | None) -> Delivery:
        """Return the delivery with the key of its firing, where only its sender tells it."""
        shared = delivery.payload_key
        if sender is None or shared is None or delivery.canary:
            return delivery
        now = asyncio.get_running_loop().time()
        return replace(delivery, key=self.firings.key(shared, sender, now))

    async def _failed(
        self, came: _Came, delivery: Delivery | None, fault: Exception
    ) -> EventResponse:
        """Answer an event on which something of ours failed: by its guards, or by asking."""
        name = came.name
        if delivery is not None and isinstance(fault, StoreError):
            about = {"event": name}
            LOG.error("an event could not be kept", exc_info=fault, extra={"about": about})
            return await self._unkept(delivery)
        LOG.error("an event failed", exc_info=fault, extra={"about": {"event": name}})
        why = f"hookd failed on it: {type(fault).__name__}"
        if delivery is None:
            return await self.unreadable(name, came.env, why, closed=came.terms.closed)
        return await self._unjudged(delivery, why)

    async def _process_once(self, delivery: Delivery) -> EventResponse:
        page = await self._project_config(delivery)
        if not concerned(page, delivery):
            return await self._process(delivery, page)
        under_way = self.asking.get(delivery.key or "")
        if under_way is not None:  # delivered again while the hooks run: it is one event
            if delivery.turn is not None:
                delivery.turn.end()
            await asyncio.wait({under_way})
            if under_way.cancelled():
                return await self._process_once(delivery)
            return await self._repeated(under_way.result())
        future = asyncio.get_running_loop().create_future()
        if delivery.key:
            self.asking[delivery.key] = future
        try:
            answered = await self._process(delivery, page)
            future.set_result(answered)
            return answered
        finally:
            self.asking.pop(delivery.key or "", None)
            future.cancel()

    async def _repeated(self, answered: EventResponse) -> EventResponse:
        """Count a repeated delivery, if that can be stored, and return its answer."""
        at = iso(self.now())
        if answered.number:
            with suppress(StoreError):
                await self.writer.run(lambda db: repeated(db, answered.number, at))
        return answered

    async def _project_config(self, delivery: Delivery) -> ProjectConfig | None:
        return await self.user_hook_stage.project_config(delivery) if self.user_hook_stage else None

    async def _process(self, delivery: Delivery, page: ProjectConfig | None) -> EventResponse:
        first = await self._decided(delivery, page)
        for effect in first.late:
            try:
                await self.after_commit(effect)
            except DomainError as error:  # what was decided is kept, and the answer holds
                about = {"event": delivery.event.hook_event_name, "why": str(error)}
                LOG.error("what follows an answer could not be done", extra={"about": about})
        try:
            return await self._run_hooks(first, page)
        finally:
            self._notify_fleet(delivery.identity)

    async def _decided(
        self, delivery: Delivery, page: ProjectConfig | None
    ) -> EventResponse | PendingEvent:
        """Decide an event and keep it, after the events of its session that arrived before it."""
        turn, house = delivery.turn, self.engine.for_project(page)
        asked = self.user_hook_stage.selector(page) if self.user_hook_stage and page else no_hooks

        def hop(now: datetime, db: Connection, seen: ResolvedFacts) -> EventResponse | PendingEvent:
            if turn is None:
                return process_event(db, house, delivery, now, seen, asked=asked)
            turn.check()
            walked = process_event(db, house, delivery, now, seen, asked=asked)
            turn.decide()
            return walked

        try:
            first = await self.fact_loader.run_with_facts(self.writer.run, partial(hop, self.now()))
        except EarlyError:
            if turn is not None:
                await turn.wait()
            first = await self.fact_loader.run_with_facts(self.writer.run, partial(hop, self.now()))
        if turn is not None:
            turn.end()
        return first

    async def _run_hooks(
        self, waiting: EventResponse | PendingEvent, page: ProjectConfig | None
    ) -> EventResponse:
        """Return the answer; where it waits for the user's hooks, with what they say."""
        if isinstance(waiting, EventResponse):
            return waiting
        if self.user_hook_stage is None or page is None:
            raise RuntimeError("an event waits for hooks that nobody asked for")
        runs = await self.user_hook_stage.run(waiting, page)
        ended = partial(complete_event, house=self.engine, waiting=waiting, runs=runs)
        try:
            async with asyncio.timeout(self.user_hook_stage.store_budget(waiting.delivery)):
                answered = await self.fact_loader.run_with_facts(self.writer.run, ended)
        except (StoreError, TimeoutError) as fault:  # late, it is kept all the same
            LOG.error("what hooks said is answered before it is kept", exc_info=fault)
            answered = await self.fact_loader.run_with_facts(
                self.reader.decide, partial(ended, keep=False)
            )
        if answered.spill is not None:
            await asyncio.to_thread(spill.keep, *answered.spill)
        return answered

    async def _unkept(self, delivery: Delivery) -> EventResponse:
        """Judge an event though nothing can be written: a full disk, somebody else's lock."""
        now, page = self.now(), await self._project_config(delivery)
        house = self.engine.for_project(page)
        asked = self.user_hook_stage.selector(page) if self.user_hook_stage and page else no_hooks

        def judged(db: Connection, seen: ResolvedFacts) -> EventResponse | PendingEvent:
            return process_event(db, house, delivery, now, seen, asked=asked, keep=False)

        first = await self.fact_loader.run_with_facts(self.reader.decide, judged)
        return await self._run_hooks(first, page)

    async def _unjudged(self, delivery: Delivery, why: str) -> EventResponse:
        about = {"event": delivery.event.hook_event_name, "why": why}
        LOG.warning("an event could not be judged", extra={"about": about})
        now = self.now()
        guarded = concerned(await self._project_config(delivery), delivery)

        def hop(db: Connection, *, keep: bool = True) -> EventResponse | None:
            return record_unjudged(db, self.engine, delivery, now, why, guarded=guarded, keep=keep)

        try:
            answered = await self.writer.run(hop)
        except StoreError:
            answered = await self.reader.read(partial(hop, keep=False))
        if answered is None:
            raise DomainError("UNREADABLE", why)
        return answered

    async def _change(
        self,
        method: ChangeMethod[Any],
        asked: Any,
        who: Identity,
        refusal: DomainError | None = None,
    ) -> Json:
        where, now = method.where(asked, who), self.now()

        def for_person(facts: Facts) -> bool:
            return method.person(asked, facts) if callable(method.person) else method.person

        def hop(
            db: Connection, seen: ResolvedFacts
        ) -> tuple[BaseModel, tuple[AfterCommitEffect, ...]]:
            facts = stored.read(db, where, now, self.engine.config).with_facts(seen)
            if suspended := tuple(sorted(self.engine.incidents.suspended)):
                facts = replace(facts, daemon=replace(facts.daemon, suspended=suspended))
            facts = (
                self.user_hook_stage.with_project_options(facts) if self.user_hook_stage else facts
            )
            if refusal and with_facts_from_db(db, facts, for_person):
                LOG.warning("a request was refused", extra={"about": {"why": str(refusal)}})
                raise refusal
            change = with_facts_from_db(db, facts, lambda known: method.decide(asked, known))
            return change.result, written(db, change.effects, iso(now))

        try:
            result, late = await self.fact_loader.run_with_facts(self.writer.run, hop)
        except StoreError:  # what writes nothing is done all the same: the daemon's end
            result, late = await self.fact_loader.run_with_facts(self.reader.read, hop)
        self._notify_fleet(replace(where.identity, tmux_socket=getattr(asked, "tmux_socket", None)))
        for effect in late:
            await self.after_commit(effect)
        return result.model_dump(mode="json", by_alias=True)
