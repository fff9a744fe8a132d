"""Codex's own payloads of patches from the wire to the answer, and what is recorded of them."""

import json
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from hookd.core.model.daemon_state import RuntimeConfig
from hookd.pipeline.delivery import Received
from hookd.pipeline.evaluation import PolicyEngine
from hookd.rpc.jsonrpc import Request
from hookd.store.database import WriterThread, open_database
from hookd.store.reader import Reader
from support.dispatcher import QuietDispatcher, make_dispatcher
from support.patches import add, delete, in_heredoc, patch, update
from support.payloads import payload, verdict


class Codex:
    """A window of Codex in a project, and the daemon's pipeline."""

    def __init__(self, hookd: QuietDispatcher, project: Path) -> None:
        self.hookd, self.project = hookd, project
        self.calls = 0

    async def sends(self, name: str, text: str | None = None, *, shell: bool = False) -> Any:
        """Send a captured payload with another patch; return the answer."""
        self.calls += 1
        given = payload(f"codex/{name}.apply_patch", cwd=str(self.project))
        given["tool_use_id"] = f"call_{self.calls}"
        if text is not None:
            given["tool_input"] = {"command": text}
        if shell:
            given["tool_name"], given["tool_input"] = in_heredoc(text or "")
        env = {"CWD": str(self.project)}
        received = Received(name, env, json.dumps(given).encode(), client="codex")
        return json.loads((await self.hookd.pipeline.run(received)).answer)

    async def call(self, method: str, **params: Any) -> Any:
        value = await self.hookd.call(Request(method, params, 1, notification=False))
        return json.loads(value) if isinstance(value, bytes) else value

    async def rows(self, sql: str) -> list[Any]:
        return await self.hookd.writer.run(lambda db: db.execute(sql).fetchall())


@pytest.fixture
async def codex(tmp_path: Path) -> AsyncIterator[Codex]:
    path, project = tmp_path / "state" / "hookd.db", tmp_path / "project"
    (project / "src").mkdir(parents=True)
    (project / "hosts").symlink_to("/etc/hosts")
    (project / ".env").write_text("TOKEN=x")
    with closing(WriterThread(open_database(path))) as writer:
        reader = Reader(path)
        yield Codex(make_dispatcher(writer, reader, PolicyEngine(RuntimeConfig())), project)
        await reader.close()


async def test_the_captured_payload_passes(codex: Codex) -> None:
    assert await codex.sends("PreToolUse") is None
    assert await codex.sends("PostToolUse") is None
    stored = await codex.rows("SELECT event, tool_name FROM events ORDER BY id")
    assert stored == [("PreToolUse", "ApplyPatch"), ("PostToolUse", "ApplyPatch")]


@pytest.mark.parametrize("shell", [False, True])
async def test_a_rule_over_a_file_denies_the_patch(codex: Codex, shell: bool) -> None:
    rule = {"id": "no-gen", "toolFilter": {"include": ["Edit(/gen/**)"]}, "urgency": "block"}
    await codex.call("guards.add", rule=rule)
    decision, reason = verdict(
        await codex.sends("PreToolUse", patch(add("a"), delete("gen/b")), shell=shell)
    )
    assert decision == "deny"
    assert "gen/b" in reason
    assert await codex.sends("PreToolUse", patch(add("src/gen.py")), shell=shell) is None


@pytest.mark.parametrize("shell", [False, True])
async def test_a_link_is_followed(codex: Codex, shell: bool) -> None:
    decision, reason = verdict(await codex.sends("PreToolUse", patch(update("hosts")), shell=shell))
    assert decision == "deny"
    assert "hosts" in reason


async def test_a_question_is_a_denial_that_a_person_can_lift(codex: Codex) -> None:
    """Codex cannot ask. A person allows exactly this patch."""
    text = patch(update(".env"), add("src/a"))
    decision, reason = verdict(await codex.sends("PreToolUse", text))
    assert decision == "deny"
    assert ".env" in reason
    number = int(reason.partition("hookd allow ")[2].split()[0])
    allowed = await codex.call("allowances.add", eventId=number)
    assert [one["tool"] for one in allowed["calls"]] == ["ApplyPatch"]
    assert await codex.sends("PreToolUse", text) is None
    assert verdict(await codex.sends("PreToolUse", patch(update(".env"))))[0] == "deny"


@pytest.mark.parametrize("text", ["*** Begin Patch\n*** Add File: a\n+x", "", "ls"])
async def test_what_cannot_be_read_is_denied(codex: Codex, text: str) -> None:
    decision, reason = verdict(await codex.sends("PreToolUse", text))
    assert decision == "deny"
    assert "patch cannot be read" in reason


async def test_secrets_of_an_env_file_are_not_stored(codex: Codex) -> None:
    await codex.sends("PreToolUse", patch(add("conf/.env", "TOKEN=correct-horse-battery")))
    await codex.sends("PreToolUse", patch(add("conf/.env", "A=correct-horse")), shell=True)
    stored = await codex.rows("SELECT payload FROM events")
    assert "correct-horse" not in str(stored)


async def test_a_list_shows_the_files(codex: Codex) -> None:
    await codex.sends("PreToolUse", patch(add("src/a.py"), delete("src/b.py")))
    events = (await codex.call("events.list", limit=1))["events"]
    assert events[0]["toolName"] == "ApplyPatch"
    from hookd.display.event_text import about

    assert about(events[0]) == "src/a.py, src/b.py"
