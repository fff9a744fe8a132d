"""Words about claims: who holds what, since when, and how to ask for it."""

from datetime import datetime, timedelta

from hookd.core.fleet.peers import peer_of_key
from hookd.core.model.claim import Claim
from hookd.redaction.redact import redact

_MAX_CHARS = 200

RESOURCE = "resource:"
"""Beginning of the name of a claim that is no file."""


def holder(claim: Claim) -> str:
    """Return who holds a claim.

    >>> holder(Claim(1, "/", "path", "a", "c", 7, "orders", "codex", None, False, "", None))
    'orders (codex, session 7)'
    """
    if not claim.conversation:
        return "the user"
    if peer := peer_of_key(claim.conversation):
        return short(peer.address)
    session = f"session {claim.session_id}" if claim.session_id else "an ended session"
    if claim.agent:
        return f"{short(claim.agent)} ({', '.join(filter(None, (claim.client, session)))})"
    return f"{session} ({claim.client})" if claim.client else session


def address(claim: Claim) -> str:
    """Return how `hookd send` addresses a holder, "" for a person."""
    if not claim.conversation:
        return ""
    return short(claim.agent) if claim.agent else f"session {claim.session_id}"


def how_to_ask(claim: Claim) -> str:
    """Return the next step for who needs what another holds."""
    to = address(claim)
    if not to:
        return f"To ask for it: ask the user, who can end the claim with: hookd release {claim.id}"
    told = f"To ask for it: hookd send {_quoted(to)} 'TEXT'"
    if peer_of_key(claim.conversation):
        return f"{told}; its holder can end the claim on that host"
    return f"{told}; its holder can end the claim with: hookd release {claim.id}"


def named(claim: Claim) -> str:
    """Return what a claim is of; outside of a repository, the absolute path."""
    if claim.kind == "resource":
        return short(f"{RESOURCE}{claim.pattern}")
    return short(f"/{claim.pattern}" if claim.root == "/" else claim.pattern or ".")


def described(claim: Claim, now: datetime) -> str:
    """Return who holds a claim, since when, for how long, and why."""
    since = _span(now - datetime.fromisoformat(claim.created_at))
    left = (
        f"for {_span(datetime.fromisoformat(claim.expires_at) - now)} more"
        if claim.expires_at
        else "until its session ends"
    )
    why = f', "{short(claim.why)}"' if claim.why else ""
    return f"{named(claim)} is claimed by {holder(claim)} since {since} ago, {left}{why}"


def short(text: str) -> str:
    """Return a text as one line without secrets, cut."""
    line = " ".join("".join(c if c.isprintable() else " " for c in redact(text)).split())
    return line if len(line) <= _MAX_CHARS else f"{line[: _MAX_CHARS - 1]}…"


def _span(span: timedelta) -> str:
    minutes = max(0, round(span.total_seconds() / 60))
    if minutes < 1:
        return "less than a minute"
    if minutes < 120:
        return f"{minutes} minute{'s' if minutes > 1 else ''}"
    return f"{round(minutes / 60)} hours"


def _quoted(text: str) -> str:
    plain = "".join(char for char in text if char not in "-_.:@").isalnum()
    return text if plain else "'" + text.replace("'", "'\\''") + "'"
