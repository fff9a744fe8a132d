"""No channel writes a secret: every effect and record with free text, one row each."""

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from sqlite3 import Connection
from typing import Any

from hookd.core.evaluation.unjudged import Missed
from hookd.core.hook_rules.model import Hook, HookExecution, HookRun, Source
from hookd.core.model.effects.efforts import EnterPhase, OpenTask
from hookd.core.model.effects.messages import (
    AddInjection,
    AddMessage,
    ChangeTodo,
    RegisterAgent,
    SetTodo,
    SetTodoList,
)
from hookd.core.model.effects.sessions import (
    EndSession,
    SaveHandover,
    SetBranch,
    SetCwd,
    SetFirstPrompt,
    SetModel,
)
from hookd.core.model.effects.union import RowEffect
from hookd.core.model.verdict import Opinion
from hookd.redaction.redact import record
from hookd.store import maintenance, writes
from hookd.store.database import open_database
from support.database_rows import AT, LATER, effort, event, fill, session, write

KEY = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"
TEXT = f"use {KEY} for it"
HOOK = Hook("lint", "PreToolUse", "command", Source("user", "/s", "k"), command="lint")


def effects(*given: RowEffect) -> Callable[[Connection], None]:
    return lambda db: write(db, given, LATER)


def event_with(**fields: Any) -> Callable[[Connection], None]:
    return lambda db: writes.record(db, replace(event(5), **fields))


def hook_run(ran: HookExecution, *notes: str) -> Callable[[Connection], None]:
    def settle(db: Connection) -> None:
        writes.record(db, replace(event(5, session_id=1), pending=True))
        run = HookRun(ran, Opinion("deny", "no"), notes)
        writes.settle(db, event(5, session_id=1), [run], LATER)

    return settle


CHANNELS: dict[str, Callable[[Connection], None]] = {
    "payload": event_with(record=record({"prompt": TEXT})),
    "answer": event_with(answer=json.dumps({"a": TEXT})),
    "result": event_with(result=json.dumps({"a": TEXT})),
    "facts": event_with(facts=json.dumps({"a": TEXT})),
    "injection": effects(AddInjection(1, "rule", TEXT)),
    "message": effects(AddMessage(1, None, "user", TEXT)),
    "task title": effects(OpenTask("/work/x", None, TEXT)),
    "effort metadata": effects(effort(9, "/work/orders/pagination", 9, metadata={"n": TEXT})),
    "phase": effects(EnterPhase(1, TEXT, {}, None)),
    "phase proof": effects(EnterPhase(1, "1", {"a": TEXT}, None)),
    "phase reason": effects(EnterPhase(1, "1", {}, TEXT)),
    "handover": effects(SaveHandover(1, json.dumps({"summary": TEXT}))),
    "todo": effects(SetTodo(1, "1", TEXT, None, "pending")),
    "todo description": effects(SetTodo(1, "1", "a", TEXT, "pending")),
    "changed todo": effects(SetTodo(1, "1", "a", None, "pending"), ChangeTodo(1, "1", None, TEXT)),
    "todo list": effects(SetTodoList(1, ((TEXT, "pending"),))),
    "model": effects(SetModel(1, TEXT)),
    "branch": effects(SetBranch(1, TEXT)),
    "first prompt": effects(SetFirstPrompt(1, TEXT)),
    "terminal": effects(session(9, "next", tmux_socket=f"/{KEY}", first_prompt=TEXT, branch=TEXT)),
    "working folder": effects(SetCwd(1, f"/{KEY}")),
    "session": effects(session(9, "next", source=TEXT, model=TEXT, cwd=f"/{KEY}")),
    "agent type": effects(session(9, "next", agent_id="a", agent_type=TEXT)),
    "transcript": effects(session(9, "next", transcript_path=f"/{KEY}.jsonl")),
    "end of a session": effects(EndSession(1, TEXT)),
    "agent": effects(RegisterAgent("a", parent=TEXT)),
    "hook's command": hook_run(HookExecution(replace(HOOK, command=f"lint {KEY}"))),
    "hook's status message": hook_run(HookExecution(replace(HOOK, status_message=TEXT))),
    "hook's stderr": hook_run(HookExecution(HOOK, exit_code=2, stderr=TEXT)),
    "hook's stdout": hook_run(HookExecution(HOOK, exit_code=2, stdout=TEXT)),
    "hook's fault": hook_run(HookExecution(HOOK, fault=TEXT)),
    "hook's note": hook_run(HookExecution(HOOK, notes=(TEXT,))),
    "note on a hook": hook_run(HookExecution(HOOK), TEXT),
    "missed event": lambda db: maintenance.add_missed_events(
        db, source="s", missed=(Missed("PreToolUse", TEXT, 1, AT, AT),), at=AT
    ),
}


def stored(db: Connection) -> str:
    """Return everything that the database holds."""
    return "\n".join(db.iterdump())


def test_no_channel_writes_a_secret(tmp_path: Path) -> None:
    with closing(open_database(tmp_path / "hookd.db")) as db:
        fill(db)
        before = stored(db)
        kept, silent = [], []
        for name, writing in CHANNELS.items():
            db.execute("SAVEPOINT one")
            writing(db)
            after = stored(db)
            kept += [name] * (KEY in after)
            silent += [name] * (after == before)
            db.execute("ROLLBACK TO one")
            db.execute("RELEASE one")
        assert silent == [], "these wrote nothing, so they show nothing"
        assert kept == []
