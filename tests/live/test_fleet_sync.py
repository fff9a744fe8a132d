"""Live: a host joins a fleet, sends from a process beside its daemon, and leaves."""

import json
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from hookd.system.fleet_files import sync_process
from support.central import Store, store
from support.fleet_host import join_file
from support.home import Home, Window, place, until, window_in
from support.postgres import Cluster, cluster


@pytest.fixture(scope="module")
def central(postgres: Cluster) -> Iterator[Store]:
    with store(postgres) as made:
        yield made


@contextmanager
def member(central: Store, mode: str = "decisions") -> Iterator[tuple[Home, str]]:
    """A home whose daemon serves, in a fleet; the sync process runs."""
    with place() as home:
        file, tenant = join_file(home.serves(), central)
        home.hookd("fleet", "join", str(file), "--mode", mode)
        try:
            yield home, tenant
        finally:
            home.hookd("stop", "--yes", check=False)


def outbox(home: Home) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(home.hookd("fleet", "outbox", "--json").stdout)
    return found


def sent(central: Store, tenant: str) -> list[int]:
    sql = f"SELECT event_id FROM hookd.events WHERE tenant = '{tenant}' ORDER BY event_id"
    return [number for (number,) in central.rows(sql)]


def recorded(home: Home) -> list[int]:
    return [number for (number,) in home.rows("SELECT id FROM events ORDER BY id")]


def works(window: Window, calls: int = 5) -> None:
    for number in range(calls):
        window.bash(f"echo {number}")


def test_events_go_up_while_the_host_is_in_the_fleet_and_never_again(central: Store) -> None:
    with member(central) as (home, tenant):
        window = window_in(home)
        works(window)
        window.bash("rm -rf ~")
        until(lambda: sent(central, tenant) == recorded(home) != [])
        denied = f"SELECT decided_by, client FROM hookd.events WHERE tenant = '{tenant}'"
        rows = central.rows(f"{denied} AND decision = 'deny'")
        assert rows == [("destructive-guard", "claude-code")]
        until(lambda: outbox(home)["membership"]["waiting"] == 0)
        facts = outbox(home)
        assert (facts["problem"], facts["membership"]["tenant"]) == (None, tenant)
        assert f"ann of {tenant}, decisions" in home.hookd("status").stdout
        said = home.hookd("fleet", "leave").stdout
        assert said.startswith("This host has left the fleet.")
        before = sent(central, tenant)
        works(window)
        assert home.rows("SELECT count(*) FROM outbox") == [(0,)]
        assert sent(central, tenant) == before
        left = f"SELECT left_at IS NOT NULL FROM hookd.hosts WHERE tenant = '{tenant}'"
        assert central.rows(left) == [(True,)]
        assert not list((home.path / "fleet").glob("*.json"))


def test_a_killed_sync_process_is_reported_and_the_next_one_sends_each_row_once(
    central: Store,
) -> None:
    with member(central) as (home, tenant):
        window = window_in(home)
        works(window)
        until(lambda: sent(central, tenant) == recorded(home) != [])
        os.kill(outbox(home)["process"], signal.SIGKILL)
        until(lambda: outbox(home)["process"] is None)
        works(window)
        facts = outbox(home)
        assert facts["membership"]["waiting"] > 0
        assert (facts["problem"], facts["next"]) == (
            "The sync process does not run: nothing is sent.",
            "hookd start",
        )
        status = home.hookd("status").stdout
        assert "nothing is sent" in status
        assert json.loads(home.hookd("status", "--json").stdout)["fleet"]["next"] == "hookd start"
        found = json.loads(home.hookd("doctor", "--json", check=False).stdout)
        (fleet,) = [one for one in found if one["check"] == "fleet"]
        assert (fleet["state"], fleet["next"]) == ("warn", "hookd start")
        home.hookd("start")
        until(lambda: sent(central, tenant) == recorded(home))
        again = home.hookd("fleet", "sync", check=False)
        assert (again.returncode, "runs already" in again.stderr) == (1, True)


def test_a_dry_run_prints_the_very_rows_and_sends_none(central: Store) -> None:
    with member(central, "events") as (home, tenant):
        until(lambda: outbox(home)["membership"]["waiting"] == 0)
        os.kill(outbox(home)["process"], signal.SIGKILL)
        until(lambda: outbox(home)["process"] is None)
        window = window_in(home)
        token = "ghp_" + "a1B2" * 9
        window.calls("Write", file_path=f"{window.project}/a", content=f"mine {token}")
        printed = home.hookd("fleet", "sync", "--dry-run").stdout
        rows = [json.loads(line) for line in printed.splitlines()]
        (event,) = [row["body"] for row in rows if row["kind"] == "event"]
        assert event["detail"]["payload"]["tool_input"]["content"] == "[not sent]"
        assert token not in printed
        assert sent(central, tenant) == []
        once = json.loads(home.hookd("fleet", "sync", "--once", "--json").stdout)
        assert (once["sent"], once["rejected"]) == (len(rows), 0)
        sql = f"SELECT detail FROM hookd.events WHERE tenant = '{tenant}'"
        assert central.rows(sql) == [(event["detail"],)]


def test_stop_ends_the_sync_process_and_start_begins_another(central: Store) -> None:
    with member(central, "status") as (home, _tenant):
        first = outbox(home)["process"]
        home.hookd("stop", "--yes")
        lock = home.path / "fleet" / "sync.lock"
        assert int(lock.read_text()) == first
        assert sync_process(lock) is None
        home.hookd("start")
        assert outbox(home)["process"] not in (None, first)


@pytest.mark.parametrize(
    ("break_it", "said", "step"),
    [
        (lambda file: file.chmod(0o644), "others can read it", "chmod 600"),
        (lambda file: file.unlink(), "There is no", "hookd fleet host add"),
        (lambda file: file.write_text("{"), "it is not JSON", "hookd fleet host add"),
        (
            lambda file: file.write_text(file.read_text().replace('"host": "ann"', '"host": "b"')),
            "certificate",
            "hookd fleet host add",
        ),
        (
            lambda file: file.write_text(
                file.read_text().replace("127.0.0.1", "db.example").replace('"prefer"', '"require"')
            ),
            "does not verify the server",
            "verify-full",
        ),
        (
            lambda file: file.write_text(
                file.read_text().replace('"prefer"', '"prefer", "sslrootcert": "/nowhere/ca.pem"')
            ),
            "There is no /nowhere/ca.pem",
            "copy it from the admin's machine",
        ),
    ],
    ids=["mode", "missing", "damaged", "another host", "without TLS", "no authority"],
)
def test_a_bad_file_joins_nothing_and_says_what_to_do(
    home: Home, central: Store, break_it: Any, said: str, step: str
) -> None:
    file, _tenant = join_file(home.serves(), central)
    password = json.loads(file.read_text())["password"]
    break_it(file)
    done = home.hookd("fleet", "join", str(file), check=False)
    assert (done.returncode, said in done.stderr, step in done.stderr) == (1, True, True), done
    assert password not in done.stderr + done.stdout
    assert home.rows("SELECT count(*) FROM fleet_membership") == [(0,)]
    assert not (home.path / "fleet" / "credential.json").exists()


def test_a_second_fleet_is_refused_and_the_first_goes_on(central: Store) -> None:
    with member(central) as (home, tenant):
        other, _ = join_file(home, central, "ben")
        done = home.hookd("fleet", "join", str(other), check=False)
        assert (done.returncode, "hookd fleet leave" in done.stderr) == (1, True)
        works(window_in(home))
        until(lambda: sent(central, tenant) == recorded(home) != [])
        home.hookd("fleet", "join", "--mode", "events", "--accept", "mail,rules")
        (row,) = home.rows("SELECT mode, accept_json FROM fleet_membership")
        assert row == ("events", '["mail", "rules"]')
        said = home.hookd("fleet", "join", "--mode", "decisions").stdout
        assert "mode decisions, accepts mail, rules." in said
        home.hookd("fleet", "join", "--accept", "nothing")
        (row,) = home.rows("SELECT mode, accept_json FROM fleet_membership")
        assert row == ("decisions", "[]"), "what is not named stays"


def test_a_host_in_no_fleet_says_so(home: Home) -> None:
    home.serves()
    for words in (("outbox",), ("sync",), ("sync", "--dry-run"), ("leave",)):
        done = home.hookd("fleet", *words, check=False)
        assert (done.returncode, "in no fleet" in done.stderr) == (1, True), done
        assert "next: " in done.stderr
    wrong = home.hookd("fleet", "join", "x", "--accept", "mail,cake", check=False)
    assert (wrong.returncode, "'cake' is not one of" in wrong.stderr) == (2, True)


def test_a_host_that_could_not_say_that_it_leaves_says_so_later(central: Store) -> None:
    with member(central) as (home, tenant):
        left = f"SELECT left_at IS NOT NULL FROM hookd.hosts WHERE tenant = '{tenant}'"
        file = home.path / "fleet" / "credential.json"
        text = file.read_text()
        file.write_text(text.replace('"password": "', '"password": "x'))
        done = home.hookd("fleet", "leave", check=False)
        assert (done.returncode, "was not told" in done.stderr) == (1, True), done
        assert outbox(home)["process"] is not None
        assert central.rows(left) == [(False,)]
        file.write_text(text)
        home.hookd("restart")
        until(lambda: central.rows(left) == [(True,)])
        home.hookd("fleet", "leave")
        assert home.rows("SELECT 1 FROM fleet_membership") == []


def test_a_lost_database_is_reported_where_there_is_a_credential(central: Store) -> None:
    with member(central) as (home, _tenant):
        home.ends()
        for file in home.path.glob("hookd.db*"):
            file.unlink()
        home.serves()
        facts = outbox(home)
        assert facts["problem"].startswith("The database knows of no fleet")
        home.hookd("fleet", "join")
        assert outbox(home)["problem"] is None


@pytest.mark.gate
def test_each_event_is_there_once_after_kills_of_the_database_and_of_the_process() -> None:
    with cluster() as server, store(server) as central, member(central) as (home, tenant):
        window = window_in(home)
        for turn in range(3):
            works(window, 10)
            if turn == 1:
                server.kill()
                server.start()
            else:
                os.kill(outbox(home)["process"], signal.SIGKILL)
                until(lambda: outbox(home)["process"] is None)
                home.hookd("start")
        reader = Store(server, central.name, server.admin(central.name))
        until(lambda: sent(reader, tenant) == recorded(home), 90)
        reader.admin.close()
