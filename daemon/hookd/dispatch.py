"""Who is asked: from a JSON-RPC request, or an event of the shim, to its answer.

The only catch-all of the daemon: a fault of ours is logged here, and never waves a call through.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from hookd.board import Board, Link, Listeners
from hookd.core import canary
from hookd.core.effects import LateEffect, LoseInjections
from hookd.core.errors import DomainError
from hookd.core.events import HookInput, delivery_key, transform_keys
from hookd.core.facts import iso
from hookd.core.identity import Identity, identify
from hookd.core.method import ChangeMethod, HookMethod, ListMethod, PushMethod
from hookd.core.redaction import record
from hookd.core.wants import Unseen
from hookd.files import places
from hookd.files.sight import Sight
from hookd.handlers import HOOKS, METHODS
from hookd.journal import LOG
from hookd.road import Answered, Delivery, House, Seen, sighted, unjudged, walk, written
from hookd.store import facts as stored
from hookd.store.database import Connection, StoreError, Writer
from hookd.store.queries import Reader
from hookd.wire import json_text, openrpc
from hookd.wire.jsonrpc import INVALID_PARAMS, METHOD_NOT_FOUND, Request, RpcError
from hookd.wire.params import first, separated, validated

Json = dict[str, Any]
Env = Mapping[str, object]
T = TypeVar("T")

_LARGE = 65_536
_LOOKS = 8
"""How often one decision may ask for files: each time it has learnt where to look further."""


@dataclass(frozen=True)
class Dispatcher:
    """Finds who answers. `now` is the clock; `late` does what has to wait for the commit.

    `canaries` are the checks that were announced: the answer to each nonce.
    """

    writer: Writer
    reader: Reader
    house: House
    now: Callable[[], datetime]
    late: Callable[[LateEffect], Awaitable[None]]
    canaries: dict[str, str] = field(default_factory=dict)
    listeners: Listeners = field(default_factory=Listeners)
    board: Board | None = None
    sight: Sight = field(default_factory=Sight)

    async def call(self, request: Request, link: Link | None = None) -> Any:
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

    async def event(self, name: str, env: Env, body: bytes) -> Answered:
        """Answer a hook event whose payload is `body`; the answer is JSON, null is silence.

        `name` is the event that the shim was registered for. Raise DomainError (UNREADABLE) where
        the client's fail policy must decide.
        """
        try:
            payload = await _aside(len(body), json_text.parse, body)
        except (ValueError, RecursionError, MemoryError):
            return await self.unread(name, env, "the payload is not JSON that can be read")
        return await self._event(name, env, payload, body)

    async def lost(self, answered: Answered) -> None:
        """Keep that an answer did not arrive: what was offered with it waits again."""
        effects = (LoseInjections(answered.number),)
        at = iso(self.now())
        await self.writer.run(lambda db: written(db, effects, at))

    async def unread(self, name: str, env: Env, why: str) -> Answered:
        """Answer an event whose payload cannot be had. Raise DomainError (UNREADABLE)."""
        event = HookInput(hook_event_name=name)
        return await self._unjudged(
            Delivery(event, self._who(env), None, record({"why": why})), why
        )

    async def _call(self, request: Request, link: Link | None) -> Any:
        if request.method == "rpc.discover":
            return openrpc.document(METHODS.values(), self.house.standing.daemon.version)
        if request.method == "hooks.dispatch":
            return json_text.Raw((await self._inline(request.params)).answer)
        method = METHODS.get(request.method)
        if method is None:
            raise RpcError(METHOD_NOT_FOUND, f"there is no method {request.method!r}")
        params, env = separated(request.params, method.params)
        asked = validated(method, params)
        if isinstance(method, HookMethod):
            answered = await self._walk(_delivery(asked, self._who(env), method, params, None))
            return json_text.Raw(answered.result)
        if isinstance(method, ListMethod):
            rows = await self.reader.rows(method.select(asked, self._who(env)))
            return method.shape(asked, rows).model_dump(mode="json", by_alias=True)
        if isinstance(method, PushMethod):
            return self._joined(method, asked, link)
        return await self._change(method, asked, self._who(env))

    def _joined(self, method: PushMethod[Any], asked: Any, link: Link | None) -> Json:
        if link is not None:
            self.listeners.join(method.topic(asked), link)
            if self.board is not None:
                self.board.joined()
        return method.result().model_dump(mode="json", by_alias=True)

    def _who(self, env: Env) -> Identity:
        """Return who asks, and which supervisors are there."""
        who = places.located(identify(env))
        runs = self.listeners.runs()
        return replace(who, runs=runs) if runs else who

    def _moved(self, who: Identity | None = None) -> None:
        if self.board is not None:
            self.board.moved(who)

    async def _inline(self, params: Json | list[Any] | None) -> Answered:
        given = params if isinstance(params, dict) else {}
        event, env = given.get("event"), given.get("env", {})
        if not isinstance(event, dict) or not isinstance(env, dict):
            raise RpcError(INVALID_PARAMS, 'params are {"event": {...}, "env": {...}}')
        return await self._event("", env, event, None)

    async def _event(self, name: str, env: Env, payload: Any, body: bytes | None) -> Answered:
        """Take one payload, whatever it is, down the road."""
        if not isinstance(payload, dict):
            return await self.unread(name, env, "the payload is not a JSON object")
        fields = transform_keys(payload)
        said = fields.get("hook_event_name")
        name = said if isinstance(said, str) and said else name
        method = HOOKS.get(name)
        try:
            model = method.params if method else HookInput
            event = model.model_validate(fields | {"hook_event_name": name})
        except ValidationError as error:
            kept = record(payload, whole=body)
            bare = Delivery(_known(fields, name), self._who(env), None, kept)
            return await self._unjudged(bare, first(error))
        delivery = None
        try:
            size = len(body or b"")
            made = await _aside(size, _delivery, event, self._who(env), method, payload, body)
            delivery = self._checked(made)
            return await self._walk(delivery)
        except Exception as fault:  # noqa: BLE001 - a fault of ours must not wave a call through
            return await self._failed(name, env, delivery, fault)

    def _checked(self, delivery: Delivery) -> Delivery:
        """Return the delivery, marked where it is a check that was announced; each is one once."""
        answer = self.canaries.pop(canary.nonce_in(delivery.event.session_id), None)
        return delivery if answer is None else replace(delivery, canary=answer, key=None)

    async def _failed(
        self, name: str, env: Env, delivery: Delivery | None, fault: Exception
    ) -> Answered:
        """Answer an event on which something of ours failed: by its guards, or by asking."""
        if delivery is not None and isinstance(fault, StoreError):
            about = {"event": name}
            LOG.error("an event could not be kept", exc_info=fault, extra={"about": about})
            return await self._unkept(delivery)
        LOG.error("an event failed", exc_info=fault, extra={"about": {"event": name}})
        why = f"hookd failed on it: {type(fault).__name__}"
        if delivery is None:
            return await self.unread(name, env, why)
        return await self._unjudged(delivery, why)

    async def _walk(self, delivery: Delivery) -> Answered:
        now = self.now()
        answered = await self._sighted(
            self.writer.run, lambda db, seen: walk(db, self.house, delivery, now, seen)
        )
        self._moved(delivery.identity)
        for effect in answered.late:
            try:
                await self.late(effect)
            except DomainError as error:  # what was decided is kept, and the answer holds
                about = {"event": delivery.event.hook_event_name, "why": str(error)}
                LOG.error("what follows an answer could not be done", extra={"about": about})
        return answered

    async def _unkept(self, delivery: Delivery) -> Answered:
        """Judge an event though nothing can be written: a full disk, somebody else's lock."""
        now = self.now()

        def judged(db: Connection, seen: Seen) -> Answered:
            return walk(db, self.house, delivery, now, seen, keep=False)

        return await self._sighted(self.reader.read, judged)

    async def _sighted(
        self,
        run: Callable[[Callable[[Connection], T]], Awaitable[T]],
        hop: Callable[[Connection, Seen], T],
    ) -> T:
        """Run a hop on a database thread; look at the files that it lacks, and run it again."""
        seen: Seen = {}
        for _ in range(_LOOKS):
            known = seen
            try:
                return await run(lambda db: hop(db, known))  # noqa: B023
            except Unseen as lack:
                seen = {**seen, **await self.sight.look(lack.wants)}
        raise RuntimeError("a decision asks for files without end")

    async def _unjudged(self, delivery: Delivery, why: str) -> Answered:
        about = {"event": delivery.event.hook_event_name, "why": why}
        LOG.warning("an event could not be judged", extra={"about": about})
        now = self.now()

        def hop(db: Connection, *, keep: bool = True) -> Answered | None:
            return unjudged(db, self.house, delivery, now, why, keep=keep)

        try:
            answered = await self.writer.run(hop)
        except StoreError:
            answered = await self.reader.read(partial(hop, keep=False))
        if answered is None:
            raise DomainError("UNREADABLE", why)
        return answered

    async def _change(self, method: ChangeMethod[Any], asked: Any, who: Identity) -> Json:
        where, now = method.where(asked, who), self.now()

        def hop(db: Connection, seen: Seen) -> tuple[BaseModel, tuple[LateEffect, ...]]:
            facts = stored.read(db, where, now, self.house.standing).seeing(seen)
            change = sighted(db, facts, lambda known: method.decide(asked, known))
            return change.result, written(db, change.effects, iso(now))

        result, late = await self._sighted(self.writer.run, hop)
        self._moved(replace(where.identity, tmux_socket=getattr(asked, "tmux_socket", None)))
        for effect in late:
            await self.late(effect)
        return result.model_dump(mode="json", by_alias=True)


async def _aside(size: int, work: Callable[..., T], *args: Any) -> T:
    """Do work on something of `size` bytes: what is large must not hold up the others' answers."""
    return work(*args) if size <= _LARGE else await asyncio.to_thread(work, *args)


def _delivery(
    event: HookInput,
    who: Identity,
    method: HookMethod[Any] | None,
    payload: Json,
    body: bytes | None,
) -> Delivery:
    # One folder has one name: what is looked up and what is kept must not differ by a link.
    path = who.cwd if event.cwd == who.cwd else places.real(event.cwd)
    located = event if event.cwd == path else event.model_copy(update={"cwd": path})
    kept = record(payload, whole=body)
    return Delivery(located, who, method, kept, key=delivery_key(event))


def _known(fields: Json, name: str) -> HookInput:
    """Return what can be known of a malformed payload: which session it is of, and which call."""
    keys = ("session_id", "agent_id", "prompt_id", "tool_use_id", "tool_name")
    texts = {key: fields[key] for key in keys if isinstance(fields.get(key), str)}
    return HookInput(hook_event_name=name, **texts)
