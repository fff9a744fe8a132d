"""The warm-up evaluates a call, stores nothing, only logs a fault, and imports all methods."""

import logging
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from sqlite3 import connect

import pytest

from hookd.core.model.daemon_state import RuntimeConfig
from hookd.daemon.warm_up import warm_up
from hookd.pipeline.evaluation import PolicyEngine
from hookd.policies import POLICIES
from hookd.store.database import WriterThread, open_database
from hookd.store.reader import Reader
from support.dispatcher import QuietDispatcher, make_dispatcher


@pytest.fixture
async def hookd(tmp_path: Path) -> AsyncIterator[QuietDispatcher]:
    path = tmp_path / "hookd.db"
    with closing(WriterThread(open_database(path))) as writer:
        reader = Reader(path)
        yield make_dispatcher(writer, reader, PolicyEngine(RuntimeConfig()))
        await reader.close()


async def test_it_evaluates_a_call_by_all_policies_and_stores_nothing(
    hookd: QuietDispatcher, tmp_path: Path
) -> None:
    called = []
    seen = tuple(
        replace(one, opine=lambda event, *_, name=one.name: called.append((name, event.tool_name)))
        for one in POLICIES
        if one.on_error == "ask"
    )
    await warm_up(replace(hookd.pipeline, engine=replace(hookd.engine, policies=seen)))
    assert ("destructive-guard", "Bash") in called
    with closing(connect(tmp_path / "hookd.db")) as db:
        for table in ("events", "sessions", "projects"):
            assert db.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


async def test_a_fault_is_only_logged(
    hookd: QuietDispatcher, caplog: pytest.LogCaptureFixture
) -> None:
    def now() -> datetime:
        raise RuntimeError("no clock")

    with caplog.at_level(logging.WARNING):
        await warm_up(replace(hookd.pipeline, now=now))
    assert "warm-up failed" in caplog.text
    assert "no clock" in caplog.text


_UNUSED = """
import asyncio, sys
from hookd.daemon.warm_up import import_methods
from hookd.methods import METHODS
from pydantic.alias_generators import to_snake
asyncio.run(import_methods())
print([name for name in METHODS if f"hookd.methods.{to_snake(name)}" not in sys.modules])
"""


def test_no_method_is_left_to_import_later_from_files_of_another_version() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _UNUSED], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
