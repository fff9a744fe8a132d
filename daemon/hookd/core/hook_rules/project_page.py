"""What holds of the user's hooks in one project."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hookd.config.models import Section
from hookd.core.hook_rules.identity import each_once
from hookd.core.hook_rules.layers import MergedHooks
from hookd.core.hook_rules.match import GlobRoots, Table

if TYPE_CHECKING:
    from hookd.core.hook_rules.model import Hook
    from hookd.core.model.verdict import Outcome
    from hookd.events.model import HookInput


@dataclass(frozen=True, slots=True)
class ProjectConfig:
    """What holds in one project, or outside of any.

    `digest` is of the project's own files, None where none of them has hooks, switches any off or
    says anything of policies; `trusted` says whether that content is. `sections` are what the
    files that hold say of policies, the weakest layer first; those of `kept` are among them: what
    the project's own files said when they were trusted last, though they say something else now.
    """

    root: str | None
    merged: MergedHooks
    table: Table
    digest: str | None = None
    trusted: bool | None = None
    sections: tuple[Section, ...] = ()
    kept: tuple[Section, ...] = ()

    def concerned(self, event: str) -> bool:
        """Whether the user has hooks for an event, whatever their matchers say."""
        return bool(self.table.candidates(event))

    def hooks_for(self, home: str) -> "Callable[[HookInput, Outcome], tuple[Hook, ...]]":
        """Return a function that selects the hooks to run, given the event and its outcome.

        `home` is the user's folder.
        """
        places = GlobRoots(home=home, project=self.root or "")

        def hooks(event: "HookInput", outcome: "Outcome") -> "tuple[Hook, ...]":
            found = self.table.matching(event, places)
            if outcome.verdict == "deny":
                found = tuple(hook for hook in found if hook.always)
            return each_once(found)

        return hooks
