"""Check of a run of agents together: mail, edits, claims and work items are exact.

It compares the models' record with the database and the files, and believes neither alone. A mail
may be twice in a context only across a kill -9: it was written before the kill, comes again within
`RETRY_S` after it, and the database says that it went out with more than one answer. When it came
first says nothing: a client may have the first answer before the kill, and ask its model later.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from together.record import Act, Arrival, Delivery, Record, Stored, StoredMail

RETRY_S = 60.0
"""Seconds after a kill -9 in which a mail may come again."""

CONFLICTS = (
    "  refused",
    "  takes refused",
    "  done of another's refused",
    "calls: claim-guard ask",
    "calls: claim-guard deny",
)
"""Figures that show that the agents were in each other's way."""


@dataclass
class Report:
    """Figures, and what is wrong by its kind."""

    figures: dict[str, int] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        """Return the table."""
        width = max(map(len, self.figures), default=0)
        rows = [f"{name:{width}}  {count:>6}" for name, count in self.figures.items()]
        return "\n".join([*rows, *(f"WRONG: {one}" for one in self.wrong)])


def check(record: Record, stored: Stored) -> Report:
    """Return the figures of a run and what is wrong in it."""
    report = Report({"agents": len(record.agents), "turns of models": sum(record.turns.values())})
    report.figures["kill -9 of the daemon"] = len(record.kills)
    for part in (_mail, _lines, _claims, _items):
        part(record, stored, report)
    report.figures["outputs that a client lost"] = record.cut
    report.figures |= {f"calls: {name}": count for name, count in stored.denied.items()}
    report.wrong += [f"unexpected answer: {one}" for one in record.strange]
    return report


def unproved(report: Report) -> list[str]:
    """Return conflicts that a long run has to have and this one had not."""
    return [
        f"no conflict of this kind: {name.strip()}"
        for name in CONFLICTS
        if not report.figures.get(name)
    ]


def _mail(record: Record, stored: Stored, report: Report) -> None:
    rows = {_token(mail): mail for mail in stored.mails}
    tokens = Counter(map(_token, stored.mails))
    known = {one.token for one in record.sent}
    report.wrong += [f"mail {token} is stored {n} times" for token, n in tokens.items() if n > 1]
    report.wrong += [f"stored mail {token} was sent by no agent" for token in rows.keys() - known]
    report.wrong += [
        f"mail {one.number} is {one.state} at the end"
        for one in stored.mails
        if one.state != "delivered"
    ]
    expected = set()
    for one in record.sent:
        row = rows.get(one.token)
        if row:
            expected |= {(name, one.token) for name in record.recipients(one)}
        if one.number is not None and one.number != (row and row.number):
            there = f"stored as {row.number}" if row else "not stored"
            report.wrong.append(f"mail {one.token} was sent as {one.number} and is {there}")
    unanswered = [one for one in record.sent if one.number is None]
    report.figures |= {
        "mails sent": len(rows),
        "  sent to @all": sum(one.to == "@all" for one in record.sent if one.token in rows),
        "  sends without an answer": len(unanswered),
        "    of these stored": sum(one.token in rows for one in unanswered),
    }
    _arrivals(record, stored, report, expected)


def _token(mail: StoredMail) -> str:
    return mail.text.split()[0]


def _arrivals(
    record: Record, stored: Stored, report: Report, expected: set[tuple[str, str]]
) -> None:
    """Compare what has arrived with what was to arrive: recipients and tokens."""
    got: dict[tuple[str, str], list[Arrival]] = defaultdict(list)
    for arrival in record.arrivals:
        got[arrival.recipient, arrival.token].append(arrival)
    lost = sorted(expected - got.keys())
    rows = {(one.recipient, one.number): one for one in stored.deliveries}
    more = {key: times for key, times in got.items() if len(times) > 1}
    twice = {key: times for key, times in more.items() if not _by_kill(times, record.kills, rows)}
    strangers = sorted(got.keys() - expected)
    waiting = [one for one in stored.deliveries if not one.delivered]
    report.wrong += [
        *(f"lost mail: {token} to {name}" for name, token in lost),
        *(f"mail twice: {key[1]} {len(times)} times to {key[0]}" for key, times in twice.items()),
        *(f"mail {token} arrived at {name}, to whom it was not sent" for name, token in strangers),
        *_disorder(record),
        *(f"mail {one.number} to {one.recipient} is not stored as delivered" for one in waiting),
    ]
    if len(stored.deliveries) != len(expected):
        stored_count = len(stored.deliveries)
        report.wrong.append(f"{stored_count} deliveries are stored, {len(expected)} expected")
    report.figures |= {
        "deliveries expected": len(expected),
        "  arrived exactly once": sum(len(got.get(key, ())) == 1 for key in expected),
        "  lost": len(lost),
        "  twice": len(twice),
        "  again across a kill -9": len(more) - len(twice),
    }


def _by_kill(
    times: list[Arrival], kills: list[float], rows: dict[tuple[str, int], Delivery]
) -> bool:
    """Return whether the documented rule explains each further arrival of a mail."""
    row = rows.get((times[0].recipient, times[0].number))
    return (
        row is not None
        and row.offers >= len(times)
        and all(
            any(row.created <= kill <= again.at <= kill + RETRY_S for kill in kills)
            for again in times[1:]
        )
    )


def _disorder(record: Record) -> Iterator[str]:
    """Yield arrivals whose sender has sent them before what the recipient has already."""
    last: dict[tuple[str, str], int] = {}
    seen = set()
    for one in record.arrivals:
        sender = one.token.partition("#")[0]
        if (one.recipient, one.number) in seen:
            continue  # again across a kill, or reported as twice
        seen.add((one.recipient, one.number))
        if one.number < last.get((sender, one.recipient), 0):
            yield f"out of order: mail {one.number} from {sender} to {one.recipient}"
        last[sender, one.recipient] = max(one.number, last.get((sender, one.recipient), 0))


def _lines(record: Record, stored: Stored, report: Report) -> None:
    there = Counter((ledger, token) for ledger, all_ in stored.ledgers.items() for token in all_)
    seen = {(one.ledger, one.token) for one in record.lines if one.seen}
    tried = {(one.ledger, one.token) for one in record.lines}
    overwritten = sorted(seen - there.keys())
    report.wrong += [f"overwritten edit: {token} is not in {file}" for file, token in overwritten]
    report.wrong += [f"line {key[1]} is {n} times in {key[0]}" for key, n in there.items() if n > 1]
    report.wrong += [
        f"line {token} is in {file}, but no agent has seen it there"
        for file, token in sorted(there.keys() - seen)
    ]
    report.figures |= {
        "edits tried": len(tried),
        "  done, and read back": len(seen),
        "  refused": len(tried - seen),
        "  overwritten": len(overwritten),
        "lines in the ledgers": there.total(),
    }


def _claims(record: Record, stored: Stored, report: Report) -> None:
    report.wrong += [f"a claim is open at the end: {one}" for one in stored.open_claims]
    by_ledger = defaultdict(list)
    for one in record.held:
        by_ledger[one.ledger].append(one)
    both = 0
    for ledger, spans in by_ledger.items():
        spans.sort(key=lambda one: one.since)
        for place, first in enumerate(spans):
            for second in spans[place + 1 :]:
                if second.since >= first.until:
                    break
                if second.agent != first.agent:
                    both += 1
                    report.wrong.append(
                        f"{ledger} was held by {first.agent} and {second.agent} at once"
                    )
    report.figures |= {"claims held": len(record.held), "  by two at once": both}


def _items(record: Record, stored: Stored, report: Report) -> None:
    finishers: dict[int, list[str]] = defaultdict(list)
    for act in record.acts:
        if act.act == "done":
            finishers[act.number].append(act.agent)
    report.wrong += [
        f"work item {number} was finished by {', '.join(names)}"
        for number, names in finishers.items()
        if len(names) > 1
    ]
    report.wrong += list(_second_owners(record.acts))
    for item in stored.items:
        by = finishers.get(item.number, [])
        if item.state != "done":
            report.wrong.append(f"work item {item.number} is {item.state} at the end")
        elif by != [item.owner]:
            report.wrong.append(
                f"work item {item.number} is done by {item.owner}, in the record by {by}"
            )
    missing = finishers.keys() - {item.number for item in stored.items}
    report.wrong += [f"work item {number} is finished and not stored" for number in missing]
    counts = Counter(act.act for act in record.acts)
    report.figures |= {
        "work items": len(stored.items),
        "  done": sum(item.state == "done" for item in stored.items),
        "  taken": counts["took"],
        "  given back": counts["back"],
        "  takes refused": counts["take refused"],
        "  done of another's refused": counts["done refused"],
    }


def _second_owners(acts: list[Act]) -> Iterator[str]:
    """Yield items that an agent got while another one had them."""
    owner: dict[int, str] = {}
    for act in acts:
        if act.act == "took":
            has = owner.get(act.number, act.agent)
            if has != act.agent:
                yield f"two owners: work item {act.number} of {has} and {act.agent}"
            owner[act.number] = act.agent
        elif act.act == "back":
            owner.pop(act.number, None)
