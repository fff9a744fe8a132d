"""The policies that bring context, on the road of events, with a real database and real files."""

import json
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from hookd.config.models import PolicyOptions
from hookd.core.model.daemon_state import DaemonState, RuntimeConfig
from hookd.core.model.effects.union import AfterCommitEffect
from hookd.pipeline.evaluation import PolicyEngine
from hookd.policies import (
    compaction_context_injector,
    directory_agents_injector,
    keyword_detector,
    overflow,
    rules_injector,
)
from hookd.store.database import WriterThread, open_database
from hookd.store.reader import Reader
from support.dispatcher import QuietDispatcher, make_dispatcher

POLICIES = (
    overflow.POLICY,
    keyword_detector.POLICY,
    directory_agents_injector.POLICY,
    rules_injector.POLICY,
    compaction_context_injector.POLICY,
)
FILES = {
    "a.py": "x",
    "api/a.py": "x",
    "api/AGENTS.md": "Ten rows a page.",
    "api/README.md": "The api.",
    ".hookd/rules/python.md": "---\nglobs: '*.py'\n---\nTypes everywhere.",
    ".claude/skills/build/SKILL.md": '---\nname: build\nphases: ["0: Setup"]\n---\n',
}


@dataclass
class Talk:
    """One conversation in a project on disk."""

    hookd: QuietDispatcher
    root: Path
    calls: list[str] = field(default_factory=list)

    async def says(self, name: str, **more: Any) -> str:
        """Send an event; return the text for the model."""
        told = {"hook_event_name": name, "session_id": "s", "cwd": str(self.root)} | more
        env = {"CLAUDE_PROJECT_DIR": str(self.root)}
        answer = await self.hookd.event(name, {"env": env}, json.dumps(told).encode())
        said = (json.loads(answer.answer) or {}).get("hookSpecificOutput", {})
        text: str = said.get("additionalContext", "")
        return text

    async def reads(self, path: str) -> str:
        """Let a file be read."""
        self.calls.append(path)
        return await self.says(
            "PostToolUse",
            tool_name="Read",
            tool_input={"file_path": str(self.root / path)},
            tool_use_id=f"toolu_{len(self.calls)}",
        )

    async def asks(self, prompt: str) -> str:
        """Let the user say something."""
        self.calls.append(prompt)
        return await self.says("UserPromptSubmit", prompt=prompt, prompt_id=str(len(self.calls)))


@pytest.fixture
async def talk(tmp_path: Path) -> AsyncIterator[Talk]:
    root, path = tmp_path / "orders", tmp_path / "state" / "hookd.db"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)

    async def late(_effect: AfterCommitEffect) -> None:
        return None

    standing = RuntimeConfig(DaemonState(claude=str(tmp_path / ".claude")))
    with closing(WriterThread(open_database(path))) as writer:
        reader = Reader(path)
        house = PolicyEngine(standing, POLICIES)
        yield Talk(make_dispatcher(writer, reader, house), root)
        await reader.close()


async def begun(talk: Talk) -> Talk:
    await talk.says("SessionStart", source="startup")
    assert "ultrawork: " in await talk.asks("Add pages. Ultrawork!")
    assert await talk.asks("Never touch v1.") == ""
    todos = [
        {"content": "Find the orders", "status": "completed", "activeForm": "x"},
        {"content": "Cut the pages", "status": "pending", "activeForm": "x"},
    ]
    await talk.says(
        "PostToolUse", tool_name="TodoWrite", tool_input={"todos": todos}, tool_use_id="todo"
    )
    return talk


@pytest.mark.parametrize("trigger", ["auto", "manual"])
async def test_what_was_said_and_done_outlives_a_compaction(trigger: str, talk: Talk) -> None:
    await begun(talk)
    await talk.reads("api/a.py")
    await talk.says("PreCompact", trigger=trigger)
    text = await talk.says("SessionStart", source="compact")
    for line in (
        "## The first request\n- Add pages. Ultrawork!",
        "## Later requests, the last one first\n- Never touch v1.",
        "## Done\n- Find the orders",
        "## Remaining\n- Cut the pages",
        f"## Files read last\n- {talk.root}/api/a.py",
        "## Ruled out by the user\n- Never touch v1.",
    ):
        assert line in text
    assert text.count("[hookd:") == 1


async def test_what_a_file_brings_comes_once_in_a_window_and_again_after_a_compaction(
    talk: Talk,
) -> None:
    await begun(talk)
    for _ in range(2):
        text = await talk.reads("api/a.py")
        assert text.count("Ten rows a page.") == text.count("Types everywhere.") == 1
        assert await talk.reads("api/b.py") == ""
        await talk.says("PreCompact", trigger="auto")
        await talk.says("SessionStart", source="compact")


async def test_a_subagent_is_given_it_for_itself(talk: Talk) -> None:
    await begun(talk)
    given = [
        await talk.says(
            "PostToolUse",
            agent_id=agent,
            agent_type="x",
            tool_name="Read",
            tool_input={"file_path": str(talk.root / "api/a.py")},
            tool_use_id=f"of {agent}",
        )
        for agent in ("one", "two")
    ]
    assert all("Ten rows a page." in text for text in given)


async def test_the_looks_of_all_are_few_enough_where_each_has_something_to_look_for(
    talk: Talk,
) -> None:
    await begun(talk)
    (talk.root / "link").symlink_to(talk.root / "api")
    await talk.says(
        "UserPromptExpansion",
        expansion_type="slash_command",
        command_name="build",
        command_args="pages",
        prompt="/build pages",
        prompt_id="e",
    )
    options: dict[str, PolicyOptions] = {
        "directory-agents-injector": directory_agents_injector.Options(
            names=("AGENTS.md", "README.md")
        )
    }
    house = talk.hookd.engine
    house = replace(house, config=replace(house.config, options=options))
    talk.hookd = talk.hookd.with_engine(house)
    text = await talk.reads("link/a.py")
    for said in ("[Preloaded: ", "Ten rows a page.", "The api.", "Types everywhere."):
        assert text.count(said) == 1, text
