"""Running the commands among an event's hooks: who waits for whom, how long, and what came of it.

Every hook is a task, from its turn in the queue to the end of the last process of its group;
whoever asked waits for its answer only.
"""

import asyncio
import signal
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import field
from types import TracebackType
from typing import Any, Self

from hookd.core.hook_rules.model import Hook, HookExecution
from hookd.core.hook_rules.path_policy import PathPolicy
from hookd.core.model.deadlines import ANSWER_MARGIN_S
from hookd.lazy_dataclass import dataclass
from hookd.log.logger import LOG
from hookd.user_hooks.process import Process, start
from hookd.user_hooks.program import Program, prepared
from hookd.user_hooks.reaper import Reaper

_START = 0.005  # seconds that one has at least: a loop may wake who waits a little early

_GIVEN_UP = "was ended: its event is over"


def _nobody(_ran: HookExecution) -> None:
    """Report nothing."""


@dataclass(frozen=True, slots=True)
class HookRunContext:
    """What one event gives to all of its hooks.

    `payload` is its JSON, one line. `cwd` is its folder, `fallback` the one where that is gone;
    `deadline` is how many seconds the shim still waits. `notes` go with every run. `later` is
    called with the results of background hooks.
    """

    payload: bytes
    cwd: str
    fallback: str
    deadline: float
    reach: PathPolicy = field(default_factory=PathPolicy)
    notes: tuple[str, ...] = ()
    later: Callable[[HookExecution], None] = _nobody


class CommandRunner:
    """Runs hooks, so many at a time.

    To be entered before it is asked; when it is left, all that still runs is ended.
    """

    def __init__(self, *, limit: int = 8, background_limit: int = 16) -> None:
        self._limits = (0, 0)
        self.allow(limit, background_limit)
        self._tasks = asyncio.TaskGroup()
        self._running = set[asyncio.Task[None]]()
        self._closed = False
        self.reaper = Reaper()

    def allow(self, limit: int, background_limit: int) -> None:
        """Let so many run at a time from now on; what has a place already keeps it."""
        if self._limits != (limit, background_limit):
            self._limits = (limit, background_limit)
            self._waited = asyncio.Semaphore(limit)
            self._background = asyncio.Semaphore(background_limit)

    async def __aenter__(self) -> Self:
        """Be ready."""
        await self._tasks.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End all that runs."""
        await self.close()
        await self._tasks.__aexit__(kind, fault, trace)

    async def close(self) -> None:
        """End all that runs, within two seconds; what is asked for afterwards does not begin."""
        self._closed = True
        for task in self._running:
            task.cancel()
        if self._running:
            await asyncio.wait(self._running)
        await asyncio.to_thread(self.reaper.close)

    def beside(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something else in the background; it is ended with the rest."""
        if self._closed:
            work.close()
            return
        task = self._tasks.create_task(_alone(work))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def run(
        self,
        hooks: Sequence[Hook],
        environments: Sequence[Mapping[str, str]],
        occasion: HookRunContext,
    ) -> tuple[HookExecution, ...]:
        """Run the hooks of one event; return what came of each, in their order.

        Those of one chain run one after the other, all else at once. What goes wrong is the fault
        of a run, and no exception. If the call is cancelled, so are the hooks that it waits for.
        """
        ends = _now() + max(0.0, occasion.deadline - ANSWER_MARGIN_S)
        works = [_Work(hook, env, occasion) for hook, env in zip(hooks, environments, strict=True)]
        async with asyncio.TaskGroup() as lanes:
            for lane in _lanes(works):
                lanes.create_task(self._lane(lane, ends))
        return tuple(work.ran.result() for work in works)

    async def _lane(self, works: Sequence["_Work"], ends: float) -> None:
        """Run one after the other."""
        for work in works:
            work.begin(ends)
            if self._closed:
                work.came(fault="could not be started: the daemon ends")
                continue
            task = self._tasks.create_task(self._attend(work))
            self._running.add(task)
            task.add_done_callback(self._running.discard)
            try:
                await _first(None, work.ran, task)
            except asyncio.CancelledError:
                task.cancel()
                raise
            if not work.ran.done():  # it was cancelled before it began
                work.came(fault=_GIVEN_UP)
            if work is not works[-1] and work.ran.result().timed_out:
                await asyncio.wait({task}, timeout=max(0.0, ends - _now()))

    async def _attend(self, work: "_Work") -> None:
        """See one hook through; whatever comes of it, it is said."""
        try:
            if work.alone:
                work.came(started_background=True)
            await self._take_turn(work)
        except Exception as fault:  # noqa: BLE001 - one hook must not end the others
            LOG.exception("a hook's run has failed", extra={"about": {"hook": work.hook.id}})
            work.came(fault=f"could not be run: {fault}")
        finally:
            work.came(fault=_GIVEN_UP)

    async def _take_turn(self, work: "_Work") -> None:
        """Wait for a place, and run it there."""
        work.place = self._background if work.alone else self._waited
        try:
            if work.until - _now() < _START:
                raise TimeoutError
            async with asyncio.timeout_at(work.until):
                await work.place.acquire()
            work.queued = False
            try:
                await self._see(work)
            finally:
                work.place.release()
        except TimeoutError:
            work.late()
        except (OSError, ValueError) as fault:
            work.came(fault=f"could not be started: {_reason(fault)}")

    async def _see(self, work: "_Work") -> None:
        """Start it, and listen to it as long as it may run; end what it leaves behind."""
        async with asyncio.timeout_at(work.until):
            process = await start(work.prepared, work.occasion.payload, self.reaper)
        work.notes += process.notes
        try:
            await _first(work.until, process.exited, process.detached)
            if process.detached.done() and not work.alone:
                await self._let_go(work, process.detached.result())
            await _first(work.until, process.exited)
            if not process.exited.done():
                work.late(process)
                return
            await process.over()
            work.came(**_ended(process.exited.result()), **_printed(process))
        finally:
            if work.alone and process.exited.done():
                process.leave()
            else:
                await process.end()

    async def _let_go(self, work: "_Work", seconds: float) -> None:
        """Wait for it no longer. It moves to the background if there is room."""
        work.came(started_background=True)
        work.alone = True
        work.until = _now() + (seconds or work.hook.timeout)
        if work.place is self._waited and not self._background.locked():
            await self._background.acquire()
            self._waited.release()
            work.place = self._background


async def _alone(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except Exception:  # noqa: BLE001 - a background hook must not end the others
        LOG.exception("what followed a hook has failed")


class _Work:
    """One run of one hook: since when, until when, and what came of it.

    `alone` is a background hook; `ran` is the result for its caller.
    """

    def __init__(self, hook: Hook, env: Mapping[str, str], occasion: HookRunContext) -> None:
        self.hook, self.occasion = hook, occasion
        self.alone = hook.background
        self.notes = occasion.notes
        self.ran: asyncio.Future[HookExecution] = asyncio.get_running_loop().create_future()
        self.began = self.until = 0.0
        self.queued = True
        self.place: asyncio.Semaphore
        self._env = env
        self._over = False

    def begin(self, ends: float) -> None:
        """Start its time. It ends with that of the event, except in the background."""
        self.began = _now()
        self.until = self.began + self.hook.timeout
        if not self.alone:
            self.until = min(self.until, ends)

    def prepared(self) -> Program:
        """Return what it starts; it reads the disk."""
        one = self.occasion
        return prepared(self.hook, self._env, (one.cwd, one.fallback), one.reach)

    def came(self, **what: Any) -> None:
        """Report the result, once: to the caller, else to the callback for background hooks."""
        if self._over:
            return
        ran = HookExecution(
            self.hook,
            milliseconds=round((_now() - self.began) * 1_000, 1),
            notes=self.notes,
            **what,
        )
        self._over = not ran.started_background
        if not self.ran.done():
            self.ran.set_result(ran)
            return
        try:
            self.occasion.later(ran)
        except Exception:  # noqa: BLE001 - one hook must not end the others
            LOG.exception(
                "a hook's result was not reported", extra={"about": {"hook": ran.hook.id}}
            )

    def late(self, process: Process | None = None) -> None:
        """Say that its time was up, and what it had printed until then."""
        fault = f"timed out after {max(0.0, self.until - self.began):.3g} s"
        if self.queued:
            fault += ", waiting for other hooks to end"
        self.came(fault=fault, timed_out=True, **(_printed(process) if process else {}))


def _lanes(works: Sequence[_Work]) -> list[list[_Work]]:
    """Return the works: each chain together, each other hook alone."""
    lanes: dict[object, list[_Work]] = {}
    for work in works:
        chain = None if work.alone else work.hook.chain
        lanes.setdefault(work if chain is None else chain, []).append(work)
    return list(lanes.values())


async def _first(until: float | None, *futures: "asyncio.Future[Any]") -> None:
    """Wait for the first of these, or until the time is up."""
    left = None if until is None else max(0.0, until - _now())
    await asyncio.wait(futures, timeout=left, return_when=asyncio.FIRST_COMPLETED)


def _ended(code: int) -> dict[str, Any]:
    """Return how it ended, by its return code: negative where a signal ended it."""
    if code >= 0:
        return {"exit_code": code}
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return {"fault": f"was ended by {name}"}


def _printed(process: Process) -> dict[str, Any]:
    return {
        "stdout": process.stdout.text,
        "stderr": process.stderr.text,
        "truncated": process.stdout.truncated or process.stderr.truncated,
    }


def _reason(fault: OSError | ValueError) -> str:
    said = getattr(fault, "strerror", None) or str(fault)
    named = getattr(fault, "filename", None)
    return f"{named}: {said}" if isinstance(named, str) else said


def _now() -> float:
    return asyncio.get_running_loop().time()
