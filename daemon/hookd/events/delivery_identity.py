"""Delivery identity: which deliveries are one firing of an event, and which are two.

The client fires an event once and starts every hook that is registered for it. Registered for the
user and for a project, hookd is started twice for one firing; a shim whose daemon died sends its
event a second time. Each firing is evaluated, recorded and answered once.

An event about one tool call is identified by its `tool_use_id`, with the tool and its input. No
other event has an id of its own: all events of a turn have the turn's `prompt_id`, even a prompt
that is typed while the model works, and two firings can be equal byte by byte (`continue` typed
twice). Such a firing is identified by its payload and by its sender:

* the same process again delivers the same firing: a shim sends again what was lost;
* another registration delivers the same firing, if within a minute: the client starts all of them
  at once;
* another process of the same registration delivers a new firing.

A registration is the command line of the shim; the client runs equal command lines only once. A
request without a sender, such as one made with `hookd rpc`, is always a new firing. In addition, a
SessionStart that is repeated before any other event of its session continues the same window.
"""

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import field
from hashlib import sha256
from typing import Any

from pydantic_core import to_json

from hookd.events.model import HookInput
from hookd.events.protocol import EVENTS
from hookd.lazy_dataclass import dataclass

_LONG = 10_000
"""Characters from which a text of a tool input counts by its hash: JSON of it takes longer."""

_CONCURRENT = 60.0
"""Seconds within which all registrations deliver one firing, on a machine under heavy load."""

_MOST = 2_000
"""Payloads whose firings are remembered; the least recently delivered one is forgotten first."""


@dataclass(frozen=True, slots=True)
class Sender:
    """A hook process that delivers an event: its registration, and an id of the process itself."""

    registration: str
    process: str


def sender_in(params: Mapping[str, object]) -> Sender | None:
    """Return the sender that a shim names in the params of its request, None if it names none."""
    named = params.get("sender")
    if not isinstance(named, dict):
        return None
    registration, process = named.get("registration"), named.get("process")
    if not isinstance(registration, str) or not isinstance(process, str) or not process:
        return None
    return Sender(_short(registration), _short(process))


def call_key(event: HookInput) -> str | None:
    """Return the delivery key of an event about one tool call, None for every other event.

    The tool, by its name in the client, and its input are part of the key: another call with a used
    id is evaluated. The key begins with a hash of the session, so that the keys of a session are
    neighbours in the index.
    """
    spec = EVENTS.get(event.hook_event_name)
    call = getattr(event, spec.identity, None) if spec and spec.identity else None
    if not call or not event.session_id:
        return None
    tool = getattr(event, "tool_name", "")
    parts = [event.agent_id or "", event.hook_event_name, str(call), str(tool)]
    if event.client_tool:
        parts.append(event.client_tool)
    rest = sha256("\0".join(parts).encode("utf-8", "replace"))
    for part in _input_parts(getattr(event, "tool_input", None)):
        rest.update(part)
    return _key(event.session_id, rest.hexdigest()[:24])


def _input_parts(value: Any) -> Iterator[bytes]:
    """Yield what identifies a tool input: long texts by their hashes, the rest as JSON.

    A hash follows a NUL and its name, so it cannot be mistaken for JSON.
    """
    long: dict[str, str] = {}
    if isinstance(value, dict):
        long = {key: text for key, text in value.items() if _is_long(text)}
    yield to_json({key: one for key, one in value.items() if key not in long} if long else value)
    for key, text in long.items():
        yield b"\0" + to_json(key) + sha256(text.encode("utf-8", "replace")).digest()


def _is_long(value: Any) -> bool:
    return isinstance(value, str) and len(value) > _LONG


def payload_key(event: HookInput, body: bytes) -> str | None:
    """Return the key that all firings with this payload share, None if the event has no session."""
    if not event.session_id:
        return None
    rest = sha256(event.hook_event_name.encode("utf-8", "replace") + b"\0" + body)
    return _key(event.session_id, rest.hexdigest()[:24])


@dataclass(slots=True)
class _Firing:
    """One firing: its delivery key, when it was first delivered, and the processes that did."""

    key: str
    at: float
    processes: dict[str, str]


@dataclass
class Firings:
    """Assign deliveries to firings. Forgotten at a restart of the daemon.

    After a restart a shim's second attempt still has the key of the first: the key ends with the
    process that delivered first.
    """

    _by_payload: "OrderedDict[str, list[_Firing]]" = field(default_factory=OrderedDict)

    def key(self, payload: str, sender: Sender, now: float) -> str:
        """Return the delivery key of the firing that `sender` delivers at `now`, in seconds."""
        recent = [one for one in self._by_payload.get(payload, ()) if now - one.at < _CONCURRENT]
        found = _same_process(sender, recent) or _other_registration(sender, recent)
        if found is None:
            found = _Firing(f"{payload}-{sender.process}", now, {})
            recent.append(found)
        found.processes[sender.registration] = sender.process
        self._by_payload[payload] = recent
        self._by_payload.move_to_end(payload)
        if len(self._by_payload) > _MOST:
            self._by_payload.popitem(last=False)
        return found.key


def _same_process(sender: Sender, firings: list[_Firing]) -> _Firing | None:
    mine = (one for one in firings if one.processes.get(sender.registration) == sender.process)
    return next(mine, None)


def _other_registration(sender: Sender, firings: list[_Firing]) -> _Firing | None:
    return next((one for one in firings if sender.registration not in one.processes), None)


def _key(session: str, rest: str) -> str:
    return f"{sha256(session.encode('utf-8', 'replace')).hexdigest()[:12]}-{rest}"


def _short(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:12]
