"""`hookd fleet init-db`, `host`, `viewer`, `hosts` with a real server, and what they refuse."""

import json
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from hookd.core.fleet import signing
from support.home import Home
from support.parametrize import parametrize_all
from support.postgres import Cluster


@pytest.fixture(scope="module")
def database(postgres: Cluster) -> Iterator[str]:
    with postgres.database() as name:
        yield name


@pytest.fixture
def ready(home: Home, postgres: Cluster) -> Iterator[Home]:
    """A home that administers a new store."""
    with postgres.database() as name:
        home.hookd("fleet", "init-db", postgres.url(name))
        yield home


def read(path: Path) -> dict[str, Any]:
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def test_init_db_twice_keeps_the_key(home: Home, postgres: Cluster) -> None:
    with postgres.database() as name:
        first = json.loads(home.hookd("fleet", "init-db", postgres.url(name), "--json").stdout)
        again = json.loads(home.hookd("fleet", "init-db", postgres.url(name), "--json").stdout)
        assert (first["steps"], first["added"]) == (["0001_fleet"], True)
        assert (again["steps"], again["added"]) == ([], False)
        admin = home.path / "fleet" / "admin-team.json"
        assert stat.S_IMODE(admin.parent.stat().st_mode) == 0o700
        public = signing.public_key(read(admin)["fleet_key"])
        assert signing.key_id(public) == first["keyId"] == again["keyId"]
        admin.unlink()
        other = home.hookd("fleet", "init-db", postgres.url(name), check=False)
        assert other.returncode == 1
        assert "its fleet key is not on this machine" in other.stderr
        assert not admin.exists()


def test_a_host_gets_a_file_that_logs_in(ready: Home) -> None:
    out = ready.path / "alpha.json"
    said = ready.hookd("fleet", "host", "add", "alpha", "--out", str(out))
    join = read(out)
    for secret in (join["password"], join["host_key"]):
        assert secret not in said.stdout + said.stderr
    assert signing.verify_certificate(
        join["fleet_keys"],
        join["certificate"],
        tenant="team",
        host="alpha",
        host_key=signing.public_key(join["host_key"]),
    )
    login = {"user": join["role"], "password": join["password"]}
    with psycopg.connect("", **join["server"], **login) as connection:
        assert connection.execute("SELECT hookd.current_host()").fetchone() == ("alpha",)
    (row,) = json.loads(ready.hookd("fleet", "hosts", "--json").stdout)
    assert (row["host"], row["state"], row["openSessions"]) == ("alpha", "invited", 0)
    ready.hookd("fleet", "host", "remove", "alpha")
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect("", **join["server"], **login)
    (row,) = json.loads(ready.hookd("fleet", "hosts", "--json").stdout)
    assert row["state"] == "removed"


def test_a_viewer_gets_a_file_that_logs_in(ready: Home) -> None:
    out = ready.path / "viewer.json"
    ready.hookd("fleet", "viewer", "add", "screen", "--out", str(out))
    content = read(out)
    login = {"user": content["role"], "password": content["password"]}
    with psycopg.connect("", **content["server"], **login) as connection:
        assert connection.execute("SELECT hookd.current_tenant()").fetchone() == ("team",)


def test_a_file_that_exists_adds_no_host(ready: Home) -> None:
    out = ready.path / "taken.json"
    out.write_text("{}")
    refused = ready.hookd("fleet", "host", "add", "alpha", "--out", str(out), check=False)
    assert (refused.returncode, out.read_text()) == (1, "{}")
    assert "--force" in refused.stderr
    assert json.loads(ready.hookd("fleet", "hosts", "--json").stdout) == []


def test_a_host_that_exists_leaves_no_file(ready: Home) -> None:
    ready.hookd("fleet", "host", "add", "alpha", "--out", str(ready.path / "one.json"))
    other = ready.path / "two.json"
    refused = ready.hookd("fleet", "host", "add", "alpha", "--out", str(other), check=False)
    assert (refused.returncode, other.exists()) == (1, False)
    assert "next: hookd fleet host remove alpha" in refused.stderr


def test_the_table_fits_80_columns(ready: Home) -> None:
    name = "h" * 63
    ready.hookd("fleet", "host", "add", name, "--out", str(ready.path / "one.json"))
    table = ready.hookd("fleet", "hosts", env={"COLUMNS": "80"}).stdout
    assert max(map(len, table.splitlines())) <= 80


@parametrize_all(
    ("args", "said"),
    [
        (("init-db", "postgresql://u:hunter2@db.example/x"), "has a password"),
        (("init-db", "postgresql://u@db.example/x?sslmode=require"), "does not verify"),
        (("init-db", "nonsense"), "malformed"),
        (("init-db", "postgresql://u@127.0.0.1:1/x"), "does not answer"),
        (("init-db", "postgresql:///x", "--tenant", "a b"), "cannot be the name"),
        (("hosts",), "administers no fleet"),
        (("hosts", "--tenant", "other"), "admin-other.json is missing"),
        (("host", "add", "a/b", "--out", "x"), "cannot be the name"),
        (("host", "add", "a", "--out", "x"), "administers no fleet"),
        (("host", "remove", "a"), "administers no fleet"),
        (("viewer", "add", "a", "--out", "x"), "administers no fleet"),
    ],
)
def test_what_is_refused(home: Home, args: tuple[str, ...], said: str) -> None:
    refused = home.hookd("fleet", *args, check=False)
    assert refused.returncode == 1, refused
    assert said in refused.stderr
    assert "\n  next: " in refused.stderr
    assert "hunter2" not in refused.stderr
    assert "Traceback" not in refused.stderr
    assert not (home.path / "x").exists()


def test_a_login_that_is_no_administrator(home: Home, postgres: Cluster, database: str) -> None:
    with postgres.admin() as admin:
        admin.execute("DROP ROLE IF EXISTS nobody_here")
        admin.execute("CREATE ROLE nobody_here LOGIN PASSWORD 'secret-word'")
    pgpass = home.path / "pgpass"
    pgpass.write_text("*:*:*:nobody_here:secret-word\n")
    pgpass.chmod(0o600)
    url = postgres.tcp_url(database, user="nobody_here")
    env = {"PGPASSFILE": str(pgpass)}
    refused = home.hookd("fleet", "init-db", url, check=False, env=env)
    assert refused.returncode == 1
    assert "next: connect as the administrator of the database" in refused.stderr
    assert "secret-word" not in refused.stderr
    without = home.hookd("fleet", "init-db", url, check=False)
    assert "refuses this login" in without.stderr
    assert "the password in ~/.pgpass" in without.stderr


def test_a_newer_schema_and_a_database_without_one(ready: Home, postgres: Cluster) -> None:
    admin_file = ready.path / "fleet" / "admin-team.json"
    content = read(admin_file)
    with psycopg.connect("", **content["server"]) as admin:
        admin.execute("UPDATE hookd.meta SET schema_version = 99")
    url = postgres.url(content["server"]["dbname"])
    newer = ready.hookd("fleet", "init-db", url, check=False)
    assert "schema 99" in newer.stderr
    assert "next: upgrade hookd" in newer.stderr
    with postgres.database() as empty:
        content["server"]["dbname"] = empty
        admin_file.write_text(json.dumps(content))
        none = ready.hookd("fleet", "hosts", check=False)
        assert "is no central store" in none.stderr
        admin_file.chmod(0o644)
        assert "chmod 600" in ready.hookd("fleet", "hosts", check=False).stderr
