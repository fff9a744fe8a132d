"""Whole conversations with every policy on and a real database: nothing is left, or said twice."""

import json
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from hookd.config.models import PolicyOptions
from hookd.core.model.daemon_state import DaemonState, RuntimeConfig
from hookd.core.model.effects.sessions import EndSession, OpenSession, Remember
from hookd.core.model.effects.union import AfterCommitEffect
from hookd.core.model.policy import Policy
from hookd.core.model.verdict import Opinion
from hookd.events.delivery_identity import Sender
from hookd.pipeline.evaluation import PolicyEngine
from hookd.policies import POLICIES
from hookd.rpc.jsonrpc import Request
from hookd.store import writes
from hookd.store.database import WriterThread, open_database
from hookd.store.reader import Reader
from support.dispatcher import QuietDispatcher, make_dispatcher
from support.payloads import PAYLOADS

AT = "2026-01-31T08:00:00.000Z"
ALL_ON = {policy.name: policy.options(mode="enforce") for policy in POLICIES}

# What a day brings, as the real client sends it; it ends as a day ends.
DAY = sorted(path.name for path in PAYLOADS.glob("*.json"))
ENDS = ("SessionStart", "SessionEnd", "PreCompact", "PostCompact", "WorktreeCreate")
BUSY = [json.loads((PAYLOADS / name).read_text()) for name in DAY if not name.startswith(ENDS)]


@dataclass
class Talk:
    """One conversation in a project on disk; `number` tells its deliveries apart."""

    hookd: QuietDispatcher
    root: Path
    id: str = "s"
    number: list[int] = field(default_factory=lambda: [0])

    def event(self, name: str, **more: Any) -> dict[str, Any]:
        """Return an event of this conversation, told from all others by its ids."""
        self.number[0] += 1
        ids = {"prompt_id": f"p{self.number[0]}", "tool_use_id": f"t{self.number[0]}"}
        told = {"hook_event_name": name, "session_id": self.id, "cwd": str(self.root)}
        return ids | more | told

    async def sends(self, event: dict[str, Any]) -> Any:
        """Deliver an event, the same one by the same process; return the client's answer."""
        env = {"CLAUDE_PROJECT_DIR": str(self.root)}
        body, shim = json.dumps(event).encode(), Sender("hookd-hook", str(self.number[0]))
        answer = await self.hookd.event(event["hook_event_name"], {"env": env}, body, shim)
        return json.loads(answer.answer)

    async def says(self, name: str, **more: Any) -> str:
        """Send an event; return the text for the model."""
        answer = await self.sends(self.event(name, **more)) or {}
        text: str = answer.get("hookSpecificOutput", {}).get("additionalContext", "")
        return text

    async def day(self) -> None:
        """Send every event of a scripted client."""
        await self.says("SessionStart", source="startup")
        await self.says("UserPromptSubmit", prompt="/ralph-loop Add pages. Ultrawork!")
        for one in BUSY:
            again = {"prompt_id": "p", "tool_use_id": f"t{self.number[0]}"}
            await self.sends(self.event(**_spelled(one) | again))

    async def rows(self, sql: str) -> list[Any]:
        return await self.hookd.writer.run(lambda db: db.execute(sql).fetchall())


def _spelled(payload: dict[str, Any]) -> dict[str, Any]:
    left = ("hook_event_name", "session_id", "cwd", "transcript_path", "agent_transcript_path")
    more = {key: value for key, value in payload.items() if key not in left}
    return {"name": payload["hook_event_name"]} | more


@pytest.fixture
async def talk(tmp_path: Path) -> AsyncIterator[Talk]:
    root, path = tmp_path / "orders", tmp_path / "state" / "hookd.db"
    root.mkdir()

    async def late(_effect: AfterCommitEffect) -> None:
        return None

    standing = RuntimeConfig(DaemonState(claude=str(tmp_path / ".claude")), ALL_ON)
    with closing(WriterThread(open_database(path))) as writer:
        reader = Reader(path)
        yield Talk(make_dispatcher(writer, reader, PolicyEngine(standing)), root)
        await reader.close()


KEPT = (
    "SELECT DISTINCT k.policy FROM policy_state k JOIN sessions s ON s.id = k.session_id"
    " WHERE s.ended_at IS NOT NULL ORDER BY 1"
)


@pytest.mark.parametrize("reason", ["other", "clear"])
async def test_when_a_conversation_ends_no_policy_keeps_anything_of_it(
    reason: str, talk: Talk
) -> None:
    await talk.day()
    kept = {policy for (policy,) in await talk.rows("SELECT policy FROM policy_state")}
    assert len(kept) >= 6, kept
    await talk.says("PreCompact", trigger="auto")
    await talk.says("SessionStart", source="compact")
    await talk.day()
    await talk.says("SessionEnd", reason=reason)
    assert await talk.rows("SELECT * FROM policy_state") == []


async def test_what_comes_after_the_end_is_kept_for_no_window_that_has_ended(talk: Talk) -> None:
    await talk.day()
    await talk.says("SessionEnd", reason="other")
    for more in ({"agent_id": "late"}, {}):
        for one in BUSY:
            await talk.sends(talk.event(**_spelled(one) | more))
    assert await talk.rows(KEPT) == []


@pytest.mark.parametrize("reason", ["idle", "process ended"])
async def test_of_a_window_that_never_said_that_it_ends_nothing_is_kept(
    reason: str, talk: Talk
) -> None:
    call = {"tool_name": "Read", "tool_input": {"file_path": f"{talk.root}/a.py"}}
    await talk.says("SessionStart", source="startup")
    await talk.says("PostToolUse", **call)
    assert await talk.rows("SELECT 1 FROM policy_state WHERE NOT lasts")
    await talk.hookd.writer.run(lambda db: writes.written(db, (EndSession(1, reason),), AT))
    assert await talk.rows("SELECT 1 FROM policy_state WHERE NOT lasts") == []


async def test_another_conversation_is_not_touched_by_what_one_has_kept(talk: Talk) -> None:
    await talk.day()
    other = Talk(talk.hookd, talk.root, "other", talk.number)
    await other.says("SessionStart", source="startup")
    assert await other.sends(other.event("Stop", prompt_id="o")) is None
    before = await talk.rows("SELECT * FROM policy_state WHERE session_id = 1 ORDER BY policy")
    await other.says("UserPromptSubmit", prompt="stop continuing")
    await other.says("SessionEnd", reason="other")
    after = await talk.rows("SELECT * FROM policy_state WHERE session_id = 1 ORDER BY policy")
    assert after == before != []


async def test_an_event_that_is_delivered_twice_is_answered_alike_and_kept_once(
    talk: Talk,
) -> None:
    await talk.says("SessionStart", source="startup")
    answers = 0
    for one in BUSY:
        event = talk.event(**_spelled(one))
        first = await talk.sends(event)
        kept = await talk.rows("SELECT * FROM policy_state ORDER BY session_id, policy")
        assert await talk.sends(event) == first, event["hook_event_name"]
        again = await talk.rows("SELECT * FROM policy_state ORDER BY session_id, policy")
        assert again == kept, event["hook_event_name"]
        answers += first is not None
    assert answers >= 5


@pytest.mark.gate
async def test_ten_thousand_conversations_leave_nothing_behind(talk: Talk) -> None:
    def through(db: Any) -> None:
        for number in range(1, 10_001):
            given: dict[str, Any] = dict.fromkeys(OpenSession.__dataclass_fields__)
            row = {"id": number, "claude_session_id": f"s{number}", "source": "startup"}
            opened = OpenSession(**given | row | {"own_effort": False, "status": "idle"})
            kept = Remember(number, "stop-continuation-guard", {"said": "x"}, lasts=True)
            ended = EndSession(number, "other")
            writes.written(db, (opened, kept, Remember(number, "overflow", 1)), AT)
            if number == 5_000:
                assert db.execute("SELECT count(*) FROM policy_state").fetchone() == (2,)
            writes.written(db, (ended,), AT)

    await talk.hookd.writer.run(through)
    assert await talk.rows("SELECT count(*) FROM sessions WHERE ended_at IS NULL") == [(0,)]
    assert await talk.rows("SELECT count(*) FROM policy_state") == [(0,)]


async def test_warnings_follow_what_is_really_in_use(talk: Talk) -> None:
    async def told(usage: float) -> list[str]:
        params = {"claudeSessionId": talk.id, "usage": usage}
        await talk.hookd.call(Request("session.updateContextUsage", params, 1, notification=False))
        call = {"tool_name": "Bash", "tool_input": {"command": "ls"}}
        texts = [
            await talk.says("PreToolUse", **call),
            await talk.says("PostToolUse", **call, tool_response={"stdout": "", "stderr": ""}),
        ]
        return [text for text in texts if text]

    await talk.says("SessionStart", source="startup")
    assert await told(0.5) == []
    (first,) = await told(0.72)
    assert "72%" in first
    assert await told(0.74) == await told(0.6) == await told(0.73) == []
    (second,) = await told(0.91)
    assert "91%" in second
    await talk.says("PreCompact", trigger="auto")
    await talk.says("SessionStart", source="compact")
    assert await told(0.2) == []
    (third,) = await told(0.72)
    assert "72%" in third


async def test_whoever_holds_a_stop_the_agent_is_let_go_after_five(talk: Talk) -> None:
    def hold(*_: Any) -> Opinion:
        return Opinion("deny", "Go on.")

    always = Policy("always", 1, frozenset({"Stop"}), PolicyOptions, "silence", hold, ())
    talk.hookd = talk.hookd.with_engine(replace(talk.hookd.engine, policies=(always,)))
    await talk.says("SessionStart", source="startup")
    for prompt in ("p", "q"):
        held = []
        for number in range(8):
            event = talk.event("Stop", stop_hook_active=number > 0) | {"prompt_id": prompt}
            held.append((await talk.sends(event) or {}).get("decision"))
            await talk.says("PreToolUse", tool_name="Bash", tool_input={"command": "ls"})
        assert held == ["block"] * 5 + [None] * 3
