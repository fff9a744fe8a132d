"""Corrections of rows that an earlier daemon left in the database, at the start of the next."""

from hookd.core.model.effects.messages import LoseAnswer
from hookd.log.logger import LOG
from hookd.store.database import StoreError, Writer
from hookd.store.guard_rules import redact_rules
from hookd.store.writes import written
from hookd.store.writes.approvals import end_abandoned


async def correct_rows(writer: Writer, at: str) -> None:
    """Correct rows that an earlier daemon left in the database."""
    await _offer_again(writer, at)
    await _end_approvals(writer, at)
    await _redact_rules(writer)


async def _offer_again(writer: Writer, at: str) -> None:
    """Let the unconfirmed texts of the last daemon wait again: they may not have arrived."""
    try:
        await writer.run(lambda db: written(db, (LoseAnswer(),), at))
    except StoreError as error:
        # A foreign lock, a full disk: events are judged all the same.
        LOG.warning("unconfirmed texts not reset", extra={"about": {"error": str(error)}})


async def _end_approvals(writer: Writer, at: str) -> None:
    """End the permission requests that waited when the last daemon was killed."""
    try:
        await writer.run(lambda db: end_abandoned(db, at))
    except StoreError as error:
        LOG.warning("permission requests not ended", extra={"about": {"error": str(error)}})


async def _redact_rules(writer: Writer) -> None:
    """Redact guard rules that an older hookd stored with their secrets."""
    try:
        changed = await writer.run(redact_rules)
    except StoreError as error:
        LOG.warning("guard rules not redacted", extra={"about": {"error": str(error)}})
        return
    if changed:
        LOG.info("secrets removed from guard rules", extra={"about": {"rules": changed}})
