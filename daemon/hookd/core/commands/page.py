"""What holds of the user's hooks in one project."""

from dataclasses import dataclass

from hookd.core.commands.layers import Combined
from hookd.core.commands.match import Table


@dataclass(frozen=True, slots=True)
class Page:
    """What holds in one project, or outside of any.

    `digest` is of the project's own files, None where none of them has hooks or switches any off;
    `trusted` says whether that content is.
    """

    root: str | None
    combined: Combined
    table: Table
    digest: str | None = None
    trusted: bool | None = None
