"""Composition root: builds the parts of the daemon, serves, ends. The only reader of the clock."""

import asyncio
import errno
import gc
import logging
import os
import resource
import signal
import sys
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from socket import socket, socketpair
from threading import Thread
from time import perf_counter
from typing import Protocol

from hookd import __version__
from hookd.core.hook_rules.sources import HookFileLocation, dialect_of
from hookd.core.model.daemon_state import DaemonState, RuntimeConfig
from hookd.core.model.effects.messages import ForgetTeamFiles, SetFileRules
from hookd.core.model.facts import iso
from hookd.daemon.after_commit import AfterCommit
from hookd.daemon.approval_publisher import ApprovalPublisher
from hookd.daemon.client_versions import ClientVersions
from hookd.daemon.clock import MonotonicWallClock
from hookd.daemon.config_reload import Reloads
from hookd.daemon.database_maintenance import Maintenance
from hookd.daemon.event_counter import EventCounter
from hookd.daemon.event_publisher import EventPublisher
from hookd.daemon.fleet_publisher import FleetPublisher
from hookd.daemon.instance_lock import InstanceLock, alone
from hookd.daemon.latency_updates import LatencyUpdates
from hookd.daemon.mail_expiry import MailExpiry
from hookd.daemon.mail_waking import MailWaker
from hookd.daemon.maintenance import MaintenanceLoop
from hookd.daemon.notifications import Notifier
from hookd.daemon.publisher import Publishers
from hookd.daemon.row_corrections import correct_rows
from hookd.daemon.self_check import SelfCheck
from hookd.daemon.shim_check import ShimCheck
from hookd.daemon.socket_file import SocketFile
from hookd.daemon.transcript_ingest import TranscriptIngester
from hookd.daemon.unjudged_import import UnjudgedImporter
from hookd.daemon.view_hashes import ViewHashes
from hookd.daemon.warm_up import import_methods, warm_up
from hookd.daemon.watchdog import Watchdog
from hookd.daemon.work_leases import WorkLeases
from hookd.lazy_dataclass import dataclass
from hookd.log.file import close_log, open_log
from hookd.log.incidents import Incidents
from hookd.log.logger import LOG
from hookd.paths import Paths, claude, daemon_environment
from hookd.pipeline.approval_stage import MAX_HELD, ApprovalStage
from hookd.pipeline.evaluation import PolicyEngine
from hookd.pipeline.fact_loader import FactLoader
from hookd.pipeline.pipeline import EventPipeline
from hookd.pipeline.runtime_config import Configured, configured, described
from hookd.pipeline.time_limit import TimeLimit
from hookd.pipeline.user_hook_stage import UserHookStage
from hookd.redaction import hints
from hookd.rpc import server
from hookd.rpc.dispatcher import Dispatcher
from hookd.rpc.peer_credentials import Callers
from hookd.rpc.subscriptions import Subscriptions
from hookd.store.database import DatabaseError, StoreError, Writer
from hookd.store.health import ResilientWriter, StoreHealth
from hookd.store.reader import Reader
from hookd.store.recovery import claim_report, keep_aside, opened
from hookd.store.writes import written
from hookd.system import private_dirs
from hookd.system.file_reader import FileReader
from hookd.system.mount_table import LOCAL_DISK_STEP, network
from hookd.system.tmux import Painter
from hookd.user_hooks import hook_output
from hookd.user_hooks.command_hook import CommandRunner
from hookd.user_hooks.executor import HookExecutor
from hookd.user_hooks.project_config import ProjectConfigStore
from hookd.user_hooks.rule_files import RuleFileReader

_SWITCH_INTERVAL_S = 0.0002
"""How long a thread may run Python while another waits for its turn."""

_STOP_SIGNALS = {signal.SIGTERM, signal.SIGINT}

_PREDECESSOR_TIMEOUT_S = server.DRAIN_TIMEOUT_S + 5
"""How long a daemon that is ending may delay the next one."""

_MAX_OPEN_FILES = 8_192
"""Enough for as many connections as may wait at once, and for user hooks."""


def _clock() -> datetime:
    return datetime.now(UTC)  # noqa: TID251 - the one place


now = MonotonicWallClock(_clock)
"""Returns the time. Nothing else reads the clock."""


def run(paths: Paths, *, detach: bool = False, settings: Sequence[str] = ()) -> None:
    """Serve until the daemon is stopped.

    `settings` are further files of hooks. With `detach` the process leaves its terminal and its
    standard streams once it answers. Raise AlreadyRunningError, TakenError, DatabaseError or
    OSError if it cannot serve.
    """
    if detach:
        with suppress(PermissionError):  # it leads a session or a group already
            os.setsid()
    _raise_file_limit()
    for folder in (paths.socket.parent, paths.state):
        private_dirs.make(folder)
    if kind := network(paths.state):
        sentence = f"{paths.state} is on a network file system ({kind}), which SQLite's WAL mode"
        raise DatabaseError(f"{sentence} cannot be trusted on", LOCAL_DISK_STEP)
    with alone(paths, _PREDECESSOR_TIMEOUT_S) as locks:
        config = configured(paths.settings)
        with _logging(paths, config), Watchdog(paths.hung) as watchdog:
            _serve(_Start(paths, locks, watchdog, config, tuple(settings), detach))


@dataclass(frozen=True, slots=True)
class _Start:
    """What the daemon starts with; `settings` are further files of hooks."""

    paths: Paths
    locks: InstanceLock
    watchdog: Watchdog
    config: Configured
    settings: tuple[str, ...]
    detach: bool


@dataclass(frozen=True, slots=True)
class _Process:
    """The objects created before the loop runs; `signals` receives the numbers of signals."""

    start: _Start
    daemon: DaemonState
    health: StoreHealth
    writer: ResilientWriter
    limit: TimeLimit
    incidents: Incidents
    signals: socket


def _serve(start: _Start) -> None:
    """Run the event loop on a second thread; decide and write on this one (see time_limit.py)."""
    paths, problem = start.paths, start.config.problem
    daemon = replace(
        described(paths, claude(), start.settings),
        pid=os.getpid(),
        version=__version__,
        python=str(Path(sys.executable).absolute()),
        started_at=iso(now()),
        problem=problem and f"{problem}; the defaults apply instead",
    )
    base = opened(paths.database, daemon.started_at, doubtful=_crashed(paths))
    _log_damaged(base.aside)
    health, limit = StoreHealth(lambda: iso(now()), base.fault), TimeLimit()
    writer = ResilientWriter(base.connection, paths.database, health, thread=False)
    limit.begin()
    ended: Future[None] = Future()
    with _signals() as signals:
        incidents = Incidents(lambda: iso(now()))
        process = _Process(start, daemon, health, writer, limit, incidents, signals)

        def loop() -> None:
            try:
                _run_loop(_main(process))
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
        for number in _STOP_SIGNALS:
            signal.signal(number, lambda *_: None)
        signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
        try:
            yield ours
        finally:
            signal.set_wakeup_fd(-1)


def _signalled(signals: socket, stopping: asyncio.Event) -> None:
    """Stop the daemon if one of the signals requests it."""
    if _STOP_SIGNALS & set(signals.recv(4_096)):
        stopping.set()


def _raise_file_limit() -> None:
    """Raise the limit of open files above the usual 1024, as far as that is allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = _MAX_OPEN_FILES if hard == resource.RLIM_INFINITY else min(_MAX_OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < limit:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))


@contextmanager
def _logging(paths: Paths, config: Configured) -> Iterator[None]:
    try:
        handler = open_log(paths.log, config.settings.log)
    except OSError as error:
        if error.errno not in (errno.EROFS, errno.ENOSPC, errno.EDQUOT):
            raise
        handler = logging.NullHandler()  # the guards do not depend on a log
    if config.problem:
        LOG.error(config.problem)
    for notice in config.deprecations:
        LOG.warning(notice)
    try:
        yield
    except BaseException as error:
        LOG.error("daemon failed", extra={"about": {"error": str(error)}})
        raise
    finally:
        close_log(handler)


def _run_loop(main: Coroutine[None, None, None]) -> None:
    try:
        from uvloop import run as run_loop  # noqa: PLC0415 - it does not install everywhere
    except ImportError:
        asyncio.run(main)
    else:
        run_loop(main)


def _tune_interpreter() -> None:
    """Set up garbage collection and thread switches for serving, once all parts exist."""
    # The objects of the start live as long as the process: each collection that looked through them
    # would delay the loop for 50 ms. Collection was off until now (see `hookd serve`).
    gc.freeze()
    gc.enable()
    # The main thread computes, the loop's thread waits for sockets: at each event it would wait for
    # its turn for Python's default of 5 ms.
    sys.setswitchinterval(_SWITCH_INTERVAL_S)


class _Background(Protocol):
    """A part that runs until it is cancelled."""

    async def run(self) -> None:
        """Run until cancelled."""


class _Queue(Protocol):
    """A part with work that waits."""

    @property
    def waiting(self) -> int:
        """How much work waits."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a daemon; `background` are those that run until they are cancelled."""

    stopping: asyncio.Event
    server: server.Server
    self_check: SelfCheck
    pipeline: EventPipeline
    reader: Reader
    configs: ProjectConfigStore
    spool: UnjudgedImporter
    runner: CommandRunner
    background: tuple[_Background, ...]


def build(process: _Process) -> Parts:
    """Build the parts of the daemon; none of them runs yet."""
    paths, writer, incidents = process.start.paths, process.writer, process.incidents
    config = RuntimeConfig(
        process.daemon, process.start.config.options, process.start.config.settings
    )
    spill, queues = str(paths.state / "spill"), dict[str, _Queue](writes=writer)
    engine = PolicyEngine(config, spill=spill, incidents=incidents, limit=process.limit)
    status = partial(_condition, engine, process.health, queues)
    reader = Reader(paths.database, status, writer.aside)
    stopping, painter, runner = asyncio.Event(), Painter(), CommandRunner()
    subscriptions, canaries, counter = Subscriptions(), dict[str, str](), EventCounter(writer)
    fleet = FleetPublisher(reader, subscriptions, painter)
    notifier = Notifier(runner, writer, painter, daemon_environment())
    approvals, viewers = _approvals(process, engine, subscriptions, notifier)
    publishers = Publishers(fleet, EventPublisher(reader, subscriptions), viewers)
    transcripts = TranscriptIngester(
        writer, now, lambda: engine.config.settings.context.window, fleet.mark_changed
    )
    versions, hashes = ClientVersions(writer, fleet.mark_changed), ViewHashes(writer)
    expiry = MailExpiry(writer, now, engine, notifier.notify, subscriptions.publish)
    leases = WorkLeases(writer, now, engine, fleet.mark_changed, subscriptions.publish)
    rows = Maintenance(writer, paths.database, now, engine, incidents, counter)
    maintenance = MaintenanceLoop(writer, now, engine, fleet.mark_changed, (leases, expiry, rows))
    waker, spool = MailWaker(writer, now, engine), UnjudgedImporter(paths.unjudged, writer, now)
    reloads = Reloads(paths.settings, engine, waker.look)
    configs = _project_configs(process.start, reader, engine, writer)
    queues |= {"transcripts": transcripts, "notifications": notifier}
    after_commit = AfterCommit(
        stopping, transcripts, versions, maintenance, canaries, subscriptions, reloads, configs,
        notifier, incidents, approvals, hashes, waker, spill,
    )  # fmt: skip
    callers, latency = Callers(perf_counter), LatencyUpdates(writer)
    executor = HookExecutor(runner, daemon_environment(), now, hook_output.refusal)
    pipeline = EventPipeline(
        writer, reader, engine, now, after_commit,
        _fact_loader(configs, callers),
        UserHookStage(configs, executor, engine, writer, now, str(Path.home())),
        canaries, spool.import_if_any, subscriptions.runs, publishers.mark_changed, latency.add,
        approvals,
    )  # fmt: skip
    dispatcher = Dispatcher(pipeline, subscriptions, callers, publishers.subscriber_added)
    self_check = SelfCheck(paths, process.start.locks, SocketFile(paths), process.health, stopping)
    unlink = self_check.socket_file.unlink
    serving = server.Server(dispatcher, pipeline, stopping, unlink, incidents.limit, _connections())
    loops = (
        counter, transcripts, versions, maintenance, publishers, painter, reloads, configs, spool,
        latency, hashes, waker, ShimCheck(paths.shims, incidents),
    )  # fmt: skip
    return Parts(stopping, serving, self_check, pipeline, reader, configs, spool, runner, loops)


def _fact_loader(configs: ProjectConfigStore, callers: Callers) -> FactLoader:
    files = FileReader()
    return FactLoader(
        files.read, configs.reload, callers.origin, files.glance, callers.why_not_typed,
        lambda pid: callers.caller(pid).why,
    )  # fmt: skip


def _approvals(
    process: _Process, engine: PolicyEngine, subscriptions: Subscriptions, notifier: Notifier
) -> tuple[ApprovalStage, ApprovalPublisher]:
    """Return the stage that holds permission requests, and the publisher to its viewers.

    At most a quarter of all connections are of requests that wait.
    """
    viewers = ApprovalPublisher(subscriptions)
    approvals = ApprovalStage(
        process.writer, engine, now, viewers.can_answer, viewers.send, notifier.notify,
        process.incidents.limit, min(MAX_HELD, _connections() // 4),
    )  # fmt: skip
    subscriptions.removed, viewers.rows = approvals.viewer_left, approvals.rows
    return approvals, viewers


def _connections() -> int:
    return server.max_connections(resource.getrlimit(resource.RLIMIT_NOFILE)[0])


def _project_configs(
    start: _Start, reader: Reader, engine: PolicyEngine, writer: Writer
) -> ProjectConfigStore:
    async def store_rules(effects: Sequence[SetFileRules | ForgetTeamFiles]) -> None:
        at = iso(now())
        await writer.run(lambda db: written(db, tuple(effects), at))

    home, config = str(Path.home()), str(start.paths.config)
    extra = tuple(HookFileLocation("cli", path, dialect_of(path)) for path in start.settings)
    return ProjectConfigStore(
        home,
        config,
        reader.trusted,
        extra,
        lambda: engine.config.settings.user_hooks.claude_settings == "run",
        RuleFileReader(config, home, lambda: engine.config.settings.rules.team),
        store_rules,
    )


async def _main(process: _Process) -> None:
    """Build the parts, and serve until the daemon is stopped."""
    paths = process.start.paths
    with closing(process.writer) as writer:
        daemon = replace(process.daemon, replaced=await _replaced(writer, paths))
        await correct_rows(writer, daemon.started_at)
        parts = build(replace(process, daemon=daemon))
        try:
            await parts.spool.import_now()
            await parts.configs.start()
            await _serve_parts(process, parts)
        finally:  # its thread would keep the process alive after a fault
            await parts.reader.close()
    _log_damaged(keep_aside(paths.database, iso(now())) if parts.self_check.damaged else "")
    LOG.info("daemon ended", extra={"about": {"pid": daemon.pid}})


async def _serve_parts(process: _Process, parts: Parts) -> None:
    """Listen on the socket, run the background parts, and answer."""
    loop, self_check = asyncio.get_running_loop(), parts.self_check
    loop.add_reader(process.signals, _signalled, process.signals, parts.stopping)
    with self_check.socket_file.bind() as listener:
        LOG.info("daemon serves", extra={"about": {"pid": process.daemon.pid}})
        _tune_interpreter()
        if process.start.detach:
            _leave_streams()
        async with asyncio.TaskGroup() as group, parts.runner:
            group.create_task(asyncio.to_thread(hints.use_re2))
            group.create_task(warm_up(parts.pipeline))
            group.create_task(import_methods())
            tasks = [group.create_task(part.run()) for part in parts.background]
            tasks.append(group.create_task(self_check.run(parts.server.listen)))
            tasks.append(group.create_task(process.start.watchdog.run(process.writer.alive)))
            try:
                await parts.server.serve(listener)
            finally:
                self_check.socket_file.unlink()
                for task in tasks:
                    task.cancel()


def _log_damaged(aside: str) -> None:
    """Log the path to which a damaged database was moved; "": none was."""
    if aside:
        LOG.error("damaged database moved aside", extra={"about": {"path": aside}})


def _crashed(paths: Paths) -> bool:
    """Return whether the last daemon crashed: it left files that it would have removed."""
    return paths.pid.exists() or Path(f"{paths.database}-wal").exists()


def _condition(
    engine: PolicyEngine, health: StoreHealth, queues: Mapping[str, _Queue]
) -> dict[str, object]:
    """Return the daemon's state, as far as it is known without the database."""
    retention = engine.config.settings.retention
    known = {
        "now": iso(now()),
        "unkept": health.describe(),
        "incidents": [asdict(one) for one in engine.incidents.told()],
        "suspended": sorted(engine.incidents.suspended),
        "redaction": hints.engine(),
        "queues": {name: one.waiting for name, one in queues.items()},
        "max_bytes": retention.max_mb * 1_000_000,
        "days": retention.days,
    }
    return asdict(engine.config.daemon) | known


async def _replaced(writer: Writer, paths: Paths) -> str:
    """Return the last damaged database that was moved aside, if it was not reported yet."""
    last = "".join(map(str, paths.damaged()[-1:]))
    if not last:
        return ""
    try:
        return last if await writer.run(lambda db: claim_report(db, last)) else ""
    except StoreError:
        return last


def _leave_streams() -> None:
    """Close the standard streams: a process that waits for their end knows that we answer."""
    os.chdir("/")
    sys.stdout.flush()
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    os.close(null)
