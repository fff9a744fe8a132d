"""Summary: the totals of a time by day, project, agent and rule, made of counts per hour."""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, get_args

from hookd.core.statistics.event_counts import DURATIONS_US
from hookd.core.statistics.loosening import Ask, GuardRow, Loosening, loosenings
from hookd.programs.catalogue import RULE_KINDS
from hookd.programs.model import RiskKind

SUMS = (
    *("events", "calls", "denied", "asked", "granted", "blocked"),
    *("injected", "injected_chars", "compactions"),
)
"""The sums of a row of counts, in their order."""

_VERDICTS = {
    "deny": "denied",
    "ask": "asked",
    "allow": "allowed",
    "tell": "told",
    "passed": "passed",
}
_MOST_DAYS = 400
"""Days that are listed without an event in them."""


def summarize(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return the result of `stats.summary` for the rows that `store/statistics.py` found."""
    marked, last, damaged, waiting, first = found["state"]
    hours, owners = found["hours"], found["owners"]
    costs, sessions = found["costs"], found["sessions"]
    by_day = _totals(
        ((hour[0][:10], hour[1:]) for hour in hours),
        ((day, usd) for day, _, _, usd in costs),
        ((day, rest) for day, _, _, *rest in sessions),
    )
    granted = {rule: ran for rule, _, ran in found["granted"]}
    guards = [GuardRow._make(row) for row in found["guards"]]
    return {
        "now": found["now"],
        "since": found["since"],
        "counted_since": first,
        "uncounted": max(0, last - marked) + waiting,
        "damaged_count": damaged,
        "damaged": [{"event": number, "problem": why} for number, why in found["damaged"]],
        "totals": _added(by_day.values()),
        "hours": {hour[0]: hour[2] for hour in hours},
        "days": _days(by_day, found["since"][:10], found["now"][:10]),
        "projects": _owners("project", owners, costs, sessions, 0),
        "agents": _owners("agent", owners, costs, sessions, 1),
        "clients": _clients(owners),
        "durations": _durations(hours),
        "rules": _rules(found["rules"], granted),
        "silent_rules": _silent(guards, {row[0] for row in found["rules"]}, found["fired"]),
        "silent_kinds": _silent_kinds(found["rules"]),
        "loosen": [one._asdict() for one in _loosen(found, guards)],
    }


def _loosen(found: Mapping[str, Any], guards: Iterable[GuardRow]) -> tuple[Loosening, ...]:
    return loosenings(map(Ask._make, found["asks"]), found["granted"], guards)


_Totals = dict[str, Any]


def _none() -> _Totals:
    zeros: _Totals = dict.fromkeys((*SUMS, "sessions"), 0)
    return zeros | {"usd": 0.0, "_used": 0.0, "_known": 0, "_most": 0.0}


def _totals(
    counts: Iterable[tuple[Any, Sequence[int]]],
    costs: Iterable[tuple[Any, float]],
    sessions: Iterable[tuple[Any, Sequence[Any]]],
) -> dict[Any, _Totals]:
    """Return totals by the first value of each row."""
    found: dict[Any, _Totals] = defaultdict(_none)
    for key, row in counts:
        for name, value in zip(SUMS, row, strict=False):
            found[key][name] += value
    for key, usd in costs:
        found[key]["usd"] += usd
    for key, (count, used, known, most) in sessions:
        one = found[key]
        one["sessions"] += count
        one["_used"] += used
        one["_known"] += known
        one["_most"] = max(one["_most"], most)
    return found


def _added(totals: Iterable[_Totals]) -> _Totals:
    """Return the sum of totals, as it is reported."""
    whole = _none()
    for one in totals:
        for name in whole:
            whole[name] = (
                max(whole[name], one[name]) if name == "_most" else whole[name] + one[name]
            )
    return _reported(whole)


def _reported(totals: _Totals) -> _Totals:
    """Return totals with the usage of context windows as shares."""
    known = totals["_known"]
    shown = {name: value for name, value in totals.items() if not name.startswith("_")}
    return shown | {
        "usd": round(totals["usd"], 6),
        "context_mean": round(totals["_used"] / known, 4) if known else None,
        "context_most": totals["_most"] if known else None,
    }


def _days(by_day: Mapping[str, _Totals], first: str, last: str) -> list[_Totals]:
    """Return every day of the time, also those without an event."""
    listed = set(by_day)
    try:
        begin, end = date.fromisoformat(first), date.fromisoformat(last)
    except ValueError:
        begin = end = date.min
    if begin > date.min and (end - begin).days <= _MOST_DAYS:
        listed |= {str(begin + timedelta(days=day)) for day in range((end - begin).days + 1)}
    return [{"day": day, **_reported(by_day.get(day) or _none())} for day in sorted(listed)]


def _owners(
    name: str,
    owners: Iterable[Sequence[Any]],
    costs: Iterable[Sequence[Any]],
    sessions: Iterable[Sequence[Any]],
    place: int,
) -> list[_Totals]:
    """Return the totals by project or agent, those with the most calls first."""
    found = _totals(
        ((row[place] or None, row[3:]) for row in owners),
        ((row[place + 1] or None, row[3]) for row in costs),
        ((row[place + 1] or None, row[3:]) for row in sessions),
    )
    order = sorted((-one["calls"], -one["usd"], key or "") for key, one in found.items())
    return [{name: key or None, **_reported(found[key or None])} for _, _, key in order]


def _clients(owners: Iterable[Sequence[Any]]) -> list[dict[str, Any]]:
    found = Counter[str]()
    for _, _, client, events, *_ in owners:
        found[client] += events
    return [{"client": name or None, "events": count} for name, count in found.most_common()]


def _durations(hours: Sequence[Sequence[Any]]) -> list[dict[str, Any]]:
    start = 1 + len(SUMS)
    bounds = (*DURATIONS_US, None)
    return [
        {"up_to_us": bound, "events": sum(hour[start + place] for hour in hours)}
        for place, bound in enumerate(bounds)
    ]


def _rules(rows: Iterable[Sequence[Any]], granted: Mapping[str, int]) -> list[dict[str, Any]]:
    """Return what each rule said, the one with most opinions first."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    kinds: dict[str, set[str]] = defaultdict(set)
    for rule, found, verdict, events in rows:
        if verdict in _VERDICTS:
            counts[rule][_VERDICTS[verdict]] += events
        kinds[rule] |= _kinds(found)
    order = sorted(counts, key=lambda rule: (-counts[rule].total(), rule))
    return [
        {
            "rule": rule,
            **{name: counts[rule][name] for name in _VERDICTS.values()},
            "granted": granted.get(rule, 0),
            "kinds": sorted(kinds[rule]),
        }
        for rule in order
    ]


def _kinds(found: str) -> set[str]:
    return {str(RULE_KINDS[rule]) for rule in found.split() if rule in RULE_KINDS}


def _silent(
    guards: Iterable[GuardRow], fired: Container[str], by: Iterable[tuple[str, str | None]]
) -> list[dict[str, Any]]:
    """Return the guard rules that said nothing; one of a project counts only there."""
    places: dict[str, set[str | None]] = defaultdict(set)
    for rule, project in by:
        places[rule].add(project)
    return [
        {"rule": one.name, "scope": one.scope, "project": one.project, "source": one.source}
        for one in guards
        if one.name not in fired or (one.project and one.project not in places[one.name])
    ]


def _silent_kinds(rows: Iterable[Sequence[Any]]) -> list[str]:
    """Return the kinds of risk that no call had."""
    had = {kind for _, found, _, _ in rows for kind in _kinds(found)}
    return sorted(set(get_args(RiskKind)) - had)
