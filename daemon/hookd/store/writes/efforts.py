"""Writing what happens to the work: projects, tasks, efforts, phases, skills."""

import json
from dataclasses import asdict
from typing import Any, assert_never

from hookd.core.efforts.skill import skill_to_json
from hookd.core.model.effects.efforts import (
    BindAgent,
    BindSessions,
    DropSkills,
    EnterPhase,
    FinishEffort,
    KeepSkill,
    OpenProject,
    OpenTask,
    SetDirectives,
    SetMetadata,
    SetRepository,
    SetStarter,
    StartEffort,
)
from hookd.core.model.effects.union import EffortEffect
from hookd.core.model.origin import Origin
from hookd.redaction.redact import record, redact, redact_json
from hookd.store.writes.statements import BOUND, Statement, columns


def statements(effect: EffortEffect, at: str) -> tuple[Statement, ...]:  # noqa: C901, PLR0911, PLR0912
    """Return what writes one effect."""
    match effect:
        case OpenProject():
            values = {"id": effect.id, "path": effect.path, "name": effect.name, "created_at": at}
            return (columns("projects", values | {"repository": effect.path}),)
        case SetRepository():
            sql = "UPDATE projects SET repository = ? WHERE id = ?"
            return ((sql, (effect.root, effect.project_id)),)
        case OpenTask():
            values = {"task_dir": effect.dir_path, "project_id": effect.project_id}
            titled = values | {"title": redact(effect.title), "created_at": at}
            return (columns("tasks", titled),)
        case StartEffort():
            return _start_effort(effect, at)
        case BindAgent():
            return (
                ("UPDATE agents SET effort_id = ? WHERE id = ?", (effect.effort_id, effect.agent)),
            )
        case BindSessions():
            return _bind_sessions(effect)
        case FinishEffort():
            return _finish_effort(effect, at)
        case EnterPhase():
            return _enter_phase(effect, at)
        case SetMetadata():
            sql = "UPDATE efforts SET metadata_json = ? WHERE id = ?"
            return ((sql, (_json(effect.metadata), effect.effort_id)),)
        case SetStarter():
            sql = "UPDATE efforts SET starter_json = ? WHERE id = ?"
            return ((sql, (_starter(effect.starter), effect.effort_id)),)
        case SetDirectives():
            sql = "UPDATE efforts SET discovered_directives_json = ? WHERE id = ?"
            return ((sql, (json.dumps(effect.files), effect.effort_id)),)
        case KeepSkill():
            return (_keep_skill(effect, at),)
        case DropSkills():
            # Without a stamp nothing that is kept counts as what the file says.
            sql = "UPDATE skills SET stamp = '' WHERE project_id = ? OR path = ?"
            return ((sql, (effect.project_id, effect.path)),)
        case _:
            assert_never(effect)


def _json(value: Any) -> str:
    return record(dict(value)).text


def _starter(origin: Origin) -> str:
    return redact_json(json.dumps(asdict(origin)))


def _start_effort(effect: StartEffort, at: str) -> tuple[Statement, ...]:
    values = {
        "id": effect.id,
        "task_dir": effect.task_dir,
        "project_id": effect.project_id,
        "skill": effect.skill,
        "mode": effect.mode,
        "ordinal": effect.ordinal,
        "metadata_json": _json(effect.metadata),
        "starter_json": _starter(effect.starter),
        "created_at": at,
    }
    owner = "UPDATE agents SET effort_id = ? WHERE id = ?"
    return (columns("efforts", values), (owner, (effect.id, effect.agent)))


# What was counted before there was an effort does not count against it.
_BIND = (
    "UPDATE sessions SET own_effort = 1,"
    " heartbeat_counter = iif(effort_id IS NULL, 0, heartbeat_counter),"
    " last_counted = iif(effort_id IS NULL, NULL, last_counted), effort_id = ?5"
)


def _bind_sessions(effect: BindSessions) -> tuple[Statement, ...]:
    who = (effect.session_id, effect.project_id, effect.owner, effect.client_process)
    return ((f"{_BIND} WHERE {BOUND}", (*who, effect.effort_id)),)


def _finish_effort(effect: FinishEffort, at: str) -> tuple[Statement, ...]:
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


def _enter_phase(effect: EnterPhase, at: str) -> tuple[Statement, ...]:
    values = {
        "effort_id": effect.effort_id,
        "phase_label": redact(effect.phase),
        "proof_json": None if effect.proof is None else _json(effect.proof),
        "reason": None if effect.reason is None else redact(effect.reason),
        "created_at": at,
    }
    now = "UPDATE efforts SET current_phase = ? WHERE id = ?"
    return ((now, (redact(effect.phase), effect.effort_id)), columns("phase_history", values))


def _keep_skill(effect: KeepSkill, at: str) -> Statement:
    values = {"project_id": effect.project_id, "name": effect.skill.name}
    values |= {
        name: redact_json(text) if name.endswith("_json") else redact(text)
        for name, text in skill_to_json(effect.skill).items()
    }
    values |= {"path": effect.path, "stamp": effect.stamp, "updated_at": at}
    sql, args = columns("skills", values)
    kept = ", ".join(f"{name} = excluded.{name}" for name in values)
    return f"{sql} ON CONFLICT (project_id, name) DO UPDATE SET {kept}", args
