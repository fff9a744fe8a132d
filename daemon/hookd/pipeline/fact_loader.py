"""How a decision that lacks something gets it: that is looked up, and it is decided anew."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from hookd.core.model.fact_requests import FileWant, HooksOf, OriginOf, Unseen, Want
from hookd.core.model.facts import Known
from hookd.core.model.origin import Origin
from hookd.pipeline.transaction import Seen
from hookd.store.database import Connection
from hookd.system.ancestry import origin_of
from hookd.system.file_reader import Sight
from hookd.user_hooks.project_config import Book

T = TypeVar("T")

_MOST = 12
"""How often one decision may ask: each time it has learnt where to look further."""


@dataclass
class Looks:
    """Looks at files, and into the book of the user's hooks where there is one."""

    book: Book | None = None
    sight: Sight = field(default_factory=Sight)
    origin: Callable[[int], Origin] = origin_of

    async def sighted(
        self,
        run: Callable[[Callable[[Connection], T]], Awaitable[T]],
        hop: Callable[[Connection, Seen], T],
    ) -> T:
        """Run a hop on a database thread; look up what it lacks, and run it again."""
        seen: Seen = {}
        for _ in range(_MOST):
            known = seen
            try:
                return await run(lambda db: hop(db, known))  # noqa: B023
            except Unseen as lack:
                seen = {**seen, **await self._look(lack.wants)}
        raise RuntimeError("a decision asks for files without end")

    async def _look(self, wanted: tuple[Want, ...]) -> Seen:
        found: dict[Want, Known | None] = {}
        if files := tuple(one for one in wanted if isinstance(one, FileWant)):
            found |= await self.sight.look(files)
        for want in wanted:
            if isinstance(want, HooksOf):
                found[want] = await self.book.renew(want.root) if self.book else None
            elif isinstance(want, OriginOf):
                found[want] = self.origin(want.pid)
        return found
