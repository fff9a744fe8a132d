"""`hookd pause` and `hookd resume`: turn all guards off for a limited time."""

import re
from datetime import UTC, datetime, timedelta

import click

from hookd.cli.lib import output
from hookd.cli.lib.client import call
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.options import json_option
from hookd.cli.lib.person import expect_person, expect_terminal
from hookd.core.model.durations import duration
from hookd.display.amounts import local_time

_HOUR = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)", re.ASCII)
_MAX_PAUSE = timedelta(hours=8)


@click.command(
    epilog="""\b
    Examples:
      hookd pause 10m
      hookd pause 2h            at most 8 hours
      hookd pause --until 18:00
      hookd resume              end the pause early
    """
)
@click.argument("length", metavar="[DURATION]", required=False)
@click.option("--until", metavar="HH:MM", help="End at this time of this terminal's zone.")
@json_option()
def pause(length: str | None, until: str | None, as_json: bool) -> None:
    """Turn off all guards for DURATION: 30s, 10m, 2h.

    No guard, policy or user hook applies in any session; events are still recorded. The pause ends
    automatically, also across a restart. Only a person at a terminal can run it.
    """
    expect_terminal("hookd pause")
    expect_person("hookd pause")
    if (length is None) == (until is None):
        raise Problem("The duration is missing.", "hookd pause 10m, or --until 18:00")
    now = call("daemon.status")["now"]
    end = after(length, now) if length is not None else clock(str(until), now)
    if end - datetime.fromisoformat(now) > _MAX_PAUSE:
        raise Problem("A pause lasts at most 8 hours.", "hookd stop, which lasts until hookd start")
    over = call("daemon.pause", {"until": end.isoformat()})["pausedUntil"]
    sentence = f"hookd is paused until {local_time(over)}: no guard applies, in any session."
    end_early = "\n  hookd resume ends it early."
    output.show_done(sentence + end_early, {"pausedUntil": over}, as_json=as_json)


@click.command(
    epilog="\b\nExamples:\n  hookd resume          guards apply again at once\n"
    "  hookd resume --yes    in a script or a service, without a terminal"
)
@click.option("--yes", is_flag=True, help="Resume without a terminal, as in a script.")
@json_option()
def resume(yes: bool, as_json: bool) -> None:
    """End a pause early.

    Only a person can run it: a coding agent is refused.
    """
    if not yes:
        expect_terminal("hookd resume", "; a script says hookd resume --yes")
    expect_person("hookd resume")
    was = call("daemon.resume")["wasPaused"]
    sentence = "Guards apply again." if was else "hookd was not paused."
    output.show_done(sentence, {"wasPaused": was}, as_json=as_json)


def after(text: str, now: str) -> datetime:
    """Return the time after a duration: 30s, 10m, 2h.

    >>> after("10m", "2026-01-31T08:00:00.000Z").isoformat()
    '2026-01-31T08:10:00+00:00'
    """
    span = duration(text)
    if span is None:
        raise Problem(f"{text!r} is not a duration.", "hookd pause 30s, 10m or 2h")
    return datetime.fromisoformat(now) + span


def clock(until: str, now: str) -> datetime:
    """Return the next time at which the terminal's local time is `until`."""
    hour = _HOUR.fullmatch(until.strip())
    if hour is None:
        raise Problem(f"{until!r} is not a time of day.", "--until 18:00")
    # Without its zone: local time counts if summer time begins or ends meanwhile.
    here = datetime.fromisoformat(now).astimezone().replace(tzinfo=None)
    then = here.replace(hour=int(hour[1]), minute=int(hour[2]), second=0, microsecond=0)
    then += timedelta(days=int(then <= here))
    return then.astimezone(UTC)
