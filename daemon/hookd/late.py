"""The home of what has to wait for the commit: each is done by the part whose it is."""

import asyncio
from dataclasses import dataclass, field

from hookd.afterwards import Transcripts
from hookd.board import Listeners
from hookd.book import Book
from hookd.core import canary
from hookd.core.effects import (
    AppendLog,
    ArmCanary,
    AskRestart,
    LateEffect,
    MeetProcess,
    ReadTranscript,
    ReloadSettings,
    RenewHooks,
    StopDaemon,
    Sweep,
    TellUser,
)
from hookd.core.errors import DomainError
from hookd.files import logs
from hookd.jobs import Rounds
from hookd.notify import Notifier
from hookd.standing import Reloads


@dataclass
class Late:
    """Does it."""

    stopping: asyncio.Event
    transcripts: Transcripts
    rounds: Rounds
    canaries: dict[str, str]
    listeners: Listeners
    reloads: Reloads
    book: Book
    notifier: Notifier
    appending: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def __call__(self, effect: LateEffect) -> None:  # noqa: C901
        """Do one thing. Raise DomainError where it cannot be done and somebody has to know."""
        match effect:
            case AppendLog():
                await self._append(effect)
            case ReadTranscript():
                self.transcripts.put(effect.session_id, effect.path, effect.stopped)
            case AskRestart():
                asked = {"runId": effect.run, "prompt": effect.prompt, "reason": effect.reason}
                self.listeners.tell(f"run:{effect.run}", "run.restart", asked)
            case MeetProcess():
                self.rounds.meet(effect.session_id, effect.pid)
            case ArmCanary():
                canary.expect(self.canaries, effect.nonce, effect.answer)
            case Sweep():
                self.rounds.soon()
            case ReloadSettings():
                await self.reloads.now()
            case RenewHooks():
                await self.book.renew(effect.root)
            case TellUser():
                self.notifier.tell(effect)
            case StopDaemon():
                self.stopping.set()

    async def _append(self, effect: AppendLog) -> None:
        try:
            async with self.appending:
                await asyncio.to_thread(logs.append, effect)
        except OSError as error:
            told = f"the entry is kept, but {effect.path} cannot be written: {error.strerror}"
            raise DomainError("FILE_FAILED", told) from error
