"""`hookd fleet sync`: send the outbox to the central store, as a process, once, or not at all."""

import json
from collections.abc import Callable

import click

from hookd import paths
from hookd.cli.lib import extras, output
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.options import json_option, limit_option
from hookd.paths import Paths
from hookd.system import stop_marker

LIBRARIES = {"psycopg": "psycopg", "cryptography": "cryptography"}
"""Packages of the extra `fleet`, and the modules by which they are found."""

_MOST = 1_000
"""Rows that --dry-run prints, unless more are requested."""


@click.command(
    epilog="""\b
    Examples:
      hookd fleet sync                 until Ctrl-C; as hookd start runs it
      hookd fleet sync --once
      hookd fleet sync --dry-run       print the very rows that would be sent
      hookd fleet sync --dry-run -n 5 | jq .body
    """
)
@click.option("--once", is_flag=True, help="Send what waits, and end.")
@click.option("--dry-run", is_flag=True, help="Print the rows, one JSON object a line; send none.")
@limit_option(_MOST, most=10_000_000)
@click.option("--service", is_flag=True, hidden=True, help="End in silence in no fleet.")
@json_option("With --once: print one JSON object.")
def sync(*, once: bool, dry_run: bool, limit: int, service: bool, as_json: bool) -> None:
    """Send this host's outbox to its fleet, until Ctrl-C.

    It survives any time without network, and never sends a row twice.
    """
    places = paths.paths()
    if service and stop_marker.read(places.stopped):
        return
    if not is_member(places):
        if service:
            return
        raise Problem("This host is in no fleet.", "hookd fleet join FILE")
    if dry_run:
        _print_rows(places, limit)
        return
    extras.expect("hookd fleet sync", "fleet", LIBRARIES)
    if once:
        sent, rejected = send_once(places, _say)
        text = f"{sent} rows were sent, {rejected} were refused."
        output.show_done(text, {"sent": sent, "rejected": rejected}, as_json=as_json)
        return
    _run(places)


def is_member(places: Paths) -> bool:
    """Return whether this host is in a fleet, as its database says."""
    from contextlib import closing  # noqa: PLC0415 - with the next

    from hookd.store.database import StoreError  # noqa: PLC0415 - it imports SQLite
    from hookd.store.outbox import Outbox  # noqa: PLC0415

    try:
        with closing(Outbox(places.database)) as outbox:
            return outbox.membership() is not None
    except StoreError:
        return False


def send_once(places: Paths, say: Callable[[str], None]) -> tuple[int, int]:
    """Send what waits; return how many rows were sent and refused. Raise Problem."""
    from hookd.central.errors import CentralError  # noqa: PLC0415 - slow
    from hookd.fleet_sync import process  # noqa: PLC0415 - slow
    from hookd.fleet_sync.store import NotMemberError  # noqa: PLC0415 - slow

    try:
        shipper = process.run_once(places, say)
    except process.RunningError:
        raise Problem(
            "The sync process of this host runs, and sends already.", "hookd fleet outbox"
        ) from None
    except CentralError as error:
        raise Problem(str(error), error.step) from None
    except NotMemberError:
        raise Problem("This host is in no fleet.", "hookd fleet join FILE") from None
    return shipper.rows, shipper.rejected


def _run(places: Paths) -> None:
    from hookd.config.load import SettingsError  # noqa: PLC0415 - slow
    from hookd.fleet_sync import process  # noqa: PLC0415 - slow

    try:
        process.run(places, _say)
    except process.RunningError:
        raise Problem("The sync process of this host runs already.", "hookd fleet outbox") from None
    except SettingsError as error:
        raise Problem(f"{error}.", "hookd settings check") from None


def _print_rows(places: Paths, limit: int) -> None:
    """Print the rows that would be sent, exactly as they would be sent."""
    from hookd.config.load import SettingsError  # noqa: PLC0415 - slow
    from hookd.fleet_sync import process  # noqa: PLC0415 - slow
    from hookd.store.database import StoreError  # noqa: PLC0415 - it imports SQLite

    count = 0
    try:
        for count, row in enumerate(process.waiting_rows(places, limit), 1):  # noqa: B007
            click.echo(json.dumps(row, ensure_ascii=False))
    except SettingsError as error:
        raise Problem(f"{error}.", "hookd settings check") from None
    except StoreError as error:
        raise Problem(f"The outbox cannot be read: {error}.", "hookd start") from None
    if not count:
        _say("No row waits.")


def _say(sentence: str) -> None:
    click.echo(f"hookd: {output.cell(sentence)}", err=True)
