"""After-commit effects: each is handed to the part of the daemon that performs it."""

import asyncio
from dataclasses import field
from typing import assert_never

from hookd.core.evaluation import canary
from hookd.core.model.effects.after_commit import (
    AnnounceMail,
    AnswerApproval,
    AppendLog,
    ArmCanary,
    AskRestart,
    NotifyUser,
    ReadClientVersion,
    ReadTranscript,
    RegisterProcess,
    ReloadHooks,
    ReloadSettings,
    RunMaintenance,
    StopDaemon,
)
from hookd.core.model.effects.claims import HashViews
from hookd.core.model.effects.fleet_items import ReportItem
from hookd.core.model.effects.forget import EraseTexts
from hookd.core.model.effects.union import AfterCommitEffect
from hookd.core.model.errors import DomainError
from hookd.daemon.client_versions import ClientVersions
from hookd.daemon.config_reload import Reloads
from hookd.daemon.erase_texts import erase_texts
from hookd.daemon.mail_waking import MailWaker
from hookd.daemon.maintenance import MaintenanceLoop
from hookd.daemon.notifications import Notifier
from hookd.daemon.transcript_ingest import TranscriptIngester
from hookd.daemon.view_hashes import ViewHashes
from hookd.lazy_dataclass import dataclass
from hookd.log.incidents import Incidents
from hookd.log.logger import LOG
from hookd.pipeline.approval_stage import ApprovalStage
from hookd.rpc.subscriptions import Subscriptions
from hookd.system import effort_logs
from hookd.user_hooks.project_config import ProjectConfigStore


@dataclass
class AfterCommit:
    """Performs after-commit effects; a failure is logged and counted.

    `spill` is the folder of texts that were too long for an answer.
    """

    stopping: asyncio.Event
    transcripts: TranscriptIngester
    versions: ClientVersions
    maintenance: MaintenanceLoop
    canaries: dict[str, str]
    subscriptions: Subscriptions
    reloads: Reloads
    configs: ProjectConfigStore
    notifier: Notifier
    incidents: Incidents
    approvals: ApprovalStage
    hashes: ViewHashes
    waker: MailWaker
    spill: str = ""
    appending: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def __call__(self, effect: AfterCommitEffect) -> None:
        """Perform one effect. Raise DomainError where the caller has to know that it failed."""
        try:
            await self._perform(effect)
        except DomainError:
            raise
        except Exception as fault:
            self._failed(effect, fault)
            if isinstance(effect, AnswerApproval):
                raise  # nothing was answered: the person must not read that it was

    async def _perform(self, effect: AfterCommitEffect) -> None:  # noqa: C901, PLR0912
        match effect:
            case AppendLog():
                await self._append(effect)
            case ReadTranscript():
                self.transcripts.enqueue(effect.session_id, effect.path, effect.stopped)
            case ReadClientVersion():
                self.versions.enqueue(effect.session_id, effect.process)
            case HashViews():
                self.hashes.enqueue(effect.conversation)
            case AskRestart():
                asked = {"runId": effect.run, "prompt": effect.prompt, "reason": effect.reason}
                self.subscriptions.publish(f"run:{effect.run}", "run.restart", asked)
            case RegisterProcess():
                self.maintenance.register_process(effect.session_id, effect.pid)
            case ArmCanary():
                canary.announce(self.canaries, effect.nonce, effect.answer)
            case RunMaintenance():
                self.maintenance.trigger()
            case ReloadSettings():
                await self.reloads.now()
            case ReloadHooks():
                await self.configs.reload(effect.root)
                if effect.every:
                    await self.configs.reload_all()
            case NotifyUser():
                self.notifier.notify(effect)
            case EraseTexts():
                await self._erase(effect)
            case AnswerApproval():
                await self.approvals.answer(effect)
            case AnnounceMail():
                self.subscriptions.publish("mail", "mail.changed", {})
                self.waker.look()
            case ReportItem():
                about = {"kind": effect.kind, "sender": effect.sender, "why": effect.reason}
                LOG.warning("an item of the fleet was refused", extra={"about": about})
            case StopDaemon():
                self.stopping.set()
            case _:
                assert_never(effect)

    def _failed(self, effect: AfterCommitEffect, fault: Exception) -> None:
        name = type(effect).__name__
        LOG.error("after-commit effect failed", exc_info=fault, extra={"about": {"effect": name}})
        self.incidents.note("effect failed", name, f"{type(fault).__name__}: {fault}")

    async def _append(self, effect: AppendLog) -> None:
        try:
            async with self.appending:
                await asyncio.to_thread(effort_logs.append, effect)
        except OSError as error:
            told = f"the entry is kept, but {effect.path} cannot be written: {error.strerror}"
            raise DomainError("FILE_FAILED", told) from error

    async def _erase(self, effect: EraseTexts) -> None:
        self.approvals.forget(frozenset(effect.events))
        async with self.appending:
            left = await asyncio.to_thread(erase_texts, effect, self.spill)
        if left:
            told = f"the session is forgotten, but look at these yourself: {'; '.join(left)}"
            raise DomainError("FILE_FAILED", told)
