"""User hook stage: which user hooks run on an event, running them, and recording late results."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import partial

from hookd import json_text
from hookd.core.hook_rules.layers import ProjectConfig
from hookd.core.hook_rules.model import HookExecution, HookRun
from hookd.core.model.effects.messages import AddInjection
from hookd.core.model.fact_requests import HooksOfProject
from hookd.core.model.facts import Facts, iso
from hookd.events.protocol import EVENTS
from hookd.lazy_dataclass import dataclass
from hookd.log.logger import LOG
from hookd.pipeline.delivery import Delivery
from hookd.pipeline.evaluation import PolicyEngine
from hookd.pipeline.transaction import EventContext, HookSelector, PendingEvent
from hookd.store import writes
from hookd.store.database import Connection, StoreError, Writer
from hookd.user_hooks import hook_reply
from hookd.user_hooks.executor import HookExecutor, HookRequest
from hookd.user_hooks.project_config import ProjectConfigStore

_CONFIG_TIMEOUT_S = 2.0
"""How long the files of a project may take to be read at its first event."""

_UNKNOWN_EVENT_DEADLINE_S = 10
"""How long hooks may take on an event that hookd does not know."""

_RESPONSE_RESERVE_S = 0.2
"""Time that is left to write the response and send it to the shim."""

_MIN_STORE_TIMEOUT_S = 0.1
"""Time that the database gets to store what hooks replied, however late it is."""


@dataclass(frozen=True)
class UserHookStage:
    """Runs the user's hooks; `home` is the user's home folder."""

    configs: ProjectConfigStore
    executor: HookExecutor
    engine: PolicyEngine
    writer: Writer
    now: Callable[[], datetime]
    home: str

    async def project_config(self, delivery: Delivery) -> ProjectConfig | None:
        """Return the settings of the event's project; None if none are known.

        If the project's files cannot be read in time, the settings outside of any project apply:
        the guards must not wait for a slow disk.
        """
        if delivery.canary:
            return None
        root = delivery.identity.project_dir or self._root(delivery.event.cwd)
        config = self.configs.cached(root)
        if config is None:
            try:
                async with asyncio.timeout(_CONFIG_TIMEOUT_S):
                    config = await self.configs.load(root)
            except Exception as fault:  # noqa: BLE001 - whatever it is, the guards are asked
                about = {"project": root, "error": repr(fault)}
                LOG.error("hooks of a project cannot be read", extra={"about": about})
                config = self.configs.cached(None)
        return config

    def with_project_options(self, facts: Facts) -> Facts:
        """Return facts with the options of their project. Raise MissingFacts to read them."""
        root = facts.project.path if facts.project else None
        config = self.configs.cached(root) or facts.require(HooksOfProject(root))
        return replace(facts, options=self.engine.for_project(config).config.options)

    def _root(self, cwd: str | None) -> str | None:
        """Return the nearest known project root above a folder, or the folder itself."""
        return cwd and (self.configs.ancestor(cwd) or cwd)

    def selector(self, config: ProjectConfig) -> HookSelector:
        """Return the function that selects the hooks of a project for an event."""
        return config.hooks_for(self.home)

    async def run(
        self, ctx: EventContext, pending: PendingEvent, config: ProjectConfig
    ) -> tuple[HookRun, ...]:
        """Run the hooks of a pending event; return their replies in the order of the settings."""
        if not pending.hooks:
            return ()
        delivery, event = ctx.delivery, pending.event
        session = pending.evaluation.facts.session
        sent = delivery.received.env
        request = HookRequest(
            event=event,
            payload=_payload(delivery, pending),
            sent={name: value for name, value in sent.items() if isinstance(value, str)},
            root=config.root,
            left=time_left(delivery),
            later=partial(self._record_later, pending),
            model=session.model if session else None,
            client=delivery.client.name,
        )
        options = self.engine.config.settings.user_hooks
        executions = await self.executor.ask(pending.hooks, request, options)
        return tuple(_run(execution, event.hook_event_name) for execution in executions)

    def store_timeout(self, delivery: Delivery) -> float:
        """Return how many seconds the database gets to store what hooks replied."""
        return max(_MIN_STORE_TIMEOUT_S, time_left(delivery) - _RESPONSE_RESERVE_S)

    def _record_later(self, pending: PendingEvent, execution: HookExecution) -> None:
        """Store the result of a hook that ended in the background, and inject its text."""
        self.executor.beside(self._record(pending, execution))

    async def _record(self, pending: PendingEvent, execution: HookExecution) -> None:
        session, hook = pending.evaluation.facts.session, execution.hook
        text = hook_reply.later(execution, pending.event.hook_event_name)
        at = iso(self.now())

        def work(db: Connection) -> None:
            if pending.number:  # it may have moved to the background on its own
                run = HookRun(replace(execution, started_background=True))
                writes.hook_runs.keep(db, pending.number, run, at)
            if session is not None and text:
                writes.written(db, (AddInjection(session.id, f"hook {hook.id}", text),), at)

        try:
            await self.writer.run(work)
        except StoreError as error:
            about = {"hook": hook.id, "error": str(error)}
            LOG.error("result of a background hook not stored", extra={"about": about})


def time_left(delivery: Delivery) -> float:
    """Return how many seconds the shim still waits for the answer."""
    spec, received = EVENTS.get(delivery.event.hook_event_name), delivery.received
    waits = received.terms.deadline or (spec.deadline if spec else _UNKNOWN_EVENT_DEADLINE_S)
    if spec and spec.longest:
        waits = min(waits, spec.longest)
    spent = asyncio.get_running_loop().time() - received.at if received.at else 0.0
    return waits - spent


def has_hooks(config: ProjectConfig | None, delivery: Delivery) -> bool:
    """Return whether the user has configured hooks for an event."""
    return config is not None and config.has_hooks(delivery.event.hook_event_name)


def _payload(delivery: Delivery, pending: PendingEvent) -> bytes:
    """Return the event as a hook reads it: one line, as hookd's rules have left it."""
    payload = delivery.payload
    rewritten = pending.evaluation.outcome.updated_input
    if rewritten is not None:
        payload = {**payload, "tool_input": rewritten}
    return json_text.dump(payload) + b"\n"


def _run(execution: HookExecution, event: str) -> HookRun:
    reply = hook_reply.reply_of(execution, event)
    for note in (*execution.notes, *reply.notes):
        about = {"hook": execution.hook.id, "event": event, "note": note}
        LOG.info("note on a user hook", extra={"about": about})
    return HookRun(execution, reply.opinion, reply.notes)
