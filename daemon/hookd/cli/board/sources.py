"""What the board needs of the outside: a connection to the daemon, and details of the database."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from hookd.cli.board.state import BoardState, Row
from hookd.cli.board.text import Item


class Detail(NamedTuple):
    """The content of the detail pane: a title, a note beside it, and its lines for a width."""

    title: str
    note: str
    items: Callable[[int], Sequence[Item]]


class CallError(Exception):
    """A call that the daemon refused or did not answer, as a sentence; `step` is what to do."""

    def __init__(self, sentence: str, step: str = "") -> None:
        super().__init__(sentence)
        self.step = step


class Feed(Protocol):
    """The daemon. `link` is connected, reconnecting, stopped or older; `why` is a sentence."""

    link: str
    why: str
    step: str
    """The next step of `why` as a command, "" without one."""
    daemon: Mapping[str, Any] | None
    """The last result of daemon.status."""
    stop: str
    """The sentence of a stop marker, "" without one."""
    cannot_answer: str
    """Why permission requests cannot be answered here, "" if they can."""

    def now(self) -> datetime | None:
        """Return the daemon's time; None before it has answered."""
        ...

    async def run(self, state: BoardState, changed: Callable[[], None]) -> None:
        """Keep the state current, until cancelled; call `changed` after each change."""
        ...

    async def call(self, method: str, params: Mapping[str, Any]) -> Any:
        """Return the result of a method. Raise CallError."""
        ...


class Details(Protocol):
    """Reads details; it may block, and runs on another thread. Errors are shown as a detail."""

    def session(self, row: Row, *, told: bool) -> Detail:
        """Return the time line of a session; with `told` only texts for the model."""
        ...

    def event(self, number: int) -> Detail:
        """Return the explanation of an event's decision."""
        ...
