"""What a decision asked for beyond the facts of every event, as far as the database knows it."""

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, assert_never

from pydantic import TypeAdapter

from hookd.core.efforts.phases import find_phase
from hookd.core.efforts.skill import Skill, skill_from_json
from hookd.core.model import (
    claim_requests,
    fact_requests,
    fleet_requests,
    mail_requests,
    work_requests,
)
from hookd.core.model.facts import Allowance, FactValue, Handover, KnownSkill, Prompt, Task, Todo
from hookd.store.facts import fleet, mail, own_calls, work_items
from hookd.store.facts.claims import files_held, open_claims
from hookd.store.facts.efforts import latest
from hookd.store.facts.rows import EFFORT, INJECTION, as_effort, as_injection, one
from hookd.store.facts.sessions import (
    run_of,
    run_windows,
    session_of_caller,
    windows_here,
)
from hookd.store.facts.traces import traces
from hookd.store.writes.statements import BOUND, clean

_OFFERS = 3
"""Sessions that a handover is offered to, a limit for sessions that end at once."""

# A handover that a later one on the same effort has replaced is out of date. A handover
# given to another window while its own was open is still offered to the following window.
_HANDOVER = (
    "SELECT id, handover_json, handover_at, handover_offers, ended_at IS NULL FROM sessions"
    " WHERE handover_json IS NOT NULL AND handover_offers < ?1 AND (handover_delivered_at IS NULL"
    "  OR (id = ?3 AND NOT EXISTS (SELECT 1 FROM sessions next WHERE next.prev_session_id = ?3)))"
    " AND (effort_id = ?2 OR id = ?3 OR (effort_id IS NULL AND ended_at IS NOT NULL"
    "  AND ended_at >= ?4 AND project_id = ?5 AND owner IS ?6))"
    " AND (id IS ?3 OR NOT EXISTS (SELECT 1 FROM sessions later"
    "  WHERE later.effort_id = sessions.effort_id AND later.handover_json IS NOT NULL"
    "  AND later.handover_at > sessions.handover_at))"
    " AND handover_run IS NULL"
    " ORDER BY coalesce(effort_id = ?2, 0) DESC, id IS ?3 DESC, handover_at DESC LIMIT 1"
)
_RESERVED = (
    "SELECT id, handover_json, handover_at, handover_offers, ended_at IS NULL FROM sessions"
    " WHERE handover_run = ? AND handover_json IS NOT NULL AND handover_offers < ?"
    " AND handover_delivered_at IS NULL ORDER BY handover_at DESC LIMIT 1"
)
_LAST_HANDOVER = (
    "SELECT id, handover_json, handover_at, handover_offers, ended_at IS NULL FROM sessions"
    " WHERE handover_json IS NOT NULL AND effort_id = ? ORDER BY handover_at DESC LIMIT 1"
)
# Each window has a row of its own for an item: the latest one says how it stands.
_OPEN_TODOS = (
    "SELECT count(*) FROM (SELECT t.status, max(t.updated_at) FROM todos t"
    " JOIN sessions s ON s.id = t.session_id JOIN sessions own ON own.id = ?1"
    " WHERE t.todo_id IS NOT ?2 AND s.claude_session_id = own.claude_session_id"
    " AND s.agent_id IS own.agent_id GROUP BY t.todo_id) WHERE status IN ('pending', 'in_progress')"
)
# Of an item that several windows of a conversation have seen, the last says how it stands. A
# conversation that a later one has followed on the effort took its list with it.
_TODOS = (
    "SELECT t.subject, t.status FROM todos t JOIN sessions s ON s.id = t.session_id"
    " WHERE s.claude_session_id = (SELECT x.claude_session_id FROM todos y"
    "  JOIN sessions x ON x.id = y.session_id WHERE x.effort_id = ?1 AND x.agent_id IS NULL"
    "  ORDER BY x.id DESC LIMIT 1)"
    " AND s.effort_id = ?1 AND s.agent_id IS NULL AND t.status IN ('pending', 'in_progress')"
    " AND NOT EXISTS (SELECT 1 FROM todos z JOIN sessions w ON w.id = z.session_id"
    "  WHERE z.todo_id = t.todo_id AND w.claude_session_id = s.claude_session_id"
    "  AND z.session_id > t.session_id)"
    " ORDER BY t.session_id, length(t.todo_id), t.todo_id LIMIT ?2"
)
_SAID = (
    "WITH said AS (SELECT m.id, m.timestamp, m.content FROM messages m"
    " JOIN sessions s ON s.id = m.session_id JOIN sessions own ON own.id = ?1"
    " WHERE s.claude_session_id = own.claude_session_id AND s.agent_id IS NULL"
    " AND m.role = 'user' AND m.tool_name IS NULL)"
    " SELECT timestamp, substr(content, 1, ?3) FROM said WHERE id = (SELECT min(id) FROM said)"
    " OR id IN (SELECT id FROM said ORDER BY id DESC LIMIT ?2) ORDER BY id"
)
_ALL_TODOS = (
    "SELECT t.subject, t.status, max(t.updated_at || printf('%012d', t.session_id)) FROM todos t"
    " JOIN sessions s ON s.id = t.session_id JOIN sessions own ON own.id = ?1"
    " WHERE s.claude_session_id = own.claude_session_id AND s.agent_id IS own.agent_id"
    " GROUP BY t.todo_id ORDER BY length(t.todo_id), t.todo_id"
)
# What lasts is still with the window that ended, until the next one of the conversation begins.
_ACTIVE = "SELECT id FROM efforts WHERE efforts.id = effort_id AND lifecycle = 'active'"
_TO_BIND = (
    f"SELECT id, claude_session_id, owner, first_prompt, ({_ACTIVE})"  # noqa: S608 - constants
    f" FROM sessions WHERE {BOUND} ORDER BY id"
)
_KEPT = (
    "SELECT k.session_id, s.claude_session_id, p.path, k.value_json FROM policy_state k"
    " JOIN sessions s ON s.id = k.session_id LEFT JOIN projects p ON p.id = s.project_id"
    " WHERE k.policy = ? AND s.agent_id IS NULL ORDER BY k.session_id"
)
_RAN = (
    "SELECT DISTINCT tool_use_id FROM events WHERE session_id = ? AND event = 'PostToolUse'"
    " AND tool_use_id IN (SELECT value FROM json_each(?)) ORDER BY tool_use_id"
)
_OFFERED = "session_id = ? AND delivered_at IS NULL AND offered_at IS NOT NULL"
_ALLOWED = (
    "SELECT guard, event_id FROM allowances WHERE call = ?1 AND (until IS NULL OR until > ?2)"
)
_SPENT = (
    "SELECT (SELECT coalesce(sum(c.usd), 0.0) FROM sessions s JOIN costs c ON c.session_id = s.id"
    "  WHERE s.claude_session_id = ?1),"
    " (SELECT coalesce(sum(c.usd), 0.0) FROM costs c JOIN sessions s ON s.id = c.session_id"
    "  WHERE c.day = ?2 AND s.owner = ?3),"
    " (SELECT coalesce(sum(usd), 0.0) FROM costs WHERE day = ?2)"
)
_SKILL = (
    "SELECT name, version, description, phases_json, modes_json, templates_json,"
    " cmd_dependencies_json, next_skills_json, directives_json, path, stamp FROM skills "
)
_SKILL_COLUMNS = (
    "version", "description", "phases_json", "modes_json", "templates_json",
    "cmd_dependencies_json", "next_skills_json", "directives_json",
)  # fmt: skip
_SHAPE = TypeAdapter(Skill)


def seen(
    db: sqlite3.Connection, wanted: Iterable[fact_requests.FactRequest]
) -> dict[fact_requests.FactRequest, FactValue | None] | None:
    """Return what the database knows of all these, or None if one of them is a file."""
    found: dict[fact_requests.FactRequest, FactValue | None] = {}
    for want in wanted:
        if isinstance(
            want,
            fact_requests.FileRequest | fact_requests.HooksOfProject | fact_requests.ProcessRequest,
        ):
            return None
        found[want] = _row(db, want)
    return found


def _row(db: sqlite3.Connection, want: fact_requests.RowRequest) -> FactValue | None:  # noqa: C901, PLR0911, PLR0912, PLR0915
    match want:
        case fact_requests.SkillByName():
            tail = "WHERE project_id = ? AND name = ?"
            return _skill(db.execute(_SKILL + tail, (want.project_id, want.name)).fetchone())
        case fact_requests.SkillByPhase():
            return _with_phase(db, want)
        case fact_requests.TaskByDir():
            return _task(db, want.dir_path)
        case fact_requests.PendingHandover():
            return _handover(db, want)
        case fact_requests.LastHandover():
            args = (want.effort_id,)
            return _as_handover(db.execute(_LAST_HANDOVER, args).fetchone())
        case fact_requests.PromptsOfEffort():
            return _prompts(db, want)
        case fact_requests.PromptsOfSession():
            rows = db.execute(_SAID, (want.session_id, want.limit, want.max_chars))
            return tuple(Prompt(*row) for row in rows)
        case fact_requests.TodosOfEffort():
            rows = db.execute(_TODOS, (want.effort_id, want.limit))
            return tuple(Todo(*row) for row in rows)
        case fact_requests.TodosOfSession():
            rows = db.execute(_ALL_TODOS, (want.session_id,))
            return tuple(Todo(subject, status) for subject, status, _ in rows)
        case fact_requests.StateOfPolicy():
            return _kept(db, want.policy)
        case fact_requests.WindowsOfRun():
            return run_windows(db, want.run)
        case fact_requests.WindowsOfAgent():
            return windows_here(db, want.project_id, want.owner)
        case fact_requests.SessionsToBind():
            who = (want.session_id, want.project_id, want.owner, want.client_process)
            rows = db.execute(_TO_BIND, who)
            return tuple(fact_requests.OpenSessionRow(*row) for row in rows)
        case fact_requests.RunOfSession():
            return run_of(db, want.session_id)
        case fact_requests.StateOfSession():
            sql = "SELECT value_json FROM policy_state WHERE session_id = ? AND policy = ?"
            kept = one(db, sql, want.session_id, want.policy)
            return str(kept[0]) if kept else None
        case fact_requests.CallsThatRan():
            rows = db.execute(_RAN, (want.session_id, json.dumps(want.tool_use_ids)))
            return tuple(str(row[0]) for row in rows)
        case fact_requests.OfferedInjections():
            rows = db.execute(f"{INJECTION} WHERE {_OFFERED} ORDER BY id", (want.session_id,))
            return tuple(map(as_injection, rows))
        case fact_requests.AllowancesForCall():
            rows = db.execute(_ALLOWED, (want.call, want.at))
            return tuple(Allowance(*row) for row in rows)
        case fact_requests.AllowancesOfEvent():
            sql = "SELECT guard, event_id FROM allowances WHERE event_id = ? ORDER BY id"
            return tuple(Allowance(*row) for row in db.execute(sql, (want.event_id,)))
        case fact_requests.Spending():
            spent = one(db, _SPENT, want.claude_session_id, want.day, want.agent)
            return fact_requests.Spent(*spent) if spent else None
        case fact_requests.DecisionRecord():
            said = one(
                db, "SELECT coalesce(facts_json, '') FROM events WHERE id = ?", want.event_id
            )
            return str(said[0]) if said else None
        case fact_requests.CanaryCount():
            count = one(db, "SELECT count(*) FROM events WHERE kind = 'canary'")
            return int(count[0]) if count else 0
        case fact_requests.SessionTraces():
            return traces(db, want.session_id)
        case fact_requests.CallerSession():
            return session_of_caller(db, want)
        case (
            mail_requests.MailById()
            | mail_requests.MailByKey()
            | mail_requests.NextMail()
            | mail_requests.OpenAgents()
            | mail_requests.MailTraffic()
            | mail_requests.InboxOf()
        ):
            return mail.requested(db, want)
        case work_requests.BacklogOf():
            return work_items.backlog(db, want.repository)
        case work_requests.WorkItemById():
            return work_items.item(db, want.item_id)
        case work_requests.WorkItemByKey():
            return work_items.item_of_key(db, want.key)
        case work_requests.WorkTakenBy():
            return work_items.taken_by(db, want.conversation)
        case work_requests.WorkListeners():
            return work_items.listeners(db, want.item_id, want.agent)
        case work_requests.OwnCallsOf():
            return own_calls.own_calls(db, want)
        case fleet_requests.FleetMembership():
            return fleet.membership(db)
        case fleet_requests.KnownItems():
            return fleet.known_items(db, want.ids)
        case fleet_requests.WaitingRows():
            return fleet.waiting(db)
        case fact_requests.LatestEffort():
            return latest(db, want.project_id)
        case claim_requests.FilesHeld():
            return files_held(db, want)
        case claim_requests.OpenClaims():
            return open_claims(db, want)
        case fact_requests.OpenTodos():
            left = one(db, _OPEN_TODOS, want.session_id, clean(want.excluding))
            return int(left[0]) if left else 0
        case _:
            assert_never(want)


def _skill(row: tuple[str, ...] | None) -> KnownSkill | None:
    if row is None:
        return None
    name, *columns, path, stamp = row
    try:
        skill = skill_from_json(name, dict(zip(_SKILL_COLUMNS, columns, strict=True)))
        _SHAPE.validate_python(asdict(skill))
    except (ValueError, TypeError, KeyError, RecursionError):
        return None  # an unreadable row is unknown: the skill's file is read again
    return KnownSkill(skill, path, stamp)


def _with_phase(db: sqlite3.Connection, want: fact_requests.SkillByPhase) -> KnownSkill | None:
    rows = db.execute(_SKILL + "WHERE project_id = ? ORDER BY name", (want.project_id,))
    known = [_skill(row) for row in rows]
    having = [one for one in known if one and find_phase(one.skill.phases, want.phase)]
    return having[0] if len(having) == 1 else None


def _task(db: sqlite3.Connection, folder: str) -> Task:
    last = one(db, "SELECT coalesce(max(ordinal), 0) FROM efforts WHERE task_dir = ?", folder)
    tail = "WHERE task_dir = ? AND lifecycle = 'active' ORDER BY id DESC"
    efforts = (as_effort(row) for row in db.execute(EFFORT + tail, (folder,)))
    return Task(
        known=one(db, "SELECT 1 FROM tasks WHERE task_dir = ?", folder) is not None,
        last_ordinal=last[0] if last else 0,
        active=tuple(effort for effort in efforts if effort),
    )


def _handover(db: sqlite3.Connection, want: fact_requests.PendingHandover) -> Handover | None:
    reserved = one(db, _RESERVED, want.run, _OFFERS) if want.run else None
    if reserved is not None:
        return _as_handover(reserved)
    args = (want.effort_id, want.previous_id, want.since, want.project_id, want.owner)
    return _as_handover(one(db, _HANDOVER, _OFFERS, *args))


def _as_handover(row: tuple[Any, ...] | None) -> Handover | None:
    if row is None:
        return None
    number, payload, at, offers, still_open = row
    return Handover(number, json.loads(payload), at, offers, bool(still_open))


def _kept(db: sqlite3.Connection, policy: str) -> tuple[fact_requests.SavedState, ...]:
    return tuple(
        fact_requests.SavedState(number, claude_id, project, json.loads(value))
        for number, claude_id, project, value in db.execute(_KEPT, (policy,))
    )


def _prompts(db: sqlite3.Connection, want: fact_requests.PromptsOfEffort) -> tuple[Prompt, ...]:
    rows = db.execute(
        "SELECT timestamp, content FROM messages WHERE effort_id = ? AND role = 'user'"
        " AND tool_name IS NULL ORDER BY id DESC LIMIT ?",
        (want.effort_id, want.limit),
    ).fetchall()
    return tuple(Prompt(*row) for row in reversed(rows))
