"""Claims and views of files as facts: what conversations hold, and what they have seen."""

from typing import Literal

from hookd.lazy_dataclass import dataclass

MAX_HASHED_BYTES = 1_000_000
"""Size of a file up to which the hash of its content is computed."""

ClaimKind = Literal["path", "glob", "resource"]


@dataclass(frozen=True, slots=True)
class Claim:
    """An open claim. `pattern` is relative to `root`, the root of a repository, or `/`.

    `conversation` is its holder, "" for a person; `agent` is the holder's AGENT_ID or the person.
    An `automatic` one is of a file that the holder edits; without `expires_at` it lasts as long as
    the holder's session.
    """

    id: int
    root: str
    kind: ClaimKind
    pattern: str
    conversation: str
    session_id: int | None
    agent: str | None
    client: str | None
    why: str | None
    automatic: bool
    created_at: str
    expires_at: str | None


@dataclass(frozen=True, slots=True)
class Stamp:
    """What tells whether a file is still the same: a file that changed has another stamp."""

    size: int
    mtime_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class FileView:
    """The state of a file as a conversation has last read or written it.

    `stamp` is None if that was not recorded, since no other session was open; `sha256` is the
    content's, None if unknown. `touched_at` is when the conversation last read or wrote the file
    after that. `since` are the claims of others that may have covered the file since then, if it
    is in another state now, and the conversation has opened it by a file tool such as Read.
    `written_at` is when the conversation last wrote the file by a file tool, None if it read it
    later.
    """

    stamp: Stamp | None = None
    sha256: str | None = None
    touched_at: str | None = None
    since: tuple[Claim, ...] = ()
    written_at: str | None = None


@dataclass(frozen=True, slots=True)
class HeldFiles:
    """The claims that can cover some files, and the views of these files, in their order."""

    claims: tuple[Claim, ...] = ()
    views: tuple[FileView, ...] = ()


@dataclass(frozen=True, slots=True)
class FilePlace:
    """Where a file is: its real path, the root of its repository, and its path below that.

    The worktrees of a repository have one root; without a repository it is `/`. `kind` says what is
    there now; only a file has a stamp.
    """

    real: str
    root: str
    relative: str
    kind: Literal["file", "folder", "nothing"] = "nothing"
    stamp: Stamp | None = None
