"""A dispatcher and its event pipeline on a real database, without a daemon around them."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from hookd.core.model.effects.union import AfterCommitEffect
from hookd.events.delivery_identity import Sender
from hookd.pipeline.delivery import Received
from hookd.pipeline.evaluation import PolicyEngine
from hookd.pipeline.fact_loader import FactLoader
from hookd.pipeline.pipeline import EventPipeline
from hookd.pipeline.response import EventResponse
from hookd.rpc.dispatcher import Dispatcher
from hookd.store.database import Writer
from hookd.store.reader import Reader
from hookd.system.file_reader import FileReader


class QuietPipeline(EventPipeline):
    """A pipeline with a short repr: asyncio prints fixtures, which takes 60 ms for the long one."""

    __repr__ = object.__repr__


class QuietDispatcher(Dispatcher):
    """A dispatcher with a short repr, and the calls that tests need most."""

    __repr__ = object.__repr__

    @property
    def writer(self) -> Writer:
        return self.pipeline.writer

    @property
    def engine(self) -> PolicyEngine:
        return self.pipeline.engine

    def with_engine(self, engine: PolicyEngine) -> "QuietDispatcher":
        """Return the dispatcher with another engine."""
        return replace(self, pipeline=replace(self.pipeline, engine=engine))

    async def event(
        self, name: str, env: Mapping[str, object], body: bytes, sender: Sender | None = None
    ) -> EventResponse:
        return await self.pipeline.run(Received(name, env, body, sender=sender))


async def cause_nothing(_effect: AfterCommitEffect) -> None:
    """Perform no effect."""


def eight_o_clock() -> datetime:
    """Return the time of tests in which no time passes."""
    return datetime(2026, 1, 31, 8, tzinfo=UTC)


def make_dispatcher(
    writer: Writer,
    reader: Reader,
    engine: PolicyEngine,
    *,
    now: Callable[[], datetime] = eight_o_clock,
    after_commit: Callable[[AfterCommitEffect], Awaitable[None]] = cause_nothing,
    **parts: Any,
) -> QuietDispatcher:
    """Return a dispatcher; `parts` are further ones of its pipeline."""
    files = FileReader()
    loader = FactLoader(files.read, glance=files.glance)
    pipeline = QuietPipeline(writer, reader, engine, now, after_commit, loader, **parts)
    return QuietDispatcher(pipeline)
