"""Warm-up: build what is built on first use before the first event needs it."""

import asyncio

from hookd.core.model.identity import identify
from hookd.events.model import PreToolUse
from hookd.log.logger import LOG
from hookd.methods import HOOKS, METHODS
from hookd.pipeline.delivery import unsent
from hookd.pipeline.pipeline import EventPipeline


async def warm_up(pipeline: EventPipeline) -> None:
    """Evaluate a call that no client made, and store nothing. A fault is only logged."""
    call = {"session_id": "warm-up", "tool_name": "Bash", "tool_input": {"command": "git status"}}
    try:
        event = PreToolUse.model_validate({"hook_event_name": "PreToolUse", **call})
        await pipeline.dry_run(unsent(event, identify({}), HOOKS["PreToolUse"]))
    except Exception:  # noqa: BLE001 - the daemon serves without it
        LOG.warning("warm-up failed", exc_info=True)


async def import_methods() -> None:
    """Import every method, one at a time, so that requests are served in between.

    An upgrade replaces the files while the daemon runs: a method that is imported after that would
    be of another version than the rest.
    """
    for name in METHODS:
        try:
            _ = METHODS[name]
        except Exception:  # noqa: BLE001 - the other methods are served
            LOG.exception("method not imported", extra={"about": {"method": name}})
        await asyncio.sleep(0)
