"""How a decision that lacks something gets it: that is looked up, and it is decided anew."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from hookd.core.model.fact_requests import (
    FactRequest,
    FileRequest,
    HooksOfProject,
    MissingFacts,
    ProcessOrigin,
)
from hookd.core.model.facts import FactValue
from hookd.core.model.origin import Origin
from hookd.pipeline.transaction import ResolvedFacts
from hookd.store.database import Connection
from hookd.system.ancestry import origin_of
from hookd.system.file_reader import FileReader
from hookd.user_hooks.project_config import ProjectConfigStore

T = TypeVar("T")

_MOST = 12
"""How often one decision may ask: each time it has learnt where to look further."""


@dataclass
class FactLoader:
    """Looks at files, and into the book of the user's hooks where there is one."""

    book: ProjectConfigStore | None = None
    sight: FileReader = field(default_factory=FileReader)
    origin: Callable[[int], Origin] = origin_of

    async def run_with_facts(
        self,
        run: Callable[[Callable[[Connection], T]], Awaitable[T]],
        hop: Callable[[Connection, ResolvedFacts], T],
    ) -> T:
        """Run a hop on a database thread; look up what it lacks, and run it again."""
        seen: ResolvedFacts = {}
        for _ in range(_MOST):
            known = seen
            try:
                return await run(lambda db: hop(db, known))  # noqa: B023
            except MissingFacts as lack:
                seen = {**seen, **await self._look(lack.requests)}
        raise RuntimeError("a decision asks for files without end")

    async def _look(self, wanted: tuple[FactRequest, ...]) -> ResolvedFacts:
        found: dict[FactRequest, FactValue | None] = {}
        if files := tuple(one for one in wanted if isinstance(one, FileRequest)):
            found |= await self.sight.read(files)
        for want in wanted:
            if isinstance(want, HooksOfProject):
                found[want] = await self.book.reload(want.root) if self.book else None
            elif isinstance(want, ProcessOrigin):
                found[want] = self.origin(want.pid)
        return found
