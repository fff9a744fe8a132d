"""Writing what happens to sessions."""

import json
import posixpath
from typing import assert_never

from hookd.core.model.effects.sessions import (
    AddDir,
    AddSeen,
    EndSession,
    ForgetFile,
    OfferHandover,
    OpenSession,
    Remember,
    ReserveHandover,
    SaveHandover,
    SeeProcess,
    SetBranch,
    SetContextUsage,
    SetCwd,
    SetFirstPrompt,
    SetHeartbeat,
    SetLoadedFiles,
    SetModel,
    SetSessionStatus,
)
from hookd.core.model.effects.union import SessionEffect
from hookd.redaction.redact import redact, redact_json
from hookd.store.writes.claims import SESSION_ENDED, WITHOUT_SESSION
from hookd.store.writes.statements import Statement, clean, columns

# Both lists with more behind them, each text once.
_ADD_SEEN = (
    "UPDATE sessions SET preloaded_files_json = (SELECT json_group_array(value) FROM"
    "  (SELECT value FROM (SELECT value, key AS place FROM json_each(preloaded_files_json)"
    "   UNION ALL SELECT value, key + 1000000 FROM json_each(?))"
    "   GROUP BY value ORDER BY min(place))),"
    " touched_dirs_json = (SELECT json_group_array(value) FROM"
    "  (SELECT value FROM (SELECT value, key AS place FROM json_each(touched_dirs_json)"
    "   UNION ALL SELECT value, key + 1000000 FROM json_each(?))"
    "   GROUP BY value ORDER BY min(place)))"
    " WHERE id = ?"
)

# The open windows of a conversation: its own, and those of the subagents that run in it.
_CONVERSATION = (
    " WHERE ended_at IS NULL AND claude_session_id ="
    " (SELECT own.claude_session_id FROM sessions own WHERE own.id = ?1)"
)
_ADD_DIR = (
    # What was touched there before it was added was not looked into.
    "UPDATE sessions SET added_dirs_json = json_insert(added_dirs_json, '$[#]', ?2),"
    " touched_dirs_json = (SELECT json_group_array(value) FROM"
    "  (SELECT value FROM json_each(touched_dirs_json)"
    "   WHERE substr(value || '/', 1, length(?2) + 1) <> ?2 || '/' ORDER BY key))"
)
_NEW_DIR = "NOT EXISTS (SELECT 1 FROM json_each(added_dirs_json) WHERE value = ?2)"
_FORGET_FILE = (
    "UPDATE sessions SET"
    " loaded_files_json = (SELECT json_group_array(value) FROM"
    "  (SELECT value FROM json_each(loaded_files_json) WHERE value <> ?2 ORDER BY key)),"
    " preloaded_files_json = (SELECT json_group_array(value) FROM"
    "  (SELECT value FROM json_each(preloaded_files_json) WHERE value <> ?2 ORDER BY key)),"
    " touched_dirs_json = (SELECT json_group_array(value) FROM"
    "  (SELECT value FROM json_each(touched_dirs_json) WHERE value <> ?3 ORDER BY key))"
)

_GOES_ON = frozenset({"compact", "restart", "superseded", "idle"})
"""Reasons for which a session ends and its conversation may continue in another one."""

# The client reports the cost of a conversation so far. The next window of it, and a conversation
# after /clear, may continue that number or begin at zero again: less than before is a new count.
# A window in between may have reported nothing. Another client process begins at zero, unless it
# resumes the conversation.
_COST = (
    "INSERT INTO costs (day, session_id, usd)"
    " WITH RECURSIVE chain (cost, before, conversation, process, steps) AS ("
    "  SELECT cost, prev_session_id, claude_session_id, client_process, 0 FROM sessions"
    "   WHERE id = ?3"
    "  UNION ALL SELECT p.cost, p.prev_session_id, p.claude_session_id, p.client_process, steps + 1"
    "   FROM chain JOIN sessions p ON p.id = chain.before"
    "   WHERE chain.cost IS NULL AND steps < 100 AND (p.claude_session_id = conversation OR"
    "    p.client_process IS NULL OR process IS NULL OR p.client_process = process)),"
    " last (was, found) AS (SELECT coalesce(max(cost), 0.0), count(*) FROM chain)"
    " SELECT ?1, ?3, iif(?2 >= was, ?2 - was, ?2) FROM last WHERE found AND ?2 <> was"
    " ON CONFLICT (day, session_id) DO UPDATE SET usd = usd + excluded.usd"
)

CONTEXT_CHANGED = (
    "INSERT OR REPLACE INTO context_history (session_id, at, usage)"
    " SELECT id, coalesce(?3, last_event_at), ?2 FROM sessions WHERE id = ?1 AND ?2 IS NOT NULL"
    " AND CAST(?2 * 100 AS INTEGER) IS NOT CAST(context_usage * 100 AS INTEGER)"
)
"""Record a session's new context usage, before it is set, if it is another percent.

The parameters are the session, the usage, and the time; None: that of the session's last event.
"""

_FORGET = (
    "DELETE FROM policy_state WHERE session_id IN"
    " (SELECT ?1 UNION ALL SELECT id FROM sessions WHERE parent_session_id = ?1)"
    " AND NOT (lasts AND ?2)"
)
_HAND_ON = (
    "UPDATE OR REPLACE policy_state SET session_id = ?1 WHERE lasts AND session_id IN"
    " (SELECT id FROM sessions WHERE claude_session_id = ?2 AND agent_id IS ?3 AND id < ?1)"
)


def statements(effect: SessionEffect, at: str) -> tuple[Statement, ...]:  # noqa: C901, PLR0911, PLR0912
    """Return what writes one effect."""
    match effect:
        case OpenSession():
            return _open_session(effect, at)
        case EndSession():
            return _end_session(effect, at)
        case SeeProcess():
            return (("UPDATE sessions SET process_seen = 1 WHERE id = ?", (effect.session_id,)),)
        case SetHeartbeat():
            sql = (
                "UPDATE sessions SET heartbeat_counter = ?, last_counted = ?, last_heartbeat = ?,"
                " tool_calls = tool_calls + ? WHERE id = ?"
            )
            args = (effect.count, effect.last_counted, at, effect.calls, effect.session_id)
            return ((sql, args),)
        case SetContextUsage():
            sql = (
                "UPDATE sessions SET context_usage = ?, context_source = ?,"
                " cost = coalesce(?, cost), window_tokens = coalesce(?, window_tokens)"
                " WHERE id = ?"
            )
            known = (effect.usage, _redacted(effect.source), effect.cost, effect.window)
            changed = (CONTEXT_CHANGED, (effect.session_id, effect.usage, at))
            update = (sql, (*known, effect.session_id))
            if effect.cost is None:
                return changed, update
            return changed, (_COST, (at[:10], effect.cost, effect.session_id)), update
        case SetLoadedFiles() | AddSeen() | AddDir() | ForgetFile():
            return (_had(effect),)
        case SetModel():
            # How much the window holds, and how full it is, was measured for the model before.
            sql = (
                "UPDATE sessions SET model = ?1, window_tokens = iif(model IS ?1, window_tokens,"
                " NULL), context_usage = iif(model IS ?1, context_usage, NULL), context_source ="
                " iif(model IS ?1, context_source, NULL) WHERE id = ?2"
            )
            return ((sql, (redact(effect.model), effect.session_id)),)
        case SetSessionStatus() | SetBranch() | SetFirstPrompt():
            return (_shown(effect, at),)
        case SetCwd():
            sql = "UPDATE sessions SET cwd = ? WHERE id = ?"
            return ((sql, (_redacted(effect.cwd), effect.session_id)),)
        case SaveHandover():
            sql = (
                "UPDATE sessions SET handover_json = ?, handover_at = ?, handover_offers = 0,"
                " handover_delivered_at = NULL WHERE id = ?"
            )
            return ((sql, (redact_json(effect.payload), at, effect.session_id)),)
        case OfferHandover():
            sql = "UPDATE sessions SET handover_offers = handover_offers + 1 WHERE id = ?"
            return ((sql, (effect.session_id,)),)
        case ReserveHandover():
            return _reserve_handover(effect)
        case Remember():
            return (_remember(effect, at),)
        case _:
            assert_never(effect)


def _reserve_handover(effect: ReserveHandover) -> tuple[Statement, ...]:
    """Return what reserves a handover; its parts that wait for another window are withdrawn."""
    run = "UPDATE sessions SET handover_run = ?2"
    if effect.run is None:
        return ((f"{run} WHERE id = ?1", (effect.session_id, None)),)
    again = f"{run}, handover_offers = 0, handover_delivered_at = NULL WHERE id = ?1"
    waiting = "DELETE FROM injections WHERE handover_of = ? AND delivered_at IS NULL"
    return (again, (effect.session_id, effect.run)), (waiting, (effect.session_id,))


def _shown(effect: SetSessionStatus | SetBranch | SetFirstPrompt, at: str) -> Statement:
    """Return what keeps something that the fleet shows of a window."""
    match effect:
        case SetSessionStatus():
            sql = (
                "UPDATE sessions SET status = ?, status_event_id = ?, status_at = ?"
                " WHERE id = ? AND ended_at IS NULL"
            )
            return sql, (effect.status, effect.event_id, at, effect.session_id)
        case SetBranch():
            sql = "UPDATE sessions SET branch = ? WHERE id = ?"
            return sql, (_redacted(effect.branch), effect.session_id)
        case SetFirstPrompt():
            sql = "UPDATE sessions SET first_prompt = ? WHERE id = ?"
            return sql, (_redacted(effect.text), effect.session_id)
        case _:
            assert_never(effect)


def _had(
    effect: SetLoadedFiles | AddSeen | AddDir | ForgetFile,
) -> Statement:
    """Return what keeps which files and folders a window has had."""
    match effect:
        case SetLoadedFiles():
            sql = "UPDATE sessions SET loaded_files_json = ? WHERE id = ?"
            return sql, (json.dumps(effect.files), effect.session_id)
        case AddSeen():
            files, folders = json.dumps(effect.files), json.dumps(effect.dirs)
            return _ADD_SEEN, (files, folders, effect.session_id)
        case AddDir():
            sql = f"{_ADD_DIR}{_CONVERSATION} AND {_NEW_DIR}"
            return sql, (effect.session_id, effect.path)
        case ForgetFile():
            folder = posixpath.dirname(effect.path)
            sql = f"{_FORGET_FILE}{_CONVERSATION}"
            return sql, (effect.session_id, effect.path, folder)
        case _:
            assert_never(effect)


def _remember(effect: Remember, at: str) -> Statement:
    if effect.value is None:
        sql = "DELETE FROM policy_state WHERE session_id = ? AND policy = ?"
        return sql, (effect.session_id, effect.policy)
    values = {
        "session_id": effect.session_id,
        "policy": effect.policy,
        "value_json": json.dumps(effect.value),
        "lasts": effect.lasts,
        "updated_at": at,
    }
    return columns("policy_state", values, "INSERT OR REPLACE")


def _open_session(effect: OpenSession, at: str) -> tuple[Statement, ...]:
    values = {
        "id": effect.id,
        "claude_session_id": effect.claude_session_id,
        "agent_id": effect.agent_id,
        "agent_type": _redacted(effect.agent_type),
        "owner": effect.owner,
        "project_id": effect.project_id,
        "effort_id": effect.effort_id,
        "parent_session_id": effect.parent_session_id,
        "prev_session_id": effect.prev_session_id,
        "source": _redacted(effect.source),
        "model": _redacted(effect.model),
        "pid": effect.pid,
        "cwd": _redacted(effect.cwd),
        "transcript_path": _redacted(effect.transcript_path),
        "own_effort": effect.own_effort,
        "run": clean(effect.run),
        "status": effect.status,
        "status_at": at,
        "tmux_pane": effect.tmux_pane,
        "tmux_socket": _redacted(effect.tmux_socket),
        "tmux_server": effect.tmux_server,
        "branch": _redacted(effect.branch),
        "first_prompt": _redacted(effect.first_prompt),
        "client_process": effect.client_process,
        "messaging_socket": effect.messaging_socket,
        "created_at": at,
        "last_event_at": at,
    }
    opened = columns("sessions", values)
    return (
        opened,
        (_HAND_ON, (effect.id, effect.claude_session_id, effect.agent_id)),
        *(((WITHOUT_SESSION, (at,)),) if effect.agent_id is None else ()),
    )


def _end_session(effect: EndSession, at: str) -> tuple[Statement, ...]:
    sql = (
        "UPDATE sessions SET ended_at = ?1, end_reason = ?2, status_at = ?1,"
        " status_event_id = NULL, status = iif(?2 = 'idle', 'idle', 'done')"
        " WHERE (id = ?3 OR parent_session_id = ?3) AND ended_at IS NULL"
    )
    ended = (at, _redacted(effect.reason), effect.id)
    lasting = effect.reason in _GOES_ON
    done = (sql, ended), (_FORGET, (effect.id, lasting))
    # What takes the place of this session opens in the same transaction, and looks then.
    follows = effect.reason in ("compact", "superseded")
    return done if follows else (*done, (SESSION_ENDED, (at, effect.id)))


def _redacted(text: str | None) -> str | None:
    return redact(text) if text else None
