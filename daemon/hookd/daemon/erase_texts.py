"""Remove a forgotten session's texts from files: effort logs, long texts, the daemon's log."""

from datetime import datetime, timedelta

from hookd.core.model.effects.forget import EraseTexts
from hookd.core.model.facts import iso
from hookd.log import file as log_file
from hookd.system import effort_logs, spill

_MARGIN = timedelta(seconds=60)
"""Time around a session in which the log may have lines about its events."""


def erase_texts(effect: EraseTexts, folder: str) -> tuple[str, ...]:
    """Remove the texts; `folder` has long texts. Return what could not be removed, and why."""
    left = [why for entry in effect.entries if (why := effort_logs.erase(entry))]
    if folder:
        left += spill.remove(folder, effect.events)
    began = iso(datetime.fromisoformat(effect.began) - _MARGIN)
    ended = iso(datetime.fromisoformat(effect.ended) + _MARGIN)
    return (*left, *log_file.erase_texts(effect.conversation, began, ended))
