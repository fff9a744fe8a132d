"""What arrives of an event: its payload, or what can be known of one that is malformed."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from hookd.clients.adapters import CLAUDE_CODE
from hookd.clients.contract import Adapter
from hookd.core.model.identity import Identity
from hookd.core.model.method import HookMethod
from hookd.events.delivery_identity import call_key, payload_key
from hookd.events.model import HookInput
from hookd.events.payload_excerpt import excerpt_record
from hookd.redaction.redact import Record, record
from hookd.system import real_paths

if TYPE_CHECKING:
    from hookd.pipeline.event_order import (
        Turn,  # asyncio, which the judge does without, takes its time
    )


@dataclass(frozen=True, slots=True)
class Terms:
    """What is known of the shim that sent an event. `peer` is the process that connected.

    `closed`: where nothing can judge the event, it denies it. `deadline` is how many seconds it
    waits for the answer, 0 if it does not say. `gone`: it closed its connection before the event
    was acknowledged, so that the answer reaches nobody.
    """

    closed: bool = False
    deadline: float = 0.0
    peer: int | None = None
    gone: bool = False


UNSAID = Terms()


@dataclass(frozen=True, slots=True)
class Delivery:
    """One hook event as it came, its folder resolved.

    `key` identifies the firing of the event: a second delivery has the same one; None: unknown.
    `payload_key` is shared by all firings with an equal payload, for events whose payload does not
    identify the firing. `canary` is the answer of a check.
    `payload` is the event as it came, and `sent` are the variables that came with it: both are for
    the user's hooks alone, and kept nowhere. `since` is when it came, by the loop's clock, 0 where
    that is not known. `closed`, `deadline` and `gone` are its shim's terms. `turn` is its place
    among the events of its session.
    """

    event: HookInput
    identity: Identity
    method: HookMethod[Any] | None
    record: Record
    key: str | None = None
    payload_key: str | None = None
    canary: str = ""
    payload: Mapping[str, Any] = field(default_factory=dict)
    sent: Mapping[str, object] = field(default_factory=dict)
    since: float = 0.0
    closed: bool = False
    deadline: float = 0.0
    gone: bool = False
    turn: "Turn | None" = None
    client: Adapter = CLAUDE_CODE


def make_delivery(  # noqa: PLR0913 - what came with it
    event: HookInput,
    who: Identity,
    method: HookMethod[Any] | None,
    payload: dict[str, Any],
    body: bytes | None,
    *,
    sent: Mapping[str, object],
    since: float = 0.0,
    terms: Terms = UNSAID,
) -> Delivery:
    """Return an event as it goes down the road: its folder resolved, its secrets taken out.

    `body` are the bytes of the payload, `sent` the variables that came with it, `since` is when, by
    the loop's clock. `terms` are the shim's.
    """
    kept, key = excerpt_record(record(payload, whole=body), body), call_key(event)
    shared = payload_key(event, body) if key is None and body is not None else None
    return Delivery(
        located(event, who),
        who,
        method,
        kept,
        key=key,
        payload_key=shared,
        payload=payload,
        sent=sent,
        since=since,
        closed=terms.closed,
        deadline=terms.deadline,
        gone=terms.gone,
    )


def located(event: HookInput, who: Identity) -> HookInput:
    """Return the event with the links of its folder resolved: one folder has one name."""
    path = who.cwd if event.cwd == who.cwd else real_paths.real(event.cwd)
    return event if event.cwd == path else event.model_copy(update={"cwd": path})


def salvage_fields(fields: dict[str, Any], name: str) -> HookInput:
    """Return what can be known of a malformed payload: which session it is of, and which call."""
    keys = ("session_id", "agent_id", "prompt_id", "tool_use_id", "tool_name")
    texts = {key: fields[key] for key in keys if isinstance(fields.get(key), str)}
    return HookInput(hook_event_name=name, **texts)


def unsent(event: HookInput, who: Identity, method: HookMethod[Any] | None) -> Delivery:
    """Return an event that no client sent, as it would arrive; it repeats no other one."""
    return replace(make_delivery(event, who, method, {}, None, sent={}), key=None)
