"""Fact requests of claims: where a file is and what it is like, who holds it, who has seen it."""

from hookd.core.model.claim import FilePlace
from hookd.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class PlaceOfFile:
    """The place of the file at an absolute path in its repository, and its state now."""

    path: str


@dataclass(frozen=True, slots=True)
class StampOfFile:
    """The state of the file at an absolute path; None if there is no file."""

    path: str


@dataclass(frozen=True, slots=True)
class FileHash:
    """The SHA-256 of a file's content in hex; None for a file of more than 1 MB, or without one."""

    path: str


@dataclass(frozen=True, slots=True)
class AskedFile:
    """A file that a call changes. With `named`, the path in the call, its view is wanted, too.

    `wide`: claims of anything in its repository are wanted, since it may be many files.
    """

    place: FilePlace
    named: str = ""
    wide: bool = False


@dataclass(frozen=True, slots=True)
class FilesHeld:
    """The claims that are open at a time and may cover files, and a conversation's views of them.

    Views are those of the files with a name, in their order.
    """

    conversation: str
    at: str
    files: tuple[AskedFile, ...]


@dataclass(frozen=True, slots=True)
class OpenClaims:
    """The claims that are open at a time, in one repository or everywhere."""

    at: str
    root: str | None = None
