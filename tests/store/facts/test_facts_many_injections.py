"""A window in which very many texts wait: an event's queries do not read them all."""

from collections.abc import Callable, Iterator
from contextlib import closing
from sqlite3 import Connection

import pytest

from hookd.core.model.daemon_state import RuntimeConfig
from hookd.core.model.effects.messages import (
    AddInjection,
    ConfirmInjections,
    LoseAnswer,
    OfferInjections,
)
from hookd.core.model.effects.union import RowEffect
from hookd.core.model.identity import Where
from hookd.store import facts
from hookd.store.database import open_database
from support.database_rows import AT, NOW, fill, write

MANY = 20_000


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    with closing(open_database(tmp_path_factory.mktemp("many") / "hookd.db")) as db:
        fill(db)
        db.execute(
            "INSERT INTO injections (session_id, source, content, created_at) WITH RECURSIVE"
            " n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ?)"
            f" SELECT 1, 'many', 'text ' || i, '{AT}' FROM n",
            (MANY,),
        )
        db.execute("UPDATE injections SET offers = 3 WHERE id % 2 = 0")
        yield db


def steps(db: Connection, work: Callable[[], object]) -> int:
    """Return how many hundreds of steps SQLite makes for some work."""
    count = 0

    def step() -> int:
        nonlocal count
        count += 1
        return 0

    db.set_progress_handler(step, 100)
    try:
        work()
    finally:
        db.set_progress_handler(None, 0)
    return count


def test_the_oldest_texts_are_read_and_those_that_are_out(db: Connection) -> None:
    write(db, [OfferInjections((1, 3, 19_999), 7)])
    where = Where(claude_session_id="plain")
    found = facts.read(db, where, NOW, RuntimeConfig()).injections
    assert [one.id for one in found if one.offered] == [1, 3, 19_999]
    assert [one.id for one in found if not one.offered] == list(range(5, 205, 2))
    assert steps(db, lambda: facts.read(db, where, NOW, RuntimeConfig())) < 200


@pytest.mark.parametrize(
    "effect",
    [
        ConfirmInjections(1),
        OfferInjections((5, 7), 8),
        LoseAnswer(8),
        LoseAnswer(),
        AddInjection(1, "more", "text"),
    ],
    ids=str,
)
def test_what_changes_some_of_them_does_not_read_the_others(
    db: Connection, effect: RowEffect
) -> None:
    assert steps(db, lambda: write(db, [effect])) < 20
