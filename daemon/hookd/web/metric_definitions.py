"""Definitions of metrics: names, texts, labels, and how their values follow from the readings.

No label has the id of a session, an agent or a project, and each has a bounded number of values.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from hookd import json_text
from hookd.core.model.client_names import CLIENTS
from hookd.events.protocol import EVENTS
from hookd.lazy_dataclass import dataclass
from hookd.store.browse.connection import BrowseError
from hookd.store.browse.metrics import DURATIONS_S, RECENT_EVENTS, Counts, Rows, States
from hookd.store.counts import CLASSES

_MAX_VALUES = 100
"""Values of a label that users choose; the others are `other`."""

_OTHER = "other"
_DECISIONS = frozenset({"deny", "ask", "allow", "block", "defer"})
_STAGES = (
    *("parse", "redact", "settings", "order", "wait", "facts", "policies", "files", "write"),
    *("commit", "effects", "user_hooks"),
)
_STAGE_BOUNDS_S = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1.0)
_USAGE_BOUNDS = (0.25, 0.5, 0.7, 0.8, 0.9, 0.95, 1.0)
_QUEUES = {
    "injections": "injections",
    "user_hooks": "user_hooks",
    "counting": "uncounted",
    "missed_reports": "unreported",
    "approvals": "approvals",
}
"""States of the database by the name of the queue."""

Labels = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Distribution:
    """Counts of values by upper bound, the last without one; `total` is their sum, if known."""

    bounds: Sequence[float]
    counts: Sequence[int]
    total: float | None = None

    def buckets(self) -> list[tuple[str, float]]:
        """Return the cumulative counts by upper bound."""
        names = [*map(repr, self.bounds), "+Inf"]
        return [(name, float(sum(self.counts[: n + 1]))) for n, name in enumerate(names)]


@dataclass(frozen=True, slots=True)
class Readings:
    """What metrics are made of; None where a source could not be read, `problem` says why."""

    status: Mapping[str, Any] | None
    stopped: bool
    counts: Counts | None
    states: States | None
    problem: BrowseError | None = None


Samples = Iterable[tuple[Labels, float | Distribution]]


@dataclass(frozen=True, slots=True)
class Definition:
    """One metric; `samples` returns labels and values, none if their source is missing.

    `kind` is counter, gauge, histogram, or `recent histogram`: of a window, so it may decrease.
    """

    name: str
    kind: str
    help: str
    samples: Callable[[Readings], Samples]
    labels: Labels = ()


def distribution(values: Iterable[float], bounds: Sequence[float]) -> Distribution:
    """Return how values are distributed."""
    counts, total = [0] * (len(bounds) + 1), 0.0
    for value in values:
        place = next((n for n, bound in enumerate(bounds) if value <= bound), len(bounds))
        counts[place] += 1
        total += value
    return Distribution(bounds, counts, total)


def _up(readings: Readings) -> Samples:
    yield (), float(readings.status is not None)


def _info(readings: Readings) -> Samples:
    if readings.status is not None:
        yield (str(readings.status.get("version", "")),), 1.0


def _started(readings: Readings) -> Samples:
    if readings.status is not None:
        yield from _time(readings.status.get("startedAt"))


def _paused(readings: Readings) -> Samples:
    if readings.status is not None:
        yield (), float(readings.status.get("pausedUntil") is not None)


def _writable(readings: Readings) -> Samples:
    if readings.status is not None:
        yield (), float(readings.status.get("unkept") is None)


def _suspended(readings: Readings) -> Samples:
    if readings.status is not None:
        yield (), float(len(readings.status.get("suspended") or ()))


def _incidents(readings: Readings) -> Samples:
    if readings.status is not None:
        sums: Counter[str] = Counter()
        for one in readings.status.get("incidents") or ():
            sums[str(one["kind"])] += int(one["count"])
        yield from (((kind,), float(count)) for kind, count in sorted(sums.items()))


def _daemon_queues(readings: Readings) -> Samples:
    if readings.status is not None:
        queues = readings.status.get("queues") or {}
        yield from (((name,), float(depth)) for name, depth in queues.items())


def _queues(readings: Readings) -> Samples:
    yield from _daemon_queues(readings)
    if (states := readings.states) is not None:
        for name, state in _QUEUES.items():
            yield (name,), float(states.count(state))


def _events(readings: Readings) -> Samples:
    if readings.counts is not None:
        sums: Counter[Labels] = Counter()
        for row in readings.counts.events:
            labels = _event(row["event"]), _decision(row["decision"]), _client(row["client"])
            sums[labels] += row["events"]
        yield from _sorted(sums)


def _sum_of(column: str) -> Callable[[Readings], Samples]:
    def samples(readings: Readings) -> Samples:
        if readings.counts is not None:
            yield (), float(sum(row[column] for row in readings.counts.events))

    return samples


def _durations(readings: Readings) -> Samples:
    if readings.counts is None:
        return
    sums: dict[str, list[int]] = {}
    for row in readings.counts.events:
        counts = sums.setdefault(_event(row["event"]), [0] * len(CLASSES))
        for place, name in enumerate(CLASSES):
            counts[place] += row[name]
    yield from (((name,), Distribution(DURATIONS_S, sums[name])) for name in sorted(sums))


def _rules(readings: Readings) -> Samples:
    if readings.counts is None:
        return
    rows = sorted(readings.counts.rules, key=lambda row: (row["first"], row["rule"]))
    known = list(dict.fromkeys(row["rule"] for row in rows))[:_MAX_VALUES]
    sums: Counter[Labels] = Counter()
    for row in rows:
        rule = row["rule"] if row["rule"] in known else _OTHER
        sums[rule, row["verdict"]] += row["events"]
    yield from _sorted(sums)


def _stages(readings: Readings) -> Samples:
    if readings.states is None:
        return
    spent: dict[str, list[float]] = {name: [] for name in (*_STAGES, "total")}
    for row in readings.states.rows["recent"]:
        spent["total"].append(row["duration_us"] / 1e6)
        for stage, microseconds in _stage_times(row["stages"]):
            spent[stage].append(microseconds / 1e6)
    for stage, seconds in spent.items():
        if seconds:
            yield (stage,), distribution(seconds, _STAGE_BOUNDS_S)


def _stage_times(text: str | None) -> Iterator[tuple[str, int]]:
    """Yield the stages of an event with their microseconds; none of a damaged text."""
    try:
        times = json_text.parse((text or "{}").encode())
    except ValueError:
        return
    if isinstance(times, dict):
        yield from ((name, times[name]) for name in _STAGES if isinstance(times.get(name), int))


def _last_event(readings: Readings) -> Samples:
    if readings.states is not None:
        for row in readings.states.rows["last"]:
            yield from _time(row["at"])


def _sessions(readings: Readings) -> Samples:
    if readings.states is not None:
        for row in readings.states.rows["sessions"]:
            kind = "subagent" if row["subagent"] else "session"
            yield (kind, row["status"]), float(row["count"])


def _rows_of(state: str, label: str) -> Callable[[Readings], Samples]:
    def samples(readings: Readings) -> Samples:
        if readings.states is not None:
            for row in readings.states.rows[state]:
                yield (str(row[label]),), float(row["count"])

    return samples


def _context(readings: Readings) -> Samples:
    if readings.states is not None:
        used = [row["usage"] for row in readings.states.rows["context"]]
        yield (), distribution(used, _USAGE_BOUNDS)


def _cost(readings: Readings) -> Samples:
    if readings.states is not None:
        yield (), float(readings.states.rows["cost"][0]["usd"])


def _missed(readings: Readings) -> Samples:
    if readings.states is not None:
        sums: Counter[Labels] = Counter({("PreToolUse",): 0})
        for row in readings.states.rows["missed"]:
            sums[(_event(row["event"]),)] += row["count"]
        yield from _sorted(sums)


def _hook_runs(column: str) -> Callable[[Readings], Samples]:
    def samples(readings: Readings) -> Samples:
        if readings.states is None:
            return
        rows = readings.states.rows["hook_runs"]
        names = _most_used(rows)
        sums: Counter[Labels] = Counter()
        for row in rows:
            hook = row["hook"] if row["hook"] in names else _OTHER
            sums[hook, _outcome(row["outcome"])] += row[column]
        yield from ((key, value / (1e3 if column == "ms" else 1)) for key, value in _sorted(sums))

    return samples


def _most_used(rows: Rows) -> frozenset[str]:
    runs: Counter[str] = Counter()
    for row in rows:
        runs[row["hook"]] += row["count"]
    return frozenset(name for name, _ in runs.most_common(_MAX_VALUES))


def _outcome(name: str) -> str:
    return name if name in _DECISIONS | {"ok", "failed", "timed out"} else _OTHER


def _bytes(part: str) -> Callable[[Readings], Samples]:
    def samples(readings: Readings) -> Samples:
        if readings.states is not None:
            yield (), float(getattr(readings.states.size, part))

    return samples


def _readable(readings: Readings) -> Samples:
    yield (), float(readings.states is not None)


def _stopped(readings: Readings) -> Samples:
    yield (), float(readings.stopped)


def _event(name: str) -> str:
    return name if name in EVENTS else _OTHER


def _decision(name: str) -> str:
    if not name:
        return "none"
    return name if name in _DECISIONS else _OTHER


def _client(name: str) -> str:
    if not name:
        return "none"
    return name if name in CLIENTS else _OTHER


def _time(text: object) -> Iterator[tuple[Labels, float]]:
    """Yield a stored time as seconds since 1970; nothing for another text."""
    try:
        yield (), datetime.fromisoformat(str(text)).timestamp()
    except ValueError:
        return


def _sorted(sums: Mapping[Labels, float]) -> Iterator[tuple[Labels, float]]:
    yield from ((labels, float(sums[labels])) for labels in sorted(sums))


METRICS = (
    Definition("hookd_up", "gauge", "1 if the daemon answers, else 0.", _up),
    Definition("hookd_stopped", "gauge", "1 after `hookd stop`: calls run unchecked.", _stopped),
    Definition("hookd_paused", "gauge", "1 while `hookd pause` suspends all hooks.", _paused),
    Definition(
        "hookd_daemon_info", "gauge", "Always 1; the version of the daemon.", _info, ("version",)
    ),
    Definition(
        "hookd_daemon_start_time_seconds", "gauge", "Start of the daemon, since 1970.", _started
    ),
    Definition(
        "hookd_daemon_incidents",
        "counter",
        "Faults and reached limits since the daemon's start (`hookd doctor`).",
        _incidents,
        ("kind",),
    ),
    Definition(
        "hookd_suspended_policies",
        "gauge",
        "Policies that exceeded their time limit too often.",
        _suspended,
    ),
    Definition(
        "hookd_events",
        "counter",
        "Hook events by decision and client.",
        _events,
        ("event", "decision", "client"),
    ),
    Definition(
        "hookd_event_duration_seconds",
        "histogram",
        "Time from the arrival of an event to its answer; without a sum.",
        _durations,
        ("event",),
    ),
    Definition(
        "hookd_recent_stage_duration_seconds",
        "recent histogram",
        f"Time in each stage of the last {RECENT_EVENTS:,} events, and in all of them (total).",
        _stages,
        ("stage",),
    ),
    Definition(
        "hookd_rule_opinions",
        "counter",
        "Opinions of policies, guard rules and user hooks.",
        _rules,
        ("rule", "verdict"),
    ),
    Definition(
        "hookd_granted_questions",
        "counter",
        "Calls that were asked about, and then ran.",
        _sum_of("granted"),
    ),
    Definition(
        "hookd_injections", "counter", "Answers with a text for the model.", _sum_of("injected")
    ),
    Definition(
        "hookd_injected_characters",
        "counter",
        "Characters of these texts.",
        _sum_of("injected_chars"),
    ),
    Definition(
        "hookd_last_event_timestamp_seconds",
        "gauge",
        "Time of the newest event, since 1970.",
        _last_event,
    ),
    Definition(
        "hookd_recent_missed_events",
        "gauge",
        "Events of the last 24 hours that no daemon evaluated.",
        _missed,
        ("event",),
    ),
    Definition(
        "hookd_queue_depth",
        "gauge",
        "Entries that wait, by queue.",
        _queues,
        ("queue",),
    ),
    Definition(
        "hookd_recent_approvals",
        "gauge",
        "Permission requests of the last 24 hours that waited here, by what became of them.",
        _rows_of("requests", "status"),
        ("status",),
    ),
    Definition(
        "hookd_open_sessions",
        "gauge",
        "Sessions that have not ended, and runs of subagents, by status.",
        _sessions,
        ("kind", "status"),
    ),
    Definition(
        "hookd_agents",
        "gauge",
        "Agents of the fleet by status.",
        _rows_of("agents", "status"),
        ("status",),
    ),
    Definition(
        "hookd_efforts",
        "gauge",
        "Efforts, active and finished.",
        _rows_of("efforts", "lifecycle"),
        ("lifecycle",),
    ),
    Definition(
        "hookd_open_session_context_ratio",
        "recent histogram",
        "Share of the context window in use, of the open sessions.",
        _context,
    ),
    Definition("hookd_cost_dollars", "counter", "Cost of all sessions in US dollars.", _cost),
    Definition(
        "hookd_recent_user_hook_runs",
        "gauge",
        "Runs of user hooks in the last 24 hours.",
        _hook_runs("count"),
        ("hook", "outcome"),
    ),
    Definition(
        "hookd_recent_user_hook_seconds",
        "gauge",
        "Time that these runs took.",
        _hook_runs("ms"),
        ("hook", "outcome"),
    ),
    Definition(
        "hookd_database_readable", "gauge", "1 if the database file can be read.", _readable
    ),
    Definition("hookd_database_writable", "gauge", "1 if the daemon can store events.", _writable),
    Definition("hookd_database_bytes", "gauge", "Size of the database file.", _bytes("file")),
    Definition("hookd_database_free_bytes", "gauge", "Free pages in the file.", _bytes("free")),
    Definition("hookd_database_log_bytes", "gauge", "Size of its write-ahead log.", _bytes("log")),
)
"""All metrics, in the order of the page. Counters get the suffix `_total`."""
