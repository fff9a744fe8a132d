"""The composition root: builds the parts, runs them, ends them. The only reader of the clock."""

import asyncio
import fcntl
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from hookd import __version__, server
from hookd.afterwards import Transcripts
from hookd.board import Board, Listeners
from hookd.book import Book
from hookd.commands.ask import Asker
from hookd.commands.run import Runner
from hookd.core import canary
from hookd.core.commands.places import Place, dialect_of
from hookd.core.effects import (
    AppendLog,
    ArmCanary,
    AskRestart,
    LateEffect,
    LoseInjections,
    MeetProcess,
    ReadTranscript,
    ReloadSettings,
    RenewHooks,
    StopDaemon,
    Sweep,
    TellUser,
)
from hookd.core.errors import DomainError
from hookd.core.facts import iso
from hookd.core.standing import Daemon, Standing
from hookd.counsel import Counsel
from hookd.dispatch import Dispatcher
from hookd.files import logs, private
from hookd.fleet.tmux import Painter
from hookd.hearing import House
from hookd.jobs import Rounds
from hookd.journal import LOG, close_log, open_log
from hookd.looks import Looks
from hookd.notify import Notifier
from hookd.paths import Paths, claude, daemon_environment
from hookd.standing import Configured, Reloads, configured
from hookd.store.database import StoreError, Writer, open_database
from hookd.store.queries import Reader
from hookd.store.writes import written

_PREDECESSOR = server.PATIENCE + 5
"""Seconds that a daemon which is ending may hold up the next one."""


class AlreadyRunningError(Exception):
    """Another daemon holds the lock."""


def now() -> datetime:
    """Return the time. Nothing else reads the clock."""
    return datetime.now(UTC)  # noqa: TID251 - the one place


def run(places: Paths, *, detach: bool = False, settings: Sequence[str] = ()) -> None:
    """Serve until told to stop. Raise AlreadyRunningError, DatabaseError or OSError.

    `settings` are further files of hooks. With `detach` the process leaves its terminal and its
    standard streams once it answers.
    """
    if detach:
        with suppress(PermissionError):  # it leads a session or a group already
            os.setsid()
    for folder in (places.socket.parent, places.state):
        private.make(folder)
    with _alone(places):
        chosen = configured(places.settings)
        with _logging(places, chosen):
            _runner(_main(places, chosen, settings, detach=detach))


@contextmanager
def _alone(places: Paths) -> Iterator[None]:
    """Hold the lock. A predecessor that is ending holds it still, but has no socket any more."""
    number = os.open(places.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        for _ in range(_PREDECESSOR * 50):
            try:
                fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if places.socket.exists():
                    raise AlreadyRunningError from None
                time.sleep(0.02)
        else:
            raise AlreadyRunningError
        yield
    finally:
        os.close(number)


@contextmanager
def _logging(places: Paths, chosen: Configured) -> Iterator[None]:
    handler = open_log(places.log, chosen.settings.log)
    if chosen.problem:
        LOG.error(chosen.problem)
    try:
        yield
    except BaseException as error:
        LOG.error("the daemon ends by a fault", extra={"about": {"error": str(error)}})
        raise
    finally:
        close_log(handler)


def _runner(main: Coroutine[None, None, None]) -> None:
    try:
        from uvloop import run as run_loop  # noqa: PLC0415 - it does not install everywhere
    except ImportError:
        asyncio.run(main)
    else:
        run_loop(main)


async def _main(places: Paths, chosen: Configured, files: Sequence[str], *, detach: bool) -> None:
    stopping = asyncio.Event()
    problem = chosen.problem and f"{chosen.problem}; the defaults hold instead"
    daemon = _described(places, files, problem)
    with closing(Writer(open_database(places.database))) as writer:
        await _doubt(writer, daemon.started_at)
        reader = Reader(places.database)
        house = House(
            Standing(daemon, chosen.options, chosen.settings), spill=str(places.state / "spill")
        )
        listeners, canaries, painter = Listeners(), dict[str, str](), Painter()
        board = Board(reader, listeners, painter)
        transcripts = Transcripts(
            writer, now, lambda: house.standing.settings.context.window, board.moved
        )
        rounds = Rounds(writer, now, house, board.moved)
        reloads, home = Reloads(places.settings, house), str(Path.home())
        extra = tuple(Place("cli", path, dialect_of(path)) for path in files)
        book = Book(
            home,
            str(places.config),
            reader.trusted,
            extra,
            lambda: house.standing.settings.commands.claude_settings == "run",
        )
        await book.begin()
        runner = Runner()
        notifier = Notifier(runner, writer, painter, daemon_environment())
        late = _Late(stopping, transcripts, rounds, canaries, listeners, reloads, book, notifier)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stopping.set)
        with _listening(places) as (listener, leave):
            LOG.info("the daemon serves", extra={"about": {"pid": daemon.pid}})
            if detach:
                _let_go()
            async with asyncio.TaskGroup() as beside, runner:
                asker = Asker(runner, daemon_environment(), now)
                counsel = Counsel(book, asker, house, writer, now, home)
                dispatcher = Dispatcher(
                    writer,
                    reader,
                    house,
                    now,
                    late,
                    canaries,
                    listeners,
                    board,
                    Looks(book),
                    counsel,
                )
                running = (transcripts, rounds, board, painter, reloads, book)
                background = [beside.create_task(one.run()) for one in running]
                try:
                    await server.Server(dispatcher, stopping, leave).serve(listener)
                finally:
                    for task in background:
                        task.cancel()
        await reader.close()
    LOG.info("the daemon has ended", extra={"about": {"pid": daemon.pid}})


async def _doubt(writer: Writer, at: str) -> None:
    """Let wait again what the last daemon offered and heard no more of: it may not have arrived."""
    try:
        await writer.run(lambda db: written(db, (LoseInjections(),), at))
    except StoreError as error:
        # Somebody else's lock, a full disk: events are judged all the same.
        LOG.warning("what was offered may not have arrived", extra={"about": {"error": str(error)}})


def _described(places: Paths, files: Sequence[str], problem: str) -> Daemon:
    return Daemon(
        pid=os.getpid(),
        version=__version__,
        started_at=iso(now()),
        socket=str(places.socket),
        database=str(places.database),
        log=str(places.log),
        settings=str(places.settings),
        claude=str(claude()),
        problem=problem,
        own=(*map(str, places.own), *files),
    )


@contextmanager
def _listening(places: Paths) -> Iterator[tuple[socket.socket, Callable[[], None]]]:
    """Listen, and return how to leave. The process id is written once the socket answers.

    Both files go only if they are still ours.
    """
    with server.bind(places.socket) as listener:
        ours = server.inode(places.socket)
        places.pid.touch()
        places.pid.chmod(0o600)  # whatever the umask
        places.pid.write_text(f"{os.getpid()}\n", "ascii")

        def leave() -> None:
            if server.inode(places.socket) == ours:
                places.socket.unlink()
                places.pid.unlink(missing_ok=True)

        try:
            yield listener, leave
        finally:
            leave()


def _let_go() -> None:
    """Leave the standard streams: whoever waits for their end knows that we answer."""
    os.chdir("/")
    sys.stdout.flush()
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    os.close(null)


@dataclass
class _Late:
    """Does what has to wait for the commit, each by the part whose it is."""

    stopping: asyncio.Event
    transcripts: Transcripts
    rounds: Rounds
    canaries: dict[str, str]
    listeners: Listeners
    reloads: Reloads
    book: Book
    notifier: Notifier
    appending: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def __call__(self, effect: LateEffect) -> None:  # noqa: C901
        match effect:
            case AppendLog():
                await self._append(effect)
            case ReadTranscript():
                self.transcripts.put(effect.session_id, effect.path, effect.stopped)
            case AskRestart():
                asked = {"runId": effect.run, "prompt": effect.prompt, "reason": effect.reason}
                self.listeners.tell(f"run:{effect.run}", "run.restart", asked)
            case MeetProcess():
                self.rounds.meet(effect.session_id, effect.pid)
            case ArmCanary():
                canary.expect(self.canaries, effect.nonce, effect.answer)
            case Sweep():
                self.rounds.soon()
            case ReloadSettings():
                await self.reloads.now()
            case RenewHooks():
                await self.book.renew(effect.root)
            case TellUser():
                self.notifier.tell(effect)
            case StopDaemon():
                self.stopping.set()

    async def _append(self, effect: AppendLog) -> None:
        try:
            async with self.appending:
                await asyncio.to_thread(logs.append, effect)
        except OSError as error:
            told = f"the entry is kept, but {effect.path} cannot be written: {error.strerror}"
            raise DomainError("FILE_FAILED", told) from error
