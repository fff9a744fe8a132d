"""Contract of a client's adapter: decode, encode, registration, capabilities, transcript.

Each is a module of the client's folder, which takes values and returns values. The protocols below
are what pipeline and daemon may use of it; a client's own installer may use more.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol

from hookd.core.model.client_process import RunningClient
from hookd.core.model.verdict import Outcome
from hookd.events.context_usage import Usage
from hookd.events.model import HookInput
from hookd.events.transcript import Entry
from hookd.lazy_dataclass import dataclass

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
    """Payload of a client in, payload in the names of `events/` out."""

    def normalize(self, payload: Mapping[str, Any], registered: str) -> Json:
        """Return the payload with the names of `events/`, `hook_event_name` among them.

        `registered` is the name of the shim's link, an event of `events/`. Unknown fields stay as
        they are. `client_event` and `client_tool` are the client's own names of event and tool,
        where they differ. A malformed payload stays malformed: the event's model refuses it.
        """

    def version(self, variables: Mapping[str, object]) -> str | None:
        """Return the client's version, None if its environment does not contain it."""


class Encoder(Protocol):
    """Event and outcome in, the bytes that this client accepts out."""

    def render(self, event: HookInput, outcome: Outcome, number: int, spill: str = "") -> Rendered:
        """Return the answer; `number` is the event's, `spill` a file for texts that are cut."""


class Registration(Protocol):
    """Settings of a client in, settings with or without entries of hookd out."""

    def registered(self, settings: Json) -> list[str]:
        """Return the names of the events that have an entry of hookd."""

    def unregister(self, settings: Json, kept: Collection[str] = ()) -> Json:
        """Return the settings without entries of hookd."""


class Capabilities(Protocol):
    """Event in, the intentions that this client carries out on it, and what replaces the others."""

    def intentions(self, event: str) -> frozenset[Intention]:
        """Return the intentions that an answer to this event can express."""

    def feasible(self, event: HookInput, outcome: Outcome) -> Outcome:
        """Return the outcome reduced to these intentions, by what is done instead of the others."""

    def denial_template(self, event: str) -> str:
        """Return the answer that denies an event, `@` in place of the reason as a JSON string.

        "" if the client cannot deny this event. The shim prints it where the fail policy is closed.
        """


class Transcript(Protocol):
    """Lines of a client's own file of a conversation in, values of `events/` out.

    A line that is malformed, cut off or of another kind has nothing in it.
    """

    def parse_line(self, line: bytes) -> tuple[Entry, ...]:
        """Return the messages and calls in one line, in the names of `events/`."""

    def results(self, line: bytes) -> tuple[str, ...]:
        """Return the ids of the calls that the line has a result of."""

    def last_usage(self, lines: Sequence[bytes], *, own: bool = False) -> Usage | None:
        """Return the usage at the end of the lines (oldest first), None without one.

        `own`: they are of a subagent's own file.
        """

    def turn_error(self, lines: Iterable[bytes]) -> str | None:
        """Return the error that ended the last turn, None if there is none.

        It is also None for a client that reports errors by an event, or not at all.
        """


@dataclass(frozen=True, slots=True)
class Adapter:
    """A client by its name, as it is stored with a session, and its modules.

    `registration` is None for a client that hookd cannot register itself with. `attended` returns
    whether a person can answer a question of a running client; None: the client itself does what is
    right where there is no person. `transcript` is None for a client that appends to no such file.
    `transcript_place` returns the file of a session's id, from the client's folder, for a client
    that does not name it in each payload. `shares_process`: one process may serve several windows.
    """

    name: str
    decode: Decoder
    encode: Encoder
    capabilities: Capabilities
    registration: Registration | None = None
    attended: Callable[[RunningClient], bool] | None = None
    transcript: Transcript | None = None
    transcript_place: Callable[[object], str | None] | None = None
    shares_process: bool = False
