"""What the tests of the store share: a time, and a database with a little of everything in it."""

from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from sqlite3 import Connection
from typing import Any

from hookd.core.efforts.skill import Skill
from hookd.core.evaluation.unjudged import Missed
from hookd.core.model.claim import Stamp
from hookd.core.model.effects.claims import AddClaim, KeepView
from hookd.core.model.effects.efforts import (
    EnterPhase,
    KeepSkill,
    OpenProject,
    OpenTask,
    StartEffort,
)
from hookd.core.model.effects.messages import AddGuard, AddInjection, RegisterAgent
from hookd.core.model.effects.sessions import (
    OpenSession,
    Remember,
    SaveHandover,
    SetHeartbeat,
    SetLoadedFiles,
)
from hookd.core.model.effects.union import RowEffect
from hookd.redaction.redact import record
from hookd.store import writes
from hookd.store.database import open_database
from hookd.store.maintenance import add_missed_events

NOW = datetime(2026, 1, 31, 8, tzinfo=UTC)
AT = "2026-01-31T08:00:00.000Z"
LATER = "2026-01-31T09:30:00.000Z"


def session(number: int, claude_id: str, **more: Any) -> OpenSession:
    given: dict[str, Any] = dict.fromkeys(OpenSession.__dataclass_fields__)
    known = {
        "id": number,
        "claude_session_id": claude_id,
        "source": "startup",
        "own_effort": False,
        "status": "idle",
    }
    return OpenSession(**(given | known | more))


def effort(number: int, task: str, ordinal: int = 1, **more: Any) -> StartEffort:
    given: dict[str, Any] = {
        "id": number,
        "task_dir": task,
        "project_id": None,
        "skill": "implement",
        "mode": None,
        "ordinal": ordinal,
        "metadata": {},
        "agent": None,
    }
    return StartEffort(**(given | more))


def guard(number: int, name: str, scope: Any = "user", **more: Any) -> AddGuard:
    given: dict[str, Any] = {
        "project_id": None,
        "effort_id": None,
        "rule": f'{{"ruleId":"{name}"}}',
    }
    return AddGuard(id=number, rule_id=name, scope=scope, **(given | more))


def event(number: int, name: str = "PreToolUse", **more: Any) -> writes.Event:
    return writes.Event(id=number, event=name, record=record({"a": 1}), **({"at": AT} | more))


def write(db: Connection, effects: Iterable[RowEffect], at: str = AT) -> None:
    for effect in effects:
        writes.write(db, effect, at)


def fill(db: Connection) -> None:
    """Two projects, one in the other; two agents; efforts, windows, a subagent and guards.

    And three events that no daemon judged.
    """
    add_missed_events(
        db, "hookd.unjudged.1@0", [Missed("Stop", "no daemon is running", 3, AT, AT)], AT
    )
    write(
        db,
        [
            OpenProject(1, "/work/orders", "orders"),
            OpenProject(2, "/work/orders/api", "api"),
            OpenTask("/work/orders/pagination", 1, "Pages"),
            RegisterAgent("builder"),
            RegisterAgent("idler"),
            effort(1, "/work/orders/pagination", 1, project_id=1),
            effort(2, "/work/orders/pagination", 2, project_id=1, agent="builder"),
            effort(3, "/work/orders/pagination", 3, project_id=1),
            session(1, "plain", project_id=1, effort_id=1),
            session(2, "built", project_id=1, effort_id=2, owner="builder"),
            session(3, "built", agent_id="sub", project_id=1, effort_id=2, parent_session_id=2),
            session(4, "loose", project_id=2),
            guard(1, "everywhere"),
            guard(2, "in-orders", "project", project_id=1),
            guard(3, "on-effort-2", "effort", effort_id=2),
            Remember(1, "overflow", {"warned": True}),
            SetLoadedFiles(1, ("/work/a", "/work/b")),
            SetHeartbeat(1, 4, "Edit /work/a"),
            AddInjection(1, "directive", "Mind the tests.", path="/work/orders/AGENTS.md"),
            SaveHandover(2, '{"summary":"Half of it"}'),
            EnterPhase(1, "0: Setup", None, None),
            KeepSkill(1, Skill("implement", version="2"), "/work/SKILL.md", "1-2-3"),
            AddClaim("/work", "glob", "src/**", "plain", 1, None, 1, "a rewrite", False, None),
            AddClaim("/work", "path", "a.py", "built", 2, "builder", 1, None, True, None),
            KeepView("plain", 1, "/work/a.py", Stamp(4, 5, 6)),
            KeepView("plain", 1, "/work/b.py", Stamp(4, 5, 6), "call"),
        ],
    )


def many_events(path: Path, count: int = 2_500) -> None:
    """Create a database with so many events."""
    with closing(open_database(path)) as db:
        db.execute(
            "INSERT INTO events (at, event, delivery_key, payload) WITH RECURSIVE n(i) AS"
            " (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ?)"
            " SELECT '2026-01-31T08:00:00.000Z', 'Stop', i, '{}' FROM n",
            (count,),
        )
