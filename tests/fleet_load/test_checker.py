"""The checker of `make fleet-load`: a doctored record of each kind is reported."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from fleet_load import plan
from fleet_load.checker import CLOCK_S, Happened, Run, check
from fleet_load.record import Stored, Written

Doctor = Callable[[Written, Stored, Run], object]

CALL, DENIED = ("PreToolUse", ""), ("PreToolUse", "deny")
OPEN = {"status": "attention", "ended_at": None}
ENDED = {"status": "done", "ended_at": "2026-01-31T08:01:00.000Z"}


def minute(number: int) -> str:
    """Return a minute."""
    return f"2026-01-31T08:{number:02}:00.000Z"


def exact() -> tuple[Written, Stored, Run]:
    """Return a run of one host in which everything is exact: three events, two sessions."""
    written = Written(
        mode="decisions",
        events={7: "seven", 8: "eight", 9: "nine"},
        times=[(minute(1), CALL), (minute(1), CALL), (minute(4), DENIED)],
        durations={7: 70, 8: 80, 9: 90},
        sessions={1: dict(OPEN), 2: dict(ENDED)},
    )
    stored = Stored(
        events=[(7, "seven"), (8, "eight"), (9, "nine")],
        durations={7: 70, 8: 80, 9: 90},
        sessions=[(1, dict(OPEN)), (2, dict(ENDED))],
        minutes=Counter({(minute(1), CALL): 2, (minute(4), DENIED): 1}),
        today=3,
        denied_today=1,
        open_sessions=1,
        attention=1,
        schemas=Counter({1: 2, 2: 1}),
    )
    written.client = 2
    run = Run(
        happened=[Happened(kind, 1.0, "what") for kind in plan.EVERY],
        refused=Counter({("ann", 5): 1, ("ann", 6): 1}),
        old=("ann",),
        too_new=1,
        full=1,
    )
    return written, stored, run


def wrong(written: Written, stored: Stored, run: Run) -> list[str]:
    """Return what the checker says of one host."""
    return check({"ann": (written, stored)}, run)


def test_an_exact_run_has_nothing_wrong() -> None:
    assert wrong(*exact()) == []


def _session(stored: Stored, **more: Any) -> None:
    stored.sessions[0] = (1, OPEN | more)


DOCTORED: dict[str, tuple[Doctor, str]] = {
    "an event is lost": (
        lambda _w, s, _r: s.events.pop(),
        "ann: event 9 is missing",
    ),
    "an event is there twice": (
        lambda _w, s, _r: s.events.append((9, "nine")),
        "ann: event 9 is there more than once",
    ),
    "no host wrote it": (
        lambda _w, s, _r: s.events.append((10, "ten")),
        "ann: event 10 is there, and the host has none",
    ),
    "another content": (
        lambda _w, s, _r: s.events.__setitem__(0, (7, "other")),
        "ann: event 7 is other, on the host seven",
    ),
    "a duration": (
        lambda _w, s, _r: s.durations.update({7: 69}),
        "ann: event 7 took 69 us, on the host 70 us",
    ),
    "a session is lost": (
        lambda _w, s, _r: s.sessions.pop(),
        "ann: session 2 is missing",
    ),
    "a session's last state": (
        lambda _w, s, _r: _session(s, status="idle"),
        "ann: session 1 is not equal",
    ),
    "a session was forgotten, and is there": (
        lambda w, _s, _r: w.sessions.pop(2),
        "ann: session 2 is there, and the host has none",
    ),
    "an event of a minute is not counted": (
        lambda _w, s, _r: s.minutes.subtract({(minute(1), CALL): 1}),
        "ann: 1 ('PreToolUse', '') are counted by minutes, not 2",
    ),
    "an event is counted twice": (
        lambda _w, s, _r: s.minutes.update({(minute(1), CALL): 1}),
        "ann: 3 ('PreToolUse', '') are counted by minutes, not 2",
    ),
    "an event is counted in another minute": (
        lambda _w, s, _r: s.minutes.update({(minute(1), DENIED): 1, (minute(4), DENIED): -1}),
        f"ann: 3 events are counted up to {minute(1)}, not 0 to 2",
    ),
    "the count of today": (
        lambda _w, s, _r: setattr(s, "today", 4),
        "ann: 4 events and 1 denied ones are counted today, by minutes 3 and 1",
    ),
    "the count of denied events": (
        lambda _w, s, _r: setattr(s, "denied_today", 0),
        "ann: 3 events and 0 denied ones are counted today, by minutes 3 and 1",
    ),
    "the count of open sessions": (
        lambda _w, s, _r: setattr(s, "open_sessions", 2),
        "ann: 2 open sessions, 1 with attention are counted, not 1 and 1",
    ),
    "rows wait": (
        lambda w, _s, _r: setattr(w, "waiting", 2),
        "ann: 2 rows wait, 0 were refused, 0 dropped",
    ),
    "a row was refused": (
        lambda w, _s, _r: setattr(w, "rejected", 1),
        "ann: 0 rows wait, 1 were refused, 0 dropped",
    ),
    "a row was dropped": (
        lambda w, _s, _r: setattr(w, "dropped", 1),
        "ann: 0 rows wait, 0 were refused, 1 dropped",
    ),
    "a second epoch": (
        lambda _w, s, _r: setattr(s, "epochs", 2),
        "ann: it has 2 epochs",
    ),
    "a clock": (
        lambda _w, s, _r: setattr(s, "clock_s", CLOCK_S + 1),
        "ann: its clock is off by 0 s, and stored as off by 61 s",
    ),
    "a fault did not happen": (
        lambda _w, _s, r: r.happened.pop(0),
        f"this fault did not happen: {plan.DATABASE}",
    ),
    "the disk was not full": (
        lambda _w, _s, r: setattr(r, "full", 0),
        "the full disk refused no transaction",
    ),
    "an old client that calls new functions": (
        lambda w, _s, _r: setattr(w, "client", 1),
        "ann: it is an old client, and sent by new functions",
    ),
    "no client that is too new": (
        lambda _w, _s, r: setattr(r, "too_new", 0),
        "no host was newer than the store",
    ),
    "no new client": (
        lambda _w, s, _r: s.schemas.pop(2),
        "no event came by the functions of schema 2",
    ),
    "a refusal is said twice": (
        lambda _w, _s, r: r.refused.update({("ann", 5): 1}),
        "ann: process 5 said 2 times that it is too old",
    ),
    "a refusal is not said": (
        lambda _w, _s, r: r.refused.clear(),
        "ann: it was refused, and did not say it",
    ),
    "an error of a process": (
        lambda _w, _s, r: r.errors.append("writers 2 ended: code 1"),
        "writers 2 ended: code 1",
    ),
}


@pytest.mark.parametrize("name", DOCTORED)
def test_a_doctored_record_is_reported(name: str) -> None:
    doctor, says = DOCTORED[name]
    record = exact()
    doctor(*record)
    assert says in wrong(*record)


def test_events_of_forgotten_sessions_stay_counted() -> None:
    written, stored, run = exact()
    del written.events[7], written.durations[7], stored.durations[7]
    written.times.pop(0)
    stored.events.pop(0)
    written.forgotten = 1
    assert "ann: 2 ('PreToolUse', '') are counted by minutes, not 1" in wrong(written, stored, run)
    written.unsure[CALL] = 1  # it waited when it was forgotten: it may be counted or not
    assert wrong(written, stored, run) == []
    written.gone, written.unsure = written.unsure, Counter()  # it was counted before
    assert wrong(written, stored, run) == []
    written.gone[CALL] = 2
    assert "ann: 2 ('PreToolUse', '') are counted by minutes, not 3" in wrong(written, stored, run)


def test_a_daemon_may_add_to_a_duration_and_never_take_from_it() -> None:
    written, stored, run = exact()
    written.daemon = True
    written.durations[7] = 75
    assert wrong(written, stored, run) == []
    written.durations[7] = 65
    assert wrong(written, stored, run) == ["ann: event 7 took 70 us, on the host 65 us"]


def test_many_differences_of_a_kind_are_counted() -> None:
    written, stored, run = exact()
    written.events |= dict.fromkeys(range(10, 20), "x")
    said = wrong(written, stored, run)
    assert said[:4] == [
        *(f"ann: event {number} is missing" for number in (10, 11, 12)),
        "ann: 10 rows of kind event are missing",
    ]


def test_a_clock_that_is_off_is_stored_and_its_minutes_are_not_compared() -> None:
    written, stored, run = exact()
    written.shift = stored.clock_s = 3600.0
    stored.minutes = Counter({(minute(59), CALL): 2, (minute(59), DENIED): 1})
    assert wrong(written, stored, run) == []


def test_a_fault_that_the_machine_does_not_allow_is_not_missed() -> None:
    written, stored, run = exact()
    run.happened = [one for one in run.happened if one.kind != plan.DISK]
    run.skipped[plan.DISK] = "only root can mount a small disk"
    run.full = 0
    assert wrong(written, stored, run) == []
