"""Metrics are valid Prometheus text, whatever is in the database, and never decrease wrongly."""

from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from sqlite3 import connect

import pytest
from prometheus_client.parser import text_string_to_metric_families

from hookd import paths
from hookd.store.browse.connection import NoDatabaseError
from hookd.store.database import open_database
from hookd.system import stop_marker
from hookd.web import metrics
from hookd.web.metric_definitions import METRICS, Distribution, distribution
from hookd.web.metrics import Exporter
from support.database_rows import fill
from support.home import Home, window_in

AT = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"
Samples = dict[str, dict[tuple[str, ...], float]]


@pytest.fixture
def place(tmp_path: Path) -> paths.Paths:
    return paths.under(tmp_path)


@pytest.fixture
async def exporter(place: paths.Paths) -> AsyncIterator[Exporter]:
    with closing(open_database(place.database)) as db:
        fill(db)
    exporter = Exporter(place)
    yield exporter
    exporter.close()


def change(place: paths.Paths, *statements: str) -> None:
    with closing(connect(place.database)) as db, db:
        for sql in statements:
            db.execute(sql)


def count(
    place: paths.Paths, hour: str, event: str, decision: str, events: int, *, client: str = ""
) -> None:
    change(
        place,
        f"INSERT INTO hourly_events VALUES ('{hour}', 0, '', '{client}', '{event}', '{decision}',"
        f" {events}, 1, 2, 30, {events}, 0, 0, 0, 0, 0, 0, 0, 0, 0)",
    )


async def samples(exporter: Exporter) -> Samples:
    """Return the values of each sample by its labels, as Prometheus would read them."""
    found: Samples = {}
    for family in text_string_to_metric_families((await exporter.text()).decode()):
        for one in family.samples:
            labels = tuple(value for _, value in sorted(one.labels.items()))
            assert labels not in found.setdefault(one.name, {}), "a sample is there twice"
            found[one.name][labels] = one.value
    return found


async def test_events_are_counted_by_name_and_decision(
    place: paths.Paths, exporter: Exporter
) -> None:
    count(place, "2026-01-31T08", "PreToolUse", "deny", 3)
    count(place, "2026-01-31T09", "PreToolUse", "deny", 4, client="codex")
    count(place, "2026-01-31T09", "Stop", "", 5)
    count(place, "2026-01-31T09", 'Sto\\"\np', "", 2, client="cursor")
    count(place, "2026-01-31T09", 'Sto\\"\np', "", 4, client="windsurf")
    found = await samples(exporter)
    assert found["hookd_events_total"] == {
        ("codex", "deny", "PreToolUse"): 4,
        ("none", "deny", "PreToolUse"): 3,
        ("none", "none", "Stop"): 5,
        ("other", "none", "other"): 6,
    }
    assert found["hookd_event_duration_seconds_bucket"]["PreToolUse", "0.00025"] == 7
    assert found["hookd_event_duration_seconds_bucket"]["PreToolUse", "+Inf"] == 7
    assert found["hookd_event_duration_seconds_count"] == {
        ("PreToolUse",): 7,
        ("Stop",): 5,
        ("other",): 6,
    }
    assert found["hookd_injected_characters_total"] == {(): 150}


async def test_no_counter_decreases_when_old_events_are_deleted(
    place: paths.Paths, exporter: Exporter
) -> None:
    for number in range(1, 4):
        change(
            place,
            f"INSERT INTO events (id, at, event, payload) VALUES ({number}, {AT}, '', '{{}}')",
        )
    count(place, "2026-01-31T08", "PreToolUse", "", 3)
    count(place, "2099-01-31T08", "PreToolUse", "", 4)
    before = await samples(exporter)
    change(place, "DELETE FROM events")
    count(place, "2099-01-31T09", "PreToolUse", "", 1)
    after = await samples(exporter)
    assert (before["hookd_events_total"], after["hookd_events_total"]) == (
        {("none", "none", "PreToolUse"): 7},
        {("none", "none", "PreToolUse"): 8},
    )
    counters = [f"{one.name}_total" for one in METRICS if one.kind == "counter"]
    for name in {*counters, "hookd_event_duration_seconds_bucket"} & before.keys():
        for labels, value in before[name].items():
            assert after[name][labels] >= value, name


async def test_stages_are_those_of_the_last_events(place: paths.Paths, exporter: Exporter) -> None:
    for number, stages in enumerate(
        ('{"parse": 90, "policies": 3000, "policy": ["x", 1]}', '{"parse": 110}', "[", None, "[1]")
    ):
        told = "NULL" if stages is None else f"'{stages}'"
        change(
            place,
            "INSERT INTO events (at, event, payload, duration_us, stages, delivery_key)"
            f" VALUES ({AT}, 'Stop', '{{}}', 3000, {told}, 'k{number}')",
        )
    found = await samples(exporter)
    name = "hookd_recent_stage_duration_seconds"
    assert found[f"{name}_bucket"]["0.0001", "parse"] == 1
    assert found[f"{name}_gcount"] == {("parse",): 2, ("policies",): 1, ("total",): 5}
    assert found[f"{name}_gsum"]["parse",] == pytest.approx(0.0002)


async def test_names_that_users_chose_are_escaped_and_bounded(
    place: paths.Paths, exporter: Exporter
) -> None:
    names = ['a"b\\c\nd', *(f"rule-{number:03}" for number in range(150))]
    with closing(connect(place.database)) as db, db:
        for number, name in enumerate(names):
            hour = f"2026-01-{1 + number // 24:02}T{number % 24:02}"
            row = (hour, 0, "", "", "PreToolUse", name, "", "deny", 2)
            db.execute("INSERT INTO hourly_rules VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
            db.execute(
                "INSERT INTO hook_runs (event_id, hook_id, exit_code, duration_ms, created_at)"
                f" VALUES (1, ?, 0, 1500, {AT})",
                (name,),
            )
    found = await samples(exporter)
    assert len(found["hookd_rule_opinions_total"]) == 101
    assert found["hookd_rule_opinions_total"]['a"b\\c\nd', "deny"] == 2
    assert found["hookd_rule_opinions_total"]["other", "deny"] == 102
    assert len(found["hookd_recent_user_hook_runs"]) == 101
    assert found["hookd_recent_user_hook_seconds"]["other", "ok"] == 76.5


async def test_user_hook_runs_have_an_outcome(place: paths.Paths, exporter: Exporter) -> None:
    runs = [
        ("0", "NULL", "NULL", "NULL"),
        ("1", "NULL", "NULL", "NULL"),
        ("2", "'deny'", "NULL", "NULL"),
        ("NULL", "NULL", "'timed out after 5 s'", "NULL"),
        ("NULL", "NULL", "'it cannot be started'", "NULL"),
    ]
    for code, decision, error, _ in runs:
        change(
            place,
            "INSERT INTO hook_runs (event_id, hook_id, exit_code, decision, error, created_at)"
            f" VALUES (1, 'h', {code}, {decision}, {error}, {AT})",
        )
    found = await samples(exporter)
    assert found["hookd_recent_user_hook_runs"] == {
        ("h", "deny"): 1,
        ("h", "failed"): 2,
        ("h", "ok"): 1,
        ("h", "timed out"): 1,
    }


async def test_sessions_context_cost_queues_and_sizes(
    place: paths.Paths, exporter: Exporter
) -> None:
    change(
        place,
        "UPDATE sessions SET ended_at = NULL, status = 'working', context_usage = 0.85"
        " WHERE agent_id IS NULL",
        "INSERT INTO costs VALUES ('2026-01-31', 1, 1.5), ('2026-02-01', 1, 0.25)",
        f"UPDATE unjudged SET last_at = {AT}",
        *(
            "INSERT INTO approvals (event_id, tool, text, input_json, asked_at, until, status)"
            f" VALUES (1, 'Bash', 'ls', '{{}}', {AT}, {AT}, '{status}')"
            for status in ("pending", "pending", "denied")
        ),
    )
    found = await samples(exporter)
    with closing(connect(place.database)) as db:
        (main,) = db.execute("SELECT count(*) FROM sessions WHERE agent_id IS NULL").fetchone()
    assert found["hookd_open_sessions"]["session", "working"] == main
    assert found["hookd_open_session_context_ratio_bucket"]["0.8",] == 0
    assert found["hookd_open_session_context_ratio_bucket"]["0.9",] == main
    assert found["hookd_cost_dollars_total"] == {(): 1.75}
    assert found["hookd_queue_depth"]["injections",] == 1
    assert found["hookd_queue_depth"]["approvals",] == 2
    assert found["hookd_recent_approvals"] == {("pending",): 2, ("denied",): 1}
    assert sum(found["hookd_recent_missed_events"].values()) == 3
    assert found["hookd_database_bytes"][()] > 100_000


async def test_without_a_daemon_and_a_database_the_rest_is_told(place: paths.Paths) -> None:
    exporter = Exporter(place)
    readings = await exporter.read()
    assert isinstance(readings.problem, NoDatabaseError)
    stop_marker.write(place.stopped)
    assert await samples(exporter) == {
        "hookd_up": {(): 0},
        "hookd_stopped": {(): 1},
        "hookd_database_readable": {(): 0},
    }
    exporter.close()


async def test_a_real_daemon_is_up_with_its_version_and_its_events(daemon: Home) -> None:
    window = window_in(daemon)
    window.bash("ls")
    exporter = Exporter(paths.under(daemon.path))
    found = await samples(exporter)
    exporter.close()
    told = {name: values for name, values in found.items() if name.startswith("hookd_d")}
    assert list(told["hookd_daemon_info"].values()) == [1]
    assert found["hookd_up"] == {(): 1}
    assert found["hookd_database_writable"] == {(): 1}
    depths = {queue for (queue,) in found["hookd_queue_depth"]}
    assert depths > {"writes", "transcripts", "notifications", "injections"}
    assert found["hookd_recent_stage_duration_seconds_gcount"]["total",] == 1
    started = found["hookd_daemon_start_time_seconds"][()]
    assert 0 < found["hookd_last_event_timestamp_seconds"][()] - started < 600


def test_names_follow_the_conventions() -> None:
    names = [one.name for one in METRICS]
    assert len(set(names)) == len(names)
    for one in METRICS:
        assert one.name.startswith("hookd_")
        assert not one.name.endswith(("_total", "_count", "_ms", "_us"))
        assert one.help.endswith((".", ")."))


def test_a_distribution_counts_up_to_each_bound() -> None:
    found = distribution([0.5, 1, 1.5, 9], (1, 2))
    assert found == Distribution((1, 2), [2, 1, 1], 12)
    assert found.buckets() == [("1", 2), ("2", 3), ("+Inf", 4)]


def test_what_is_served_is_text_for_prometheus() -> None:
    assert metrics.CONTENT_TYPE.startswith("text/plain; version=0.0.4")
