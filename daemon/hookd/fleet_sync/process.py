"""The process of `hookd fleet sync`: one shipper for this host, until a signal, or until it leaves.

A lock file keeps a second one away; `hookd status` and `hookd doctor` see by it whether one runs.
"""

import asyncio
import fcntl
import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from hookd.central.errors import RefusedError
from hookd.config.load import load
from hookd.core.fleet.credential import Credential
from hookd.fleet_sync.content import Content, printed
from hookd.fleet_sync.ledger import DaemonLedger
from hookd.fleet_sync.shipper import Host, Pace, Shipper, sent_position
from hookd.fleet_sync.store import Central
from hookd.paths import Paths
from hookd.socket_client.client import SocketClient
from hookd.store.outbox import NO_LIMIT, Outbox
from hookd.system import fleet_files

if TYPE_CHECKING:
    from hookd.fleet_sync.receiver import Receiver

_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


_PAGE = 500
"""Rows that --dry-run reads at once."""


_RETRY_S = 0.001
"""Time between two attempts to lock a file that a command looks at."""


class RunningError(Exception):
    """Another sync process of this host runs."""


def now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)  # noqa: TID251 - the clock of this process


def run(places: Paths, say: Callable[[str], None]) -> None:
    """Send until a signal, or until the host is in no fleet.

    Raise RunningError, SettingsError, StoreError.
    """
    with locked(places), prepared(places, say) as shipper:
        asyncio.run(_until_signal(shipper, places))


def run_once(places: Paths, say: Callable[[str], None]) -> Shipper:
    """Send what waits; return the shipper, which has counted. Raise CentralError, as `run` does."""
    with locked(places), prepared(places, say) as shipper:
        asyncio.run(_once(shipper, places))
        return shipper


async def _once(shipper: Shipper, places: Paths) -> None:
    await shipper.once()
    receiver = _receiver(places)
    if receiver.wanted():
        await receiver.once()


def _receiver(places: Paths) -> "Receiver":
    """Return what receives for this host, with its credential of now. Raise CentralError."""
    from hookd.fleet_sync.outgoing import signer_of  # noqa: PLC0415 - libraries of an extra
    from hookd.fleet_sync.receiver import Receiver  # noqa: PLC0415

    known = _credential(places)
    with closing(Outbox(places.database)) as outbox:
        member = outbox.membership()
    signer = signer_of(known, member.epoch if member else "")
    call = SocketClient(places).call
    return Receiver(known.address, known.password, signer, places.database, call)


@contextmanager
def locked(places: Paths) -> Iterator[None]:
    """Be the only sync process of this host. Raise RunningError."""
    places.fleet.mkdir(mode=0o700, parents=True, exist_ok=True)
    number = os.open(places.sync_lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _lock(number)
    except BlockingIOError:
        os.close(number)
        raise RunningError from None
    try:
        os.ftruncate(number, 0)
        os.write(number, f"{os.getpid()}\n".encode())
        yield
    finally:
        os.close(number)


def _lock(number: int) -> None:
    """Lock a file. Raise BlockingIOError if another process has locked it.

    Commands look for a sync process by a shared lock of a moment: that is none, and is waited for.
    """
    while True:
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.flock(number, fcntl.LOCK_SH | fcntl.LOCK_NB)
            fcntl.flock(number, fcntl.LOCK_UN)
            time.sleep(_RETRY_S)
        else:
            return


@contextmanager
def prepared(
    places: Paths, say: Callable[[str], None], pace: Pace | None = None
) -> Iterator[Shipper]:
    """Return a shipper for this host. Raise SettingsError, StoreError."""
    denied = load(places.settings).settings.fleet.deny_fields
    with closing(Outbox(places.database)) as outbox:

        async def connect() -> Central:
            from hookd.fleet_sync import link  # noqa: PLC0415 - psycopg is of an extra

            return await link.connect(_credential(places), now)

        host = Host(
            outbox,
            DaemonLedger(places),
            connect,
            lambda: str(uuid4()),
            random.random,
            say,
            Content(outbox, denied).batch,
            lambda: fleet_files.read_cursor(places.cursor),
            lambda epoch, sent: fleet_files.write_cursor(places.cursor, epoch, sent),
        )
        yield Shipper(host, pace)


def waiting_rows(places: Paths, limit: int) -> Iterator[dict[str, Any]]:
    """Yield the rows that wait, exactly as they are sent. Raise SettingsError, StoreError."""
    denied = load(places.settings).settings.fleet.deny_fields
    with closing(Outbox(places.database)) as outbox:
        content, member = Content(outbox, denied), outbox.membership()
        sent = sent_position(member) if member else {}
        for stream in sent:
            while limit:
                rows = content.rows(stream, sent[stream], min(limit, _PAGE), NO_LIMIT).rows
                if not rows:
                    break
                sent[stream], limit = rows[-1].seq, limit - len(rows)
                yield from printed(rows)


def _credential(places: Paths) -> Credential:
    """Return the credential; it may be replaced while the process runs. Raise CentralError."""
    step = "hookd fleet join FILE, with a file from the admin of the fleet"
    try:
        return fleet_files.read_credential(places.credential)
    except FileNotFoundError:
        raise RefusedError(f"There is no {places.credential}.", step) from None
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) else str(error)
        if "others can read" in str(error):
            step = f"chmod 600 {places.credential}"
        raise RefusedError(f"{places.credential}: {said}.", step) from None


async def _until_signal(shipper: Shipper, places: Paths) -> None:
    from hookd.fleet_sync.receiver import follow  # noqa: PLC0415 - libraries of an extra

    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    for number in _SIGNALS:
        loop.add_signal_handler(number, stop.set)
    async with asyncio.TaskGroup() as group:
        sending = group.create_task(shipper.run())
        receiving = group.create_task(follow(lambda: _receiver(places)))
        waiting = group.create_task(stop.wait())
        await asyncio.wait({sending, waiting}, return_when=asyncio.FIRST_COMPLETED)
        sending.cancel()
        receiving.cancel()
        waiting.cancel()
