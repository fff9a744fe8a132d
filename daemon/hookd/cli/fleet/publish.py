"""`hookd fleet publish`, `pause`, `resume`, `rotate-key` and `items`: what goes to all hosts."""

import json
import os
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import click

from hookd.cli.fleet.admin_file import Admin, admin_path, read_admin, write_admin
from hookd.cli.fleet.central_store import connected, expect_extra
from hookd.cli.lib import output
from hookd.cli.lib.client import call
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.groups import Commands
from hookd.cli.lib.options import json_option, limit_option
from hookd.cli.lib.output import Column, moment
from hookd.cli.lib.person import for_person
from hookd.core.model.durations import duration
from hookd.display.amounts import local_time

_JSON = json_option("Print JSON.")
_TENANT = click.option(
    "--tenant", metavar="NAME", help="The team.  [default: the only one of this machine]"
)
_MAX_PAUSE = timedelta(hours=8)
_MAX_SHOWN = 5
_MAX_FILE = 1_000_000


@click.group(
    cls=Commands,
    epilog="""\b
    Examples:
      hookd fleet publish rules team.yaml
    """,
)
def publish() -> None:
    """Publish rules to all hosts of a fleet."""


@publish.command(
    name="rules",
    epilog="""\b
    Examples:
      hookd fleet publish rules team.yaml
      hookd fleet publish rules team.yaml --tenant acme
    """,
)
@click.argument("file", metavar="FILE")
@_TENANT
@_JSON
@for_person
def rules(file: str, tenant: str | None, as_json: bool) -> None:
    """Publish FILE as the next version of the fleet's rules.

    It has guard rules as .hookd/rules.yaml, and `policies` to turn on. A file that loosens anything
    is refused. An empty list of rules takes all back.
    """
    expect_extra("hookd fleet publish rules")
    admin = read_admin(tenant)
    text, count, policies = _checked(file)
    from hookd.central import items  # noqa: PLC0415 - an extra
    from hookd.core.fleet.items import LONGEST  # noqa: PLC0415

    with connected(admin) as connection, items.rules_lock(connection, admin.tenant):
        _expect_current(connection, admin)
        last = items.last_rules(connection, admin.tenant)
        version = int(last["version"]) + 1 if last else 1
        now = items.server_time(connection)
        body = {"version": version, "text": text}
        one = _signed(admin, "rules", body, now, now + LONGEST["rules"])
        items.publish(connection, one)
    facts = {"tenant": admin.tenant, "version": version, "rules": count, "policies": policies}
    parts = f"{count} rule{'s' * (count != 1)}"
    parts += f", {len(policies)} polic{'y' if len(policies) == 1 else 'ies'}" if policies else ""
    sentence = f"Published rules v{version} to {admin.tenant}: {parts}."
    output.show_done(sentence, facts, as_json=as_json)


@click.command(
    epilog="""\b
    Examples:
      hookd fleet pause --for 1h --why 'The build servers move.'
      hookd fleet resume
    """
)
@click.option("--for", "length", required=True, metavar="TIME", help="30m or 2h, 8h at most.")
@click.option("--why", required=True, metavar="TEXT", help="The reason.")
@_TENANT
@_JSON
@for_person
def pause(length: str, why: str, tenant: str | None, as_json: bool) -> None:
    """Turn off all guards on the hosts that accept it.

    It ends on each host after that time, whatever happens. A person there can end it: hookd resume.
    """
    expect_extra("hookd fleet pause")
    span = duration(length)
    if span is None or not timedelta(0) < span <= _MAX_PAUSE:
        raise Problem(
            f"{output.cell(length)} is no duration of at most 8 hours.",
            "hookd fleet pause --for 1h",
        )
    admin = read_admin(tenant)
    from hookd.central import items  # noqa: PLC0415
    from hookd.core.fleet.items import stamp  # noqa: PLC0415

    with connected(admin) as connection:
        now = items.server_time(connection)
        _expect_current(connection, admin)
        body = {"until": stamp(now + span), "why": why[:500]}
        items.publish(connection, _signed(admin, "pause", body, now, now + span))
    facts = {"tenant": admin.tenant, "until": body["until"], "why": why}
    sentence = f"Hosts of {admin.tenant} pause until {local_time(body['until'])}."
    output.show_done(f"{sentence}\n  next: hookd fleet resume", facts, as_json=as_json)


@click.command(epilog="\b\nExamples:\n  hookd fleet resume\n  hookd fleet resume --tenant acme")
@_TENANT
@_JSON
@for_person
def resume(tenant: str | None, as_json: bool) -> None:
    """End a pause of the fleet on all hosts."""
    expect_extra("hookd fleet resume")
    admin = read_admin(tenant)
    from hookd.central import items  # noqa: PLC0415

    with connected(admin) as connection:
        now = items.server_time(connection)
        _expect_current(connection, admin)
        items.publish(connection, _signed(admin, "resume", {}, now, now + _MAX_PAUSE))
    facts = {"tenant": admin.tenant, "resumed": True}
    output.show_done(f"Hosts of {admin.tenant} resume.", facts, as_json=as_json)


@click.command(
    name="rotate-key",
    epilog="\b\nExamples:\n  hookd fleet rotate-key\n  hookd fleet rotate-key --tenant acme",
)
@_TENANT
@_JSON
@for_person
def rotate_key(tenant: str | None, as_json: bool) -> None:
    """Replace the fleet's key, and certify all hosts again.

    The old key signs the new one, so each host follows, also if it was away. What the old key
    signed before is signed again. Where the old key is in foreign hands, let each host leave and
    join.
    """
    expect_extra("hookd fleet rotate-key")
    admin = read_admin(tenant)
    from hookd.central import items, logins  # noqa: PLC0415
    from hookd.core.fleet import signing  # noqa: PLC0415
    from hookd.core.fleet.items import LONGEST  # noqa: PLC0415

    draft = admin_path(admin.tenant).with_suffix(".next")
    fresh = Admin(admin.tenant, admin.server, _next_key(draft))
    old, new = signing.public_key(admin.fleet_key), signing.public_key(fresh.fleet_key)
    with connected(admin) as connection:
        hosts = items.host_public_keys(connection, admin.tenant)
        if new not in logins.fleet_keys(connection, admin.tenant):
            now = items.server_time(connection)
            first = _signed(admin, "key", {"key": new}, now, now + LONGEST["key"])
            again = [
                _resigned(fresh, one)
                for one in items.fleet_items_in_force(connection, admin.tenant)
            ]
            marks = {
                name: signing.certificate(
                    fresh.fleet_key, tenant=admin.tenant, host=name, host_key=key
                )
                for name, key in hosts.items()
            }
            items.rotate(connection, admin.tenant, (old, new), marks, [first, *again])
    path = write_admin(fresh)
    draft.unlink(missing_ok=True)
    facts = {"tenant": admin.tenant, "keyId": signing.key_id(new), "hosts": len(hosts)}
    sentence = (
        f"{admin.tenant} has a new key, and {len(hosts)} certificates.\n"
        f"Keep a copy of {path} in place of the old one."
    )
    output.show_done(sentence, facts, as_json=as_json)


@click.command(epilog="\b\nExamples:\n  hookd fleet items\n  hookd fleet items --json")
@limit_option(100)
@_JSON
def items(limit: int, as_json: bool) -> None:
    """List what came from the fleet, and what was refused."""
    columns = (
        moment("came", "at"),
        Column("kind", "kind", firm=True),
        Column("from", "sender", lambda sender: sender or "the fleet"),
        Column("outcome", "outcome", firm=True, styles={"refused": "red", "ignored": "dim"}),
        Column("reason", "reason", spare=True),
    )
    rows = call("fleet.items", {"limit": limit})["items"]
    output.show(rows, columns, as_json=as_json, empty="Nothing came from a fleet yet.")


COMMANDS = (publish, pause, resume, rotate_key, items)
"""What this module adds to `hookd fleet`."""


def _checked(file: str) -> tuple[str, int, list[str]]:
    """Return the text of a rules file, its number of rules and its policies. Raise Problem."""
    from hookd.core.fleet.team_rules import read_team_rules  # noqa: PLC0415 - slow
    from hookd.policies import POLICIES  # noqa: PLC0415

    try:
        with Path(file).open("rb") as opened:
            data = opened.read(_MAX_FILE)
    except OSError as error:
        raise Problem(f"{file} cannot be read: {error.strerror}.", "name a rules file") from None
    found = read_team_rules(data, frozenset(one.name for one in POLICIES))
    if found.problems:
        shown = [
            f"{file}:{one.line}:{one.column}: {one.sentence}" for one in found.problems[:_MAX_SHOWN]
        ]
        step = f"correct {file}, then hookd fleet publish rules {file}"
        raise Problem("\n".join(("The file is refused.", *shown)), step)
    return data.decode("utf-8-sig"), len(found.rules), list(found.policies)


def _expect_current(connection: Any, admin: Admin) -> None:
    """Raise Problem if the key of this machine was replaced: no host would take what it signs."""
    from hookd.central import logins  # noqa: PLC0415
    from hookd.core.fleet import signing  # noqa: PLC0415

    if signing.public_key(admin.fleet_key) not in logins.fleet_keys(connection, admin.tenant):
        raise Problem(
            f"The key of {admin.tenant} was replaced on another machine.",
            f"copy {admin_path(admin.tenant)} from there",
        )


def _signed(
    admin: Admin, kind: Any, body: Mapping[str, Any], now: datetime, until: datetime
) -> Any:
    """Return an item of the fleet, signed."""
    from hookd.core.fleet.items import Item  # noqa: PLC0415

    item = Item(str(uuid4()), kind, admin.tenant, None, None, now, until, body)
    return _signed_item(admin, item)


def _signed_item(admin: Admin, item: Any) -> Any:
    from hookd.central.items import SignedItem  # noqa: PLC0415
    from hookd.core.fleet import signing  # noqa: PLC0415
    from hookd.core.fleet.items import canonical, to_wire  # noqa: PLC0415

    wire = to_wire(item)
    key = signing.key_id(signing.public_key(admin.fleet_key))
    text = canonical(item.body).decode()
    return SignedItem(wire, text, key, signing.sign_item(admin.fleet_key, wire))


def _resigned(admin: Admin, wire: dict[str, Any]) -> Any:
    """Return an item of an older key, signed by the new one, as another item."""
    from hookd.core.fleet.items import from_wire  # noqa: PLC0415

    return _signed_item(admin, from_wire({**wire, "id": str(uuid4())}))


def _next_key(draft: Path) -> str:
    """Return the next private key: that of a rotation that was interrupted, else a new one.

    It is on the disk before the store knows it, so it cannot be lost in between.
    """
    from hookd.core.fleet import signing  # noqa: PLC0415

    try:
        return str(json.loads(draft.read_text("utf-8"))["fleet_key"])
    except FileNotFoundError:
        pass
    except (OSError, ValueError, KeyError) as error:
        raise Problem(f"{draft} cannot be read: {error}.", f"rm {draft}") from None
    key = signing.new_key()
    try:
        number = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(number, "w") as file:
            json.dump({"fleet_key": key}, file)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise Problem(f"{draft} cannot be written: {error.strerror}.", "free the disk") from None
    return key
