"""Notifications for the user: on the desktop, in the agent's terminal, or by a command.

A notification that cannot be shown is dropped: the daemon continues without it.
"""

import asyncio
import html
import os
import shutil
import sys
from collections.abc import Callable, Mapping

from hookd.core.model.effects.after_commit import NotifyUser
from hookd.core.sessions.tmux import Pane
from hookd.log.logger import LOG
from hookd.store.database import Connection, Writer
from hookd.store.maintenance import NotificationState, Terminal, notification_state
from hookd.system.tmux import Painter
from hookd.user_hooks.command_hook import CommandRunner
from hookd.user_hooks.process import start
from hookd.user_hooks.program import Program
from hookd.user_hooks.reaper import Reaper

_MAX_SESSIONS = 100
"""Sessions that may have a notification queued."""

_MAX_PROGRAMS = 4
_PROGRAM_TIMEOUT_S = 10.0
_POLL_INTERVAL_S = 1.0
"""Time between two checks whether the user hooks of the event have ended."""

_MAX_POLLS = 600

_SCRIPT = (
    "on run argv",
    "display notification (item 2 of argv) with title (item 1 of argv)",
    "end run",
)


class Notifier:
    """Shows the last notification of each session; programs get the environment `env`."""

    def __init__(
        self, runner: CommandRunner, writer: Writer, painter: Painter, env: Mapping[str, str]
    ) -> None:
        self._runner = runner
        self._writer = writer
        self._painter = painter
        self._env = env
        self._last: dict[int, NotifyUser] = {}
        self._slots = asyncio.Semaphore(_MAX_PROGRAMS)

    @property
    def waiting(self) -> int:
        """How many notifications are queued."""
        return len(self._last)

    def notify(self, said: NotifyUser) -> None:
        """Queue a notification; it replaces the last one of the same session."""
        if len(self._last) >= _MAX_SESSIONS and said.session_id not in self._last:
            LOG.warning("notification queue full; notification dropped")
            return
        self._last[said.session_id] = said
        self._runner.beside(self._say(said))

    async def _say(self, said: NotifyUser) -> None:
        try:
            found = await self._due(said)
            if found is not None:
                await self._by_channels(said, found.terminal)
        finally:
            if self._last.get(said.session_id) is said:
                del self._last[said.session_id]

    async def _due(self, said: NotifyUser) -> NotificationState | None:
        """Wait; return the state of the session, None if nothing is to be shown any more."""

        def look(db: Connection) -> NotificationState:
            return notification_state(db, said.event, said.unless)

        await asyncio.sleep(said.wait)
        for _ in range(_MAX_POLLS):
            if self._last.get(said.session_id) is not said:
                return None
            found = await self._writer.run(look)
            if not said.wait or found.how == "quiet":
                return found
            if found.how == "over":
                return None
            await asyncio.sleep(_POLL_INTERVAL_S)
        return None

    async def _by_channels(self, said: NotifyUser, terminal: Terminal | None) -> None:
        if "tmux" in said.channels and terminal is not None:
            pane = Pane(
                terminal.agent, "idle", terminal.socket, terminal.pane, server=terminal.server
            )
            await self._painter.say(pane, f"{said.title}: {said.text}")
        if "desktop" in said.channels:
            command = desktop(said.title, said.text, macos=sys.platform == "darwin")
            await self._run(command, b"", asked=False)
        if "command" in said.channels and said.command:
            payload = f"{said.title}\n{said.text}\n".encode("utf-8", "replace")
            await self._run(said.command, payload, asked=True)

    async def _run(self, command: tuple[str, ...], payload: bytes, *, asked: bool) -> None:
        """Run a program, and end it if it takes too long; `asked`: the user configured it."""
        try:
            async with self._slots:
                await _ran(_prepared(command, self._env), payload, self._runner.reaper)
        except (OSError, ValueError) as error:
            about = {"program": command[0], "error": str(error)}
            tell = LOG.warning if asked else LOG.debug
            tell("notification program failed", extra={"about": about})


def desktop(title: str, text: str, *, macos: bool) -> tuple[str, ...]:
    """Return the command that shows a notification on the desktop."""
    if macos:
        lines = (word for line in _SCRIPT for word in ("-e", line))
        return ("osascript", *lines, "--", title, text)
    # The body is markup, and notify-send itself reads backslashes in it.
    body = html.escape(text, quote=False).replace("\\", "\\\\")
    return ("notify-send", "--app-name=hookd", "--", title, body)


def _prepared(command: tuple[str, ...], env: Mapping[str, str]) -> Callable[[], Program]:
    def prepare() -> Program:
        found = shutil.which(command[0], path=env.get("PATH", os.defpath))
        if found is None:
            raise FileNotFoundError(None, "there is no such program on the daemon's PATH")
        return Program((found, *command[1:]), "/", env)

    return prepare


async def _ran(prepare: Callable[[], Program], payload: bytes, reaper: Reaper) -> None:
    process = await start(prepare, payload, reaper)
    try:
        await asyncio.wait({process.exited}, timeout=_PROGRAM_TIMEOUT_S)
    finally:
        if process.exited.done():
            process.leave()  # what it has started, such as a sound, continues
        else:
            await process.end()
