"""The schema is created as a whole or not at all, once, and a newer one is left alone."""

from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from hookd.central import logins, migrate
from hookd.central.address import read_address
from hookd.central.connection import connect
from hookd.central.errors import CentralError, NewerSchemaError
from support.central import store
from support.postgres import Cluster


def test_a_second_time_changes_nothing(postgres: Cluster) -> None:
    with store(postgres) as made:
        assert migrate.migrate(made.admin) == []
        made.admin.execute("UPDATE hookd.meta SET schema_version = 99")
        with pytest.raises(NewerSchemaError, match="schema 99"):
            migrate.migrate(made.admin)


def test_a_step_that_fails_leaves_nothing(
    postgres: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = migrate._steps()
    with postgres.database() as name, connect(read_address(postgres.url(name))) as admin:
        with monkeypatch.context() as broken:
            broken.setattr(
                migrate, "_steps", lambda: [*steps, (2, "0002", b"SELECT no_function()")]
            )
            with pytest.raises(psycopg.errors.UndefinedFunction):
                migrate.migrate(admin, schema_version=2)
        assert admin.execute("SELECT to_regnamespace('hookd')").fetchone() == (None,)
        assert migrate.migrate(admin) == ["0001_fleet"]


def test_two_at_a_time_apply_each_step_once(postgres: Cluster) -> None:
    with postgres.database() as name:

        def run(_: int) -> list[str]:
            with connect(read_address(postgres.url(name))) as admin:
                return migrate.migrate(admin)

        with ThreadPoolExecutor(2) as pool:
            assert sorted(pool.map(run, range(2))) == [[], ["0001_fleet"]]


def test_an_administrator_who_is_no_superuser(postgres: Cluster) -> None:
    with postgres.database() as name, postgres.admin(name) as admin:
        admin.execute("DROP ROLE IF EXISTS builder")
        admin.execute("CREATE ROLE builder LOGIN CREATEROLE PASSWORD 'x'")
        admin.execute(f"ALTER DATABASE {name} OWNER TO builder")
        admin.execute("GRANT ALL ON SCHEMA public TO builder WITH GRANT OPTION")
        address = read_address(postgres.tcp_url(name, user="builder"))
        with connect(address, "x") as builder:
            assert migrate.migrate(builder) == ["0001_fleet"]
            assert migrate.migrate(builder) == []
            logins.add_tenant(builder, "team", "key")
            login = logins.add_host(builder, "team", "alpha", public_key="p", certificate="c")
            with connect(read_address(postgres.tcp_url(name, user=login.role)), login.password):
                logins.remove_host(builder, "team", "alpha")


def test_a_foreign_schema_and_another_encoding_are_refused(postgres: Cluster) -> None:
    with postgres.database() as name, connect(read_address(postgres.url(name))) as admin:
        admin.execute("CREATE SCHEMA hookd")
        with pytest.raises(CentralError, match="no central store"):
            migrate.migrate(admin)
        admin.execute("DROP DATABASE IF EXISTS latin")
        admin.execute("CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1'")
    latin = connect(read_address(postgres.url("latin")))
    with latin, pytest.raises(CentralError, match="LATIN1"):
        migrate.migrate(latin)


def test_after_a_restore_items_are_not_ahead_of_the_server(postgres: Cluster) -> None:
    with store(postgres) as made:
        made.add_tenant("team")
        made.admin.execute(
            "INSERT INTO hookd.items (tenant, id, kind, body, key_id, signature, created_at, xid)"
            " VALUES ('team', gen_random_uuid(), 'rules', '{}', 'k', 's', 'now', '999999999')"
        )
        migrate.migrate(made.admin)
        ahead = "SELECT count(*) FROM hookd.items WHERE xid > pg_current_xact_id()"
        assert made.rows(ahead) == [(0,)]
