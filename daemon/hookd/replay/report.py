"""Report of a replay: lines for a terminal of 80 columns, and an object for JSON. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from hookd.lazy_dataclass import dataclass
from hookd.replay.compare import KINDS, Answer, Difference, Gap, Kind, Tally

_WIDTH = 80
_MAX_NUMBERS = 3
"""Event numbers that a line names."""

_KEYS: Mapping[Kind, str] = {
    "newDeny": "newDeny",
    "newAsk": "newAsk",
    "noStop": "noLongerStopped",
}


@dataclass(frozen=True, slots=True)
class _Call:
    """Equal calls that are answered otherwise: how many, and where."""

    one: Difference
    count: int
    labels: tuple[str, ...]


def report_lines(tally: Tally, change: Sequence[str], examples: int) -> Iterator[str]:
    """Yield the lines of the report; `change` are the parts of the change, empty for none."""
    yield from _head(tally, change)
    yield ""
    for kind, words in KINDS.items():
        found = tally.of(kind)
        yield f"  {words:<20}{len(found):>7,}{_in_sessions(found)}"
    yield f"  {'the same':<20}{tally.same:>7,}"
    yield f"  {'not comparable':<20}{len(tally.gaps):>7,}{_share(len(tally.gaps), tally.events)}"
    for kind, words in KINDS.items():
        if found := tally.of(kind):
            yield ""
            yield f"{words.capitalize()}: {len(found):,}"
            yield from _example_lines(found, examples)
    yield from _gap_lines(tally, examples)


def report_object(tally: Tally, change: Sequence[str], limits: Sequence[str]) -> dict[str, Any]:
    """Return the report as an object; `limits` are the conditions of failure that are true."""
    return {
        "events": tally.events,
        "sessions": tally.sessions,
        "from": tally.since or None,
        "until": tally.until or None,
        "change": list(change),
        "same": tally.same,
        **{key: _kind_object(tally.of(kind)) for kind, key in _KEYS.items()},
        "notComparable": {
            "count": len(tally.gaps),
            "reasons": tally.reasons(),
            "events": [_gap_object(gap) for gap in tally.gaps],
        },
        "failed": list(limits),
    }


def _head(tally: Tally, change: Sequence[str]) -> Iterator[str]:
    days = f", {tally.since[:10]} to {tally.until[:10]}" if tally.since else ""
    yield f"{_count(tally.events, 'event')} of {_count(tally.sessions, 'session')}{days}."
    if not change:
        yield "Today's rules, policies and settings, compared with the recorded decisions:"
        return
    yield "Today's rules, policies and settings, compared with this change:"
    for words in change:
        yield _cut(f"  {words}")


def _example_lines(found: Sequence[Difference], examples: int) -> Iterator[str]:
    calls = _calls(found)
    for call in calls[:examples]:
        times = f"{call.count:,}x " if call.count > 1 else ""
        yield _cut(f"  {times}{call.one.tool}: {call.one.text}")
        named = ", ".join(call.labels[:_MAX_NUMBERS])
        more = ", ..." if len(call.labels) > _MAX_NUMBERS else ""
        yield _cut(f"     {named}{more}; {_was(call.one)}")
    if len(calls) > examples:
        yield f"  {len(calls) - examples:,} more calls: --examples {len(calls)}, or --json"


def _gap_lines(tally: Tally, examples: int) -> Iterator[str]:
    if not tally.gaps:
        return
    yield ""
    yield f"Not comparable: {len(tally.gaps):,}"
    for why, count in tally.reasons().items():
        labels = [gap.label for gap in tally.gaps if gap.why == why]
        named = ", ".join(labels[:_MAX_NUMBERS])
        yield _cut(f"  {count:>6,}  {why}: {named}{', ...' if count > _MAX_NUMBERS else ''}")
    for kind, words in KINDS.items():
        gaps = [gap for gap in tally.gaps if gap.kind == kind]
        if gaps:
            yield f"  {len(gaps):,} of these would be {words}, as far as is known:"
            for gap in gaps[:examples]:
                yield _cut(f"          {gap.label} {gap.tool}: {gap.text}")


def _calls(found: Iterable[Difference]) -> list[_Call]:
    """Return equal calls together, the most frequent first."""
    by_call: dict[tuple[str, ...], list[Difference]] = {}
    for one in found:
        key = (one.tool, one.text, one.before.state, one.after.rule, one.before.rule)
        by_call.setdefault(key, []).append(one)
    calls = (_Call(some[0], len(some), tuple(s.label for s in some)) for some in by_call.values())
    return sorted(calls, key=lambda call: (-call.count, call.one.order))


def _was(one: Difference) -> str:
    """Return who decides now, and what it was before."""
    now, before = one.after, one.before
    by = f"by {now.rule}" if now.rule and now.state else ""
    was = {"deny": "denied", "ask": "asked"}.get(before.state, "")
    was = f"was {was} by {before.rule}" if was else ""
    return ", ".join(part for part in (by, was) if part) or "passed"


def _in_sessions(found: Sequence[Difference]) -> str:
    if not found:
        return ""
    calls, sessions = len(_calls(found)), len({one.session for one in found})
    return f"   {_count(calls, 'call')} in {_count(sessions, 'session')}"


def _share(part: int, whole: int) -> str:
    if not part or not whole:
        return ""
    share = part * 100 / whole
    return f"   {share:.0f} %" if share >= 1 else "   less than 1 %"


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _cut(line: str) -> str:
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 1]}…"


def _kind_object(found: Sequence[Difference]) -> dict[str, Any]:
    events = [
        {
            "event": one.label,
            "at": one.order[0],
            "session": one.session,
            "tool": one.tool,
            "call": one.text,
            "before": _answer_object(one.before),
            "after": _answer_object(one.after),
        }
        for one in found
    ]
    return {"count": len(found), "events": events}


def _answer_object(answer: Answer) -> dict[str, Any]:
    return {"decision": answer.verdict or None, "rule": answer.rule or None}


def _gap_object(gap: Gap) -> dict[str, Any]:
    found = {"event": gap.label, "why": gap.why, "lacks": gap.detail, "tool": gap.tool}
    found |= {"call": gap.text, "would": _KEYS[gap.kind] if gap.kind else ""}
    return {key: value for key, value in found.items() if value}
