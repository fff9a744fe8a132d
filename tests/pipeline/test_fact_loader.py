"""A decision with missing facts is retried once they are loaded, and stored once."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hookd.config.models import PolicyOptions
from hookd.core.model.daemon_state import RuntimeConfig
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.effects.union import AfterCommitEffect
from hookd.core.model.errors import DomainError
from hookd.core.model.fact_requests import (
    CanaryCount,
    DirListing,
    FileText,
    MissingFacts,
    TaskByDir,
)
from hookd.core.model.facts import Facts, Task
from hookd.core.model.policy import Policy
from hookd.core.model.verdict import Opinion
from hookd.events.model import PreToolUse
from hookd.pipeline.evaluation import PolicyEngine
from hookd.pipeline.fact_loader import decide_with_rows
from hookd.policies import POLICIES
from hookd.rpc.jsonrpc import Request
from hookd.store.database import WriterThread, open_database
from hookd.store.reader import Reader
from support.dispatcher import QuietDispatcher, make_dispatcher

Opine = Callable[[PreToolUse, Facts], Opinion | None]


@pytest.fixture
async def hookd(tmp_path: Path) -> AsyncIterator[QuietDispatcher]:
    path = tmp_path / "state" / "hookd.db"

    async def late(_effect: AfterCommitEffect) -> None:
        return None

    with closing(WriterThread(open_database(path))) as writer:
        reader = Reader(path)
        yield make_dispatcher(writer, reader, PolicyEngine(RuntimeConfig()), after_commit=late)
        await reader.close()


def asking(hookd: QuietDispatcher, opine: Opine) -> QuietDispatcher:
    """Return a daemon with one more policy."""

    def judged(event: PreToolUse, facts: Facts, _options: PolicyOptions) -> Opinion | None:
        return opine(event, facts)

    events = frozenset({"PreToolUse"})
    one = Policy("asking", 90, events, PolicyOptions, "ask", judged, ())
    return hookd.with_engine(replace(hookd.engine, policies=(*POLICIES, one)))


async def event(hookd: QuietDispatcher, number: int = 1) -> Any:
    told = {
        "hook_event_name": "PreToolUse",
        "session_id": "s",
        "cwd": "/work",
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
        "tool_use_id": f"toolu_{number}",
    }
    return json.loads((await hookd.event("PreToolUse", {}, json.dumps(told).encode())).answer)


async def rows(hookd: QuietDispatcher, sql: str) -> list[Any]:
    return await hookd.writer.run(lambda db: db.execute(sql).fetchall())


KEPT = (
    "SELECT (SELECT count(*) FROM events), (SELECT count(*) FROM sessions),"
    " (SELECT coalesce(max(heartbeat_counter), 0) FROM sessions),"
    " (SELECT count(*) FROM policy_state)"
)


async def test_what_the_database_has_is_looked_up_at_once(hookd: QuietDispatcher) -> None:
    runs: list[int] = []

    def decide(facts: Facts) -> tuple[Any, ...]:
        runs.append(len(facts.resolved))
        count = facts.require(CanaryCount())
        return count, facts.require(TaskByDir("/work/none"))

    found = await hookd.writer.run(lambda db: decide_with_rows(db, Facts(), decide))
    assert found == (0, Task())
    assert runs == [0, 1, 2]


async def test_a_file_is_asked_for_together_with_what_the_database_has(
    hookd: QuietDispatcher,
) -> None:
    wants = (CanaryCount(), FileText("/work/a", "/work"))
    with pytest.raises(MissingFacts) as lack:
        await hookd.writer.run(
            lambda db: decide_with_rows(db, Facts(), lambda facts: facts.require_all(*wants))
        )
    assert lack.value.requests == wants


async def test_an_event_that_wants_files_is_kept_once_with_what_it_causes(
    hookd: QuietDispatcher, tmp_path: Path
) -> None:
    (tmp_path / "a.md").write_text("the text")
    runs: list[int] = []

    def opine(_event: PreToolUse, facts: Facts) -> Opinion:
        runs.append(len(facts.resolved))
        there = facts.require(DirListing(str(tmp_path), str(tmp_path)))
        assert there is not None
        file = facts.require(FileText(f"{there.path}/{there.names[0]}", there.path))
        assert file is not None
        assert facts.session is not None
        kept = Remember(facts.session.id, "asking", len(runs))
        return Opinion(context=file.text, effects=(kept,))

    answer = await event(asking(hookd, opine))
    assert answer["hookSpecificOutput"]["additionalContext"] == "the text"
    assert runs == [0, 1, 2]
    assert await rows(hookd, KEPT) == [(1, 1, 1, 1)]
    assert await rows(hookd, "SELECT value_json FROM policy_state") == [("3",)]


async def test_what_happens_while_files_are_read_is_known_when_it_is_decided_anew(
    hookd: QuietDispatcher, tmp_path: Path
) -> None:
    counts: list[int] = []

    def opine(event: PreToolUse, facts: Facts) -> None:
        assert facts.session is not None
        counts.append(facts.session.heartbeat_counter)
        if event.tool_use_id != "toolu_0":
            facts.require(FileText(str(tmp_path / f"{event.tool_use_id}.md"), str(tmp_path)))

    house = asking(hookd, opine)
    await event(house, 0)
    await asyncio.gather(*(event(house, number) for number in range(1, 6)))
    # Each is counted once, whoever was read for in between.
    assert await rows(hookd, KEPT) == [(6, 1, 6, 0)]
    assert max(counts) == 6
    assert await rows(hookd, "SELECT count(DISTINCT id) FROM events") == [(6,)]


def endless(_event: PreToolUse, facts: Facts) -> None:
    for number in range(100):
        facts.require(FileText(f"/work/{number}", "/work"))


async def test_who_asks_without_end_is_left_to_the_judge_and_causes_nothing(
    hookd: QuietDispatcher,
) -> None:
    with pytest.raises(DomainError, match="RuntimeError") as refused:
        await event(asking(hookd, endless))
    assert refused.value.code == "FAILED"
    assert await rows(hookd, KEPT) == [(1, 0, 0, 0)]


async def test_where_guards_are_set_who_asks_without_end_is_asked_about(
    hookd: QuietDispatcher,
) -> None:
    rule = {"id": "no-rm", "toolFilter": {"include": ["Bash(rm *)"]}, "urgency": "block"}
    await hookd.call(Request("guards.add", {"rule": rule}, 1, notification=False))
    answer = await event(asking(hookd, endless))
    assert answer["hookSpecificOutput"]["permissionDecision"] == "ask"
    assert await rows(hookd, KEPT) == [(1, 0, 0, 0)]


async def test_a_change_that_wants_files_is_made_once(
    hookd: QuietDispatcher, tmp_path: Path
) -> None:
    folder = tmp_path / ".claude" / "skills" / "build"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nphases: ['0: Setup']\ntemplates: {log: LOG.md}\n---\n")
    (folder / "LOG.md").write_text("the template")
    env = {"CLAUDE_PROJECT_DIR": str(tmp_path), "CLAUDE_CODE_SESSION_ID": "s"}
    await hookd.event("Stop", env, b'{"hook_event_name":"Stop","session_id":"s"}')
    asked = {"taskDir": str(tmp_path / "tasks" / "x"), "skill": "build", "env": env}
    one = await hookd.call(Request("effort.start", asked, 1, notification=False))
    assert "Phases: 0: Setup." in one["text"]
    counts = "SELECT (SELECT count(*) FROM efforts), (SELECT count(*) FROM skills), content, path"
    assert await rows(hookd, f"{counts} FROM injections") == [
        (1, 1, "the template", str((folder / "LOG.md").resolve()))
    ]
