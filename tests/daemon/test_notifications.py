"""Telling the user by programs: how they are called, and what becomes of those that hang."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any

import pytest

from hookd.core.model.effects.after_commit import NotifyUser
from hookd.core.model.effects.sessions import OpenSession
from hookd.daemon.notifications import Notifier, desktop
from hookd.redaction.redact import record
from hookd.store import writes
from hookd.store.database import Writer, WriterThread, open_database
from hookd.system.tmux import Painter
from hookd.user_hooks.command_hook import CommandRunner
from support.home import until as wait_until

AT = "2026-01-31T08:00:00.000Z"


def said(**more: Any) -> NotifyUser:
    given: dict[str, Any] = {"session_id": 1, "event": 1, "title": "ada", "text": "waits"}
    return NotifyUser(**(given | {"channels": ("command",)} | more))


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[Writer]:
    """A database with a window that has stopped by event 1."""
    db = open_database(tmp_path / "hookd.db")
    opened = dict.fromkeys(OpenSession.__dataclass_fields__)
    window = opened | {"id": 1, "claude_session_id": "s", "source": "startup", "own_effort": False}
    window["status"] = "idle"
    writes.write(db, OpenSession(**window), AT)  # type: ignore[arg-type]
    writes.record(db, writes.Event(id=1, at=AT, event="Stop", record=record({}), session_id=1))
    db.commit()
    with closing(WriterThread(db)) as writer:
        yield writer


@asynccontextmanager
async def notifying(writer: Writer, **env: str) -> AsyncIterator[Notifier]:
    async with CommandRunner() as runner:
        yield Notifier(runner, writer, Painter(), {"PATH": os.environ["PATH"]} | env)


def program(folder: Path, name: str, body: str) -> Path:
    """Write a program that records its arguments and its input."""
    path = folder / name
    path.write_text(f"#!/bin/bash\n{body}\n")
    path.chmod(0o755)
    return path


async def until(path: Path) -> str:
    """Return the content of a file, once it exists."""
    await asyncio.to_thread(wait_until, path.exists)
    return await asyncio.to_thread(path.read_text)


@pytest.mark.parametrize(
    ("macos", "command"),
    [
        (
            False,
            ("notify-send", "--app-name=hookd", "--", "<ada>", "a &lt;b&gt; &amp; \\\\n c"),
        ),
        (
            True,
            (
                *("osascript", "-e", "on run argv"),
                *("-e", "display notification (item 2 of argv) with title (item 1 of argv)"),
                *("-e", "end run", "--", "<ada>", "a <b> & \\n c"),
            ),
        ),
    ],
)
def test_a_desktop_is_told_in_words_that_are_no_markup_and_no_script(
    macos: bool, command: tuple[str, ...]
) -> None:
    assert desktop("<ada>", "a <b> & \\n c", macos=macos) == command


async def test_a_command_gets_its_words_as_they_are_and_the_text_on_stdin(
    writer: Writer, tmp_path: Path
) -> None:
    heard = tmp_path / "heard"
    body = f'{{ printf "%s|" "$@"; cat; }} > {heard}.new; mv {heard}.new {heard}'
    path = program(tmp_path, "tell", body)
    async with notifying(writer) as notifier:
        notifier.notify(said(command=(str(path), "$(date); rm", "a b")))
        assert await until(heard) == "$(date); rm|a b|ada\nwaits\n"


async def test_what_is_not_there_is_passed_over(writer: Writer, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    path = program(tmp_path, "tell", f": > {heard}")
    async with notifying(writer, PATH="/nowhere") as notifier:
        notifier.notify(said(session_id=2, command=("no-such-program",)))
        notifier.notify(said(session_id=3, command=(str(tmp_path),)))
        notifier.notify(said(channels=("desktop", "tmux", "command"), command=(str(path),)))
        await until(heard)


async def test_of_two_that_wait_for_a_session_the_later_is_said(
    writer: Writer, tmp_path: Path
) -> None:
    path = program(tmp_path, "tell", f": > {tmp_path}/$1")
    async with notifying(writer) as notifier:
        notifier.notify(said(command=(str(path), "first"), wait=0.2))
        notifier.notify(said(command=(str(path), "second"), wait=0.2))
        await until(tmp_path / "second")
    assert not (tmp_path / "first").exists()


def living(group: int) -> list[str]:
    """Return the states of a group's processes; dead ones may be zombies."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, its_group = path.read_text().rpartition(")")[2].split()[:3]
            found += [state] if int(its_group) == group and state != "Z" else []
    return found


async def test_what_hangs_is_gone_when_the_daemon_ends(writer: Writer, tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    path = program(tmp_path, "hangs", f"echo $$ > {begun}.new; mv {begun}.new {begun}; sleep 600")
    async with notifying(writer) as notifier:
        notifier.notify(said(command=(str(path),)))
        number = int(await until(begun))
    await asyncio.to_thread(wait_until, lambda: not living(number))
