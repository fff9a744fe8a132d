"""What the tests of the store share: a time, and a database with a little of everything in it."""

from collections.abc import Iterable
from datetime import UTC, datetime
from sqlite3 import Connection
from typing import Any

from hookd.core.efforts.skill import Skill
from hookd.core.evaluation.unjudged import Missed
from hookd.core.model import effects as fx
from hookd.redaction import record
from hookd.store import writes
from hookd.store.unjudged import keep

NOW = datetime(2026, 1, 31, 8, tzinfo=UTC)
AT = "2026-01-31T08:00:00.000Z"
LATER = "2026-01-31T09:30:00.000Z"


def session(number: int, claude_id: str, **more: Any) -> fx.OpenSession:
    given: dict[str, Any] = dict.fromkeys(fx.OpenSession.__dataclass_fields__)
    known = {
        "id": number,
        "claude_session_id": claude_id,
        "source": "startup",
        "own_effort": False,
        "status": "idle",
    }
    return fx.OpenSession(**(given | known | more))


def effort(number: int, task: str, ordinal: int = 1, **more: Any) -> fx.StartEffort:
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
    return fx.StartEffort(**(given | more))


def guard(number: int, name: str, scope: Any = "user", **more: Any) -> fx.AddGuard:
    given: dict[str, Any] = {
        "project_id": None,
        "effort_id": None,
        "rule": f'{{"ruleId":"{name}"}}',
    }
    return fx.AddGuard(id=number, rule_id=name, scope=scope, **(given | more))


def event(number: int, name: str = "PreToolUse", **more: Any) -> writes.Event:
    return writes.Event(id=number, at=AT, event=name, record=record({"a": 1}), **more)


def write(db: Connection, effects: Iterable[fx.RowEffect], at: str = AT) -> None:
    for effect in effects:
        writes.write(db, effect, at)


def fill(db: Connection) -> None:
    """Two projects, one in the other; two agents; efforts, windows, a subagent and guards.

    And three events that no daemon judged.
    """
    keep(db, "hookd.unjudged.1@0", [Missed("Stop", "no daemon is running", 3, AT, AT)], AT)
    write(
        db,
        [
            fx.OpenProject(1, "/work/orders", "orders"),
            fx.OpenProject(2, "/work/orders/api", "api"),
            fx.OpenTask("/work/orders/pagination", 1, "Pages"),
            fx.RegisterAgent("builder"),
            fx.RegisterAgent("idler"),
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
            fx.Remember(1, "overflow", {"warned": True}),
            fx.SetLoadedFiles(1, ("/work/a", "/work/b")),
            fx.SetHeartbeat(1, 4, "Edit /work/a"),
            fx.AddInjection(1, "directive", "Mind the tests.", path="/work/orders/AGENTS.md"),
            fx.SaveHandover(2, '{"summary":"Half of it"}'),
            fx.EnterPhase(1, "0: Setup", None, None),
            fx.KeepSkill(1, Skill("implement", version="2"), "/work/SKILL.md", "1-2-3"),
        ],
    )
