"""Writing effects: one statement or two for each, all in the transaction of the answer."""

import sqlite3
from collections.abc import Iterable

from hookd.core.hook_rules.model import HookRun
from hookd.core.model.effects.union import (
    AfterCommitEffect,
    ClaimEffect,
    Effect,
    EffortEffect,
    FleetEffect,
    FleetItemEffect,
    MailEffect,
    MessageEffect,
    OwnCallEffect,
    RowEffect,
    SessionEffect,
    WorkEffect,
)
from hookd.lazy_dataclass import dataclass
from hookd.redaction.redact import Record, redact_json
from hookd.store.writes import (
    claims,
    efforts,
    fleet,
    fleet_items,
    forget,
    hook_runs,
    mail,
    messages,
    own_calls,
    sessions,
    work_items,
)
from hookd.store.writes.statements import Statement, clean

__all__ = ["Event", "commands", "record", "repeated", "settle", "took", "write", "written"]


@dataclass(frozen=True, slots=True)
class Event:
    """A hook event with its answer, as it is stored; `result` and `answer` are JSON texts.

    `rewrites`: the answer contains another input of the tool. `resolved` are the facts from outside
    the database, as JSON text.
    """

    id: int
    at: str
    event: str
    record: Record
    session_id: int | None = None
    claude_session_id: str | None = None
    agent_id: str | None = None
    tool_name: str | None = None
    tool_use_id: str | None = None
    prompt_id: str | None = None
    decision: str | None = None
    rule: str | None = None
    answer: str | None = None
    rewrites: bool = False
    result: str | None = None
    delivery_key: str | None = None
    kind: str = "hook"
    facts: str | None = None
    pending: bool = False
    duration_us: int | None = None
    stages: str | None = None
    resolved: str | None = None
    client: str | None = None
    client_version: str | None = None


def record(db: sqlite3.Connection, event: Event) -> None:
    """Store one event, and its time in its session."""
    answer, result = _redacted(event)
    db.execute(
        "INSERT INTO events (id, at, event, session_id, claude_session_id, agent_id, tool_name,"
        " tool_use_id, prompt_id, decision, decided_by, payload, payload_sha256, answer, result,"
        " delivery_key, kind, facts_json, pending, duration_us, stages, resolved_json)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            event.id, event.at, clean(event.event), event.session_id, event.claude_session_id,
            event.agent_id, clean(event.tool_name), clean(event.tool_use_id),
            clean(event.prompt_id), event.decision,
            event.rule, event.record.text, event.record.sha256,
            answer, result,
            _once(event, answer), event.kind, redact_json(event.facts) if event.facts else None,
            event.pending, event.duration_us, event.stages, event.resolved,
        ),
    )  # fmt: skip
    if event.record.body:
        kept = (event.id, event.record.size, event.record.body)
        db.execute("INSERT INTO bodies (event_id, size, zlib) VALUES (?, ?, ?)", kept)
    if event.session_id is not None:
        db.execute(
            "UPDATE sessions SET last_event_at = ?, client = coalesce(?, client),"
            " client_version = coalesce(?, client_version) WHERE id = ?",
            (event.at, event.client, event.client_version, event.session_id),
        )


def set_client_version(db: sqlite3.Connection, session_id: int, version: str) -> None:
    """Store the version of a session's client, unless its events name one."""
    sql = "UPDATE sessions SET client_version = ? WHERE id = ? AND client_version IS NULL"
    db.execute(sql, (version, session_id))


def settle(db: sqlite3.Connection, event: Event, runs: Iterable[HookRun], at: str) -> None:
    """Keep how an event ended that waited for the user's hooks, and what each of them did."""
    answer, result = _redacted(event)
    db.execute(
        "UPDATE events SET decision = ?, decided_by = ?, answer = ?, result = ?, facts_json = ?,"
        " pending = 0, delivery_key = ?, duration_us = ?, stages = ?, resolved_json = ?"
        " WHERE id = ?",
        (
            event.decision, event.rule, answer, result,
            redact_json(event.facts) if event.facts else None, _once(event, answer),
            event.duration_us, event.stages, event.resolved, event.id,
        ),
    )  # fmt: skip
    for run in runs:
        hook_runs.keep(db, event.id, run, at)


def _redacted(event: Event) -> tuple[str | None, str | None]:
    """Return the answer and the result of an event without their secrets."""
    result = redact_json(event.result) if event.result else None
    if not event.answer:
        return None, result
    if result and result == event.result and event.answer in result:
        return event.answer, result  # the result has no secret, so this part of it has none
    return redact_json(event.answer), result


def took(db: sqlite3.Connection, rows: Iterable[tuple[int, str, int]]) -> None:
    """Store how long events took in all: microseconds, those of the stages, the number of each."""
    db.executemany("UPDATE events SET duration_us = ?, stages = ? WHERE id = ?", rows)


def repeated(db: sqlite3.Connection, number: int, at: str) -> None:
    """Count a delivery that repeated an event and got its answer."""
    db.execute(
        "UPDATE events SET repeats = repeats + 1, repeated_at = ? WHERE id = ?", (at, number)
    )


def _once(event: Event, kept: str | None) -> str | None:
    """Return the key by which the answer, as it is kept, is found again; None where it must not be.

    A deferred call comes again to be judged, and a rewritten one with secrets is kept without them.
    """
    if event.decision == "defer":
        return None
    if event.rewrites and kept != event.answer:
        return None
    return event.delivery_key


def write(db: sqlite3.Connection, effect: RowEffect, at: str) -> None:
    """Write one effect, at the time `at`."""
    # The most frequent kinds come first: comparing with the kinds of a union takes time.
    if isinstance(effect, SessionEffect):
        _execute(db, sessions.statements(effect, at))
    elif isinstance(effect, MessageEffect):
        _execute(db, messages.statements(effect, at))
    elif isinstance(effect, EffortEffect):
        _execute(db, efforts.statements(effect, at))
    elif isinstance(effect, ClaimEffect):
        _execute(db, claims.statements(effect, at))
    elif isinstance(effect, OwnCallEffect):
        _execute(db, own_calls.statements(effect, at))
    elif isinstance(effect, WorkEffect):
        _execute(db, work_items.statements(effect, at))
    elif isinstance(effect, MailEffect):
        mail.write(db, effect, at)
    elif isinstance(effect, FleetEffect):
        fleet.write(db, effect, at)
    elif isinstance(effect, FleetItemEffect):
        fleet_items.write(db, effect, at)
    else:
        forget.forget(db, effect.session_id)


def written(
    db: sqlite3.Connection, effects: tuple[Effect, ...], at: str
) -> tuple[AfterCommitEffect, ...]:
    """Write the effects that are rows; return those that wait for the commit."""
    late: list[AfterCommitEffect] = []
    for effect in effects:
        if isinstance(effect, AfterCommitEffect):
            late.append(effect)
        else:
            write(db, effect, at)
    return tuple(late)


def _execute(db: sqlite3.Connection, statements: tuple[Statement, ...]) -> None:
    for sql, args in statements:
        db.execute(sql, args)
