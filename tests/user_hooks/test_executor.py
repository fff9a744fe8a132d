"""Promises about running hooks: the shell, how many at once, how long, and when not."""

import json
import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import pytest

from hookd.config.models import UserHookOptions
from hookd.core.hook_rules.model import Hook, HookExecution, HookType, Source
from hookd.core.model.daemon_state import RuntimeConfig
from hookd.core.model.effects.union import AfterCommitEffect
from hookd.methods import HOOKS
from hookd.pipeline.evaluation import PolicyEngine
from hookd.pipeline.user_hook_stage import UserHookStage
from hookd.store.database import Connection, WriterThread, open_database
from hookd.store.reader import Reader
from hookd.user_hooks.command_hook import CommandRunner
from hookd.user_hooks.executor import HookExecutor, HookRequest
from hookd.user_hooks.hook_output import refusal
from hookd.user_hooks.project_config import ProjectConfigStore
from support.dispatcher import make_dispatcher
from support.payloads import payload
from support.web_server import WebPeer, web_peer

SOURCE = Source("user", "/home/u/settings.json", "hooks.PreToolUse[0].hooks[0]")
LONG = 60.0

T = TypeVar("T")


def hook(command: str, type: HookType = "command", **more: Any) -> Hook:  # noqa: A002 - its name
    name = more.pop("id", "h")
    return Hook(name, "PreToolUse", type, SOURCE, command=command, **more)


def now() -> datetime:
    return datetime(2026, 1, 31, 8, tzinfo=UTC)


@pytest.fixture
async def asker(tmp_path: Path) -> AsyncIterator[HookExecutor]:
    async with CommandRunner() as runner:
        yield HookExecutor(
            runner, {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}, now, refusal
        )


async def ask(
    asker: HookExecutor, folder: Path, *hooks: Hook, left: float = LONG, **keys: Any
) -> Any:
    """Let hooks be asked of a call in this folder; return what came of each."""
    value = payload("PreToolUse.Bash", cwd=str(folder))
    event = HOOKS["PreToolUse"].params.model_validate(value)
    body = json.dumps(value).encode()
    later: list[HookExecution] = []
    asking = HookRequest(event, body, {}, str(folder), left, later.append)
    return await asker.ask(hooks, asking, UserHookOptions(**keys))


async def test_a_command_line_is_read_by_the_shell_that_the_client_takes(
    asker: HookExecutor, tmp_path: Path
) -> None:
    (ran,) = await ask(asker, tmp_path, hook('echo "$0"'))
    assert ran.stdout == "/bin/sh\n"


async def test_the_settings_say_how_many_hooks_run_at_the_same_time(
    asker: HookExecutor, tmp_path: Path
) -> None:
    async def both(limit: int, seconds: float) -> list[int | None]:
        meet = "touch {0}{2}; until [ -e {1}{2} ]; do sleep 0.05; done"
        pairs = (("a", "b"), ("b", "a"))
        hooks = [
            hook(meet.format(mine, other, limit), id=mine, timeout=seconds) for mine, other in pairs
        ]
        rans = await ask(asker, tmp_path, *hooks, max_concurrent=limit)
        return [ran.exit_code for ran in rans]

    assert await both(2, LONG) == [0, 0], "each has met the other"
    assert await both(1, 0.5) == [None, None], "neither ever sees the other"


async def test_a_hook_that_inherits_has_what_the_daemon_has_and_no_other_does(
    asker: HookExecutor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OF_THE_DAEMON", "yes")
    told = 'echo "$OF_THE_DAEMON"'
    hooks = [hook(told, id="all", inherit_env=True), hook(told, id="few")]
    assert [ran.stdout for ran in await ask(asker, tmp_path, *hooks)] == ["yes\n", "\n"]


@pytest.fixture
def peer() -> Iterator[WebPeer]:
    with web_peer() as one:
        yield one


async def test_no_address_is_waited_for_longer_than_the_shim_waits(
    asker: HookExecutor, tmp_path: Path, peer: WebPeer
) -> None:
    peer.raw = None
    one = hook("", "http", url=f"http://127.0.0.1:{peer.port}/", timeout=LONG)
    (ran,) = await ask(asker, tmp_path, one, left=0.7, http_allow=("http://127.0.0.1*",))
    assert (ran.exit_code, ran.timed_out) == (None, True)


class Counted(WriterThread):
    """A writer that knows how often it was asked."""

    hops = 0

    async def run(self, work: Callable[[Connection], T]) -> T:
        self.hops += 1
        return await super().run(work)


async def nothing_late(_effect: AfterCommitEffect) -> None:
    """Do nothing behind an answer."""


async def test_without_hooks_for_it_an_event_takes_one_hop_and_none_is_asked(
    asker: HookExecutor, tmp_path: Path
) -> None:
    async def trusted() -> dict[str, str]:
        return {}

    path, project = tmp_path / "hookd.db", tmp_path / "p"
    project.mkdir()
    book, house = (
        ProjectConfigStore(str(tmp_path), str(tmp_path), trusted),
        PolicyEngine(RuntimeConfig()),
    )
    stop = {"Stop": [{"hooks": [{"type": "command", "command": "touch ran"}]}]}
    settings: list[tuple[Any, str, int]] = [
        ({}, "PreToolUse.Bash", 1),
        ([], "PreToolUse.Bash", 1),
        (stop, "PreToolUse.Bash", 1),
        (stop, "Stop", 3),  # a Stop also looks up the branch of its folder
    ]
    with closing(Counted(open_database(path))) as writer:
        counsel = UserHookStage(book, asker, house, writer, now, str(tmp_path))
        reader = Reader(path)
        hookd = make_dispatcher(writer, reader, house, now=now, hooks=counsel)
        for number, (hooks, name, hops) in enumerate(settings):
            (tmp_path / "settings.json").write_text(json.dumps({"hooks": hooks}))
            await book.reload(str(project))
            value = payload(name, cwd=str(project), session_id=str(number))
            env = {"CLAUDE_PROJECT_DIR": str(project)}
            before = writer.hops
            await hookd.event(value["hook_event_name"], env, json.dumps(value).encode())
            assert (writer.hops - before, (project / "ran").exists()) == (hops, hops == 3), name
        await reader.close()
