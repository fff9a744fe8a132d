"""What holds for every event until it is replaced: the settings, and how they are read again."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from hookd import settings
from hookd.core.effects import LateEffect, ReloadSettings
from hookd.core.options import PolicyOptions, Settings
from hookd.core.standing import Standing
from hookd.journal import LOG, adjust_log
from hookd.policies import configure
from hookd.road import House

Late = Callable[[LateEffect], Awaitable[None]]
"""Does what has to wait for the commit."""


@dataclass(frozen=True)
class Configured:
    """Settings that hold; `problem` says why the user's own do not, where they cannot be used."""

    settings: Settings
    options: Mapping[str, PolicyOptions]
    problem: str = ""


def configured(path: Path) -> Configured:
    """Return the settings at `path`, or the defaults and what is wrong with the file.

    A daemon with the defaults still guards; one that did not start would guard nothing.
    """
    try:
        wanted = settings.load(path)
        try:
            return Configured(wanted, configure(wanted.policies))
        except ValueError as error:
            raise settings.refused(path, error) from error
    except settings.SettingsError as error:
        defaults = Settings()
        return Configured(defaults, configure(defaults.policies), str(error))


def reload(path: Path, house: House) -> None:
    """Let the settings at `path` hold from the next event on; if they cannot, the last ones do.

    Here alone is what holds replaced, as a whole: each event is judged by one or the other.
    """
    chosen, held = configured(path), house.standing
    if chosen.problem:
        problem = f"{chosen.problem}; the last good ones hold"
        LOG.error(problem)
        house.standing = replace(held, daemon=replace(held.daemon, problem=problem))
        return
    daemon = replace(held.daemon, problem="")
    house.standing = Standing(daemon, chosen.options, chosen.settings)
    adjust_log(chosen.settings.log)
    LOG.info("the settings were read again")


def reloading(late: Late, path: Path, house: House) -> Late:
    """Return what reads the settings again where that is asked for; the rest is left to `late`."""
    reading = asyncio.Lock()

    async def either(effect: LateEffect) -> None:
        if isinstance(effect, ReloadSettings):
            async with reading:  # the last one that was asked for reads last
                await asyncio.to_thread(reload, path, house)
        else:
            await late(effect)

    return either
