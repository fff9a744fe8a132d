"""The user's own hooks at one event: which are to be heard, that they are, and what they said."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from hookd import json_text
from hookd.clients.claude_code import hook_reply
from hookd.core.hook_rules.layers import ProjectConfig
from hookd.core.hook_rules.model import HookExecution, HookRun
from hookd.core.model.effects.messages import AddInjection
from hookd.core.model.fact_requests import HooksOfProject
from hookd.core.model.facts import Facts, iso
from hookd.events.protocol import EVENTS
from hookd.log.logger import LOG
from hookd.pipeline.delivery import Delivery
from hookd.pipeline.evaluation import PolicyEngine
from hookd.pipeline.transaction import HookSelector, PendingEvent
from hookd.store import writes
from hookd.store.database import Connection, StoreError, Writer
from hookd.user_hooks.executor import HookExecutor, HookRequest
from hookd.user_hooks.project_config import ProjectConfigStore

_READING = 2.0
"""Seconds that the files of a project may take to be read at its first event."""

_PATIENCE = 10
"""Seconds that hooks have on an event that this hookd does not know."""

_CARRIED = 0.2
"""Seconds that an answer needs to be written and carried to the shim."""

_LEAST = 0.1
"""Seconds that the database has to keep what hooks said, however late it is."""


@dataclass(frozen=True)
class UserHookStage:
    """Hears the user's hooks; `home` is the user's folder."""

    book: ProjectConfigStore
    asker: HookExecutor
    house: PolicyEngine
    writer: Writer
    now: Callable[[], datetime]
    home: str

    async def project_config(self, delivery: Delivery) -> ProjectConfig | None:
        """Return what the settings of the event's project say; None where nothing is known.

        Where the project's files cannot be had, what holds outside of any project does: the guards
        must not wait for somebody's disk.
        """
        if delivery.canary:
            return None
        root = delivery.identity.project_dir or self._root(delivery.event.cwd)
        page = self.book.cached(root)
        if page is None:
            try:
                async with asyncio.timeout(_READING):
                    page = await self.book.load(root)
            except Exception as fault:  # noqa: BLE001 - whatever it is, the guards are asked
                about = {"project": root, "error": repr(fault)}
                LOG.error("the hooks of a project cannot be had", extra={"about": about})
                page = self.book.cached(None)
        return page

    def with_project_options(self, facts: Facts) -> Facts:
        """Return facts with the options of their project. Raise MissingFacts to read them."""
        root = facts.project.path if facts.project else None
        page = self.book.cached(root) or facts.require(HooksOfProject(root))
        return replace(facts, options=self.house.for_project(page).config.options)

    def _root(self, cwd: str | None) -> str | None:
        """Return the project's root where the client does not say: the nearest that is known."""
        return cwd and (self.book.ancestor(cwd) or cwd)

    def selector(self, page: ProjectConfig) -> HookSelector:
        """Return what names the hooks that are to run, as the house's rules have left the event."""
        return page.hooks_for(self.home)

    async def run(self, waiting: PendingEvent, page: ProjectConfig) -> tuple[HookRun, ...]:
        """Run the hooks; return what each said, in the order of the settings."""
        if not waiting.hooks:
            return ()
        delivery, event = waiting.delivery, waiting.event
        session = waiting.evaluation.facts.session
        asking = HookRequest(
            event=event,
            payload=_payload(waiting),
            sent={name: text for name, text in delivery.sent.items() if isinstance(text, str)},
            root=page.root,
            left=self.time_left(delivery),
            later=lambda ran: self._record_background(ran, waiting),
            model=session.model if session else None,
        )
        options = self.house.config.settings.user_hooks
        rans = await self.asker.ask(waiting.hooks, asking, options)
        return tuple(_run(ran, event.hook_event_name) for ran in rans)

    def time_left(self, delivery: Delivery) -> float:
        """Return how many seconds the shim still waits for the answer."""
        spec = EVENTS.get(delivery.event.hook_event_name)
        waits = delivery.deadline or (spec.deadline if spec else _PATIENCE)
        if spec and spec.longest:
            waits = min(waits, spec.longest)
        spent = asyncio.get_running_loop().time() - delivery.since if delivery.since else 0.0
        return waits - spent

    def store_budget(self, delivery: Delivery) -> float:
        """Return how many seconds the database has to keep what hooks said."""
        return max(_LEAST, self.time_left(delivery) - _CARRIED)

    def _record_background(self, ran: HookExecution, waiting: PendingEvent) -> None:
        """Keep what came of a hook that nobody waited for, and let the model hear of it."""
        self.asker.beside(self._keep(ran, waiting))

    async def _keep(self, ran: HookExecution, waiting: PendingEvent) -> None:
        session = waiting.evaluation.facts.session
        text = hook_reply.later(ran, waiting.event.hook_event_name)
        at = iso(self.now())

        def work(db: Connection) -> None:
            if waiting.number:
                behind = replace(ran, started_background=True)  # it may have gone there by itself
                writes.hook_runs.keep(db, waiting.number, HookRun(behind), at)
            if session is not None and text:
                writes.written(db, (AddInjection(session.id, f"hook {ran.hook.id}", text),), at)

        try:
            await self.writer.run(work)
        except StoreError as error:
            about = {"hook": ran.hook.id, "error": str(error)}
            LOG.error("what a hook did could not be kept", extra={"about": about})


def concerned(page: ProjectConfig | None, delivery: Delivery) -> bool:
    """Whether there are hooks of the user's for an event."""
    return page is not None and page.has_hooks(delivery.event.hook_event_name)


def _payload(waiting: PendingEvent) -> bytes:
    """Return the event as a hook reads it: one line, as the house's rules have left it."""
    payload, client = waiting.delivery.payload, waiting.delivery.client
    rewritten = waiting.evaluation.outcome.updated_input
    if rewritten is not None:
        payload = client.encode.with_input(payload, rewritten)
    return json_text.dump(payload) + b"\n"


def _run(ran: HookExecution, event: str) -> HookRun:
    said = hook_reply.said(ran, event)
    for note in (*ran.notes, *said.notes):
        LOG.info("a hook", extra={"about": {"hook": ran.hook.id, "event": event, "note": note}})
    return HookRun(ran, said.opinion, said.notes)
