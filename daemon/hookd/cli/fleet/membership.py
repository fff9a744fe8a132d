"""`hookd fleet join`, `leave` and `outbox`: this host's membership in a fleet of many hosts."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import click

from hookd import paths
from hookd.cli.fleet.sync import LIBRARIES, send_once
from hookd.cli.lib import extras, output
from hookd.cli.lib.client import NO_METHOD, Refused, call
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.options import json_option, limit_option
from hookd.cli.lib.output import Column, moment
from hookd.cli.lib.person import expect_person
from hookd.cli.service.sync_service import follow_membership
from hookd.core.fleet.credential import Credential
from hookd.core.model.membership import ACCEPTABLE, FLEET_MODES
from hookd.display.amounts import local_time
from hookd.paths import Paths
from hookd.system import fleet_files

_AGAIN = "hookd fleet join FILE, with a file from the admin: hookd fleet host add NAME --out FILE"

_NOTHING = "nothing"
"""Word for no kind of items."""

_SYSTEM = "system"
"""Instead of a file: the authorities that this machine trusts."""

_CLOCK_MS = 300_000
"""By how much the clock of a host may differ from the central store's."""

_COLUMNS = (
    Column("seq", "id", firm=True, right=True),
    Column("kind", "kind", firm=True),
    moment("at", "at"),
    Column("reason", "reason", cut=True),
)


def _accepted(
    _context: click.Context, _option: click.Parameter, value: str | None
) -> tuple[str, ...] | None:
    if value is None:
        return None
    if value.strip() == _NOTHING:
        return ()
    chosen = tuple(sorted({one.strip() for one in value.split(",")} - {""}))
    if wrong := [one for one in chosen if one not in ACCEPTABLE]:
        raise click.BadParameter(f"{wrong[0]!r} is not one of {', '.join(ACCEPTABLE)}.")
    return chosen


@click.command(
    epilog="""\b
    Examples:
      hookd fleet join ann-laptop.json
      hookd fleet join ann-laptop.json --mode decisions --accept mail,rules
      hookd fleet join --mode events        of the fleet that this host is in
    """
)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), required=False)
@click.option(
    "--mode",
    type=click.Choice(FLEET_MODES),
    help="Rows that go up: states of sessions; also decisions; also payloads.  [default: as before,"
    " at first status]",
)
@click.option(
    "--accept",
    callback=_accepted,
    metavar="KINDS",
    help=f"Kinds of items that may come down: {','.join(ACCEPTABLE)}, or nothing.  [default: as"
    " before, at first nothing]",
)
@json_option()
def join(
    file: Path | None, mode: str | None, accept: tuple[str, ...] | None, *, as_json: bool
) -> None:
    """Join a fleet of many hosts, with a FILE from its admin.

    The credential in FILE is copied to a place that only you can read; delete FILE then. By default
    only the states of sessions go up, and nothing comes down. Once more changes that.
    """
    extras.expect("hookd fleet join", "fleet", LIBRARIES)
    expect_person("hookd fleet join")
    places = paths.paths()
    found = _credential(file or places.credential)
    _check(found)
    params = {
        "tenant": found.tenant,
        "host": found.host,
        "mode": mode,
        "accept": accept,
        "epoch": str(uuid4()),
        "keys": found.fleet_keys,
    }
    known = _known_credential(places)
    fleet_files.write_credential(places.credential, found)
    try:
        result = call("fleet.join", params)
    except Problem:
        if known is None:
            fleet_files.remove(places.credential)
        else:
            fleet_files.write_credential(places.credential, known)
        raise
    follow_membership(joined=True)
    step = "hookd fleet outbox, which shows whether the central store accepts the login"
    facts = result | {"next": step if file is None else f"{step}; rm {file}"}
    sentence = (
        f"{found.host} has joined the fleet {found.tenant}: mode {result['mode']}, accepts"
        f" {', '.join(result['accept']) or _NOTHING}."
    )
    output.show_done(sentence, facts, as_json=as_json)


@click.command(
    epilog="""\b
    Examples:
      hookd fleet leave
      hookd fleet leave --drop       without network: give up what waits
    """
)
@click.option("--drop", is_flag=True, help="Give up the rows that wait.")
@json_option()
def leave(*, drop: bool, as_json: bool) -> None:
    """Leave the fleet: send what waits, then nothing more.

    The credential is deleted. What the central store has stays there; its admin removes the host.
    """
    expect_person("hookd fleet leave")
    places = paths.paths()
    call("fleet.leave", {"announce": True})
    follow_membership(joined=False)
    sentence = ""
    try:
        send_once(places, lambda _: None)
    except Problem as problem:
        if not drop:
            follow_membership(joined=True)  # it tells the central store once that answers
            step = "hookd fleet leave, once more, with network; or with --drop"
            raise Problem(f"The central store was not told: {problem.message}", step) from None
        sentence = " The central store does not know it: its admin runs hookd fleet host remove."
    try:
        dropped = call("fleet.leave", {"drop": drop})["dropped"]
    except Refused as refused:
        raise Problem(refused.message, "hookd fleet outbox; hookd fleet leave --drop") from None
    for file in (places.credential, places.cursor):
        fleet_files.remove(file)
    output.show_done(
        f"This host has left the fleet.{sentence}", {"dropped": dropped}, as_json=as_json
    )


@click.command(
    epilog="""\b
    Examples:
      hookd fleet outbox
      hookd fleet outbox --rejected
      hookd fleet outbox --retry         send refused rows again
      hookd fleet outbox --drop          give refused rows up
    """
)
@click.option("--rejected", is_flag=True, help="List the rows that the central store refused.")
@click.option("--retry", is_flag=True, help="Let refused rows wait again.")
@click.option("--drop", is_flag=True, help="Drop refused rows; forget how many were dropped.")
@limit_option(50)
@json_option()
def outbox(*, rejected: bool, retry: bool, drop: bool, limit: int, as_json: bool) -> None:
    """Show what waits for the central store, and how sending goes."""
    if retry and drop:
        raise click.UsageError("--retry cannot be combined with --drop.")
    if retry or drop:
        call("fleet.retry" if retry else "fleet.drop")
    if rejected:
        rows = call("fleet.outbox", {"state": "rejected", "limit": limit})["rows"]
        output.show(rows, _COLUMNS, as_json=as_json, empty="No row was refused.")
        return
    facts = membership_facts(paths.paths())
    if as_json:
        output.show_json(facts)
        return
    if facts["membership"] is None:
        raise Problem(facts["problem"] or "This host is in no fleet.", facts["next"] or _AGAIN)
    output.show_facts(_shown(facts), "The outbox of this host")


def membership_facts(places: Paths, ask: Callable[[str], Any] = call) -> dict[str, Any]:
    """Return the membership, whether the sync process runs, and what is wrong, with the remedy.

    `ask` calls a method of the daemon.
    """
    process, found = fleet_files.sync_process(places.sync_lock), None
    problem: str | None
    try:
        found = ask("fleet.membership")["membership"]
        problem, step = _trouble(places, found, process)
    except Refused as refused:
        if refused.code == NO_METHOD or not places.credential.exists():
            problem, step = _trouble(places, None, process)
        else:
            problem, step = f"The membership cannot be read: {refused.message}", refused.step
    return {"membership": found, "process": process, "problem": problem, "next": step}


def fleet_sentence(facts: dict[str, Any]) -> str:
    """Return the membership in one line, with what is wrong; "" in no fleet."""
    member = facts["membership"]
    if member is None:
        return facts["problem"] or ""
    contact = local_time(member["contactAt"]) if member["contactAt"] else "never"
    text = f"{member['host']} of {member['tenant']}, {member['mode']}; last contact {contact};"
    text += f" {member['waiting']} rows wait"
    text += f", {member['rejected']} were refused" * bool(member["rejected"])
    return f"{text}. {facts['problem']}" if facts["problem"] else text


def _trouble(
    places: Paths, found: dict[str, Any] | None, process: int | None
) -> tuple[str | None, str | None]:
    """Return what keeps rows from being sent, and the next step."""
    if found is None:
        lost = "The database knows of no fleet, but there is a credential: nothing is sent."
        again = "hookd fleet join, which joins that fleet again"
        return (lost, again) if places.credential.exists() else (None, None)
    if process is None:
        return "The sync process does not run: nothing is sent.", "hookd start"
    if found["problem"]:
        return str(found["problem"]), found["nextStep"]
    return warning(found)


def warning(found: dict[str, Any]) -> tuple[str | None, str | None]:
    """Return what a person should know of a membership whose rows are sent, and the next step."""
    if found["leaving"]:
        sentence = "This host is leaving the fleet: nothing new is sent."
        return sentence, "hookd fleet leave, to finish; hookd fleet join, to stay"
    if found["rejected"]:
        sentence = f"The central store refused {found['rejected']} rows; the others were sent."
        return sentence, "hookd fleet outbox --rejected"
    if abs(found["clockMs"] or 0) > _CLOCK_MS:
        minutes = round(abs(found["clockMs"]) / 60_000)
        way = "ahead of" if found["clockMs"] > 0 else "behind"
        sentence = f"The clock of this host is {minutes} minutes {way} that of the central store."
        return sentence, "set the clock: claims and pauses of the fleet end by it"
    if found["dropped"]:
        sentence = (
            f"{found['dropped']} events were not sent: retention has deleted them, or the mode was"
            " changed twice while they waited."
        )
        return sentence, "hookd fleet outbox --drop, which ends this warning"
    return None, None


def _shown(facts: dict[str, Any]) -> dict[str, Any]:
    member = facts["membership"]
    names = ("tenant", "host", "mode", "waiting", "rejected", "dropped", "oldestAt", "contactAt")
    shown = {name: member[name] for name in names if member[name] is not None}
    shown["process"] = facts["process"] if facts["process"] is not None else "does not run"
    return shown | {name: facts[name] for name in ("problem", "next") if facts[name]}


def _credential(file: Path) -> Credential:
    try:
        return fleet_files.read_credential(file)
    except FileNotFoundError:
        raise Problem(f"There is no {file}.", _AGAIN) from None
    except OSError as error:
        raise Problem(f"{file}: {error.strerror}.", _AGAIN) from None
    except ValueError as error:
        step = f"chmod 600 {file}" if "others can read" in str(error) else _AGAIN
        raise Problem(f"{file}: {error}.", step) from None


def _known_credential(places: Paths) -> Credential | None:
    try:
        return fleet_files.read_credential(places.credential)
    except (OSError, ValueError):
        return None


def _check(found: Credential) -> None:
    """Raise Problem if the credential's address or certificate is not as it must be."""
    from hookd.central.address import secured  # noqa: PLC0415 - psycopg
    from hookd.central.errors import CentralError  # noqa: PLC0415
    from hookd.core.fleet import signing  # noqa: PLC0415 - cryptography

    try:
        secured(found.address)
        public = signing.public_key(found.host_key)
    except CentralError as error:
        raise Problem(str(error), error.step) from None
    except ValueError:
        raise Problem("The file has no key of a host.", _AGAIN) from None
    root = found.server.get("sslrootcert", _SYSTEM)
    if root != _SYSTEM and not Path(root).is_file():
        raise Problem(
            f"There is no {root}, the certificate of the server's authority.",
            f"copy it from the admin's machine to {root}",
        )
    names = {"tenant": found.tenant, "host": found.host, "host_key": public}
    if not signing.verify_certificate(found.fleet_keys, found.certificate, **names):
        raise Problem("The certificate in the file is not of its fleet's key.", _AGAIN)


COMMANDS = (join, leave, outbox)
"""What this module adds to `hookd fleet`."""
