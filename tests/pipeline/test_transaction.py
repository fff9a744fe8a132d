"""The transaction of one event: how many statements each kind of event takes."""

import json
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from hookd.core.model.daemon_state import RuntimeConfig
from hookd.pipeline.evaluation import PolicyEngine
from hookd.store.database import WriterThread, open_database
from hookd.store.reader import Reader
from support.dispatcher import QuietDispatcher, make_dispatcher
from support.patches import add, in_heredoc, patch, update


class Counted:
    """A daemon's pipeline, and the statements that its writing connection has run."""

    def __init__(self, hookd: QuietDispatcher, statements: list[str], folder: Path) -> None:
        self.hookd, self.statements, self.folder = hookd, statements, folder
        self.calls = 0

    async def send(self, name: str, tool: str, **tool_input: Any) -> list[str]:
        """Send an event about one tool call; return the statements that it took."""
        self.calls += 1
        payload = {
            "session_id": "s",
            "cwd": str(self.folder),
            "hook_event_name": name,
            "tool_name": tool,
            "tool_input": tool_input,
            "tool_use_id": f"toolu_{self.calls}",
        }
        self.statements.clear()
        env = {"CWD": str(self.folder), "CLAUDE_PROJECT_DIR": str(self.folder)}
        await self.hookd.event(name, env, json.dumps(payload).encode())
        return list(self.statements)


@pytest.fixture
async def counted(tmp_path: Path) -> AsyncIterator[Counted]:
    path, folder = tmp_path / "state" / "hookd.db", tmp_path / "shop"
    folder.mkdir()
    connection, statements = open_database(path), list[str]()
    with closing(WriterThread(connection)) as writer:
        reader = Reader(path)
        hookd = make_dispatcher(writer, reader, PolicyEngine(RuntimeConfig()))
        connection.set_trace_callback(statements.append)
        counted = Counted(hookd, statements, folder)
        await counted.send("PreToolUse", "Bash", command="git status")  # it opens the session
        yield counted
        await reader.close()


STATEMENTS = [
    ("PreToolUse", "Bash", {"command": "git status"}, 12),
    ("PreToolUse", "Bash", {"command": "npm test -- --grep orders"}, 12),
    ("PreToolUse", "Read", {"file_path": "{folder}/a.py"}, 12),
    ("PreToolUse", "Edit", {"file_path": "{folder}/a.py", "old_string": "a"}, 12),
    ("PreToolUse", "Write", {"file_path": "{folder}/a.py", "content": "a"}, 12),
    ("PreToolUse", "NotebookEdit", {"notebook_path": "{folder}/a.ipynb"}, 12),
    ("PreToolUse", "Bash", {"command": "rm -rf /usr/lib"}, 12),
    ("PreToolUse", "Bash", {"command": "echo a > {folder}/a.py"}, 12),
    ("PreToolUse", "ApplyPatch", {"command": patch(add("a.py"), update("b.py", "c.py"))}, 12),
    ("PreToolUse", "Bash", in_heredoc(patch(add("a.py"), update("b.py")))[1], 12),
    ("PostToolUse", "Bash", {"command": "git status"}, 11),
]


@pytest.mark.parametrize(("name", "tool", "given", "expected"), STATEMENTS)
async def test_an_event_takes_so_many_statements(
    name: str, tool: str, given: dict[str, str], expected: int, counted: Counted
) -> None:
    texts = {key: text.replace("{folder}", str(counted.folder)) for key, text in given.items()}
    taken = await counted.send(name, tool, **texts)
    assert len(taken) == expected, "\n".join(taken)
