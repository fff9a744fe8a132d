"""A real PostgreSQL in a folder of its own: started, killed and stopped by a test or a bench.

It listens on a Unix socket, where `postgres` needs no password and all others do, and on 127.0.0.1,
where all need one. The kernel ends it with the thread that started it.
"""

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from support.home import until

FAST = {"fsync": "off", "full_page_writes": "off", "autovacuum": "off"}
"""Settings of a database that need not survive the machine; kill -9 of the server it survives.

An ANALYZE in the background is an open transaction, and items are read below all of these.
"""

_HBA = """\
local all postgres trust
local all all scram-sha-256
host all all 127.0.0.1/32 scram-sha-256
"""


class MissingError(Exception):
    """PostgreSQL is not installed; the text has the next step."""


def programs(debian: Path = Path("/usr/lib/postgresql")) -> Path:
    """Return the folder of PostgreSQL's programs, of the newest version. Raise MissingError."""
    found = sorted(debian.glob("*/bin/initdb"), key=lambda one: int(one.parent.parent.name))
    if found:
        return found[-1].parent
    place = shutil.which("initdb")
    if not place:
        raise MissingError("PostgreSQL is missing.\n  next: sudo apt-get install postgresql")
    return Path(place).parent


def _as_user() -> list[str]:
    """Return the words before a command of the server: it refuses to run as root."""
    prefix = ["setpriv", "--pdeathsig", "INT"]
    if os.geteuid() == 0:
        prefix += ["--reuid", "postgres", "--regid", "postgres", "--clear-groups"]
    return prefix


@dataclass
class Cluster:
    """One server; `folder` has its data, its socket and its log."""

    folder: Path
    port: int
    settings: Mapping[str, str] = field(default_factory=lambda: FAST)
    process: subprocess.Popen[bytes] | None = None

    @property
    def log(self) -> Path:
        """What the server has logged."""
        return self.folder / "log"

    def url(self, database: str = "postgres", *, user: str = "postgres") -> str:
        """Return the address of a database by the Unix socket."""
        return f"postgresql://{user}@/{database}?host={self.folder}&port={self.port}"

    def tcp_url(self, database: str = "postgres", *, user: str = "postgres") -> str:
        """Return the address of a database on 127.0.0.1."""
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}"

    def admin(self, database: str = "postgres") -> psycopg.Connection:
        """Return a connection of the superuser, in which each statement commits."""
        return psycopg.connect(self.url(database), autocommit=True, connect_timeout=10)

    @contextmanager
    def database(self) -> Iterator[str]:
        """A new, empty database; yield its name."""
        name = f"test_{secrets.token_hex(6)}"
        with self.admin() as admin:
            admin.execute(f'create database "{name}"')
        try:
            yield name
        finally:
            with self.admin() as admin:
                admin.execute(f'drop database if exists "{name}" with (force)')

    def start(self) -> None:
        """Start the server; return when it answers."""
        options = {
            "unix_socket_directories": str(self.folder),
            "port": str(self.port),
            "listen_addresses": "127.0.0.1",
            "log_statement": "all",
            "password_encryption": "scram-sha-256",
            "max_connections": "300",
            **self.settings,
        }
        words = [word for key, value in options.items() for word in ("-c", f"{key}={value}")]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*_as_user(), programs() / "postgres", "-D", self.folder / "data", *words],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
            )
        until(self._answers)

    def _answers(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, self.log.read_text()
        try:
            self.admin().close()
        except psycopg.OperationalError:
            return False
        return True

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop the server at once; connections end."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(30)
            self.process = None

    def kill(self) -> None:
        """Kill the server and its processes with signal 9, as a failure of its machine would."""
        assert self.process is not None
        names = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(self.process.pid)],
            capture_output=True,
            text=True,
            check=False,
        ).stdout.split()
        self.stop(signal.SIGKILL)
        for name in names:
            try:
                os.kill(int(name), signal.SIGKILL)
            except ProcessLookupError:
                continue


@contextmanager
def cluster(settings: Mapping[str, str] = FAST) -> Iterator[Cluster]:
    """A server with these settings, until the end of the block."""
    folder = Path(tempfile.mkdtemp(prefix="hkpg-"))
    made = Cluster(folder, _free_port(), settings)
    try:
        if os.geteuid() == 0:
            user = pwd.getpwnam("postgres")
            os.chown(folder, user.pw_uid, user.pw_gid)
        subprocess.run(
            [
                *_as_user(),
                *(programs() / "initdb", "-D", folder / "data", "-U", "postgres"),
                *("--no-sync", "--no-instructions", "-E", "UTF8", "--locale", "C"),
            ],
            check=True,
            capture_output=True,
            timeout=60,
            cwd=folder,
        )
        (folder / "data" / "pg_hba.conf").write_text(_HBA)
        made.start()
        yield made
    finally:
        made.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
