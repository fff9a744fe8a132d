"""Dispatcher: routes a JSON-RPC request to its method; hook events go to the event pipeline."""

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from functools import cache
from time import perf_counter
from typing import Any, assert_never

from pydantic import BaseModel

from hookd import json_text
from hookd.core.evaluation.policies import TimeUp
from hookd.core.model.effects.union import AfterCommitEffect
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts, iso
from hookd.core.model.identity import Identity
from hookd.core.model.method import (
    Change,
    ChangeMethod,
    HookMethod,
    ListMethod,
    Method,
    PushMethod,
    TrialMethod,
)
from hookd.core.model.renamed_methods import current_method, method_deprecation
from hookd.lazy_dataclass import dataclass
from hookd.log.logger import LOG
from hookd.methods import HOOKS, METHODS
from hookd.pipeline.delivery import Received, ShimTerms, make_delivery, unsent
from hookd.pipeline.fact_loader import ResolvedFacts, decide_with_rows
from hookd.pipeline.pipeline import EventPipeline
from hookd.pipeline.response import EventResponse
from hookd.rpc import openrpc
from hookd.rpc.jsonrpc import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    Params,
    Request,
    RpcError,
    separated,
    validated,
)
from hookd.rpc.peer_credentials import Callers
from hookd.rpc.subscriptions import Subscriber, Subscriptions
from hookd.store import facts as stored
from hookd.store.database import Connection, StoreError
from hookd.store.writes import written

Json = dict[str, Any]

_LIMIT_S = 2.0
"""CPU time of a method's decision: events wait for it."""


@cache
def _openrpc_document(version: str) -> json_text.Raw:
    """Return the OpenRPC document as JSON: building it takes a tenth of a second."""
    return json_text.Raw(json_text.dump(openrpc.document(METHODS.values(), version)))


def _ignore_subscriber(_topic: str, _link: Subscriber, _asked: Any) -> None:
    pass


@dataclass(frozen=True)
class Dispatcher:
    """Routes calls and subscriptions.

    `subscriber_added` is called after each subscription, with its topic, connection and params.
    """

    pipeline: EventPipeline
    subscriptions: Subscriptions = field(default_factory=Subscriptions)
    callers: Callers = field(default_factory=lambda: Callers(perf_counter))
    subscriber_added: Callable[[str, Subscriber, Any], None] = field(default=_ignore_subscriber)
    deprecated_names: set[str] = field(default_factory=set)

    async def call(self, request: Request, link: Subscriber | None = None) -> Any:
        """Answer one request with a value for JSON. Raise RpcError or DomainError.

        `link` is the connection, for methods that subscribe it; None: the caller is the daemon.
        """
        try:
            return await self._route(request, link)
        except (RpcError, DomainError):
            raise
        except Exception:
            LOG.exception("request failed", extra={"about": {"method": request.method}})
            raise

    async def _route(self, request: Request, link: Subscriber | None) -> Any:
        if request.method == "rpc.discover":
            return _openrpc_document(self.pipeline.engine.config.daemon.version)
        if request.method == "hooks.dispatch":
            return json_text.Raw((await self._dispatch(request.params, link)).answer)
        method = METHODS.get(self._current_name(request.method))
        if method is None:
            raise RpcError(METHOD_NOT_FOUND, f"there is no method {request.method!r}")
        return await self._call(method, request.params, link)

    async def _call(self, method: Method, params: Params, link: Subscriber | None) -> Any:
        """Call a method, as its kind requires."""
        named, env = separated(params, method.params)
        asked = validated(method, named)
        identity = self.pipeline.identity(env, link.pid if link else None)
        match method:
            case HookMethod():
                received = Received(env=env)
                delivery = make_delivery(asked, identity, method, named, received)
                return json_text.Raw((await self.pipeline.run_delivery(delivery)).result)
            case ListMethod():
                return await self._list(method, asked, identity)
            case TrialMethod():
                return await self._dry_run(method, asked, identity)
            case PushMethod():
                return self._subscribe(method, asked, link)
            case ChangeMethod():
                refusal = self._refusal(method, asked, link) if method.person else None
                return await self._change(method, asked, identity, refusal)
            case _:
                assert_never(method)

    def _current_name(self, name: str) -> str:
        """Return the current name of a method; log each deprecated name once."""
        notice = method_deprecation(name)
        if notice and name not in self.deprecated_names:
            self.deprecated_names.add(name)
            LOG.warning(notice)
        return current_method(name)

    async def _dispatch(self, params: Params, link: Subscriber | None) -> EventResponse:
        """Run an event whose payload is a parameter of the call."""
        named: Mapping[str, Any] = params if isinstance(params, dict) else {}
        event, env, client = named.get("event"), named.get("env", {}), named.get("client", "")
        if not (isinstance(event, dict) and isinstance(env, dict) and isinstance(client, str)):
            why = 'params are {"event": {...}, "env": {...}, "client": "NAME"}'
            raise RpcError(INVALID_PARAMS, why)
        terms = ShimTerms(peer=link.pid if link else None)
        received = Received(env=env, terms=terms, client=client)
        return await self.pipeline.run_payload(received, event)

    async def _list(self, method: ListMethod[Any], asked: Any, identity: Identity) -> Any:
        rows = await self.pipeline.reader.rows(method.select(asked, identity))
        shaped = method.shape(asked, rows)
        return json_text.Raw(shaped) if isinstance(shaped, bytes) else _as_json(shaped)

    async def _dry_run(self, method: TrialMethod[Any], asked: Any, identity: Identity) -> Json:
        """Evaluate an event that no client sent, on a connection that only reads."""
        event, sender = method.event(asked, identity), method.who(asked, identity)
        handler, client = HOOKS.get(event.hook_event_name), method.client(asked)
        delivery = unsent(event, sender, handler, client)
        return _as_json(method.shape(asked, await self.pipeline.dry_run(delivery)))

    def _subscribe(self, method: PushMethod[Any], asked: Any, link: Subscriber | None) -> Json:
        if method.person and method.person(asked) and (no := self._refusal(method, asked, link)):
            raise self._refused(no, method)
        if link is not None:
            topic = method.topic(asked)
            self.subscriptions.add(topic, link)
            self.subscriber_added(topic, link, asked)
        return _as_json(method.result())

    def _refusal(
        self, method: ChangeMethod[Any] | PushMethod[Any], asked: Any, link: Subscriber | None
    ) -> DomainError | None:
        """Return why a caller may not do what only a person may, None if it may."""
        reason = self.callers.caller(link.pid).why if link else ""
        act = getattr(asked, "act", method.name)
        return DomainError("PERSON_ONLY", f"{act} is for a person: {reason}") if reason else None

    def _refused(self, refusal: DomainError, method: Method) -> DomainError:
        """Log and count that a client tried what only a person may do; return the refusal."""
        LOG.warning("request refused", extra={"about": {"why": str(refusal)}})
        self.pipeline.engine.incidents.note("refused to a client", method.name, str(refusal))
        return refusal

    async def _change(
        self,
        method: ChangeMethod[Any],
        asked: Any,
        identity: Identity,
        refusal: DomainError | None,
    ) -> Json:
        """Decide a change, commit its effects, then perform those that follow the commit."""
        pipeline = self.pipeline
        where, now = method.where(asked, identity), pipeline.now()

        def for_person(facts: Facts) -> bool:
            return method.person(asked, facts) if callable(method.person) else method.person

        def decide(facts: Facts) -> Change:
            limit = pipeline.engine.limit  # events wait for the writer meanwhile
            try:
                with limit:
                    return limit.call(_LIMIT_S, method.decide, asked, facts)
            except TimeUp as fault:
                LOG.warning("request took too long", extra={"about": {"at": str(fault)}})
                told = f"{method.name} takes more than {_LIMIT_S:g} s with these parameters"
                raise DomainError("TOO_SLOW", told) from fault

        def work(
            db: Connection, more: ResolvedFacts
        ) -> tuple[BaseModel, tuple[AfterCommitEffect, ...]]:
            facts = stored.read(db, where, now, pipeline.engine.config).with_facts(more)
            incidents = pipeline.engine.incidents
            suspended, problem = tuple(sorted(incidents.suspended)), incidents.shim_problem
            if suspended or problem:
                state = replace(facts.daemon, suspended=suspended, shim_problem=problem)
                facts = replace(facts, daemon=state)
            facts = pipeline.with_project_options(facts)
            if refusal and decide_with_rows(db, facts, for_person):
                raise self._refused(refusal, method)
            change = decide_with_rows(db, facts, decide)
            return change.result, written(db, change.effects, iso(now))

        try:
            result, after_commit = await pipeline.loader.run(pipeline.writer.run, work)
        except StoreError:  # what writes nothing is done all the same: the daemon's end
            result, after_commit = await pipeline.loader.run(pipeline.reader.read, work)
        tmux_socket = getattr(asked, "tmux_socket", None)
        pipeline.changed(replace(where.identity, tmux_socket=tmux_socket))
        for effect in after_commit:
            await pipeline.after_commit(effect)
        return _as_json(result)


def _as_json(result: BaseModel) -> Json:
    return result.model_dump(mode="json", by_alias=True)
