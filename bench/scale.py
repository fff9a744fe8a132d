"""A large database: the cost of a hook, of some commands, and of the daemon's memory with it."""

from sqlite3 import connect

from homes import Home, home
from idle import kilobytes
from latency import BLOCK, ROUNDS, LatencyError, block, interleaved, link
from rows import Aim, Row, percentile
from startup import timed

COMMANDS: tuple[tuple[tuple[str, ...], float | None], ...] = (
    (("doctor",), 300),
    (("status",), None),
    (("events", "--limit", "200"), None),
    (("stats",), 300),
)
"""Commands and the most milliseconds that each should take."""


def measure(number: int) -> list[Row]:
    """Return the rows of a database with `number` events, beside one with none."""
    with home() as full, home() as empty:
        full.hookd("stop", "--yes")
        _fill(full, number)
        full.hookd("start")
        with link(full.socket) as one, link(empty.socket) as other:
            sides = {
                "full": (one, lambda: block(full)),
                "empty": (other, lambda: block(empty)),
            }
            spent = interleaved(sides)
        _check_count(full, number + (ROUNDS + 5) * BLOCK)
        p50 = {name: percentile(values, 50) for name, values in spent.items()}
        return [
            Row(
                f"hooks.preToolUse, p50, {number:,} events / none",
                "ms",
                p50["full"],
                p50["empty"],
                Aim(1.3),
            ),
            *(_command(full, empty, number, command, most) for command, most in COMMANDS),
            Row(
                f"memory after {number:,} events",
                "MB",
                kilobytes(full.pid) / 1024,
                aim=Aim(60, of="value"),
            ),
        ]


def _command(
    full: Home, empty: Home, number: int, command: tuple[str, ...], most: float | None
) -> Row:
    spent = [[timed(place, *command) for _ in range(5)] for place in (full, empty)]
    what = f"hookd {' '.join(command)}, {number:,} events / none"
    ours, theirs = (percentile(values, 50) for values in spent)
    return Row(what, "ms", ours, theirs, Aim(most, of="value") if most else None)


def _check_count(place: Home, expected: int) -> None:
    (found,) = place.row("SELECT count(*) FROM events")
    if found != expected:
        raise LatencyError(f"{expected} events should be there, {found} are")


def _fill(place: Home, number: int) -> None:
    """Fill `events` of a place without a daemon: sessions of a thousand calls each.

    A million takes some 800 MB of disk until the place goes.
    """
    db = connect(place.database, isolation_level=None)
    db.execute("PRAGMA journal_mode = OFF")
    db.execute("PRAGMA synchronous = OFF")
    db.execute("PRAGMA cache_size = -64000")
    db.execute(
        "INSERT INTO events (at, event, session_id, claude_session_id, tool_name, tool_use_id,"
        " payload, result, delivery_key)"
        " WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 - 1)"
        " SELECT strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), 'PreToolUse',"
        " i / 1000 + 1000, 'session-' || i / 1000,"
        # The keys of one session lie together, those of the sessions anywhere: as hookd's own.
        " 'Bash', 'toolu_' || i, ?2, ?3, printf('%012x-%s',"
        " (i / 1000 * 2654435761 * 40503) & 0xffffffffffff, lower(hex(randomblob(12)))) FROM n",
        (number, "p" * 300, "r" * 180),
    )
    # Else the daemon would count them while it is measured.
    db.execute("INSERT INTO meta VALUES ('events_counted', ?)", (str(number),))
    db.close()
