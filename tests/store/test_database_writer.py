"""One thread owns the writing connection: work is done in its order, each in one transaction."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from sqlite3 import Connection, IntegrityError, connect

import pytest

from hookd.store.database import StoreError, Writer, WriterThread, open_database


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "hookd.db"


@pytest.fixture
def writer(path: Path) -> Iterator[Writer]:
    with closing(WriterThread(open_database(path))) as writing:
        yield writing


def keep(key: str) -> Callable[[Connection], int]:
    """Return work that adds one row and returns how many there are."""

    def work(db: Connection) -> int:
        db.execute("INSERT INTO meta VALUES (?, '')", (key,))
        count: int = db.execute("SELECT count(*) FROM meta").fetchone()[0]
        return count

    return work


def keys(path: Path) -> list[str]:
    with closing(connect(path)) as db:
        return [key for (key,) in db.execute("SELECT key FROM meta ORDER BY key")]


async def test_work_is_done_in_the_order_in_which_it_was_handed_in(writer: Writer) -> None:
    counts = await asyncio.gather(*(writer.run(keep(f"{number:03}")) for number in range(100)))
    assert counts == list(range(1, 101))


async def test_what_is_done_is_there_for_everybody(writer: Writer, path: Path) -> None:
    await writer.run(keep("a"))
    assert keys(path) == ["a"]


async def test_work_runs_on_a_thread_of_its_own(writer: Writer) -> None:
    first = await writer.run(lambda _: threading.current_thread())
    second = await writer.run(lambda _: threading.current_thread())
    assert first is second
    assert first is not threading.current_thread()


async def test_an_error_reaches_the_asker_and_its_work_is_undone(
    writer: Writer, path: Path
) -> None:
    fault = ValueError("a fault of the work")

    def work(db: Connection) -> None:
        keep("a")(db)
        keep("b")(db)
        raise fault

    with pytest.raises(ValueError, match="a fault of the work") as caught:
        await writer.run(work)
    assert caught.value is fault
    assert keys(path) == []
    assert await writer.run(keep("c")) == 1


async def test_a_stop_of_an_iterator_reaches_the_asker_and_strands_nobody(writer: Writer) -> None:
    def work(_: Connection) -> None:
        raise StopIteration

    group = (writer.run(keep("a")), writer.run(work), writer.aside(lambda: next(iter(()))))
    async with asyncio.timeout(20):
        first, *failed, last = await asyncio.gather(
            *group, writer.run(keep("b")), return_exceptions=True
        )
    assert (first, last) == (1, 2)
    assert [(type(one), type(one.__cause__)) for one in failed] == [
        (RuntimeError, StopIteration)
    ] * 2


async def test_an_error_of_one_is_no_error_of_the_others(writer: Writer, path: Path) -> None:
    work = (writer.run(keep(key)) for key in ("a", "a", "b", "a", "c"))
    done = await asyncio.gather(*work, return_exceptions=True)
    assert [one for one in done if isinstance(one, int)] == [1, 2, 3]
    assert sum(isinstance(one, IntegrityError) for one in done) == 2
    assert keys(path) == ["a", "b", "c"]


async def test_nothing_of_it_is_seen_before_all_of_it_is_done(writer: Writer, path: Path) -> None:
    seen: list[list[str]] = []

    def work(db: Connection) -> None:
        keep("a")(db)
        seen.append(keys(path))
        keep("b")(db)

    await writer.run(work)
    assert seen == [[]]
    assert keys(path) == ["a", "b"]


async def test_who_stops_waiting_does_not_stop_the_work(writer: Writer, path: Path) -> None:
    going = threading.Event()

    def hold(_: Connection) -> bool:
        return going.wait(30)

    first = asyncio.create_task(writer.run(hold))
    second = asyncio.create_task(writer.run(keep("a")))
    await asyncio.sleep(0)
    second.cancel()
    with pytest.raises(asyncio.CancelledError):
        await second
    going.set()
    assert await first
    assert await writer.run(keep("b")) == 2
    assert keys(path) == ["a", "b"]


async def test_closing_finishes_what_was_handed_in(path: Path) -> None:
    writer = WriterThread(open_database(path))
    going = threading.Event()
    first = asyncio.create_task(writer.run(lambda _: going.wait(30)))
    rest = [asyncio.create_task(writer.run(keep(f"{number:02}"))) for number in range(20)]
    await asyncio.sleep(0)
    going.set()
    writer.close()
    assert await first
    assert await asyncio.gather(*rest) == list(range(1, 21))
    assert len(keys(path)) == 20
    assert not path.with_name("hookd.db-wal").exists()


async def test_a_transaction_that_waits_for_another_process_is_logged(
    writer: Writer, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    await writer.alone(lambda db: db.execute("PRAGMA busy_timeout = 100"))
    with closing(connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="locked"):
            await writer.run(keep("a"))
    told = [(one.message, one.__dict__["about"]["statement"]) for one in caplog.records]
    assert told == [("slow statement", "BEGIN IMMEDIATE")]
