"""Writing what is said, to whom it goes, and who may do what."""

import json
from collections.abc import Iterator
from typing import assert_never

from hookd.core.model.effects.messages import (
    AddAllowance,
    AddGuard,
    AddInjection,
    AddMessage,
    ChangeTodo,
    ConfirmInjections,
    ForgetTeamFiles,
    LoseAnswer,
    MoveInjections,
    OfferInjections,
    Pause,
    RecountEvents,
    RegisterAgent,
    RemoveAgent,
    RemoveAllowances,
    RemoveGuard,
    ReportMissedEvents,
    SetAgentStatus,
    SetFileRules,
    SetTodo,
    SetTodoList,
    Trust,
)
from hookd.core.model.effects.union import MessageEffect
from hookd.redaction.redact import redact
from hookd.store.maintenance import MARK_REPORTED, MARK_UNREPORTED, RECOUNT
from hookd.store.writes.statements import Statement, clean, columns


def statements(effect: MessageEffect, at: str) -> tuple[Statement, ...]:  # noqa: C901, PLR0911, PLR0912
    """Return what writes one effect."""
    match effect:
        case RegisterAgent():
            return _register_agent(effect, at)
        case RemoveAgent():
            return (("DELETE FROM agents WHERE id = ?", (effect.id,)),)
        case SetAgentStatus():
            status = (effect.status, effect.event_id, at, effect.id)
            return ((_AGENT_STATUS, status), (_WINDOW_STATUS, status))
        case AddMessage():
            return _add_message(effect, at)
        case SetTodo() | ChangeTodo() | SetTodoList():
            return tuple(_todos(effect, at))
        case AddInjection():
            return (_add_injection(effect, at),)
        case OfferInjections():
            return _offer_injections(effect, at)
        case MoveInjections():
            args = (effect.to, effect.session_id)
            return ((_MOVE + _WAIT, args), (_MOVE + _OUT, args))
        case ConfirmInjections():
            return _confirm_injections(effect, at)
        case LoseAnswer():
            return _lose_answer(effect)
        case AddGuard():
            return _add_guard(effect, at)
        case Trust():
            return _trust(effect, at)
        case Pause():
            return _pause(effect)
        case ReportMissedEvents():
            return ((MARK_REPORTED, (at, effect.event_id)),)
        case AddAllowance():
            return (_allow(effect, at),)
        case RemoveAllowances():
            return (("DELETE FROM allowances WHERE event_id = ?", (effect.event_id,)),)
        case SetFileRules():
            return _set_file_rules(effect, at)
        case ForgetTeamFiles():
            return tuple((sql, (json.dumps(effect.paths),)) for sql in _FORGET)
        case RecountEvents():
            return tuple((sql, ()) for sql in RECOUNT)
        case RemoveGuard():
            return (("DELETE FROM guards WHERE id = ?", (effect.id,)),)
        case _:
            assert_never(effect)


# The conditions of the indexes injections_waiting and injections_offered.
_WAIT = "delivered_at IS NULL AND offered_at IS NULL AND offers < 3"
_OUT = "delivered_at IS NULL AND offered_at IS NOT NULL"

# Mail moves with its conversation only: see MoveMail.
_MOVE = (
    "UPDATE injections SET session_id = ?, offered_at = NULL WHERE session_id = ?"
    " AND mail_id IS NULL AND "
)
_AGENT_STATUS = "UPDATE agents SET status = ?, status_event_id = ?, status_at = ? WHERE id = ?"
_WINDOW_STATUS = (
    "UPDATE sessions SET status = ?, status_event_id = ?, status_at = ? WHERE ended_at IS NULL"
    " AND id = (SELECT max(x.id) FROM sessions x WHERE x.owner = ? AND x.agent_id IS NULL)"
)
_REGISTER = (
    "INSERT INTO agents (id, label, claims, targeted_claims, manages, parent, tmux_pane,"
    " created_at, tmux_socket, tmux_server) VALUES (?1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"
    " ON CONFLICT (id) DO UPDATE SET"
    " claims = coalesce(excluded.claims, claims),"
    " targeted_claims = coalesce(excluded.targeted_claims, targeted_claims),"
    " manages = coalesce(excluded.manages, manages),"
    " parent = coalesce(excluded.parent, parent),"
    " tmux_pane = iif(?10, excluded.tmux_pane, coalesce(excluded.tmux_pane, tmux_pane)),"
    " tmux_socket = iif(?10, excluded.tmux_socket, coalesce(excluded.tmux_socket, tmux_socket)),"
    " tmux_server = iif(?10 OR excluded.tmux_pane IS NOT NULL, excluded.tmux_server, tmux_server)"
)


def _register_agent(effect: RegisterAgent, at: str) -> tuple[Statement, ...]:
    parent, socket = (text and redact(text) for text in (effect.parent, effect.tmux_socket))
    args = (
        effect.id, clean(effect.claims), clean(effect.targeted_claims), clean(effect.manages),
        parent, effect.tmux_pane, at, socket, effect.tmux_server, effect.here,
    )  # fmt: skip
    return ((_REGISTER, args),)


def _add_message(effect: AddMessage, at: str) -> tuple[Statement, ...]:
    sql = (
        "INSERT OR IGNORE INTO messages (session_id, effort_id, role, content, tool_name, ref,"
        " timestamp) VALUES (?, ?, ?, ?, ?, ?, ?)"
    )
    args = (
        effect.session_id, effect.effort_id, effect.role, redact(effect.content),
        clean(effect.tool_name), clean(effect.ref), at,
    )  # fmt: skip
    return ((sql, args),)


def _set_todo(effect: SetTodo, at: str) -> Statement:
    values = {
        "session_id": effect.session_id,
        "todo_id": clean(effect.todo_id),
        "subject": redact(effect.subject),
        "description": None if effect.description is None else redact(effect.description),
        "status": effect.status,
        "updated_at": at,
    }
    return columns("todos", values, "INSERT OR REPLACE")


# The list is the conversation's: the item may have been made in an earlier window of it.
_CHANGE_TODO = (
    "INSERT OR REPLACE INTO todos (session_id, todo_id, subject, description, status, updated_at)"
    " SELECT ?1, t.todo_id, coalesce(?2, t.subject), t.description, coalesce(?3, t.status), ?4"
    " FROM todos t JOIN sessions s ON s.id = t.session_id JOIN sessions own ON own.id = ?1"
    " WHERE t.todo_id = ?5 AND s.claude_session_id = own.claude_session_id"
    " ORDER BY t.session_id DESC LIMIT 1"
)


_FORGET_LIST = (
    "DELETE FROM todos WHERE todo_id GLOB 'list-*' AND session_id IN (SELECT s.id"
    " FROM sessions s JOIN sessions own ON own.id = ?"
    " WHERE s.claude_session_id = own.claude_session_id AND s.agent_id IS own.agent_id)"
)


def _change_todo(effect: ChangeTodo, at: str) -> Statement:
    subject = None if effect.subject is None else redact(effect.subject)
    return _CHANGE_TODO, (effect.session_id, subject, effect.status, at, clean(effect.todo_id))


def _trust(effect: Trust, at: str) -> tuple[Statement, ...]:
    delete = ("DELETE FROM trusts WHERE root = ?", (effect.root,))
    if effect.digest is None:
        return (delete,)
    values = {"root": effect.root, "digest": effect.digest, "created_at": at}
    return (delete, columns("trusts", values))


def _allow(effect: AddAllowance, at: str) -> Statement:
    values = {
        "guard": effect.guard,
        "call": effect.key,
        "tool": clean(effect.tool),
        "text": redact(effect.text),
        "folder": clean(effect.folder) or None,
        "event_id": effect.event_id,
        "until": effect.until,
        "created_at": at,
    }
    return columns("allowances", values, "INSERT OR REPLACE")


def _pause(effect: Pause) -> tuple[Statement, ...]:
    delete = ("DELETE FROM meta WHERE key IN ('paused_until', 'paused_by')", ())
    if effect.until is None:
        return (delete,)
    until = columns("meta", {"key": "paused_until", "value": effect.until})
    if not effect.source:
        return (delete, until)
    return (delete, until, columns("meta", {"key": "paused_by", "value": effect.source}))


def _todos(effect: SetTodo | ChangeTodo | SetTodoList, at: str) -> Iterator[Statement]:
    if isinstance(effect, SetTodo):
        yield _set_todo(effect, at)
    elif isinstance(effect, ChangeTodo):
        yield _change_todo(effect, at)
    else:
        yield (_FORGET_LIST, (effect.session_id,))
        for number, (subject, status) in enumerate(effect.items, 1):
            one = SetTodo(effect.session_id, f"list-{number:03}", subject, None, status)
            yield _set_todo(one, at)


def _add_injection(effect: AddInjection, at: str) -> Statement:
    out = effect.offered_by is not None
    values = {
        "session_id": effect.session_id,
        "source": effect.rule_id,
        "content": redact(effect.content),
        "path": effect.path,
        "handover_of": effect.handover_of,
        "offers": int(out),
        "offered_by": effect.offered_by,
        "offered_at": at if out else None,
        "created_at": at,
    }
    return columns("injections", values)


def _offer_injections(effect: OfferInjections, at: str) -> tuple[Statement, ...]:
    sql = "UPDATE injections SET offers = offers + 1, offered_at = ?, offered_by = ? WHERE id = ?"
    return tuple((sql, (at, effect.event_id, number)) for number in effect.ids)


def _confirm_injections(effect: ConfirmInjections, at: str) -> tuple[Statement, ...]:
    """Deliver what was offered; a handover is delivered with the last of its pieces."""
    delivered = (
        "UPDATE injections SET delivered_at = ?1"
        " WHERE session_id = ?2 AND offered_at IS NOT NULL AND delivered_at IS NULL"
        " AND (?3 IS NULL OR id IN (SELECT value FROM json_each(?3)))"
        # An answer that waits for hooks is not sent yet, even if other events arrive.
        " AND NOT EXISTS (SELECT 1 FROM events e WHERE e.id = offered_by AND e.pending = 1)"
    )
    handed = (
        "UPDATE sessions SET handover_delivered_at = ?1 WHERE handover_delivered_at IS NULL"
        " AND id IN (SELECT handover_of FROM injections WHERE session_id = ?2"
        "  AND handover_of IS NOT NULL)"
        " AND NOT EXISTS (SELECT 1 FROM injections i WHERE i.session_id = ?2"
        "  AND i.handover_of = sessions.id AND i.delivered_at IS NULL)"
    )
    args = (at, effect.session_id)
    ids = None if effect.ids is None else json.dumps(effect.ids)
    return ((delivered, (*args, ids)), (handed, args))


def _lose_answer(effect: LoseAnswer) -> tuple[Statement, ...]:
    """Return texts to the queue: those of one answer, even if confirmed, or all in doubt."""
    if effect.event_id is None:
        sql = "UPDATE injections SET offered_at = NULL WHERE "
        return ((sql + _OUT, ()),)
    handed = (
        "UPDATE sessions SET handover_delivered_at = NULL WHERE id IN"
        " (SELECT handover_of FROM injections WHERE offered_by = ?)"
    )
    # Another event of the window may have confirmed it: that event was sent before this answer.
    waits = "UPDATE injections SET offered_at = NULL, delivered_at = NULL WHERE offered_by = ?"
    lost = "UPDATE events SET lost = 1 WHERE id = ?"
    return tuple((sql, (effect.event_id,)) for sql in (handed, waits, lost, MARK_UNREPORTED))


def _add_guard(effect: AddGuard, at: str) -> tuple[Statement, ...]:
    place = (effect.rule_id, effect.scope, effect.project_id, effect.effort_id)
    return (
        (
            "DELETE FROM guards WHERE name = ? AND scope = ? AND project_id IS ?"
            " AND effort_id IS ? AND source IS NULL",
            place,
        ),
        (
            "INSERT INTO guards (id, name, scope, project_id, effort_id, rule_json, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (effect.id, *place, effect.rule, at),
        ),
    )


_GIVEN = (
    "SELECT json_extract(value, '$[0]') AS name, json_extract(value, '$[1]') AS rule_json"
    " FROM json_each(?)"
)
_OTHERS = (
    "DELETE FROM guards WHERE source = ?"  # noqa: S608
    f" AND (name, rule_json) NOT IN ({_GIVEN})"
)
_ADD_RULES = (
    "INSERT OR IGNORE INTO guards (name, scope, project_id, rule_json, created_at, layer, source)"  # noqa: S608
    " SELECT name, ?, (SELECT id FROM projects WHERE path = ?), rule_json, ?, ?, ?"
    f" FROM ({_GIVEN})"
)
_FORGOTTEN = (
    "SELECT source FROM guards WHERE layer = 'team'"
    " AND source NOT IN (SELECT value FROM json_each(?))"
)
_FORGET = (
    f"DELETE FROM trusts WHERE root IN ({_FORGOTTEN})",  # noqa: S608
    f"DELETE FROM guards WHERE source IN ({_FORGOTTEN})",  # noqa: S608
)


def _set_file_rules(effect: SetFileRules, at: str) -> tuple[Statement, ...]:
    """Return the statements for a file's rules: an unchanged rule stays as it was confirmed."""
    path, root = effect.path, effect.root
    given = json.dumps(effect.rules if effect.digest else ())
    trust = _trust(Trust(path, effect.digest), at)
    others: Statement = (_OTHERS, (path, given))
    if not effect.digest:
        return (*trust, others)
    name = None if root is None else root.rpartition("/")[2] or root
    project: tuple[Statement, ...] = ()
    if root is not None:
        values = {"path": root, "name": name, "created_at": at}
        project = (columns("projects", values, "INSERT OR IGNORE"),)
    scope = "user" if root is None else "project"
    named = "SELECT value FROM json_each(?)"
    loosen = f"UPDATE guards SET loosens = 1 WHERE source = ? AND name IN ({named})"  # noqa: S608
    return (
        *trust,
        others,
        *project,
        (_ADD_RULES, (scope, root, at, effect.layer, path, given)),
        (loosen, (path, json.dumps(effect.loosen))),
    )
