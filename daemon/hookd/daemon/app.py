"""The composition root: builds the parts, runs them, ends them. The only reader of the clock."""

import asyncio
import errno
import gc
import logging
import os
import resource
import signal
import sys
from collections.abc import Coroutine, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from socket import socket, socketpair
from threading import Thread
from time import perf_counter

from hookd import __version__
from hookd.clients.claude_code import hook_output
from hookd.core.hook_rules.sources import HookFileLocation, dialect_of
from hookd.core.model.daemon_state import DaemonState, RuntimeConfig
from hookd.core.model.effects.messages import LoseAnswer
from hookd.core.model.facts import iso
from hookd.daemon.after_commit import AfterCommit
from hookd.daemon.clock import MonotonicWallClock
from hookd.daemon.config_reload import Reloads
from hookd.daemon.database_maintenance import Maintenance
from hookd.daemon.fleet_publisher import FleetPublisher
from hookd.daemon.instance_lock import InstanceLock, alone
from hookd.daemon.maintenance import MaintenanceLoop
from hookd.daemon.notifications import Notifier
from hookd.daemon.self_check import SelfCheck
from hookd.daemon.socket_file import SocketFile
from hookd.daemon.transcript_ingest import TranscriptIngester
from hookd.daemon.unjudged_import import UnjudgedImporter
from hookd.daemon.watchdog import Watchdog
from hookd.log.file import close_log, open_log
from hookd.log.incidents import Incidents
from hookd.log.logger import LOG
from hookd.paths import Paths, claude, daemon_environment
from hookd.pipeline.evaluation import PolicyEngine
from hookd.pipeline.fact_loader import FactLoader
from hookd.pipeline.pipeline import EventPipeline
from hookd.pipeline.runtime_config import Configured, configured, described
from hookd.pipeline.time_limit import TimeLimit
from hookd.pipeline.user_hook_stage import UserHookStage
from hookd.rpc import server
from hookd.rpc.dispatcher import Dispatcher
from hookd.rpc.peer_credentials import Callers
from hookd.rpc.subscriptions import Subscriptions
from hookd.store.database import DatabaseError, StoreError, Writer
from hookd.store.guard_rules import redact_rules
from hookd.store.health import ResilientWriter, StoreHealth
from hookd.store.reader import Reader
from hookd.store.recovery import claim_report, keep_aside, opened
from hookd.store.writes import written
from hookd.system import private_dirs
from hookd.system.file_reader import FileReader
from hookd.system.mount_table import LOCAL_DISK_STEP, network
from hookd.system.tmux import Painter
from hookd.user_hooks.command_hook import CommandRunner
from hookd.user_hooks.executor import HookExecutor
from hookd.user_hooks.project_config import ProjectConfigStore

_TURN = 0.0002
"""Seconds that a thread may go on while another wants to."""

_ENDING = {signal.SIGTERM, signal.SIGINT}

_PREDECESSOR = server.PATIENCE + 5
"""Seconds that a daemon which is ending may hold up the next one."""


_FILES = 8_192
"""Files that may be open: as many connections as may wait at once, and all that hooks need."""


def _clock() -> datetime:
    return datetime.now(UTC)  # noqa: TID251 - the one place


now = MonotonicWallClock(_clock)
"""Returns the time. Nothing else reads the clock."""


def run(places: Paths, *, detach: bool = False, settings: Sequence[str] = ()) -> None:
    """Serve until told to stop.

    Raise AlreadyRunningError, TakenError, DatabaseError or OSError where that cannot be.

    `settings` are further files of hooks. With `detach` the process leaves its terminal and its
    standard streams once it answers.
    """
    if detach:
        with suppress(PermissionError):  # it leads a session or a group already
            os.setsid()
    _more_files()
    for folder in (places.socket.parent, places.state):
        private_dirs.make(folder)
    if kind := network(places.state):
        sentence = f"{places.state} is on a network file system ({kind}), which SQLite's WAL mode"
        raise DatabaseError(f"{sentence} cannot be trusted on", LOCAL_DISK_STEP)
    with alone(places, _PREDECESSOR) as locks:
        chosen = configured(places.settings)
        with _logging(places, chosen):
            dog = Watchdog(places.hung)
            dog.begin()
            try:
                _serve(places, locks, dog, chosen, settings, detach=detach)
            finally:
                dog.close()


@dataclass(frozen=True, slots=True)
class _Made:
    """What is made before the loop runs; `signals` receives the numbers of signals."""

    places: Paths
    locks: InstanceLock
    dog: Watchdog
    chosen: Configured
    daemon: DaemonState
    health: StoreHealth
    writer: ResilientWriter
    limit: TimeLimit
    incidents: Incidents
    signals: socket


def _serve(  # noqa: PLR0913 - what the daemon is made from
    places: Paths,
    locks: InstanceLock,
    dog: Watchdog,
    chosen: Configured,
    files: Sequence[str],
    *,
    detach: bool,
) -> None:
    """Run the loop on a thread of its own, and decide and write on this one: see time_limit.py."""
    problem = chosen.problem and f"{chosen.problem}; the defaults hold instead"
    daemon = replace(
        described(places, claude(), files),
        pid=os.getpid(),
        version=__version__,
        python=str(Path(sys.executable).absolute()),
        started_at=iso(now()),
        problem=problem,
    )
    base = opened(places.database, daemon.started_at, doubtful=_died(places))
    _damaged(base.aside)
    health, limit = StoreHealth(lambda: iso(now()), base.fault), TimeLimit()
    writer = ResilientWriter(base.connection, places.database, health, thread=False)
    limit.begin()
    ended: Future[None] = Future()
    with _signals() as signals:
        made = _Made(
            places, locks, dog, chosen, daemon, health, writer, limit,
            Incidents(lambda: iso(now())), signals,
        )  # fmt: skip

        def loop() -> None:
            try:
                _runner(_main(made, files, detach=detach))
            except BaseException as fault:  # noqa: BLE001 - raised on the main thread
                ended.set_exception(fault)
            else:
                ended.set_result(None)
            finally:
                writer.close()

        thread = Thread(target=loop, name="hookd-loop")
        thread.start()
        writer.serve()
        thread.join()
    ended.result()


@contextmanager
def _signals() -> Iterator[socket]:
    """Send the numbers of signals through a socket: the loop is not on the thread that gets them.

    The C handler writes them, so that they arrive while the main thread runs C code, too.
    """
    ours, theirs = socketpair()
    with ours, theirs:
        ours.setblocking(False)
        theirs.setblocking(False)
        for number in _ENDING:
            signal.signal(number, lambda *_: None)
        signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
        try:
            yield ours
        finally:
            signal.set_wakeup_fd(-1)


def _signalled(signals: socket, stopping: asyncio.Event) -> None:
    """Stop the daemon where one of the signals asks for it."""
    if _ENDING & set(signals.recv(4_096)):
        stopping.set()


def _more_files() -> None:
    """Have more files open at a time than the usual 1024, where that is allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


@contextmanager
def _logging(places: Paths, chosen: Configured) -> Iterator[None]:
    try:
        handler = open_log(places.log, chosen.settings.log)
    except OSError as error:
        if error.errno not in (errno.EROFS, errno.ENOSPC, errno.EDQUOT):
            raise
        handler = logging.NullHandler()  # it judges all the same
    if chosen.problem:
        LOG.error(chosen.problem)
    for notice in chosen.deprecations:
        LOG.warning(notice)
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


def _settle() -> None:
    """Set the interpreter up for serving, once all is there."""
    # What is there by now stays: looked through again and again, it would hold the loop up for
    # 50 ms at a time. Nothing was collected until now (see `hookd serve`).
    gc.freeze()
    gc.enable()
    # The main thread computes, the loop's waits for sockets: at each of them it would wait for its
    # turn as long as Python lets the other go on, 5 ms.
    sys.setswitchinterval(_TURN)


async def _main(made: _Made, files: Sequence[str], *, detach: bool) -> None:
    stopping = asyncio.Event()
    places, health, incidents = made.places, made.health, made.incidents
    vigil = SelfCheck(places, made.locks, SocketFile(places), health, stopping)
    with closing(made.writer) as writer:
        daemon = replace(made.daemon, replaced=await _replaced(writer, places))
        await _begun(writer, daemon.started_at)
        spooled = UnjudgedImporter(places.unjudged, writer, now)
        await spooled.import_now()
        reader = Reader(places.database, lambda: _condition(house, health), writer.aside)
        try:
            house = PolicyEngine(
                RuntimeConfig(daemon, made.chosen.options, made.chosen.settings),
                spill=str(places.state / "spill"),
                incidents=incidents,
                limit=made.limit,
            )
            listeners, canaries, painter = Subscriptions(), dict[str, str](), Painter()
            board = FleetPublisher(reader, listeners, painter)
            transcripts = TranscriptIngester(
                writer, now, lambda: house.config.settings.context.window, board.mark_changed
            )
            upkeep = Maintenance(writer, places.database, now, house, incidents)
            rounds = MaintenanceLoop(writer, now, house, board.mark_changed, upkeep)
            reloads, home = Reloads(places.settings, house), str(Path.home())
            extra = tuple(HookFileLocation("cli", path, dialect_of(path)) for path in files)
            book = ProjectConfigStore(
                home,
                str(places.config),
                reader.trusted,
                extra,
                lambda: house.config.settings.user_hooks.claude_settings == "run",
            )
            await book.start()
            runner = CommandRunner()
            notifier = Notifier(runner, writer, painter, daemon_environment())
            late = AfterCommit(
                stopping,
                transcripts,
                rounds,
                canaries,
                listeners,
                reloads,
                book,
                notifier,
                incidents,
            )
            loop = asyncio.get_running_loop()
            loop.add_reader(made.signals, _signalled, made.signals, stopping)
            with vigil.door.bind() as listener:
                LOG.info("the daemon serves", extra={"about": {"pid": daemon.pid}})
                _settle()
                if detach:
                    _let_go()
                async with asyncio.TaskGroup() as beside, runner:
                    asker = HookExecutor(runner, daemon_environment(), now, hook_output.refusal)
                    counsel, callers = (
                        UserHookStage(book, asker, house, writer, now, home),
                        Callers(perf_counter),
                    )
                    pipeline = EventPipeline(
                        writer,
                        reader,
                        house,
                        now,
                        late,
                        FactLoader(FileReader().read, book.reload, callers.origin),
                        counsel,
                        canaries,
                        spooled.import_if_any,
                        listeners.runs,
                        board.mark_changed,
                    )
                    dispatcher = Dispatcher(pipeline, listeners, callers, board.subscriber_added)
                    running = (transcripts, rounds, board, painter, reloads, book, spooled)
                    serving = server.Server(
                        dispatcher,
                        pipeline,
                        stopping,
                        vigil.door.unlink,
                        incidents.limit,
                        server.most_connections(resource.getrlimit(resource.RLIMIT_NOFILE)[0]),
                    )
                    background = [beside.create_task(one.run()) for one in running]
                    background += [
                        beside.create_task(vigil.run(serving.listen)),
                        beside.create_task(made.dog.run(writer.alive)),
                    ]
                    try:
                        await serving.serve(listener)
                    finally:
                        vigil.door.unlink()
                        for task in background:
                            task.cancel()
        finally:  # its thread would keep the process, where a fault ends the daemon
            await reader.close()
    _damaged(keep_aside(places.database, iso(now())) if vigil.damaged else "")
    LOG.info("the daemon has ended", extra={"about": {"pid": daemon.pid}})


async def _begun(writer: Writer, at: str) -> None:
    """Correct what an earlier daemon left in the database."""
    await _doubt(writer, at)
    await _redact_rules(writer)


async def _doubt(writer: Writer, at: str) -> None:
    """Let wait again what the last daemon offered and heard no more of: it may not have arrived."""
    try:
        await writer.run(lambda db: written(db, (LoseAnswer(),), at))
    except StoreError as error:
        # Somebody else's lock, a full disk: events are judged all the same.
        LOG.warning("what was offered may not have arrived", extra={"about": {"error": str(error)}})


async def _redact_rules(writer: Writer) -> None:
    """Take out secrets of guard rules that an older hookd stored as they were."""
    try:
        changed = await writer.run(redact_rules)
    except StoreError as error:
        LOG.warning("guard rules were not redacted", extra={"about": {"error": str(error)}})
        return
    if changed:
        LOG.info("secrets were taken out of guard rules", extra={"about": {"rules": changed}})


def _damaged(aside: str) -> None:
    """Tell the log of a database that was kept aside, if one was."""
    if aside:
        LOG.error("the database is damaged and was kept aside", extra={"about": {"path": aside}})


def _died(places: Paths) -> bool:
    """Whether the last daemon did not end by itself: what it leaves then is still there."""
    return places.pid.exists() or Path(f"{places.database}-wal").exists()


def _condition(house: PolicyEngine, health: StoreHealth) -> dict[str, object]:
    """Return how this daemon is, as far as it knows without its database."""
    retention = house.config.settings.retention
    known = {
        "now": iso(now()),
        "unkept": health.describe(),
        "incidents": [asdict(one) for one in house.incidents.told()],
        "suspended": sorted(house.incidents.suspended),
        "max_bytes": retention.max_mb * 1_000_000,
        "days": retention.days,
    }
    return asdict(house.config.daemon) | known


async def _replaced(writer: Writer, places: Paths) -> str:
    """Return the last database that was kept aside, if no daemon has told of it."""
    last = "".join(map(str, places.damaged()[-1:]))
    if not last:
        return ""
    try:
        return last if await writer.run(lambda db: claim_report(db, last)) else ""
    except StoreError:
        return last


def _let_go() -> None:
    """Leave the standard streams: whoever waits for their end knows that we answer."""
    os.chdir("/")
    sys.stdout.flush()
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    os.close(null)
