"""After-commit effects: a failing effect is counted, and harms no other."""

import asyncio
from typing import Any

from hookd.core.model.effects.after_commit import StopDaemon
from hookd.daemon.after_commit import AfterCommit
from hookd.log.incidents import Incidents


async def test_an_effect_without_a_handler_is_counted() -> None:
    incidents, stopping, absent = Incidents(), asyncio.Event(), None
    parts: Any = [absent] * 8
    late = AfterCommit(stopping, *parts, incidents, absent, absent, absent)  # type: ignore[arg-type]
    unknown: Any = type("Unheard", (), {})()
    await late(unknown)
    await late(StopDaemon())
    (one,) = incidents.told()
    assert (one.kind, one.name, one.count) == ("effect failed", "Unheard", 1)
    assert stopping.is_set()
