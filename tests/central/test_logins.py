"""Logins: made, refused twice, removed, and never seen by the server's log."""

import psycopg
import pytest

from hookd.central import logins
from hookd.central.connection import connect
from hookd.central.errors import CentralError, RefusedError
from support.central import Store


@pytest.fixture(scope="module", autouse=True)
def _team(central: Store) -> None:
    central.add_tenant("team")


def test_a_tenant_keeps_its_first_keys(central: Store) -> None:
    before = logins.fleet_keys(central.admin, "team")
    assert not logins.add_tenant(central.admin, "team", "other")
    assert logins.fleet_keys(central.admin, "team") == before
    with pytest.raises(CentralError, match="no tenant other"):
        logins.fleet_keys(central.admin, "other")


def test_the_server_never_has_the_password(central: Store) -> None:
    login = central.add_host("team", "quiet")
    viewer = logins.add_viewer(central.admin, "team", "quiet")
    log = central.cluster.log.read_text(errors="replace")
    assert login.role in log  # statements are logged
    for one in (login, viewer):
        assert one.password not in log
        with central.login(one):
            pass


def test_a_host_is_added_once_and_again_after_its_removal(central: Store) -> None:
    first = central.add_host("team", "alpha")
    with pytest.raises(CentralError, match="alpha is a host"):
        central.add_host("team", "alpha")
    with central.login(first) as host:
        host.execute("SELECT hookd.open_batch_1()")  # a temporary table, as sending rows makes it
        logins.remove_host(central.admin, "team", "alpha")
        with pytest.raises(psycopg.OperationalError):
            host.execute("SELECT 1")
    with pytest.raises(RefusedError) as refused:
        connect(central.address(first), first.password)
    assert first.password not in str(refused.value)
    with pytest.raises(CentralError, match="no host alpha"):
        logins.remove_host(central.admin, "team", "alpha")
    with central.login(central.add_host("team", "alpha")):
        pass


def test_a_second_viewer_of_a_name_replaces_the_first(central: Store) -> None:
    first = logins.add_viewer(central.admin, "team", "screen")
    second = logins.add_viewer(central.admin, "team", "screen")
    with central.login(second):
        pass
    with pytest.raises(RefusedError):
        connect(central.address(first), first.password)


def test_a_login_has_limits(central: Store) -> None:
    central.add_tenant("limits")
    host = central.add_host("limits", "alpha")
    viewer = logins.add_viewer(central.admin, "limits", "screen")
    for login in (host, viewer):
        with central.login(login) as connection:
            names = "temp_file_limit", "statement_timeout", "idle_in_transaction_session_timeout"
            found = [connection.execute(f"SHOW {name}".encode()).fetchone() for name in names]
            assert found == [("1GB",), ("2min",), ("1min",)]
