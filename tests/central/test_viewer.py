"""Connections of a viewer: read-only, one tenant, with limits, and errors with a next step."""

import pytest

from hookd.central import logins
from hookd.central.errors import CentralError, NewerSchemaError, RefusedError, UnreachableError
from hookd.central.viewer import View, Viewer
from support.central import Store


@pytest.fixture
def login(central: Store) -> logins.Login:
    if not central.rows("SELECT FROM hookd.tenants"):
        central.add_tenant("views")
    return logins.add_viewer(central.admin, "views", "screen")


def number(view: View) -> int:
    row = view.connection.execute("SELECT pg_backend_pid() AS pid").fetchone()
    assert row is not None
    return int(row["pid"])


def test_a_connection_is_kept_and_replaced_when_it_ended(
    central: Store, login: logins.Login
) -> None:
    viewer = Viewer(central.address(login), login.password)
    first = viewer.read(number)
    assert viewer.read(lambda view: view.tenant) == "views"
    assert viewer.read(number) == first
    central.admin.execute("SELECT pg_terminate_backend(%s, 5000)", [first])
    assert viewer.read(number) != first
    viewer.close()


def test_it_writes_nothing(central: Store, login: logins.Login) -> None:
    viewer = Viewer(central.address(login), login.password)
    with pytest.raises(CentralError, match="read-only transaction"):
        viewer.read(lambda view: view.connection.execute("UPDATE hookd.hosts SET mode = 'status'"))
    viewer.close()


def test_a_slow_statement_ends(central: Store, login: logins.Login) -> None:
    viewer = Viewer(central.address(login), login.password, seconds=0.05)
    with pytest.raises(CentralError, match=r"did not answer within 0\.05 s") as caught:
        viewer.read(lambda view: view.connection.execute("SELECT pg_sleep(30)"))
    assert "ask for less" in caught.value.step
    assert viewer.read(lambda view: view.tenant) == "views"
    viewer.close()


def test_a_refused_login_names_the_next_step(central: Store, login: logins.Login) -> None:
    viewer = Viewer(central.address(login), "wrong")
    with pytest.raises(RefusedError) as caught:
        viewer.read(number)
    assert caught.value.step.startswith("hookd fleet viewer add NAME")
    assert "wrong" not in str(caught.value)


def test_a_login_that_is_no_viewer_any_more(central: Store, login: logins.Login) -> None:
    central.admin.execute("UPDATE hookd.viewers SET role = NULL WHERE role = %s", [login.role])
    viewer = Viewer(central.address(login), login.password)
    with pytest.raises(RefusedError, match="does not know this login"):
        viewer.read(number)


def test_no_server(central: Store, login: logins.Login) -> None:
    viewer = Viewer(central.address(login) | {"port": "1"}, login.password)
    with pytest.raises(UnreachableError):
        viewer.read(number)


def test_a_schema_that_this_hookd_is_too_old_for(central: Store, login: logins.Login) -> None:
    viewer = Viewer(central.address(login), login.password)
    central.admin.execute("UPDATE hookd.meta SET oldest_client = 99")
    try:
        with pytest.raises(NewerSchemaError):
            viewer.read(number)
    finally:
        central.admin.execute("UPDATE hookd.meta SET oldest_client = 1")
