"""The server of the tests: it starts, survives kill -9, and leaves nothing behind."""

import pytest

from support.postgres import cluster

psycopg = pytest.importorskip("psycopg")


@pytest.mark.gate
def test_committed_rows_survive_a_kill() -> None:
    with cluster() as server, server.database() as name:
        with server.admin(name) as admin:
            admin.execute("create table kept as select 1 as n")
        server.kill()
        with pytest.raises(psycopg.OperationalError):
            server.admin()
        server.start()
        with server.admin(name) as admin:
            assert admin.execute("select n from kept").fetchall() == [(1,)]
        folder = server.folder
    assert not folder.exists()


@pytest.mark.gate
def test_only_the_superuser_needs_no_password() -> None:
    with cluster() as server:
        with server.admin() as admin:
            admin.execute("create role other login")
        for url in (server.url(user="other"), server.tcp_url()):
            with pytest.raises(psycopg.OperationalError, match="password"):
                psycopg.connect(url)
