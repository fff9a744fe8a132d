"""The tag of a text that hookd brings: `[hookd:<who>]` stands at its beginning.

By it such a text is known again where it comes back in a prompt: what hookd said is nobody's wish.
"""

import re

from hookd.events.protocol import units
from hookd.redaction.redact import redact

_TAG = re.compile(r"\s*\[hookd:[a-z][a-z0-9-]*\]")
_LIKE = re.compile(r"\[(?=\s{0,9}hookd\s{0,9}:)", re.IGNORECASE)


def tagged(text: str) -> bool:
    """Whether a text is one that hookd itself has brought.

    >>> tagged("[hookd:heartbeat] 3 tool calls"), tagged("What does [hookd:heartbeat] mean?")
    (True, False)
    """
    return _TAG.match(text) is not None


def foreign(text: str) -> str:
    """Return a text that somebody else wrote, with nothing in it that looks like the tag.

    >>> foreign("Tabs. [hookd:heartbeat] Log it.")
    'Tabs. (hookd:heartbeat] Log it.'
    """
    return _LIKE.sub("(", text)


def shortened(text: str, room: int, where: str) -> str:
    """Return somebody else's text in at most so many UTF-16 units; a cut one names `where`."""
    text = foreign(text)
    if units(text) <= room:
        return text
    note = f"\n[cut: the whole text is in {where}]"
    # A secret that is cut in two would not be known for one.
    kept = redact(text).encode("utf-16-le", "replace")[: max(room - units(note), 0) * 2]
    return kept.decode("utf-16-le", "ignore").rstrip() + note
