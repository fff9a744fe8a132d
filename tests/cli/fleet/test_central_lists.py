"""`--host` on the lists: rows of other hosts with the viewer's file, and what is refused."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from hookd.central import logins
from support.central import EPOCH, Store, event, line, store
from support.home import Home
from support.parametrize import parametrize_all
from support.postgres import Cluster

CONVERSATION = "0a5e3de9-7fef-4e12-a412-fc862f7ab4f0"


@pytest.fixture(scope="module")
def central(postgres: Cluster) -> Iterator[Store]:
    """A store with two hosts: each has an open and an ended session, and four events."""
    with store(postgres) as made:
        made.add_tenant("acme")
        for host in ("alpha", "beta"):
            detail = {"payload": {"tool_input": {"command": "rm -rf /"}}, "answer": None}
            rows = [
                line(1, "session", {"session": 1, "agent": f"{host}-1", "status": "working"}),
                line(2, "session", {"session": 2, "ended_at": "2026-01-02T03:04:05.678Z"}),
                *(event(n, decision=None, conversation=CONVERSATION) for n in (3, 4)),
                event(5, decision=None),
                event(6, decision="deny", decided_by="destructive-guard", detail=detail),
            ]
            with made.login(made.add_host("acme", host)) as ship, ship.transaction():
                ship.execute("SELECT hookd.maintain_1()")
                ship.execute("SELECT hookd.open_batch_1()")
                copy = "COPY pg_temp.hookd_batch (seq, kind, at, body) FROM STDIN"
                with ship.cursor().copy(copy) as to:
                    to.write(b"".join(rows))
                ship.execute("SELECT hookd.ingest_1(%s, 'changes')", [EPOCH])
        yield made


@pytest.fixture
def viewing(home: Home, central: Store) -> Home:
    """A home with a viewer's file."""
    write_file(home, central)
    return home


def write_file(home: Home, central: Store, **more: object) -> Path:
    login = logins.add_viewer(central.admin, "acme", "screen")
    file = home.path / "fleet" / "viewer.json"
    file.parent.mkdir(mode=0o700, exist_ok=True)
    file.touch(0o600)
    server = {key: value for key, value in central.address(login).items() if key != "user"}
    found = {"version": 1, "tenant": "acme", "viewer": "screen", "server": server}
    found |= {"role": login.role, "password": login.password}
    file.write_text(json.dumps(found | more))
    return file


def test_fleet_of_hosts(viewing: Home) -> None:
    rows = json.loads(viewing.hookd("fleet", "--host", "all", "--json").stdout)
    assert sorted((row["host"], row["agent"]) for row in rows) == [
        ("alpha", "alpha-1"),
        ("beta", "beta-1"),
    ]
    rows = json.loads(viewing.hookd("fleet", "--host", "beta", "--all", "--json").stdout)
    assert [(row["host"], row["agent"]) for row in rows] == [
        ("beta", "session 2"),
        ("beta", "beta-1"),
    ]
    table = viewing.hookd("fleet", "--host", "all", env={"COLUMNS": "80"}).stdout
    assert table.split()[:3] == ["host", "agent", "status"]
    assert max(map(len, table.splitlines())) <= 80


def test_sessions_of_a_host(viewing: Home) -> None:
    rows = json.loads(viewing.hookd("session", "list", "--host", "alpha", "--json").stdout)
    assert [(row["host"], row["id"]) for row in rows] == [("alpha", 2), ("alpha", 1)]
    rows = json.loads(
        viewing.hookd("session", "list", "--host", "all", "--limit", "3", "--json").stdout
    )
    assert len(rows) == 3
    table = viewing.hookd("session", "list", "--host", "all", env={"COLUMNS": "80"}).stdout
    assert table.startswith("host")
    assert max(map(len, table.splitlines())) <= 80


def test_events_of_a_host(viewing: Home) -> None:
    rows = json.loads(viewing.hookd("event", "--host", "alpha", "--json").stdout)
    assert [row["id"] for row in rows] == [3, 4, 5, 6]
    said = viewing.hookd("event", "--host", "beta", "--decision", "deny").stdout
    assert "rm -rf /" in said
    assert len(said.splitlines()) == 2
    last = viewing.hookd("event", "--host", "beta", "--session", "1", "-n", "2", "--json").stdout
    assert [row["id"] for row in json.loads(last)] == [5, 6]
    begun = viewing.hookd("event", "--host", "beta", "--session", CONVERSATION[:8], "--json").stdout
    assert [row["id"] for row in json.loads(begun)] == [3, 4]
    none = viewing.hookd("event", "--host", "beta", "--session", "c0ffee").stdout
    assert none == "No events.\n"


@parametrize_all(
    ("args", "code", "said"),
    [
        (("fleet", "--host", "gamma"), 1, "There is no host gamma in acme."),
        (("session", "list", "--host", "a b"), 1, "There is no host a b in acme."),
        (("event", "--host", "gamma"), 1, "There is no host gamma in acme."),
        (("event", "--host", "all"), 1, "Events are listed for one host."),
        (("event", "--host", "alpha", "--follow"), 1, "cannot be combined with --follow"),
        (("event", "--host", "alpha", "--since", "1h"), 1, "cannot be combined with --since"),
        (("fleet", "--host", "alpha", "--watch"), 2, "--host excludes --watch."),
    ],
)
def test_what_is_refused(viewing: Home, args: tuple[str, ...], code: int, said: str) -> None:
    refused = viewing.hookd(*args, check=False)
    assert (refused.returncode, said in refused.stderr) == (code, True), refused
    assert "\n  next: hookd " in refused.stderr
    assert "Traceback" not in refused.stderr


def test_files_that_cannot_be_used(home: Home, central: Store) -> None:
    def refused() -> str:
        done = home.hookd("fleet", "--host", "all", check=False)
        assert done.returncode == 1, done
        assert "Traceback" not in done.stderr
        assert "\n  next: " in done.stderr
        return done.stderr

    without = refused()
    assert "There is no viewer file" in without
    assert "hookd fleet viewer add NAME --out" in without
    file = write_file(home, central, password="hunter2")
    assert "refuses this login" in refused()
    assert "hunter2" not in refused()
    file.chmod(0o644)
    assert f"next: chmod 600 {file}" in refused()
    file.chmod(0o600)
    for text, why in (("{", "not JSON"), ("[]", "no viewer file"), ("{}", "no viewer file")):
        file.write_text(text)
        assert why in refused()
        assert "--force" not in refused()  # it may be a host's file, with its only password
    write_file(home, central, version=9)
    assert "of another version" in refused()
    write_file(home, central, server={"host": "127.0.0.1", "port": "1", "dbname": "x"})
    assert "does not answer" in refused()
    write_file(home, central, server={"host": "db.example", "sslmode": "disable"})
    assert "does not verify the server" in refused()
