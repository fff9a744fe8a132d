"""Asks the user's hooks of one event: programs, addresses and models, each in its own way."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from hookd.config.models import UserHookOptions
from hookd.core.hook_rules.environment import event_file, event_variables, process_environment
from hookd.core.hook_rules.model import Hook, HookExecution
from hookd.core.hook_rules.path_policy import PathPolicy
from hookd.core.model.deadlines import ANSWER_MARGIN_S
from hookd.core.model.facts import iso
from hookd.events.model import HookInput
from hookd.lazy_dataclass import dataclass
from hookd.log.logger import LOG
from hookd.paths import whole_environment
from hookd.user_hooks import http_hook, prompt_hook
from hookd.user_hooks.command_hook import CommandRunner, HookRunContext
from hookd.user_hooks.http_hook import AllowList
from hookd.user_hooks.program import leads_to

_AT_ONCE = 8
"""Addresses and models that are asked at the same time; as many more in the background."""


@dataclass(frozen=True, slots=True)
class HookRequest:
    """One event as its hooks are asked: `payload` is its JSON, `sent` the client's variables.

    `left`: seconds that the shim still waits. `later` is called with background results.
    `model` is the session's, where it is known; `client` is the name of the client.
    """

    event: HookInput
    payload: bytes
    sent: Mapping[str, str]
    root: str | None
    left: float
    later: Callable[[HookExecution], None]
    model: str | None = None
    client: str = ""


class HookExecutor:
    """Runs hooks. `base` is the daemon's own environment, `now` the clock.

    `refusal` returns what a hook prints to refuse an event, by the event and the reason.
    """

    def __init__(
        self,
        runner: CommandRunner,
        base: Mapping[str, str],
        now: Callable[[], datetime],
        refusal: Callable[[str, str], str],
    ) -> None:
        self._runner, self._base, self._now, self._refusal = runner, base, now, refusal
        self._posts, self._behinds = asyncio.Semaphore(_AT_ONCE), asyncio.Semaphore(_AT_ONCE)
        self._spent: tuple[str, int] = ("", 0)

    def beside(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something in the background; it is ended with the daemon."""
        self._runner.beside(work)

    async def ask(
        self, hooks: tuple[Hook, ...], asking: HookRequest, options: UserHookOptions
    ) -> tuple[HookExecution, ...]:
        """Return what came of each, in their order."""
        programs = tuple(hook for hook in hooks if hook.type == "command")
        async with asyncio.TaskGroup() as group:
            running = group.create_task(self._run(programs, asking, options))
            others = {
                hook.id: group.create_task(self._post(hook, asking, options))
                for hook in hooks
                if hook.type != "command" and not hook.background
            }
            for hook in hooks:
                if hook.type != "command" and hook.background:
                    self._runner.beside(self._behind(hook, asking, options))
        ran = {one.hook.id: one for one in running.result()}
        ran |= {name: task.result() for name, task in others.items()}
        return tuple(
            ran.get(hook.id) or HookExecution(hook, started_background=True) for hook in hooks
        )

    async def _run(
        self, hooks: tuple[Hook, ...], asking: HookRequest, options: UserHookOptions
    ) -> tuple[HookExecution, ...]:
        if not hooks:
            return ()
        reach = PathPolicy(options.blocked_paths, options.allowed_paths)
        file, place = event_file(asking.event), asking.event.cwd
        real = await leads_to(file, place or "/") if file else None
        root = {"CLAUDE_PROJECT_DIR": asking.root} if asking.root else {}
        sent, at = root | dict(asking.sent), iso(self._now())
        said = event_variables(
            asking.event,
            sent,
            model=asking.model,
            leads_to=real,
            reach=reach,
            at=at,
            client=asking.client,
        )
        given = [
            process_environment(
                hook,
                said,
                whole_environment() if hook.inherit_env else self._base,
                options.env_passthrough,
                options.env_profiles,
            )
            for hook in hooks
        ]
        home = self._base.get("HOME", "/")
        place = asking.event.cwd or asking.root or home
        occasion = HookRunContext(
            asking.payload, place, asking.root or home, asking.left, reach, said.notes, asking.later
        )
        self._runner.allow(options.max_concurrent, options.max_background)
        return await self._runner.run(hooks, given, occasion)

    async def _behind(self, hook: Hook, asking: HookRequest, options: UserHookOptions) -> None:
        """Ask an address or a model in the background."""
        asking.later(
            await self._post(hook, replace(asking, left=hook.timeout + ANSWER_MARGIN_S), options)
        )

    async def _post(
        self, hook: Hook, asking: HookRequest, options: UserHookOptions
    ) -> HookExecution:
        clock = asyncio.get_running_loop().time
        began = clock()
        deadline = began + max(0.0, min(hook.timeout, asking.left - ANSWER_MARGIN_S))
        places = self._behinds if hook.background else self._posts
        try:
            async with asyncio.timeout_at(deadline):
                await places.acquire()
        except TimeoutError:
            fault = f"timed out after {deadline - began:.3g} s, waiting for other hooks to end"
            return HookExecution(hook, timed_out=True, fault=fault)
        try:
            return await self._posted(hook, asking, options, deadline)
        except Exception as fault:  # noqa: BLE001 - one hook must not take the others' words along
            LOG.exception("a hook's run has failed", extra={"about": {"hook": hook.id}})
            return HookExecution(hook, fault=f"could not be run: {fault}")
        finally:
            places.release()

    async def _posted(
        self, hook: Hook, asking: HookRequest, options: UserHookOptions, deadline: float
    ) -> HookExecution:
        if hook.type == "http":
            allowed = AllowList(options.http_allow, options.http_env)
            return await http_hook.post(hook, asking.payload, deadline, allowed, asking.sent)
        means = prompt_hook.PromptBackend(
            lambda: self._spend(options), self._program(asking, options), self._refusal
        )
        return await prompt_hook.judge(hook, asking.payload, deadline, options.prompt, means)

    def _program(
        self, asking: HookRequest, options: UserHookOptions
    ) -> Callable[[Hook, bytes], Awaitable[HookExecution]]:
        async def run(hook: Hook, text: bytes) -> HookExecution:
            (ran,) = await self._run((hook,), replace(asking, payload=text), options)
            return ran

        return run

    def _spend(self, options: UserHookOptions) -> bool:
        """Take one question from the day's budget, by UTC; a restart resets it."""
        today = iso(self._now())[:10]
        day, count = self._spent
        count = count if day == today else 0
        self._spent = (today, count + 1)
        return count < options.prompt.budget_per_day
