"""Transcript ingestion in the background: messages, and the usage of the context window."""

import asyncio
from collections import deque
from collections.abc import Callable
from datetime import datetime

from hookd.clients.adapters import adapter_of
from hookd.clients.contract import Transcript
from hookd.core.model.facts import iso
from hookd.events.context_usage import Usage
from hookd.events.transcript import Entry
from hookd.lazy_dataclass import dataclass
from hookd.log.logger import LOG
from hookd.store import transcripts
from hookd.store.database import Connection, Writer
from hookd.system import real_paths
from hookd.system.transcripts import Chunk, read_new, tail

_MAX_QUEUED = 1_000
"""Transcripts that may be queued; later events of a session queue its transcript again."""

_CHUNKS_PER_TURN = 4
"""Chunks after which the next transcript has its turn."""

_BATCH_DELAY_S = 0.1
"""The client writes after its events, and a burst of them is read once."""

_TURN_END_DELAY_S = 0.5
"""Time after a Stop by which the client has written how the turn ended."""

_MAX_PATH_CHARS = 4_096
_TAIL_BYTES = (262_144, 2_097_152)
"""Ends of a file in which the last answer is searched; a tool result may be large."""


@dataclass(frozen=True, slots=True)
class _Stop:
    """A turn that ended with this event; `due` is when to read how, by the loop's clock."""

    session_id: int
    path: str
    event: int
    due: float


class TranscriptIngester:
    """Reads queued transcripts. `now` is the clock.

    `window` returns the size of a context window in tokens, if the user has set it; `moved` is
    called when the usage of a window has changed.

    Each step is small, some 64 kB: parsed and redacted on a thread, then one hop of the writer. So
    an answer that is due in between does not wait for the rest of a long transcript.
    """

    def __init__(
        self,
        writer: Writer,
        now: Callable[[], datetime],
        window: Callable[[], int | None] = lambda: None,
        moved: Callable[[], None] = lambda: None,
    ) -> None:
        self._writer = writer
        self._now = now
        self._window = window
        self._moved = moved
        self._usages: dict[int, Usage] = {}
        self._waiting: dict[str, int] = {}
        self._stops: deque[_Stop] = deque()
        self._ended = asyncio.Event()
        self._wanted = asyncio.Event()
        self._told: set[str] = set()

    @property
    def waiting(self) -> int:
        """How many transcripts are queued."""
        return len(self._waiting)

    def enqueue(self, session_id: int, path: str, stopped: int = 0) -> None:
        """Queue the transcript of a session.

        `stopped` is the event that ended a turn, 0 if none did. A queued transcript keeps its
        place; if too many are queued, a later event queues it.
        """
        if len(self._waiting) < _MAX_QUEUED and 0 < len(path) <= _MAX_PATH_CHARS:
            self._waiting.setdefault(path, session_id)
            self._wanted.set()
        if stopped and len(self._stops) < _MAX_QUEUED and 0 < len(path) <= _MAX_PATH_CHARS:
            due = asyncio.get_running_loop().time() + _TURN_END_DELAY_S
            self._stops.append(_Stop(session_id, path, stopped, due))
            self._ended.set()

    async def run(self) -> None:
        """Read queued transcripts, until cancelled."""
        async with asyncio.TaskGroup() as both:
            both.create_task(self._read_on())
            both.create_task(self._end_turns())

    async def _read_on(self) -> None:
        """Read queued transcripts, one turn each, until cancelled."""
        while True:
            await self._wanted.wait()
            await asyncio.sleep(_BATCH_DELAY_S)
            self._wanted.clear()
            for path in tuple(self._waiting):
                await self._turn(self._waiting.pop(path), path)

    async def _turn(self, session_id: int, path: str) -> None:
        try:
            more = await self._read(session_id, path)
        except Exception as fault:  # noqa: BLE001 - one transcript must not end the others
            self._tell(path, "transcript cannot be read", fault)
            return
        if more:
            self.enqueue(session_id, path)

    async def _read(self, session_id: int, path: str) -> bool:
        """Read one turn; return whether there is more. At the end the usage is stored."""
        opened = await self._writer.run(lambda db: transcripts.opened(db, session_id, path))
        form = adapter_of(opened.client).transcript
        if form is None:
            return False
        # A subagent's messages are not stored; its file only says how full its window is.
        more = not opened.own and await self._take(session_id, path, opened.offset, form)
        if not more:
            await self._measure(session_id, path, form, own=opened.own)
        return more

    async def _take(self, session_id: int, path: str, offset: int, form: Transcript) -> bool:
        """Store the messages of some lines from `offset` on; return whether there is more."""
        for _ in range(_CHUNKS_PER_TURN):
            chunk, entries = await asyncio.to_thread(_next, path, offset, form)
            if chunk.skipped:
                self._tell(path, "line of a transcript too long; skipped")
            if chunk.offset != offset:
                await self._keep(session_id, entries, path, chunk.offset)
            if not chunk.more:
                return False
            offset = chunk.offset
        return True

    async def _keep(
        self, session_id: int, entries: tuple[Entry, ...], path: str, offset: int
    ) -> None:
        at = iso(self._now())

        def work(db: Connection) -> None:
            transcripts.keep(db, session_id, entries, path=path, offset=offset, at=at)

        await self._writer.run(work)

    async def _measure(self, session_id: int, path: str, form: Transcript, *, own: bool) -> None:
        """Store the usage of the window, if it has changed."""
        usage = await asyncio.to_thread(_usage, path, form, own=own)
        if usage is None or self._usages.get(session_id) == usage:
            return
        chosen = self._window()

        def work(db: Connection) -> bool:
            return transcripts.measure(db, session_id, usage, own=own, chosen=chosen)

        if await self._writer.run(work):
            self._moved()
        if len(self._usages) >= _MAX_QUEUED:
            self._usages.clear()
        self._usages[session_id] = usage

    async def _end_turns(self) -> None:
        """Read how turns ended, each some time after its Stop, until cancelled."""
        while True:
            await self._ended.wait()
            self._ended.clear()
            while self._stops:
                stop = self._stops.popleft()
                await asyncio.sleep(stop.due - asyncio.get_running_loop().time())
                try:
                    await self._end_turn(stop)
                except Exception as fault:  # noqa: BLE001 - one turn must not end the others
                    self._tell(stop.path, "end of a turn cannot be read", fault)
                # A client may write the turn only now, and have no event after it.
                self.enqueue(stop.session_id, stop.path)

    async def _end_turn(self, stop: "_Stop") -> None:
        """Set an agent's status to error if its turn ended by one."""
        opened = await self._writer.run(
            lambda db: transcripts.opened(db, stop.session_id, stop.path)
        )
        form = adapter_of(opened.client).transcript
        kind = await asyncio.to_thread(_error, stop.path, form) if form else None
        if kind is not None:
            at = iso(self._now())
            await self._writer.run(
                lambda db: transcripts.fail(db, stop.session_id, stop.event, kind, at)
            )
            self._moved()

    def _tell(self, path: str, message: str, fault: Exception | None = None) -> None:
        """Log a fault, once for each path: every event of the session would repeat it."""
        if path in self._told:
            return
        if len(self._told) >= _MAX_QUEUED:
            self._told.clear()
        self._told.add(path)
        LOG.warning(message, exc_info=fault, extra={"about": {"path": path}})


def _next(path: str, offset: int, form: Transcript) -> tuple[Chunk, tuple[Entry, ...]]:
    """Read some lines and what is said in them: work for a thread."""
    real = real_paths.real(path)
    chunk = read_new(real, offset) if real else Chunk((), offset)
    return chunk, tuple(entry for line in chunk.lines for entry in form.parse_line(line))


def _usage(path: str, form: Transcript, *, own: bool) -> Usage | None:
    """Return the usage at the end of a transcript: work for a thread."""
    real = real_paths.real(path)
    ends = (tail(real, most) for most in _TAIL_BYTES) if real else ()
    found = (form.last_usage(lines, own=own) for lines in ends)
    return next(filter(None, found), None)


def _error(path: str, form: Transcript) -> str | None:
    """Return the error that ended the last turn: work for a thread."""
    real = real_paths.real(path)
    return form.turn_error(tail(real, _TAIL_BYTES[0])) if real else None
