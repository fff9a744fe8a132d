"""Transcripts are taken in behind the answers: each line once, and none is in another's way."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from sqlite3 import connect
from typing import Any

import pytest

from hookd.daemon import transcript_ingest
from hookd.daemon.transcript_ingest import TranscriptIngester
from hookd.store.database import Writer, WriterThread, open_database
from support.home import until as wait_until

NOW = datetime(2026, 1, 31, 8, tzinfo=UTC)
SESSION = (
    "INSERT INTO sessions (id, claude_session_id, source, created_at, last_event_at)"
    " VALUES (?1, 'c' || ?1, 'startup', '', '')"
)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "hookd.db"


@pytest.fixture
def writer(database: Path) -> Iterator[Writer]:
    connection = open_database(database)
    connection.execute("PRAGMA busy_timeout = 0")
    for number in range(1, 6):
        connection.execute(SESSION, (number,))
    with closing(WriterThread(connection)) as writing:
        yield writing


@pytest.fixture
async def transcripts(writer: Writer) -> AsyncIterator[TranscriptIngester]:
    """Transcripts that are being read."""
    reading = TranscriptIngester(writer, lambda: NOW)
    task = asyncio.create_task(reading.run())
    yield reading
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


@pytest.fixture
def warnings() -> Iterator[list[Any]]:
    """Log records as (message, path)."""
    told: list[Any] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            told.append((record.getMessage(), record.__dict__["about"]["path"]))

    listener = Listener()
    transcript_ingest.LOG.addHandler(listener)
    yield told
    transcript_ingest.LOG.removeHandler(listener)


def lines(*texts: str) -> str:
    """Return a line of a transcript for each text, told from the others by it."""
    said = (
        {"type": "assistant", "uuid": text[:30], "message": {"role": "assistant", "content": text}}
        for text in texts
    )
    return "".join(json.dumps(one) + "\n" for one in said)


def rows(database: Path, sql: str) -> list[Any]:
    with closing(connect(f"file:{database}?mode=ro", uri=True)) as db:
        return db.execute(sql).fetchall()


def kept(database: Path, session_id: int) -> list[str]:
    sql = f"SELECT content FROM messages WHERE session_id = {session_id} ORDER BY id"
    return [content for (content,) in rows(database, sql)]


async def until(condition: Callable[[], bool]) -> None:
    """Wait beside the loop, which continues to read."""
    await asyncio.to_thread(wait_until, condition)


async def test_what_is_appended_is_taken_in(
    transcripts: TranscriptIngester, database: Path, tmp_path: Path
) -> None:
    path = tmp_path / "c1.jsonl"
    transcripts.enqueue(1, str(path))  # it is not there yet
    path.write_text(lines("one", "two"))
    transcripts.enqueue(1, str(path))
    await until(lambda: kept(database, 1) == ["one", "two"])
    with path.open("a") as file:
        file.write(lines("three"))
    transcripts.enqueue(1, str(path))
    await until(lambda: kept(database, 1) == ["one", "two", "three"])
    size = path.stat().st_size
    assert rows(database, "SELECT transcript_offset FROM sessions WHERE id = 1") == [(size,)]
    assert rows(database, "SELECT DISTINCT timestamp FROM messages") == [
        ("2026-01-31T08:00:00.000Z",)
    ]


async def test_what_is_written_after_the_last_event_is_taken_in(
    tmp_path: Path, database: Path, writer: Writer
) -> None:
    path = tmp_path / "session.jsonl"

    class LateFile(Writer):
        """The file appears with the second look at the session, after the first reading."""

        runs = 0

        async def run(self, work: Callable[[Any], Any]) -> Any:
            self.runs += 1
            if self.runs == 2:
                path.write_text(lines("written late"))
            return await writer.run(work)

    reading = TranscriptIngester(LateFile(), lambda: NOW)
    task = asyncio.create_task(reading.run())
    reading.enqueue(1, str(path), stopped=1)
    await until(lambda: kept(database, 1) == ["written late"])
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def test_a_link_is_followed(
    transcripts: TranscriptIngester, database: Path, tmp_path: Path
) -> None:
    (tmp_path / "real.jsonl").write_text(lines("one"))
    (tmp_path / "c1.jsonl").symlink_to(tmp_path / "real.jsonl")
    transcripts.enqueue(1, str(tmp_path / "c1.jsonl"))
    await until(lambda: kept(database, 1) == ["one"])


async def test_a_long_transcript_is_taken_in_whole_and_lets_others_in_between(
    transcripts: TranscriptIngester, database: Path, tmp_path: Path
) -> None:
    texts = [f"{number:05} " + "x" * 1_000 for number in range(1_000)]
    (tmp_path / "c1.jsonl").write_text(lines(*texts))
    (tmp_path / "c2.jsonl").write_text(lines("short"))
    for number in (1, 2):
        transcripts.enqueue(number, str(tmp_path / f"c{number}.jsonl"))
    await until(lambda: len(kept(database, 1)) == len(texts))
    assert kept(database, 1) == texts
    ((last_of_one, only_of_two),) = rows(
        database,
        "SELECT (SELECT max(id) FROM messages WHERE session_id = 1),"
        " (SELECT id FROM messages WHERE session_id = 2)",
    )
    assert only_of_two < last_of_one


async def test_what_cannot_be_read_is_told_once_and_others_go_on(
    transcripts: TranscriptIngester, database: Path, tmp_path: Path, warnings: list[Any]
) -> None:
    bad = [tmp_path / "folder.jsonl", tmp_path / "c1.txt"]
    bad[0].mkdir()
    bad[1].write_text(lines("one"))
    for turn in ("first", "second"):
        for path in bad:
            transcripts.enqueue(1, str(path))
        transcripts.enqueue(1, "relative.jsonl")
        transcripts.enqueue(1, "/a\0b.jsonl")
        good = tmp_path / f"{turn}.jsonl"
        good.write_text(lines(turn))
        transcripts.enqueue(2, str(good))
        await until(lambda turn=turn: turn in kept(database, 2))
    assert warnings == [("transcript cannot be read", str(path)) for path in bad]
    assert kept(database, 1) == []


async def test_a_line_too_long_is_told_and_what_follows_is_taken_in(
    transcripts: TranscriptIngester, database: Path, tmp_path: Path, warnings: list[Any]
) -> None:
    path = tmp_path / "c1.jsonl"
    path.write_text(lines("one", "x" * 2_500_000, "two"))
    transcripts.enqueue(1, str(path))
    await until(lambda: kept(database, 1) == ["one", "two"])
    assert warnings == [("line of a transcript too long; skipped", str(path))]


async def test_what_is_said_while_the_database_is_locked_is_taken_in_later(
    transcripts: TranscriptIngester, database: Path, tmp_path: Path, warnings: list[Any]
) -> None:
    path = tmp_path / "c1.jsonl"
    path.write_text(lines("one"))
    with closing(connect(database)) as other:
        other.execute("BEGIN IMMEDIATE")
        transcripts.enqueue(1, str(path))
        await until(lambda: len(warnings) == 1)
    transcripts.enqueue(1, str(path))
    await until(lambda: kept(database, 1) == ["one"])


async def test_the_oldest_win_where_too_many_wait_and_each_waits_once(
    writer: Writer, database: Path, tmp_path: Path
) -> None:
    reading = TranscriptIngester(writer, lambda: NOW)
    paths = {}
    for name in ("first", "late", "end"):
        path = tmp_path / f"{name}.jsonl"
        path.write_text(lines(name))
        paths[name] = str(path)
    for number in (1, 3, 4):
        reading.enqueue(number, paths["first"])
    reading.enqueue(5, "/" + "x" * 20_000_000)
    for number in range(999):
        reading.enqueue(5, str(tmp_path / f"missing{number}.jsonl"))
    reading.enqueue(2, paths["late"])
    async with asyncio.TaskGroup() as group:
        task = group.create_task(reading.run())
        await until(lambda: kept(database, 1) == ["first"])
        reading.enqueue(2, paths["end"])
        await until(lambda: kept(database, 2) == ["end"])
        task.cancel()
    assert rows(database, "SELECT count(*) FROM messages") == [(2,)]


def counted(tokens: int, model: str = "claude-opus-4-5-20251101", **more: Any) -> str:
    """Return the line of an answer that was made from so many tokens."""
    message = {
        "role": "assistant",
        "model": model,
        "content": [],
        "usage": {"input_tokens": tokens},
    }
    return json.dumps({"type": "assistant", "message": message} | more) + "\n"


def full(database: Path, session_id: int) -> Any:
    sql = f"SELECT context_usage, context_source FROM sessions WHERE id = {session_id}"
    (row,) = rows(database, sql)
    return row


async def test_the_end_of_a_transcript_says_how_full_the_window_is(
    transcripts: TranscriptIngester, database: Path, tmp_path: Path
) -> None:
    path = tmp_path / "c1.jsonl"
    path.write_text(lines("one") + counted(20_000))
    transcripts.enqueue(1, str(path))
    await until(lambda: full(database, 1) == (0.1, "transcript"))
    with path.open("a") as file:
        file.write(counted(50_000) + lines("two"))
    transcripts.enqueue(1, str(path))
    await until(lambda: full(database, 1) == (0.25, "transcript"))
    assert full(database, 2) == (None, None)


async def test_behind_a_large_result_the_answer_is_looked_for_further_up(
    transcripts: TranscriptIngester, database: Path, tmp_path: Path
) -> None:
    for number, size in ((1, 900_000), (2, 3_000_000)):
        path = tmp_path / f"c{number}.jsonl"
        path.write_text(counted(20_000) + json.dumps({"type": "user", "x": "x" * size}) + "\n")
        transcripts.enqueue(number, str(path))
    size = (tmp_path / "c2.jsonl").stat().st_size
    taken = "SELECT transcript_offset FROM sessions WHERE id = 2"
    await until(lambda: rows(database, taken) == [(size,)])
    (tmp_path / "c3.jsonl").write_text(lines("last"))
    transcripts.enqueue(3, str(tmp_path / "c3.jsonl"))
    await until(lambda: kept(database, 3) == ["last"])
    assert full(database, 1) == (0.1, "transcript")
    assert full(database, 2) == (None, None)


async def test_the_open_window_of_a_conversation_is_the_one_that_is_measured(
    transcripts: TranscriptIngester, writer: Writer, database: Path, tmp_path: Path
) -> None:
    await writer.run(
        lambda db: [
            db.execute("UPDATE sessions SET claude_session_id = 'c' WHERE id IN (1, 2, 3)"),
            db.execute("UPDATE sessions SET ended_at = '1' WHERE id = 1"),
            db.execute("UPDATE sessions SET agent_id = 'sub', parent_session_id = 2 WHERE id = 3"),
        ]
    )
    path = tmp_path / "c.jsonl"
    for asked, tokens in ((1, 20_000), (3, 40_000), (2, 60_000)):
        path.write_text(counted(tokens))
        transcripts.enqueue(asked, str(path))
        share = tokens / 200_000
        await until(lambda share=share: full(database, 2) == (share, "transcript"))
    assert full(database, 1) == full(database, 3) == (None, None)


async def test_a_subagent_s_own_file_is_of_its_run_and_nothing_is_said_in_it(
    transcripts: TranscriptIngester, writer: Writer, database: Path, tmp_path: Path
) -> None:
    await writer.run(
        lambda db: db.execute(
            "UPDATE sessions SET agent_id = 'a3f8', claude_session_id = 'c1', ended_at = '1',"
            " parent_session_id = 1 WHERE id = 3"
        )
    )
    path = tmp_path / "agent-a3f8.jsonl"
    path.write_text(counted(20_000, isSidechain=True) + lines("a word"))
    transcripts.enqueue(3, str(path))
    await until(lambda: full(database, 3) == (0.1, "transcript"))
    assert full(database, 1) == (None, None)
    assert rows(database, "SELECT count(*) FROM messages") == [(0,)]
    assert rows(database, "SELECT DISTINCT transcript_path FROM sessions") == [(None,)]


async def test_what_a_status_line_has_told_stays(
    transcripts: TranscriptIngester, writer: Writer, database: Path, tmp_path: Path
) -> None:
    await writer.run(
        lambda db: db.execute(
            "UPDATE sessions SET context_usage = 0.5, context_source = 'statusline' WHERE id = 1"
        )
    )
    path = tmp_path / "c1.jsonl"
    path.write_text(counted(20_000) + lines("one"))
    (tmp_path / "c2.jsonl").write_text(counted(20_000))
    transcripts.enqueue(1, str(path))
    transcripts.enqueue(2, str(tmp_path / "c2.jsonl"))
    await until(lambda: full(database, 2) == (0.1, "transcript"))
    assert kept(database, 1) == ["one"]
    assert full(database, 1) == (0.5, "statusline")


async def test_after_a_compaction_an_old_number_does_not_go_on_to_hold(
    transcripts: TranscriptIngester, database: Path, tmp_path: Path
) -> None:
    path = tmp_path / "c1.jsonl"
    path.write_text(counted(180_000))
    transcripts.enqueue(1, str(path))
    await until(lambda: full(database, 1) == (0.9, "transcript"))
    with path.open("a") as file:
        file.write(json.dumps({"type": "system", "subtype": "compact_boundary"}) + "\n")
    transcripts.enqueue(1, str(path))
    await until(lambda: full(database, 1) == (None, None))


async def test_a_window_is_as_large_as_the_user_says_and_a_change_is_told_once(
    writer: Writer, database: Path, tmp_path: Path
) -> None:
    told: list[str] = []
    reading = TranscriptIngester(writer, lambda: NOW, lambda: 40_000, lambda: told.append("moved"))
    path = tmp_path / "c1.jsonl"
    path.write_text(counted(20_000))
    reading.enqueue(1, str(path))
    async with asyncio.TaskGroup() as group:
        task = group.create_task(reading.run())
        await until(lambda: full(database, 1) == (0.5, "transcript"))
        with path.open("a") as file:
            file.write(lines("one"))
        reading.enqueue(1, str(path))
        await until(lambda: kept(database, 1) == ["one"])
        task.cancel()
    assert told == ["moved"]


async def test_a_number_that_was_seen_is_not_written_again(
    transcripts: TranscriptIngester, writer: Writer, database: Path, tmp_path: Path
) -> None:
    path = tmp_path / "c1.jsonl"
    path.write_text(counted(20_000))
    transcripts.enqueue(1, str(path))
    await until(lambda: full(database, 1) == (0.1, "transcript"))
    await writer.run(
        lambda db: db.execute(
            "UPDATE sessions SET context_usage = 0.7, context_source = 'event' WHERE id = 1"
        )
    )
    with path.open("a") as file:
        file.write(lines("one"))
    transcripts.enqueue(1, str(path))
    (tmp_path / "c2.jsonl").write_text(counted(20_000))
    transcripts.enqueue(2, str(tmp_path / "c2.jsonl"))
    await until(lambda: full(database, 2) == (0.1, "transcript"))
    assert kept(database, 1) == ["one"]
    assert full(database, 1) == (0.7, "event")
