"""Effects on claims and on views of files."""

from hookd.core.model.claim import ClaimKind, Stamp
from hookd.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class AddClaim:
    """Store a claim of a conversation, or of a person (`conversation` is "").

    Without `expires_at` it ends with the holder's session.
    """

    root: str
    kind: ClaimKind
    pattern: str
    conversation: str
    session_id: int | None
    agent: str | None
    project_id: int | None
    why: str | None
    automatic: bool
    expires_at: str | None


@dataclass(frozen=True, slots=True)
class ExtendClaim:
    """Set a new end, and a new reason if one is given."""

    id: int
    expires_at: str | None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class EndClaims:
    """End claims; `by` says who or what ended them."""

    ids: tuple[int, ...]
    by: str


@dataclass(frozen=True, slots=True)
class KeepView:
    """Store the state of a file as a conversation sees it.

    With `call`, the id of a tool call that is about to read it, it counts once the call has run.
    `opened`: a file tool reads or writes it, no command.
    """

    conversation: str
    session_id: int
    path: str
    stamp: Stamp
    call: str = ""
    opened: bool = True


@dataclass(frozen=True, slots=True)
class ConfirmViews:
    """A tool call has run: what it was about to read is what the conversation sees now."""

    conversation: str
    call: str


@dataclass(frozen=True, slots=True)
class HashViews:
    """Compute the hashes of the files that a conversation sees, in the background."""

    conversation: str
