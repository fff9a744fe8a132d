"""Load missing facts and retry the decision (raised as MissingFacts): rows, files, processes."""

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from datetime import datetime
from typing import Any, TypeVar

from hookd.core.model.fact_requests import (
    CallerReason,
    FactRequest,
    FileRequest,
    HooksOfProject,
    MissingFacts,
    ProcessOrigin,
    PromptTyped,
)
from hookd.core.model.facts import Facts, FactValue
from hookd.core.model.origin import Origin
from hookd.lazy_dataclass import dataclass
from hookd.store import facts as stored
from hookd.store.database import Connection

T = TypeVar("T")

Requests = tuple[FactRequest, ...]
ResolvedFacts = Mapping[FactRequest, FactValue | None]
"""Facts by their requests; None: there is no such thing."""

_MAX_FILE_ROUNDS = 12
"""Attempts of one decision that may request files: each has learnt where to look further."""

_MAX_ROW_ROUNDS = 1_000
"""Attempts of one decision in its transaction."""

_NONE: ResolvedFacts = {}


async def _retry(
    attempt: Callable[[ResolvedFacts], Awaitable[T]],
    load: Callable[[Requests], Awaitable[ResolvedFacts]],
    rounds: int,
    resolved: ResolvedFacts = _NONE,
) -> T:
    """Return the first attempt that misses no facts; load what the others miss.

    `resolved` are the facts of the first attempt. Raise RuntimeError after so many rounds.
    """
    for _ in range(rounds):
        try:
            return await attempt(resolved)
        except MissingFacts as missing:
            resolved = {**resolved, **await load(missing.requests)}
    raise RuntimeError("a decision requests facts without end")


def _run_now(coroutine: Coroutine[Any, Any, T]) -> T:
    """Return the result of a coroutine that never waits: it needs no event loop."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    raise RuntimeError("the coroutine waits")


def decide_with_rows(db: Connection, facts: Facts, decide: Callable[[Facts], T]) -> T:
    """Return what `decide` returns, with the rows it requests, all in the current transaction.

    Raise MissingFacts if it requests a file.
    """

    async def attempt(resolved: ResolvedFacts) -> T:
        return decide(facts.with_facts(resolved) if resolved else facts)

    async def load(requests: Requests) -> ResolvedFacts:
        rows = stored.seen(db, requests)
        if rows is None:
            raise MissingFacts(*requests)
        return rows

    return _run_now(_retry(attempt, load, _MAX_ROW_ROUNDS))


def run_with_files(
    work: Callable[[ResolvedFacts], T], read_files: Callable[[Requests], ResolvedFacts]
) -> T:
    """Return what `work` returns, with the files it requests, without an event loop."""

    async def attempt(resolved: ResolvedFacts) -> T:
        return work(resolved)

    async def load(requests: Requests) -> ResolvedFacts:
        return read_files(requests)

    return _run_now(_retry(attempt, load, _MAX_FILE_ROUNDS))


async def _read_no_files(_requests: Requests) -> ResolvedFacts:
    return {}


async def _no_project_config(_root: str | None) -> FactValue | None:
    return None


def _nothing() -> None:
    pass


def _no_origin(_pid: int) -> Origin:
    return Origin()


def _any_person(_pid: int) -> str:
    return ""


def _not_read(_pid: int, _now: datetime) -> str:
    return "no process is read here"


@dataclass(frozen=True)
class FactLoader:
    """Loads facts outside of a transaction: files, the configuration of a project, processes.

    `glance` returns files that a decision will probably request, or nothing if the disk is slow.
    """

    read_files: Callable[[Requests], Awaitable[ResolvedFacts]] = _read_no_files
    project_config: Callable[[str | None], Awaitable[FactValue | None]] = _no_project_config
    process_origin: Callable[[int], Origin] = _no_origin
    glance: Callable[[Requests], Awaitable[ResolvedFacts]] = _read_no_files
    why_not_typed: Callable[[int, datetime], str] = _not_read
    why_no_person: Callable[[int], str] = _any_person

    async def run(
        self,
        run: Callable[[Callable[[Connection], T]], Awaitable[T]],
        work: Callable[[Connection, ResolvedFacts], T],
        loaded: Callable[[], None] = _nothing,
        foreseen: Requests = (),
    ) -> T:
        """Run work in a transaction on a database thread; retry it with the facts it misses.

        `loaded` is called whenever facts were loaded. `foreseen` are requests that the work will
        probably make: they are loaded before.
        """

        async def attempt(resolved: ResolvedFacts) -> T:
            return await run(lambda db: work(db, resolved))

        async def load(requests: Requests) -> ResolvedFacts:
            found = await self._load(requests)
            loaded()
            return found

        resolved = _NONE
        if foreseen:
            resolved = await self.glance(foreseen)
            loaded()
        return await _retry(attempt, load, _MAX_FILE_ROUNDS, resolved)

    async def _load(self, requests: Requests) -> ResolvedFacts:
        loaded: dict[FactRequest, FactValue | None] = {}
        if files := tuple(request for request in requests if isinstance(request, FileRequest)):
            loaded |= await self.read_files(files)
        for request in requests:
            if isinstance(request, HooksOfProject):
                loaded[request] = await self.project_config(request.root)
            elif isinstance(request, ProcessOrigin):
                loaded[request] = self.process_origin(request.pid)
            elif isinstance(request, PromptTyped):
                loaded[request] = self.why_not_typed(request.pid, request.now)
            elif isinstance(request, CallerReason):
                loaded[request] = self.why_no_person(request.pid)
        return loaded
