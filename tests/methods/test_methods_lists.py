"""What the lists find in a database with a little of everything: by each of their params."""

from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from hookd.core.model.effects.efforts import EnterPhase, OpenProject, OpenTask
from hookd.core.model.effects.messages import AddInjection, AddMessage
from hookd.core.model.identity import Identity
from hookd.methods import METHODS
from hookd.store import writes
from hookd.store.database import open_database
from hookd.store.reader import Reader
from support.database_rows import AT, LATER, event, fill, write

TASK = "/work/orders/pagination"
EVENTS = [
    event(1, session_id=1, claude_session_id="plain", decision="deny", rule="no-rm"),
    event(2, "Stop", session_id=2, claude_session_id="built"),
    event(3, session_id=3, claude_session_id="built", agent_id="sub", decision="ask"),
    event(4, kind="canary"),
]


@pytest.fixture
async def reader(tmp_path: Path) -> AsyncIterator[Reader]:
    path = tmp_path / "hookd.db"
    with closing(open_database(path)) as db:
        fill(db)
        for one in EVENTS:
            writes.record(db, one)
        write(
            db,
            [
                OpenProject(3, "/work/other", "other"),
                OpenTask("/work/other/new", 3, "New"),
                EnterPhase(1, "1: Plan", {"tests": 3}, "asked for"),
                AddInjection(2, "directive", "Seen.", offered_by=2),
                AddMessage(1, 1, "user", "Build it."),
                AddMessage(2, 2, "log", "Built."),
            ],
            LATER,
        )
        reading = Reader(path)
        yield reading
        await reading.close()


async def found(reader: Reader, name: str, params: dict[str, Any], key: str) -> list[Any]:
    """Return one key of each row that a list finds."""
    method: Any = METHODS[name]
    asked = method.params.model_validate(params)
    rows = await reader.rows(method.select(asked, Identity()))
    result = method.shape(asked, rows).model_dump(mode="json", by_alias=True)
    (listed,) = [value for value in result.values() if isinstance(value, list)]
    return [row[key] for row in listed]


FINDS: list[tuple[str, dict[str, Any], str, list[Any]]] = [
    ("events.list", {}, "id", [3, 2, 1]),
    ("events.list", {"oldestFirst": True}, "id", [1, 2, 3]),
    ("events.list", {"kind": None}, "id", [4, 3, 2, 1]),
    ("events.list", {"kind": "canary"}, "id", [4]),
    ("events.list", {"id": 2}, "id", [2]),
    ("events.list", {"id": 4}, "id", []),
    ("events.list", {"after": 1}, "id", [3, 2]),
    ("events.list", {"since": AT}, "id", []),
    ("events.list", {"since": "2026-01-31T07:59"}, "id", [3, 2, 1]),
    ("events.list", {"since": "2026-02-01"}, "id", []),
    ("events.list", {"session": 3}, "id", [3]),
    ("events.list", {"claudeSessionId": "built"}, "id", [3, 2]),
    ("events.list", {"agent": "builder"}, "id", [2]),
    ("events.list", {"agentId": "sub"}, "id", [3]),
    ("events.list", {"event": "Stop"}, "id", [2]),
    ("events.list", {"decision": "deny"}, "rule", ["no-rm"]),
    ("events.list", {"rule": "no-rm"}, "decision", ["deny"]),
    ("events.list", {"limit": 1}, "payload", [{"a": 1}]),
    ("session.list", {"effortId": 2}, "id", [3, 2]),
    ("session.list", {"effortId": 2}, "heartbeatCounter", [0, 0]),
    ("session.list", {"beginning": "bu"}, "id", [3, 2]),
    ("session.list", {"beginning": "b"}, "id", [3, 2]),
    ("session.list", {"beginning": "plain"}, "id", []),
    ("session.list", {"beginning": "x"}, "id", []),
    ("effort.list", {"task": TASK}, "id", [3, 2, 1]),
    ("effort.list", {"task": "/work"}, "id", []),
    ("effort.history", {"effortId": 1}, "phase", ["0: Setup", "1: Plan"]),
    ("effort.history", {"effortId": 1}, "proof", [None, {"tests": 3}]),
    ("effort.history", {"effortId": 2}, "id", []),
    ("task.list", {}, "task", ["/work/other/new", TASK]),
    ("task.list", {"task": TASK}, "effortCount", [3]),
    ("task.list", {"project": "/work/other"}, "title", ["New"]),
    ("messages.list", {}, "content", ["Built.", "Build it."]),
    ("messages.list", {"oldestFirst": True, "limit": 1}, "role", ["user"]),
    ("messages.list", {"effortId": 2}, "role", ["log"]),
    ("messages.list", {"sessionId": 1}, "role", ["user"]),
    ("messages.list", {"claudeSessionId": "built"}, "role", ["log"]),
    ("messages.list", {"role": "log"}, "sessionId", [2]),
    ("messages.list", {"after": 1}, "id", [2]),
    ("handover.list", {}, "handover", [{"summary": "Half of it"}]),
    ("handover.list", {"sessionId": 2}, "agent", ["builder"]),
    ("handover.list", {"sessionId": 1}, "agent", []),
    ("handover.list", {"effortId": 2}, "sessionId", [2]),
    ("handover.list", {"project": "/work/orders/api"}, "sessionId", []),
    ("skill.list", {"name": "implement"}, "version", ["2"]),
    ("skill.list", {"project": "/work/orders/api"}, "version", []),
    ("injections.list", {}, "state", ["offered", "waiting"]),
    ("injections.list", {"state": "waiting"}, "path", ["/work/orders/AGENTS.md"]),
    ("injections.list", {"sessionId": 2}, "content", ["Seen."]),
    ("injections.list", {"ruleId": "other"}, "id", []),
]


@pytest.mark.parametrize(("name", "params", "key", "expected"), FINDS, ids=str)
async def test_a_list_finds_what_its_params_say(
    reader: Reader, name: str, params: dict[str, Any], key: str, expected: list[Any]
) -> None:
    assert await found(reader, name, params, key) == expected


async def test_events_come_with_the_policies_that_judge_their_kind(reader: Reader) -> None:
    method: Any = METHODS["events.list"]
    asked = method.params()
    result = method.shape(asked, await reader.rows(method.select(asked, Identity())))
    assert "guard-rules" in result.judges["PreToolUse"]
    assert set(result.judges) == {"PreToolUse", "Stop"}
