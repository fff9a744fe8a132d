"""`hookd fleet init-db`, `host`, `viewer` and `hosts`: administer the central store of a fleet."""

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import click

from hookd.cli.fleet.admin_file import Admin, admin_path, read_admin, write_admin
from hookd.cli.lib import output
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.extras import expect
from hookd.cli.lib.groups import Commands
from hookd.cli.lib.options import json_option, limit_option
from hookd.cli.lib.output import Column, moment
from hookd.cli.lib.person import for_person
from hookd.cli.lib.private_file import private_file
from hookd.core.fleet.items import is_name

_MODULES = {"psycopg[binary]": "psycopg", "cryptography": "cryptography"}
_JSON = json_option("Print JSON.")
_TENANT = click.option(
    "--tenant", metavar="NAME", help="The team.  [default: the only one of this machine]"
)
_OUT = click.option("--out", "out", required=True, metavar="FILE", help="The file to write, 0600.")
_FORCE = click.option("--force", is_flag=True, help="Overwrite the file.")
_ADDRESS = click.option(
    "--address", metavar="URL", help="The server as it is reached from there.  [default: as here]"
)
_STYLES = {"away": "yellow", "left": "dim", "removed": "dim", "invited": "cyan"}
_DEFAULT_TENANT = "team"

_LOGIN_STEP = "check the administrator's name in the address, and the password in ~/.pgpass"


@click.command(
    name="init-db",
    epilog="""\b
    Examples:
      hookd fleet init-db 'postgresql:///hookd?host=/var/run/postgresql'
      hookd fleet init-db postgresql://admin@db.example/hookd --tenant acme
    """,
)
@click.argument("url", metavar="URL")
@click.option(
    "--tenant", default=_DEFAULT_TENANT, show_default=True, metavar="NAME", help="The team."
)
@_JSON
@for_person
def init_db(url: str, tenant: str, as_json: bool) -> None:
    """Create or update the central store of a fleet.

    URL names a database of its own on PostgreSQL 14 or later, without a password: hookd reads
    ~/.pgpass, or asks. TLS is required, except on this machine. A second call changes nothing.
    """
    expect_extra("hookd fleet init-db")
    _expect_name(tenant, "tenant")
    from hookd.central import logins, migrate  # noqa: PLC0415 - an extra
    from hookd.central.address import read_address, shown  # noqa: PLC0415
    from hookd.core.fleet import signing  # noqa: PLC0415

    with problems():
        address = read_address(url)
    known = read_admin(tenant) if admin_path(tenant).exists() else None
    admin = Admin(tenant, address, known.fleet_key if known else signing.new_key())
    public = signing.public_key(admin.fleet_key)
    with connected(admin) as connection:
        steps = migrate.migrate(connection)
        if logins.has_tenant(connection, tenant):
            _expect_key(admin, public, logins.fleet_keys(connection, tenant))
        path = write_admin(admin)  # first: a key that is lost would make the tenant useless
        added = logins.add_tenant(connection, tenant, public)
    facts = {
        "server": shown(address),
        "tenant": tenant,
        "added": added,
        "steps": steps,
        "adminFile": str(path),
        "keyId": signing.key_id(public),
    }
    done = "is ready" if steps or added else "was ready already"
    sentence = (
        f"The central store on {shown(address)} {done} for {tenant}.\n"
        f"Keep a copy of {path}: it has the fleet's private key.\n"
        "  next: hookd fleet host add NAME --out NAME.json"
    )
    output.show_done(sentence, facts, as_json=as_json)


@click.group(
    cls=Commands,
    epilog="""\b
    Examples:
      hookd fleet host add ann-laptop --out ann-laptop.json
      hookd fleet host remove ann-laptop
    """,
)
def host() -> None:
    """Add hosts to a fleet, and remove them."""


@host.command(
    name="add",
    epilog="""\b
    Examples:
      hookd fleet host add ann-laptop --out ann-laptop.json
      hookd fleet host add ci-7 --out ci-7.json --address postgresql://db/hookd
    """,
)
@click.argument("name")
@_OUT
@_FORCE
@_ADDRESS
@_TENANT
@_JSON
@for_person
def add_host(  # noqa: PLR0913, PLR0917 - the options of a command
    name: str, out: str, force: bool, address: str | None, tenant: str | None, as_json: bool
) -> None:
    """Add a host, and write the file that it joins with.

    FILE has the host's password and private key. Bring it to the host by a safe way, run `hookd
    fleet join FILE` there, and delete it.
    """
    expect_extra("hookd fleet host add")
    _expect_name(name, "host")
    admin = read_admin(tenant)
    from hookd.central import logins  # noqa: PLC0415
    from hookd.core.fleet import signing  # noqa: PLC0415

    server = _server(admin, address)
    private = signing.new_key()
    public = signing.public_key(private)
    mark = signing.certificate(admin.fleet_key, tenant=admin.tenant, host=name, host_key=public)
    with private_file(out, force=force) as file, connected(admin) as connection:
        login = logins.add_host(connection, admin.tenant, name, public_key=public, certificate=mark)
        join = {
            "version": 1,
            "tenant": admin.tenant,
            "host": name,
            "server": server,
            "role": login.role,
            "password": login.password,
            "host_key": private,
            "certificate": mark,
            "fleet_keys": [signing.public_key(admin.fleet_key)],
        }
        file.write(json.dumps(join))
    facts = {"tenant": admin.tenant, "host": name, "file": out}
    sentence = f"{name} may join {admin.tenant}.\n  next: on {name}: hookd fleet join {out}"
    output.show_done(sentence, facts, as_json=as_json)


@host.command(
    name="remove",
    epilog="""\b
    Examples:
      hookd fleet host remove ann-laptop
    """,
)
@click.argument("name")
@_TENANT
@_JSON
@for_person
def remove_host(name: str, tenant: str | None, as_json: bool) -> None:
    """Remove a host's login; its rows stay until they expire."""
    expect_extra("hookd fleet host remove")
    admin = read_admin(tenant)
    from hookd.central import logins  # noqa: PLC0415

    with connected(admin) as connection:
        logins.remove_host(connection, admin.tenant, name)
    facts = {"tenant": admin.tenant, "host": name, "removed": True}
    output.show_done(f"{name} is removed from {admin.tenant}.", facts, as_json=as_json)


@click.group(
    cls=Commands,
    epilog="""\b
    Examples:
      hookd fleet viewer add wall-screen --out viewer.json
    """,
)
def viewer() -> None:
    """Add logins that only read the central store."""


@viewer.command(
    name="add",
    epilog="""\b
    Examples:
      hookd fleet viewer add wall-screen --out viewer.json
    """,
)
@click.argument("name")
@_OUT
@_FORCE
@_ADDRESS
@_TENANT
@_JSON
@for_person
def add_viewer(  # noqa: PLR0913, PLR0917 - the options of a command
    name: str, out: str, force: bool, address: str | None, tenant: str | None, as_json: bool
) -> None:
    """Add a read-only login, and write its file.

    A viewer of that name loses the login that it had.
    """
    expect_extra("hookd fleet viewer add")
    _expect_name(name, "viewer")
    admin = read_admin(tenant)
    from hookd.central import logins  # noqa: PLC0415

    server = _server(admin, address)
    with private_file(out, force=force) as file, connected(admin) as connection:
        login = logins.add_viewer(connection, admin.tenant, name)
        content = {
            "version": 1,
            "tenant": admin.tenant,
            "viewer": name,
            "server": server,
            "role": login.role,
            "password": login.password,
        }
        file.write(json.dumps(content))
    facts = {"tenant": admin.tenant, "viewer": name, "file": out}
    sentence = f"{name} may read {admin.tenant}.\n  next: hookd web --fleet {out}"
    output.show_done(sentence, facts, as_json=as_json)


@click.command(
    epilog="""\b
    Examples:
      hookd fleet hosts
      hookd fleet hosts --json | jq '.[] | select(.state == "away")'
    """
)
@limit_option(10_000)
@_TENANT
@_JSON
def hosts(limit: int, tenant: str | None, as_json: bool) -> None:
    """List the hosts of a fleet, as its administrator."""
    expect_extra("hookd fleet hosts")
    admin = read_admin(tenant)
    from hookd.central.hosts import hosts as list_hosts  # noqa: PLC0415

    with connected(admin) as connection:
        rows = list_hosts(connection, admin.tenant, limit)
    columns = (
        Column("host", "host", least=10),
        Column("state", "state", firm=True, styles=_STYLES),
        Column("sessions", "openSessions", firm=True, right=True),
        Column("attention", "attention", firm=True, right=True),
        moment("last seen", "lastSeen"),
        Column("mode", "mode", spare=True),
        Column("events today", "eventsToday", right=True, spare=True),
        Column("denied", "deniedToday", right=True, spare=True),
        Column("accepts", "accepts", ", ".join, spare=True),
        Column("version", "version", spare=True),
        Column("clock off by ms", "clockOffsetMs", right=True, spare=True),
    )
    empty = "No hosts yet. Add one: hookd fleet host add NAME --out FILE"
    output.show(rows, columns, as_json=as_json, empty=empty)


COMMANDS = (init_db, host, viewer, hosts)
"""What this module adds to `hookd fleet`."""


def expect_extra(command: str) -> None:
    """Raise Problem if the extra that a command needs is not installed."""
    expect(command, "fleet", _MODULES)


def _expect_name(name: str, what: str) -> None:
    if not is_name(name):
        raise Problem(
            f"{output.cell(name)} cannot be the name of a {what}.",
            "use at most 63 letters, digits, dots, dashes and underscores",
        )


def _expect_key(admin: Admin, public: str, keys: Any) -> None:
    if public not in keys:
        raise Problem(
            f"{admin.tenant} exists, and its fleet key is not on this machine.",
            f"copy {admin_path(admin.tenant)} from the machine that made it",
        )


def _server(admin: Admin, address: str | None) -> Mapping[str, str]:
    """Return the server as a host or viewer reaches it, without the administrator's name."""
    from hookd.central.address import read_address  # noqa: PLC0415

    with problems():
        found = read_address(address) if address else dict(admin.server)
    return {key: value for key, value in found.items() if key != "user"}


@contextmanager
def problems() -> Iterator[None]:
    """Raise Problem in place of the central store's errors."""
    from hookd.central.errors import CentralError  # noqa: PLC0415

    try:
        yield
    except CentralError as error:
        raise Problem(str(error), error.step) from None


@contextmanager
def connected(admin: Admin) -> Iterator[Any]:
    """Connect as the administrator; ask for a password if the server wants one."""
    from hookd.central.connection import connect, translated  # noqa: PLC0415
    from hookd.central.errors import RefusedError  # noqa: PLC0415

    with problems():
        try:
            connection = connect(admin.server, renew=_LOGIN_STEP)
        except RefusedError as error:
            if "no password supplied" not in str(error) or not sys.stdin.isatty():
                raise
            user = admin.server.get("user", "the administrator")
            password = click.prompt(f"Password of {user}", hide_input=True, err=True)
            connection = connect(admin.server, password, renew=_LOGIN_STEP)
        with connection, translated(admin.server):
            yield connection
