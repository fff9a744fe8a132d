"""A hook event as received, and its delivery: parsed, redacted, with a key that identifies it."""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from hookd.clients.adapters import CLAUDE_CODE, adapter_of
from hookd.clients.contract import Adapter
from hookd.core.model.identity import Identity
from hookd.core.model.method import HookMethod
from hookd.events.delivery_identity import Sender, call_key, payload_key
from hookd.events.model import HookInput
from hookd.events.payload_excerpt import excerpt_record
from hookd.lazy_dataclass import dataclass
from hookd.pipeline.latency import Trace
from hookd.redaction.redact import Record, record
from hookd.system import real_paths

if TYPE_CHECKING:
    from hookd.pipeline.event_order import Turn  # slow: it imports asyncio


_MOST_SESSIONS = 2_000
"""Sessions that are remembered; the one whose last event is the oldest is forgotten first."""


@dataclass(frozen=True, slots=True)
class ShimTerms:
    """How a shim waits for the answer. `peer` is the process that connected.

    `fails_closed`: the shim denies the event if it gets no verdict. `deadline`: seconds that it
    waits, 0 if not stated. `gone`: it closed its connection before the event was acknowledged, so
    no process will read the answer.
    """

    fails_closed: bool = False
    deadline: float = 0.0
    peer: int | None = None
    gone: bool = False


DEFAULT_TERMS = ShimTerms()


def _stays() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Received:
    """One hook event as it was received, not yet parsed.

    `name` is the event that the shim is registered for, and counts if the payload names none;
    `client` is the client that it is registered for, "" for Claude Code. `env` are the sender's
    variables: for user hooks, stored nowhere. `body` are the payload's bytes, None if it was a
    parameter of a call. `at` is the time by the loop's clock, 0 if unknown. Without `sender` no
    event that lacks an id of its own is recognised as repeated. `turn` is the place among the
    events of its session. `trace` has the times of its stages. `hung_up` returns whether the
    connection has been closed since.
    """

    name: str = ""
    env: Mapping[str, object] = field(default_factory=dict)
    body: bytes | None = None
    terms: ShimTerms = DEFAULT_TERMS
    sender: Sender | None = None
    at: float = 0.0
    turn: "Turn | None" = None
    trace: Trace = field(default_factory=Trace)
    hung_up: Callable[[], bool] = _stays
    client: str = ""


@dataclass(frozen=True, slots=True)
class Delivery:
    """One hook event, parsed, its folder resolved; `received` says how it arrived.

    `key` identifies the firing of the event: a second delivery has the same one; None: unknown.
    `payload_key` is shared by all firings with an equal payload, for events whose payload does not
    identify the firing. `canary` is the answer of a self test. `payload` is the event in the names
    of `events/`, before it was parsed: for user hooks, stored nowhere. `client` has sent it.
    """

    event: HookInput
    identity: Identity
    method: HookMethod[Any] | None
    record: Record
    received: Received = field(default_factory=Received)
    key: str | None = None
    payload_key: str | None = None
    canary: str = ""
    payload: Mapping[str, Any] = field(default_factory=dict)
    client: Adapter = CLAUDE_CODE


@dataclass
class OwnRegistrations:
    """Remembers sessions that a client's own registration delivers; forgotten at a restart.

    Such a client may also run the hooks that are registered for Claude Code: those are answered
    with silence then, so that each event is judged once.
    """

    _sessions: OrderedDict[tuple[str, str], None] = field(default_factory=OrderedDict)

    def deliver(self, registered: Adapter, client: Adapter, session: object) -> bool:
        """Return whether the client's own registration delivers the events of this session.

        False for an event that comes by it: that one is to be answered.
        """
        if client is CLAUDE_CODE or not isinstance(session, str) or not session:
            return False
        key = (client.name, session)
        if client is not registered:
            return key in self._sessions
        self._sessions[key] = None
        self._sessions.move_to_end(key)
        if len(self._sessions) > _MOST_SESSIONS:
            self._sessions.popitem(last=False)
        return False


def make_delivery(
    event: HookInput,
    identity: Identity,
    method: HookMethod[Any] | None,
    payload: dict[str, Any],
    received: Received,
) -> Delivery:
    """Return the delivery of a parsed event: its folder resolved, its secrets redacted."""
    body, trace = received.body, received.trace
    trace.mark("parse")
    kept = excerpt_record(record(payload, whole=body), body)
    trace.mark("redact")
    key = call_key(event)
    shared = payload_key(event, body) if key is None and body is not None else None
    event = with_real_cwd(event, identity)
    return Delivery(
        event,
        identity,
        method,
        kept,
        received,
        key=key,
        payload_key=shared,
        payload=payload,
    )


def with_real_cwd(event: HookInput, identity: Identity) -> HookInput:
    """Return the event with the links of its folder resolved, so that a folder has one name."""
    path = identity.cwd if event.cwd == identity.cwd else real_paths.real(event.cwd)
    return event if event.cwd == path else event.model_copy(update={"cwd": path})


def unsent(
    event: HookInput,
    identity: Identity,
    method: HookMethod[Any] | None,
    client: str = CLAUDE_CODE.name,
) -> Delivery:
    """Return the delivery of an event that no client sent, as if `client` had; it repeats no other.

    Its trace is not stored.
    """
    made = make_delivery(event, identity, method, {}, Received())
    return replace(made, key=None, client=adapter_of(client))
