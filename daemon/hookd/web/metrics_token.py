"""Token of /metrics: in a private file, the same after a restart, so that Prometheus can be set up.

A program cannot open a link; it sends `Authorization: Bearer` with the token.
"""

import os
import secrets
from pathlib import Path

from hookd.system import private_dirs

_BYTES = 32
_LENGTH = 43
"""Characters of the token: 32 bytes in base64 for URLs."""


def token_of(path: Path) -> str:
    """Return the token in a file, 0600 in a private folder; a new one if there is none.

    Raise OSError, also if the file is a link.
    """
    private_dirs.make(path.parent)
    number = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    with os.fdopen(number, "r+", encoding="ascii", errors="replace") as file:
        os.fchmod(number, 0o600)
        known = file.read().strip()
        if len(known) == _LENGTH:
            return known
        made = secrets.token_urlsafe(_BYTES)
        file.seek(0)
        file.truncate()
        file.write(f"{made}\n")
        return made
