"""Run hooks from the terminal as the daemon does: without a daemon, recording nothing."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from hookd import json_text, paths
from hookd.cli.lib.client import identity
from hookd.cli.lib.errors import Problem
from hookd.clients.adapters import CLAUDE_CODE
from hookd.config.load import SettingsError, load
from hookd.config.models import UserHookOptions
from hookd.config.refusal import first_error
from hookd.core.hook_rules.layers import ProjectConfig
from hookd.core.hook_rules.match import GlobRoots
from hookd.core.hook_rules.model import Hook, HookExecution, without_duplicates
from hookd.core.model.deadlines import hook_deadlines
from hookd.core.model.verdict import merge
from hookd.daemon.app import now
from hookd.events.model import HookInput, parse_event
from hookd.events.protocol import EVENTS
from hookd.lazy_dataclass import dataclass
from hookd.methods import HOOKS
from hookd.user_hooks import hook_output, hook_reply
from hookd.user_hooks.command_hook import CommandRunner
from hookd.user_hooks.executor import HookExecutor, HookRequest
from hookd.user_hooks.hook_reply import HookReply


@dataclass(frozen=True)
class HookResult:
    """One hook's run, its reply, and the text for the model after a background run."""

    run: HookExecution
    reply: HookReply
    later: str = ""


def as_received(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return a payload as the daemon reads it. Raise Problem if it would refuse it."""
    try:
        received: dict[str, Any] = json_text.parse(json.dumps(payload).encode())
    except ValueError as error:
        raise Problem(f"Invalid payload: {error}.", "fix it: --payload FILE") from None
    return received


def parsed(name: str, payload: Mapping[str, Any]) -> HookInput:
    """Return a payload as an event. Raise Problem if it is not a valid one."""
    method = HOOKS.get(name)
    model = method.params if method else HookInput
    try:
        event: HookInput = parse_event({**payload, "hook_event_name": name}, model)
    except ValidationError as error:
        key, why = first_error(error)
        sentence = f"Invalid payload of {name}: {key}: {why}."
        raise Problem(sentence, "give a complete one: --payload FILE") from None
    return event


def matching(config: ProjectConfig, event: HookInput) -> tuple[Hook, ...]:
    """Return the hooks that run on an event; the same handler under two matchers runs once."""
    roots = GlobRoots(home=str(Path.home()), project=config.root or "")
    return without_duplicates(config.table.matching(event, roots))


def run(
    hooks: tuple[Hook, ...], event: HookInput, payload: Mapping[str, Any], root: str
) -> list[HookResult]:
    """Run hooks, those in the background to their end, too; return their results."""
    try:
        options = load(paths.paths().settings).settings.user_hooks
    except SettingsError as error:
        raise Problem(f"{error}.", "hookd settings check") from None
    return asyncio.run(_run(hooks, event, payload, root, options))


def answer(event: HookInput, results: list[HookResult]) -> dict[str, Any] | None:
    """Return the answer to Claude Code if no policy or guard rule had an opinion; None: silence."""
    opinions = (result.reply.opinion for result in results)
    merged = merge([one for one in opinions if one is not None], event.hook_event_name)
    return CLAUDE_CODE.encode.render(event, merged, 0).output


async def _run(
    hooks: tuple[Hook, ...],
    event: HookInput,
    payload: Mapping[str, Any],
    root: str,
    options: UserHookOptions,
) -> list[HookResult]:
    name, ended = event.hook_event_name, asyncio.Queue[HookExecution]()
    request = HookRequest(
        event=event,
        payload=json_text.dump(payload) + b"\n",
        sent=_sent(root),
        root=root,
        left=max(EVENTS[name].deadline, hook_deadlines(hooks).get(name, 0)),
        later=ended.put_nowait,
        client="claude-code",
    )
    async with CommandRunner(
        limit=options.max_concurrent, background_limit=options.max_background
    ) as runner:
        executor = HookExecutor(runner, paths.daemon_environment(), now, hook_output.refusal)
        runs = await executor.ask(hooks, request, options)
        background = {}
        for _ in range(sum(run.started_background for run in runs)):
            run = await ended.get()
            background[run.hook.id] = run
    return [
        HookResult(
            background.get(run.hook.id, run),
            hook_reply.reply_of(run, name),
            _later(background.get(run.hook.id), name),
        )
        for run in runs
    ]


def _later(run: HookExecution | None, event: str) -> str:
    return hook_reply.later(run, event) if run else ""


def _sent(root: str) -> dict[str, str]:
    """Return the variables that the shim would send from here."""
    variables = {name: paths.variable(name) for name in ("PATH", "HOME", "VIRTUAL_ENV")}
    known = {name: value for name, value in variables.items() if value is not None}
    return identity() | known | {"CLAUDE_PROJECT_DIR": root}
