"""Hashes of files that were read: computed after the answer, if the file is still the same."""

import asyncio
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path

from hookd.core.model.claim import Stamp
from hookd.core.model.effects.claims import KeepView
from hookd.daemon.view_hashes import ViewHashes
from hookd.store.database import WriterThread, open_database
from support.database_rows import session, write


def state(path: Path) -> Stamp:
    found = path.stat()
    return Stamp(found.st_size, found.st_mtime_ns, found.st_ino)


async def test_the_files_of_a_queued_conversation_are_hashed(tmp_path: Path) -> None:
    same, changed, gone = (tmp_path / name for name in ("same", "changed", "gone"))
    for path in (same, changed, gone):
        path.write_text("one")
    with closing(open_database(tmp_path / "hookd.db")) as db:
        write(db, [session(1, "one")])
        write(db, [KeepView("one", 1, str(path), state(path)) for path in (same, changed, gone)])
        changed.write_text("another")
        gone.unlink()
        writer = WriterThread(db)
        hashes = ViewHashes(writer)
        running = asyncio.create_task(hashes.run())
        hashes.enqueue("unknown")
        hashes.enqueue("one")
        sql = "SELECT path, sha256 FROM file_views WHERE sha256 IS NOT NULL"
        async with asyncio.timeout(20):
            rows: list[object] = []
            while not rows:
                rows = await writer.run(lambda db: db.execute(sql).fetchall())
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running
        assert rows == [(str(same), sha256(b"one").hexdigest())]
        await asyncio.to_thread(writer.close)
