"""Connections: TLS of a private authority on a real server, and servers that are not what they say.

No password goes to a server that was not verified.
"""

import os
import pwd
import shutil
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from hookd.central.connection import connect, connect_async
from hookd.central.errors import RefusedError, UnreachableError
from hookd.central.logins import Login
from support.central import Store, store
from support.postgres import FAST, cluster

NAME = "db.test"
SSL_REQUEST = bytes.fromhex("0000000804d2162f")


@dataclass
class Authority:
    """A private certificate authority."""

    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    name: x509.Name = field(
        default_factory=lambda: x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "authority")])
    )

    def certificate(self, key: ec.EllipticCurvePublicKey, *, of: str | None) -> bytes:
        """Return the certificate of a server, or of the authority itself."""
        now = datetime.now(UTC)
        subject = self.name if of is None else x509.Name([])
        made = (
            x509.CertificateBuilder(self.name, subject, key, x509.random_serial_number())
            .not_valid_before(now - timedelta(hours=1))
            .not_valid_after(now + timedelta(hours=1))
            .add_extension(x509.BasicConstraints(ca=of is None, path_length=None), critical=True)
        )
        if of is not None:
            made = made.add_extension(
                x509.SubjectAlternativeName([x509.DNSName(of)]), critical=True
            )
        return made.sign(self.key, hashes.SHA256()).public_bytes(Encoding.PEM)

    def write(self, file: Path) -> Path:
        """Write the certificate of the authority."""
        file.write_bytes(self.certificate(self.key.public_key(), of=None))
        return file


@dataclass
class Tls:
    """A store on a server with TLS, the login of a host, and the file of its authority."""

    store: Store
    login: Login
    authority: Path

    def address(self, **more: str) -> dict[str, str]:
        """Return the address of the server by name."""
        return {
            "host": NAME,
            "hostaddr": "127.0.0.1",
            "port": str(self.store.cluster.port),
            "dbname": self.store.name,
            "user": self.login.role,
            "sslrootcert": str(self.authority),
            **more,
        }


@pytest.fixture(scope="module")
def tls() -> Iterator[Tls]:
    authority, key = Authority(), ec.generate_private_key(ec.SECP256R1())
    folder = Path(tempfile.mkdtemp(prefix="hktls-"))
    try:
        (folder / "server.pem").write_bytes(authority.certificate(key.public_key(), of=NAME))
        plain = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        (folder / "server.key").touch(mode=0o600)
        (folder / "server.key").write_bytes(plain)
        if os.geteuid() == 0:
            user = pwd.getpwnam("postgres")
            for path in (folder, *folder.iterdir()):
                os.chown(path, user.pw_uid, user.pw_gid)
        files = {"ssl_cert_file": "server.pem", "ssl_key_file": "server.key"}
        settings = {name: str(folder / file) for name, file in files.items()}
        with cluster({**FAST, "ssl": "on", **settings}) as server, store(server) as central:
            central.add_tenant("team")
            login = central.add_host("team", "ann")
            yield Tls(central, login, authority.write(folder / "authority.pem"))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


async def test_a_server_of_the_named_authority_is_used(tls: Tls) -> None:
    query = "SELECT version FROM pg_stat_ssl WHERE pid = pg_backend_pid() AND ssl"
    with connect(tls.address(), tls.login.password) as found:
        assert found.execute(query).fetchall() != []
    async with await connect_async(tls.address(), tls.login.password) as made:
        cursor = await made.execute(query)
        assert await cursor.fetchall() != []


@pytest.mark.parametrize("name", ["PGSSLMINPROTOCOLVERSION", "PGCHANNELBINDING", "PGGSSENCMODE"])
def test_the_environment_does_not_weaken_a_connection(
    tls: Tls, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "none that libpq knows, so it refuses to connect")
    connect(tls.address(), tls.login.password).close()


@pytest.mark.parametrize("case", ["another name", "another authority", "authorities of the system"])
def test_a_server_that_is_not_verified_is_refused(tls: Tls, tmp_path: Path, case: str) -> None:
    address = tls.address()
    if case == "another name":
        address["host"] = "db.example"
    elif case == "another authority":
        address["sslrootcert"] = str(Authority().write(tmp_path / "other.pem"))
    else:
        address.pop("sslrootcert")
    with pytest.raises(RefusedError, match="no TLS that can be verified") as refused:
        connect(address, tls.login.password)
    assert "sslrootcert=FILE" in refused.value.step
    assert tls.login.password not in str(refused.value)


def test_a_missing_file_of_the_authority_is_named(tls: Tls) -> None:
    with pytest.raises(RefusedError, match="nowhere") as refused:
        connect(tls.address(sslrootcert="/nowhere/ca.pem"), tls.login.password)
    assert "sslrootcert=FILE" in refused.value.step
    assert "disable" not in str(refused.value)


@contextmanager
def listener(answer: bytes) -> Iterator[tuple[str, bytearray]]:
    """A server on a loopback address that answers each message; yield its port and what it got."""
    got = bytearray()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    link, _ = server.accept()
                    with link:
                        link.settimeout(30)
                        while part := link.recv(65_536):
                            got.extend(part)
                            link.sendall(b"N" if part == SSL_REQUEST else answer)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield str(server.getsockname()[1]), got
        server.shutdown(socket.SHUT_RDWR)
        thread.join(30)


def test_a_server_without_tls_gets_nothing_but_the_request_for_it() -> None:
    with listener(b"") as (port, got):
        address = {"host": NAME, "hostaddr": "127.0.0.1", "port": port, "user": "ann"}
        with pytest.raises(RefusedError, match="does not support SSL") as refused:
            connect(address, "my-password")
        assert "set up TLS" in refused.value.step
    assert bytes(got) == SSL_REQUEST


@pytest.mark.skipif(psycopg.pq.version() < 160_000, reason="libpq is too old")
def test_a_server_of_this_machine_gets_no_password_in_clear_text() -> None:
    """Another user may listen on the port while the database does not run."""
    clear_text = b"R" + (8).to_bytes(4) + (3).to_bytes(4)
    with listener(clear_text) as (port, got), pytest.raises(RefusedError, match="in clear text"):
        connect({"host": "127.0.0.1", "port": port, "user": "ann"}, "my-password")
    assert b"my-password" not in got


@pytest.mark.parametrize("way", ["PGHOST", "PGHOSTADDR", "PGPORT", "PGSERVICE"])
async def test_the_environment_names_no_other_server(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A local address needs no TLS, and so must stay local."""
    with listener(b"") as (port, got):
        service = f"[other]\nhost=127.0.0.1\nhostaddr=127.0.0.1\nport={port}\nsslmode=disable\n"
        (tmp_path / "services").write_text(service)
        monkeypatch.setenv("PGSERVICEFILE", str(tmp_path / "services"))
        monkeypatch.setenv(way, {"PGPORT": port, "PGSERVICE": "other"}.get(way, "127.0.0.1"))
        address, own = {"dbname": "hookd", "user": "ann"}, f"PGSQL.{port}"
        if way == "PGPORT":
            address, own = address | {"host": str(tmp_path)}, "PGSQL.5432"
        else:
            address["port"] = port
        with pytest.raises(UnreachableError, match=own):
            connect(address, "my-password")
        with pytest.raises(UnreachableError, match=own):
            await connect_async(address, "my-password")
    assert bytes(got) == b""


def test_an_address_of_this_machine_is_used_whatever_the_environment_names(
    tls: Tls, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = tls.store.address(tls.login)
    for name in ("PGHOST", "PGHOSTADDR"):
        monkeypatch.setenv(name, "192.0.2.1")
    with connect(address, tls.login.password) as found:
        assert found.info.hostaddr == "127.0.0.1"
