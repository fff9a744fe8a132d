"""What holds of the user's hooks in one project."""

from dataclasses import dataclass

from hookd.core.commands.layers import Combined
from hookd.core.commands.match import Table
from hookd.core.options import Section


@dataclass(frozen=True, slots=True)
class Page:
    """What holds in one project, or outside of any.

    `digest` is of the project's own files, None where none of them has hooks, switches any off or
    says anything of policies; `trusted` says whether that content is. `sections` are what the
    files that hold say of policies, the weakest layer first; those of `kept` are among them: what
    the project's own files said when they were trusted last, though they say something else now.
    """

    root: str | None
    combined: Combined
    table: Table
    digest: str | None = None
    trusted: bool | None = None
    sections: tuple[Section, ...] = ()
    kept: tuple[Section, ...] = ()
