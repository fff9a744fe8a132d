"""Run a replay in several processes: sessions are independent, so each process takes some."""

import gc
import logging
import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence

from hookd.log.logger import LOG
from hookd.replay.compare import Tally, merged
from hookd.replay.engine import Replayer
from hookd.replay.plan import Plan
from hookd.replay.sources import Source, Unit

_BATCH = 500
"""Events that a process takes at once."""

_ALONE = 3_000
"""Events below which starting a process takes longer than it saves."""

_GC_THRESHOLD = 50_000
"""Objects between two collections: events leave few cycles."""

Progress = Callable[[int], None]
"""Called with the number of further events that were replayed."""

_replayer: Replayer | None = None
_source: Source | None = None


def replay(
    plan: Plan, source: Source, units: Sequence[Unit], processes: int, progress: Progress
) -> Tally:
    """Return the comparison of all units, in at most so many processes."""
    batches = list(_batches(units))
    size = sum(unit.size for unit in units)
    if processes < 2 or size < _ALONE or len(batches) < 2:
        return _here(plan, source, batches, progress)
    found = []
    context = multiprocessing.get_context("spawn")
    with context.Pool(min(processes, len(batches)), _begin, (plan, source)) as pool:
        for batch, tally in zip(batches, pool.imap(_run, batches), strict=True):
            found.append(tally)
            progress(sum(unit.size for unit in batch))
    return merged(found)


def _here(
    plan: Plan, source: Source, batches: Sequence[Sequence[Unit]], progress: Progress
) -> Tally:
    replayer, found = Replayer(plan), []
    try:
        for batch in batches:
            found += [replayer.run(unit.conversation, source.load(unit)) for unit in batch]
            progress(sum(unit.size for unit in batch))
    finally:
        replayer.close()
    return merged(found)


def _batches(units: Sequence[Unit]) -> Iterator[tuple[Unit, ...]]:
    batch: list[Unit] = []
    for unit in units:
        batch.append(unit)
        if sum(one.size for one in batch) >= _BATCH:
            yield tuple(batch)
            batch = []
    if batch:
        yield tuple(batch)


def _begin(plan: Plan, source: Source) -> None:
    """Prepare a process: Ctrl-C ends the first one, which ends the others."""
    global _replayer, _source
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    LOG.addHandler(logging.NullHandler())  # a line about a slow policy is for the daemon
    gc.freeze()
    gc.set_threshold(_GC_THRESHOLD)
    _replayer, _source = Replayer(plan), source


def _run(batch: tuple[Unit, ...]) -> Tally:
    if _replayer is None or _source is None:
        raise RuntimeError("the process was not prepared")
    return merged(_replayer.run(unit.conversation, _source.load(unit)) for unit in batch)
