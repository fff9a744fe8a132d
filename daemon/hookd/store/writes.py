"""Writing effects: one statement or two for each, all in the transaction of the answer."""

import json
import sqlite3
from dataclasses import dataclass
from typing import Any, assert_never

from hookd.core import effects as fx
from hookd.core import redaction
from hookd.core.redaction import Record, redact, redact_json


@dataclass(frozen=True, slots=True)
class Event:
    """A hook event with its answer, as it is kept; `result` and `answer` are JSON texts."""

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
    result: str | None = None
    delivery_key: str | None = None


def record(db: sqlite3.Connection, event: Event) -> None:
    """Keep one event; its session was heard from."""
    db.execute(
        "INSERT INTO events (id, at, event, session_id, claude_session_id, agent_id, tool_name,"
        " tool_use_id, prompt_id, decision, rule, payload, payload_sha256, answer, result,"
        " delivery_key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            event.id, event.at, _clean(event.event), event.session_id, event.claude_session_id,
            event.agent_id, _clean(event.tool_name), _clean(event.tool_use_id),
            _clean(event.prompt_id), event.decision,
            event.rule, event.record.text, event.record.sha256,
            redact_json(event.answer) if event.answer else None,
            redact_json(event.result) if event.result else None,
            event.delivery_key,
        ),
    )  # fmt: skip
    if event.session_id is not None:
        db.execute(
            "UPDATE sessions SET last_event_at = ? WHERE id = ?", (event.at, event.session_id)
        )


def _clean(text: str | None) -> str | None:
    # Ids of the client's making; whoever else sends events may put anything there.
    return redact(text) if text and len(text) > _ID else text


def write(db: sqlite3.Connection, effect: fx.RowEffect, at: str) -> None:
    """Write one effect, at the time `at`."""
    for sql, args in _statements(effect, at):
        db.execute(sql, args)


_ID = 36  # characters of a UUID
_Statement = tuple[str, tuple[Any, ...]]


def _statements(effect: fx.RowEffect, at: str) -> tuple[_Statement, ...]:  # noqa: C901, PLR0911, PLR0912
    match effect:
        case fx.OpenProject():
            sql = "INSERT INTO projects (id, path, name, created_at) VALUES (?, ?, ?, ?)"
            return ((sql, (effect.id, effect.path, effect.name, at)),)
        case fx.OpenTask():
            sql = "INSERT INTO tasks (dir_path, project_id, title, created_at) VALUES (?, ?, ?, ?)"
            return ((sql, (effect.dir_path, effect.project_id, redact(effect.title), at)),)
        case fx.StartEffort():
            return _start_effort(effect, at)
        case fx.BindSessions():
            return _bind_sessions(effect)
        case fx.FinishEffort():
            return _finish_effort(effect, at)
        case fx.OpenSession():
            return _open_session(effect, at)
        case fx.EndSession():
            return _end_session(effect, at)
        case fx.SetHeartbeat():
            sql = (
                "UPDATE sessions SET heartbeat_counter = ?, last_counted = ?, last_heartbeat = ?"
                " WHERE id = ?"
            )
            return ((sql, (effect.count, effect.last_counted, at, effect.session_id)),)
        case fx.SetContextUsage():
            sql = (
                "UPDATE sessions SET context_usage = ?, context_source = ?,"
                " cost = coalesce(?, cost) WHERE id = ?"
            )
            return ((sql, (effect.usage, effect.source, effect.cost, effect.session_id)),)
        case fx.SetLoadedFiles():
            sql = "UPDATE sessions SET loaded_files_json = ? WHERE id = ?"
            return ((sql, (json.dumps(effect.files), effect.session_id)),)
        case fx.RegisterAgent():
            return _register_agent(effect, at)
        case fx.SetAgentStatus():
            sql = "UPDATE agents SET status = ?, status_event_id = ?, status_at = ? WHERE id = ?"
            return ((sql, (effect.status, effect.event_id, at, effect.id)),)
        case fx.AddMessage():
            return _add_message(effect, at)
        case fx.AddGuard():
            return _add_guard(effect, at)
        case fx.RemoveGuard():
            return (("DELETE FROM guards WHERE id = ?", (effect.id,)),)
        case fx.Remember():
            sql = "INSERT OR REPLACE INTO policy_state VALUES (?, ?, ?, ?)"
            return ((sql, (effect.session_id, effect.policy, json.dumps(effect.value), at)),)
        case _:
            assert_never(effect)


def _start_effort(effect: fx.StartEffort, at: str) -> tuple[_Statement, ...]:
    sql = (
        "INSERT INTO efforts (id, task_id, project_id, skill, mode, ordinal, metadata_json,"
        " created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    )
    metadata = redaction.record(dict(effect.metadata)).text
    args = (
        effect.id, effect.task_dir, effect.project_id, effect.skill, effect.mode, effect.ordinal,
        metadata, at,
    )  # fmt: skip
    owner = "UPDATE agents SET effort_id = ? WHERE id = ?"
    return ((sql, args), (owner, (effect.id, effect.agent)))


def _bind_sessions(effect: fx.BindSessions) -> tuple[_Statement, ...]:
    if effect.session_id is not None:
        sql = "UPDATE sessions SET effort_id = ? WHERE id = ?"
        return ((sql, (effect.effort_id, effect.session_id)),)
    sql = (
        "UPDATE sessions SET effort_id = ? WHERE ended_at IS NULL AND agent_id IS NULL"
        " AND project_id = ? AND owner IS ?"
    )
    return ((sql, (effect.effort_id, effect.project_id, effect.owner)),)


def _finish_effort(effect: fx.FinishEffort, at: str) -> tuple[_Statement, ...]:
    return (
        (
            "UPDATE efforts SET lifecycle = 'finished', finished_at = ? WHERE id = ?",
            (at, effect.id),
        ),
        ("UPDATE agents SET effort_id = NULL WHERE effort_id = ?", (effect.id,)),
        (
            "UPDATE sessions SET effort_id = NULL WHERE effort_id = ? AND ended_at IS NULL",
            (effect.id,),
        ),
    )


def _open_session(effect: fx.OpenSession, at: str) -> tuple[_Statement, ...]:
    sql = (
        "INSERT INTO sessions (id, claude_session_id, agent_id, agent_type, owner, project_id,"
        " effort_id, parent_session_id, prev_session_id, source, model, pid, cwd, transcript_path,"
        " created_at, last_event_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    )
    args = (
        effect.id, effect.claude_session_id, effect.agent_id, effect.agent_type, effect.owner,
        effect.project_id, effect.effort_id, effect.parent_session_id, effect.prev_session_id,
        effect.source, effect.model, effect.pid, _clean(effect.cwd),
        _clean(effect.transcript_path), at, at,
    )  # fmt: skip
    return ((sql, args),)


def _end_session(effect: fx.EndSession, at: str) -> tuple[_Statement, ...]:
    sql = (
        "UPDATE sessions SET ended_at = ?, end_reason = ?"
        " WHERE (id = ? OR parent_session_id = ?) AND ended_at IS NULL"
    )
    ended = (at, effect.reason, effect.id, effect.id)
    return ((sql, ended), ("DELETE FROM policy_state WHERE session_id = ?", (effect.id,)))


def _register_agent(effect: fx.RegisterAgent, at: str) -> tuple[_Statement, ...]:
    sql = (
        "INSERT INTO agents (id, label, claims, targeted_claims, manages, parent, tmux_pane,"
        " created_at) VALUES (?1, ?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (id) DO UPDATE SET"
        " claims = coalesce(excluded.claims, claims),"
        " targeted_claims = coalesce(excluded.targeted_claims, targeted_claims),"
        " manages = coalesce(excluded.manages, manages),"
        " parent = coalesce(excluded.parent, parent),"
        " tmux_pane = coalesce(excluded.tmux_pane, tmux_pane)"
    )
    args = (
        effect.id, _clean(effect.claims), _clean(effect.targeted_claims),
        _clean(effect.manages), _clean(effect.parent), effect.tmux_pane, at,
    )  # fmt: skip
    return ((sql, args),)


def _add_message(effect: fx.AddMessage, at: str) -> tuple[_Statement, ...]:
    sql = (
        "INSERT OR IGNORE INTO messages (session_id, effort_id, role, content, tool_name, ref,"
        " timestamp) VALUES (?, ?, ?, ?, ?, ?, ?)"
    )
    args = (
        effect.session_id, effect.effort_id, effect.role, redact(effect.content), effect.tool_name,
        effect.ref, at,
    )  # fmt: skip
    return ((sql, args),)


def _add_guard(effect: fx.AddGuard, at: str) -> tuple[_Statement, ...]:
    place = (effect.rule_id, effect.scope, effect.project_id, effect.effort_id)
    return (
        (
            "DELETE FROM guards WHERE rule_id = ? AND scope = ? AND project_id IS ?"
            " AND effort_id IS ?",
            place,
        ),
        (
            "INSERT INTO guards (id, rule_id, scope, project_id, effort_id, rule_json, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (effect.id, *place, effect.rule, at),
        ),
    )
