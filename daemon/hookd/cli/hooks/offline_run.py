"""The home of running hooks from the terminal as the daemon runs them: no daemon, nothing kept."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from hookd import json_text, paths
from hookd.cli.lib.client import identity
from hookd.cli.lib.errors import Problem
from hookd.clients.claude_code import decode, encode, hook_output, hook_reply
from hookd.clients.claude_code.hook_reply import HookReply
from hookd.config.load import SettingsError, load
from hookd.config.models import UserHookOptions
from hookd.config.refusal import first_error
from hookd.core.hook_rules.layers import ProjectConfig
from hookd.core.hook_rules.match import GlobRoots
from hookd.core.hook_rules.model import Hook, HookExecution, without_duplicates
from hookd.core.model.deadlines import hook_deadlines
from hookd.core.model.verdict import merge
from hookd.daemon.app import now
from hookd.events.model import HookInput
from hookd.events.protocol import EVENTS
from hookd.methods import HOOKS
from hookd.user_hooks.command_hook import CommandRunner
from hookd.user_hooks.executor import HookExecutor, HookRequest


@dataclass(frozen=True)
class Tried:
    """What came of one hook: how it ran, what it said, and what the model is told later."""

    ran: HookExecution
    said: HookReply
    later: str = ""


def arrived(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return a payload as the daemon reads it: without what no text can hold, nor too deep."""
    try:
        read: dict[str, Any] = json_text.parse(json.dumps(payload).encode())
    except ValueError as error:
        raise Problem(f"That is no payload: {error}.", "mend it: --payload FILE") from None
    return read


def parsed(name: str, payload: Mapping[str, Any]) -> HookInput:
    """Return a payload as the event that it is. Raise Problem where it is none."""
    method = HOOKS.get(name)
    model = method.params if method else HookInput
    try:
        event: HookInput = decode.event(payload, name, model)
    except ValidationError as error:
        key, said = first_error(error)
        sentence = f"That is no payload of {name}: {key}: {said}."
        raise Problem(sentence, "give a whole one: --payload FILE") from None
    return event


def matching(page: ProjectConfig, event: HookInput) -> tuple[Hook, ...]:
    """Return the hooks that run on an event; the same handler under two matchers is one."""
    places = GlobRoots(home=str(Path.home()), project=page.root or "")
    return without_duplicates(page.table.matching(event, places))


def run(
    hooks: tuple[Hook, ...], event: HookInput, payload: Mapping[str, Any], root: str
) -> list[Tried]:
    """Run hooks, those in the background to their end, too; return what came of each."""
    try:
        options = load(paths.paths().settings).settings.user_hooks
    except SettingsError as error:
        raise Problem(f"{error}.", "hookd settings check") from None
    return asyncio.run(_run(hooks, event, payload, root, options))


def answer(event: str, tried: list[Tried]) -> dict[str, Any] | None:
    """Return what Claude Code would get, if no rule of hookd's had anything to say."""
    opinions = (one.said.opinion for one in tried)
    merged = merge([one for one in opinions if one is not None], event)
    return encode.render(event, merged, 0).output


async def _run(
    hooks: tuple[Hook, ...],
    event: HookInput,
    payload: Mapping[str, Any],
    root: str,
    options: UserHookOptions,
) -> list[Tried]:
    name, ended = event.hook_event_name, asyncio.Queue[HookExecution]()
    asking = HookRequest(
        event=event,
        payload=json_text.dump(payload) + b"\n",
        sent=_sent(root),
        root=root,
        left=max(EVENTS[name].deadline, hook_deadlines(hooks).get(name, 0)),
        later=ended.put_nowait,
    )
    async with CommandRunner(
        limit=options.max_concurrent, background_limit=options.max_background
    ) as runner:
        asker = HookExecutor(runner, paths.daemon_environment(), now, hook_output.refusal)
        rans = await asker.ask(hooks, asking, options)
        behind = {}
        for _ in range(sum(one.started_background for one in rans)):
            one = await ended.get()
            behind[one.hook.id] = one
    return [
        Tried(behind.get(ran.hook.id, ran), hook_reply.said(ran, name), _later(ran, behind, name))
        for ran in rans
    ]


def _later(ran: HookExecution, behind: Mapping[str, HookExecution], event: str) -> str:
    found = behind.get(ran.hook.id)
    return hook_reply.later(found, event) if found else ""


def _sent(root: str) -> dict[str, str]:
    """Return the variables that the shim would send from here."""
    found = {name: paths.variable(name) for name in ("PATH", "HOME", "VIRTUAL_ENV")}
    there = {name: value for name, value in found.items() if value is not None}
    return identity() | there | {"CLAUDE_PROJECT_DIR": root}
