"""What is done after an answer, in the background: transcripts are taken into the database.

What was said is kept, and how full the window is by the last answer of its model.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from hookd.core.model.facts import iso
from hookd.events.context_usage import Usage, is_own, last_usage
from hookd.events.transcript import Entry, parse_line
from hookd.events.turn_end import turn_error
from hookd.log.logger import LOG
from hookd.store import transcripts
from hookd.store.database import Connection, Writer
from hookd.system import real_paths
from hookd.system.transcripts import Chunk, read_new, tail

_WAITING = 1_000  # transcripts that may wait; the events of a session name its own again
_TURN = 4  # chunks after which the next transcript has its turn
_PAUSE = 0.1  # seconds: the client writes behind its events, and a burst of them is read once
_SETTLED = (
    0.5  # seconds after a Stop by which the client has written what it has to say of the turn
)
_LONGEST = 4_096  # bytes of a path that can be opened
_TAILS = (262_144, 2_097_152)  # bytes in which the last answer is looked for; a result may be large


@dataclass(frozen=True, slots=True)
class _Stop:
    """A turn that has ended, by this event; `due` is when to look how, by the loop's clock."""

    session_id: int
    path: str
    event: int
    due: float


class TranscriptIngester:
    """The transcripts that wait to be read on. `now` is the clock.

    `window` says how many tokens a context window holds, where the user has set it; `moved` is told
    when it has become known how full one is.

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

    def enqueue(self, session_id: int, path: str, stopped: int = 0) -> None:
        """Let the transcript at `path` be read, as what was said in this session.

        `stopped` is the event that has ended a turn, 0 where none has.
        One that waits already keeps its place; where too many wait, it is for a later event.
        """
        if len(self._waiting) < _WAITING and 0 < len(path) <= _LONGEST:
            self._waiting.setdefault(path, session_id)
            self._wanted.set()
        if stopped and len(self._stops) < _WAITING and 0 < len(path) <= _LONGEST:
            due = asyncio.get_running_loop().time() + _SETTLED
            self._stops.append(_Stop(session_id, path, stopped, due))
            self._ended.set()

    async def run(self) -> None:
        """Read what waits, until cancelled."""
        async with asyncio.TaskGroup() as both:
            both.create_task(self._read_on())
            both.create_task(self._end_turns())

    async def _read_on(self) -> None:
        """Read what waits, one turn each, until cancelled."""
        while True:
            await self._wanted.wait()
            await asyncio.sleep(_PAUSE)
            self._wanted.clear()
            for path in tuple(self._waiting):
                await self._turn(self._waiting.pop(path), path)

    async def _turn(self, session_id: int, path: str) -> None:
        try:
            more = await self._read(session_id, path)
        except Exception as fault:  # noqa: BLE001 - one transcript must not end the others
            self._tell(path, "a transcript cannot be read", fault)
            return
        if more:
            self.enqueue(session_id, path)

    async def _read(self, session_id: int, path: str) -> bool:
        """Read one turn; return whether more is there. What was read to its end is measured."""

        def work(db: Connection) -> tuple[bool, int]:
            return is_own(path, transcripts.subagent(db, session_id)), transcripts.taken(
                db, session_id, path
            )

        own, offset = await self._writer.run(work)
        # What a subagent says is nobody's words here; its own file only tells how full its run is.
        more = not own and await self._take(session_id, path, offset)
        if not more:
            await self._measure(session_id, path, own=own)
        return more

    async def _take(self, session_id: int, path: str, offset: int) -> bool:
        """Keep what is said in some lines from `offset` on; return whether more is there."""
        for _ in range(_TURN):
            chunk, entries = await asyncio.to_thread(_next, path, offset)
            if chunk.skipped:
                self._tell(path, "a line of a transcript is too long; it is passed over")
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

    async def _measure(self, session_id: int, path: str, *, own: bool) -> None:
        """See how full the window is; what was seen before is not written again."""
        usage = await asyncio.to_thread(_usage, path, own=own)
        if usage is None or self._usages.get(session_id) == usage:
            return
        chosen = self._window()

        def work(db: Connection) -> bool:
            return transcripts.measure(db, session_id, usage, own=own, chosen=chosen)

        if await self._writer.run(work):
            self._moved()
        if len(self._usages) >= _WAITING:
            self._usages.clear()
        self._usages[session_id] = usage

    async def _end_turns(self) -> None:
        """Look how turns ended, each some time after its Stop, until cancelled."""
        while True:
            await self._ended.wait()
            self._ended.clear()
            while self._stops:
                stop = self._stops.popleft()
                await asyncio.sleep(stop.due - asyncio.get_running_loop().time())
                try:
                    await self._end_turn(stop)
                except Exception as fault:  # noqa: BLE001 - one turn must not end the others
                    self._tell(stop.path, "how a turn ended cannot be read", fault)

    async def _end_turn(self, stop: "_Stop") -> None:
        """Let an agent stand at an error where its turn ended by one."""
        kind = await asyncio.to_thread(_error, stop.path)
        if kind is not None:
            at = iso(self._now())
            await self._writer.run(
                lambda db: transcripts.fail(db, stop.session_id, stop.event, kind, at)
            )
            self._moved()

    def _tell(self, path: str, message: str, fault: Exception | None = None) -> None:
        """Log a fault, once a path: its session's every event would say it again."""
        if path in self._told:
            return
        if len(self._told) >= _WAITING:
            self._told.clear()
        self._told.add(path)
        LOG.warning(message, exc_info=fault, extra={"about": {"path": path}})


def _next(path: str, offset: int) -> tuple[Chunk, tuple[Entry, ...]]:
    """Read some lines and what is said in them: work for a thread."""
    real = real_paths.real(path)
    chunk = read_new(real, offset) if real else Chunk((), offset)
    return chunk, tuple(entry for line in chunk.lines for entry in parse_line(line))


def _usage(path: str, *, own: bool) -> Usage | None:
    """Return what the transcript's end says of the window: work for a thread."""
    real = real_paths.real(path)
    ends = (tail(real, most) for most in _TAILS) if real else ()
    found = (last_usage(lines, sidechains=own) for lines in ends)
    return next(filter(None, found), None)


def _error(path: str) -> str | None:
    """Return by what error the last turn ended: work for a thread."""
    real = real_paths.real(path)
    return turn_error(tail(real, _TAILS[0])) if real else None
