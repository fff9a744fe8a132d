"""Contract of a client's adapter: decode, encode, registration and capabilities.

Each is a module of the client's folder, which takes values and returns values. The protocols below
are what pipeline and daemon may use of it; a client's own installer may use more.
"""

from collections.abc import Collection, Mapping
from typing import Any, Literal, Protocol, TypeVar

from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput
from hookd.lazy_dataclass import dataclass

E = TypeVar("E", bound=HookInput)

Json = dict[str, Any]

Intention = Literal[
    "deny", "defer", "ask", "allow", "rewrite input", "add context", "notify user", "stop turn"
]
"""Something that an outcome can want of a client on an event."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """An answer as its client accepts it: one JSON object on stdout, with exit code 0.

    `output` None is silence. `overflow_text` is the whole of the texts that are too long for the
    client and cut in `output`, None if none is. `rewrites`: the client runs another tool input.
    """

    output: Json | None
    overflow_text: str | None = None
    rewrites: bool = False


class Decoder(Protocol):
    """Payload of a client and its environment in, an event of `events/` out."""

    def event_name(self, payload: Mapping[str, Any], registered: str) -> str:
        """Return the event's name in `events/`; `registered` is the name that the shim sent."""

    def event(self, payload: Mapping[str, Any], name: str, model: type[E]) -> E:
        """Return the payload as this model. Raise ValidationError."""

    def salvage(self, payload: Mapping[str, Any], name: str) -> HookInput:
        """Return the fields that identify a malformed payload: session, prompt, call."""

    def version(self, variables: Mapping[str, object]) -> str | None:
        """Return the client's version, None if its environment does not contain it."""


class Encoder(Protocol):
    """Event and outcome in, the bytes that this client accepts out."""

    def render(self, event: str, outcome: Outcome, number: int, spill: str = "") -> Rendered:
        """Return the answer; `number` is the event's, `spill` a file for texts that are cut."""

    def has_rewritten(self, answer: str) -> bool:
        """Return whether an answer, as JSON text, has another tool input."""

    def with_input(self, payload: Mapping[str, Any], tool_input: Json) -> Json:
        """Return the payload of a call as the client would send it with another tool input."""


class Registration(Protocol):
    """Settings of a client in, settings with or without entries of hookd out."""

    def registered(self, settings: Json) -> list[str]:
        """Return the names of the events that have an entry of hookd."""

    def unregister(self, settings: Json, kept: Collection[str] = ()) -> Json:
        """Return the settings without entries of hookd."""


class Capabilities(Protocol):
    """Event in, the intentions that this client carries out on it; the others become silence."""

    def intentions(self, event: str) -> frozenset[Intention]:
        """Return the intentions that an answer to this event can express."""

    def feasible(self, event: str, outcome: Outcome) -> Outcome:
        """Return the outcome reduced to these intentions, by what is done instead of the others."""


@dataclass(frozen=True, slots=True)
class Adapter:
    """A client by its name, as it is stored with a session, and its four modules."""

    name: str
    decode: Decoder
    encode: Encoder
    registration: Registration
    capabilities: Capabilities
