"""Tmux: shows statuses of the fleet in panes and windows, and runs commands on changes.

A terminal is a courtesy: where tmux is absent, gone or hangs, the daemon continues without it.
"""

import asyncio
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Mapping, Sequence
from contextlib import suppress

from hookd.core.model.effects.messages import Status
from hookd.core.sessions import tmux
from hookd.core.sessions.agent_status import highest, lower
from hookd.core.sessions.tmux import Pane
from hookd.lazy_dataclass import dataclass
from hookd.log.logger import LOG

_COMMAND_TIMEOUT_S = 2
"""Seconds after which a tmux that hangs is killed."""

_LATER = 0.2
"""Seconds that a lower status has to last: who works on at once was not done."""


class Painter:
    """Paints the fleet: `show` says how it stands, `run` sees to it that its terminals do."""

    def __init__(self) -> None:
        self._servers: dict[str, _Server] = {}
        self._more = asyncio.Event()
        self._statuses: Mapping[str, Status] | None = None

    @property
    def paints(self) -> bool:
        """Whether there is a fleet in any terminal."""
        return bool(self._servers)

    def show(self, panes: Sequence[Pane]) -> None:
        """Set the status of the whole fleet. The first time, no agent is woken."""
        woken = frozenset[str]()
        if self._statuses is not None:
            woken = tmux.sockets_to_wake(self._statuses, panes)
        self._statuses = {pane.agent: pane.status for pane in panes}
        wanted: dict[str, dict[str, Pane]] = {socket: {} for socket in self._servers}
        for pane in panes:  # of several agents of one pane, the latest is shown
            of_server = wanted.setdefault(pane.socket, {})
            if pane.pane:
                of_server[pane.pane] = pane
        for socket, there in wanted.items():
            if socket not in self._servers:
                self._servers[socket] = _Server(socket)
                self._more.set()
            self._servers[socket].show(there, wake=socket in woken)

    async def say(self, pane: Pane, text: str) -> None:
        """Show a line to whoever looks at a pane, if that is in the fleet and still the same."""
        if tmux.is_pane(pane.pane) and tmux.is_fleet_socket(pane.socket):
            server = self._servers.get(pane.socket) or _Server(pane.socket)
            await server.say(pane, text)

    async def run(self) -> None:
        """Paint what is to be painted, until cancelled. A server that hangs delays no other."""
        running = set[str]()
        async with asyncio.TaskGroup() as servers:
            while True:
                for socket in self._servers.keys() - running:
                    servers.create_task(self._servers[socket].run())
                    running.add(socket)
                await self._more.wait()
                self._more.clear()


@dataclass(frozen=True, slots=True)
class _Due:
    """A pane that is to be painted so, at this time of the loop's clock."""

    pane: Pane
    at: float


class _Server:
    """One tmux server: what is painted there, what is to be painted, and when."""

    def __init__(self, socket: str) -> None:
        self._socket = socket
        self._painted: dict[str, Pane] = {}
        self._due: dict[str, _Due] = {}
        self._wake = False
        self._wanted = asyncio.Event()
        self._told = False

    def show(self, panes: Mapping[str, Pane], *, wake: bool) -> None:
        """Take note of all panes of this server, and whether to wake a coordinator."""
        now = asyncio.get_running_loop().time()
        due: dict[str, _Due] = {}
        for name, pane in panes.items():
            painted, waiting = self._painted.get(name), self._due.get(name)
            if painted is not None and _alike(pane, painted):
                continue
            if waiting is not None and _alike(pane, waiting.pane):
                due[name] = waiting
                continue
            later = painted is not None and lower(pane.status, than=painted.status)
            due[name] = _Due(pane, now + _LATER if later else now)
        self._due = due
        self._wake = self._wake or wake
        if due or wake:
            self._wanted.set()

    async def run(self) -> None:
        """Paint what is due, until cancelled."""
        while True:
            self._wanted.clear()
            while await self._step():
                pass
            await self._rest()

    async def say(self, pane: Pane, text: str) -> None:
        """Show a line, where the pane is still the same."""
        if (
            tmux.other_statuses(pane, await self._tmux(*tmux.list_panes_args(pane.pane)))
            is not None
        ):
            await self._tmux(*tmux.message_args(pane.pane, text))

    async def _step(self) -> bool:
        """Wake, or paint what is due first; return whether there was something to do."""
        if self._wake:
            self._wake = False
            await self._tmux(*tmux.WAKE)
            return True
        first = min(self._due.values(), key=lambda one: one.at, default=None)
        if first is None or first.at > asyncio.get_running_loop().time():
            return False
        await self._paint(first.pane)
        return True

    async def _paint(self, pane: Pane) -> None:
        """Paint a pane, and its window by all that are in it."""
        del self._due[pane.pane]
        # Also where it fails: a pane that is gone is not asked for again and again.
        self._painted[pane.pane] = pane
        others = tmux.other_statuses(pane, await self._tmux(*tmux.list_panes_args(pane.pane)))
        if others is not None:
            of_window = highest((pane.status, *others)) or pane.status
            await self._tmux(*tmux.paint_args(pane, of_window))

    async def _rest(self) -> None:
        """Wait until something is due, or the wish changes."""
        at = min((one.at for one in self._due.values()), default=None)
        with suppress(TimeoutError):
            async with asyncio.timeout_at(at):
                await self._wanted.wait()

    async def _tmux(self, *args: str) -> str:
        """Return what tmux prints, as far as it came."""
        try:
            said, fault = await run_command("tmux", "-S", self._socket, *args)
        except TimeoutError:
            said, fault = "", f"no answer within {_COMMAND_TIMEOUT_S} s"
        except (OSError, ValueError) as error:  # ValueError: a path that no text can be
            said, fault = "", str(error)
        if fault and not self._told:
            self._told = True
            about = {"socket": self._socket, "error": fault}
            LOG.info("tmux command failed", extra={"about": about})
        return said


def _alike(one: Pane, other: Pane) -> bool:
    """Whether two agents look alike in their pane."""
    return one.status == other.status and tmux.style(one) == tmux.style(other)


class _Output(asyncio.SubprocessProtocol):
    """What a program prints, by the number of the stream; `over` and `ended` come in any order."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.said = {1: bytearray(), 2: bytearray()}
        self.over, self.ended = loop.create_future(), loop.create_future()

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Keep it."""
        self.said[fd] += data

    def process_exited(self) -> None:
        """Take note that the process has ended."""
        self.ended.set_result(None)

    def connection_lost(self, _fault: Exception | None) -> None:
        """Take note that nothing more will be read."""
        if not self.over.done():
            self.over.set_result(None)


async def run_command(*command: str) -> tuple[str, str]:
    """Return what a program prints, and what went wrong. A slow one is killed.

    A client of tmux hands its streams to the server. So where that hangs they stay open after the
    client was killed, and asyncio.create_subprocess_exec would wait for their end.
    """
    transport, output = await asyncio.get_running_loop().subprocess_exec(
        _Output, *command, stdin=DEVNULL, stdout=PIPE, stderr=PIPE
    )
    try:
        async with asyncio.timeout(_COMMAND_TIMEOUT_S):
            await output.over
    finally:
        transport.close()
        await output.ended
    said, wrong = (output.said[stream].decode(errors="replace") for stream in (1, 2))
    code = transport.get_returncode()
    return said, (wrong.strip() or f"exit code {code}") if code else ""
