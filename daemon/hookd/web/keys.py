"""Secrets of one server: the path prefix, links for one use, sessions and their form tokens.

They are in memory only and end with the server.
"""

import hashlib
import hmac
import secrets
from collections.abc import Collection

from hookd.web.access import same

LINK_SECONDS = 60.0
"""Seconds in which a link can be opened, once."""

_BYTES = 24
"""Random bytes of each secret: 192 bits."""

_MAX_LINKS = 8
_MAX_SESSIONS = 64


class Keys:
    """The secrets. Times are seconds of one monotonic clock."""

    def __init__(self) -> None:
        self.prefix = secrets.token_urlsafe(_BYTES)
        self._form_key = secrets.token_bytes(32)
        self._links: dict[str, float] = {}
        self._sessions: list[str] = []

    @property
    def sessions(self) -> Collection[str]:
        """The values of valid cookies."""
        return tuple(self._sessions)

    def link_token(self, now: float) -> str:
        """Return the token of a new link. Only the newest links stay valid."""
        token = secrets.token_urlsafe(_BYTES)
        self._links[token] = now + LINK_SECONDS
        for old in list(self._links)[:-_MAX_LINKS]:
            del self._links[old]
        return token

    def redeem(self, token: str, now: float) -> str | None:
        """Return a new session for a link that is valid; it is not valid again. None if not."""
        found = [known for known in self._links if same(known, token)]
        if not found or self._links.pop(found[0]) < now:
            return None
        session = secrets.token_urlsafe(_BYTES)
        self._sessions = [*self._sessions, session][-_MAX_SESSIONS:]
        return session

    def csrf(self, session: str) -> str:
        """Return the token of the forms of a session."""
        return hmac.new(self._form_key, session.encode(), hashlib.sha256).hexdigest()
