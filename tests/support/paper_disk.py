"""What tests of policies share that look at files: a disk on paper, and the checks of a policy."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hookd.core.evaluation.policies import ask_policies
from hookd.core.model.fact_requests import (
    ArchiveMembers,
    ExistingPaths,
    FactRequest,
    File,
    FileText,
    GitCopy,
    MissingFacts,
    RealPath,
    RealPathsOf,
)
from hookd.core.model.facts import Facts
from hookd.core.model.policy import Policy
from hookd.core.model.verdict import Opinion
from hookd.events.model import HookInput
from hookd.system.file_lookup import Found


@dataclass
class Disk:
    """Files by their real path, folders or files that are links, and what archives hold."""

    files: Mapping[str, str] = field(default_factory=dict)
    links: Mapping[str, str] = field(default_factory=dict)
    answers: bool = True
    listed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def real(self, path: str) -> str:
        """Return where a path leads, step by step, as the system does."""
        at = "/"
        for step in path.split("/"):
            if step == "..":
                at = at.rpartition("/")[0] or "/"
            elif step not in ("", "."):
                at = f"{at.rstrip('/')}/{step}"
                at = self.links.get(at, at)
        return at

    def sees(self, want: FactRequest) -> Found | None:
        """Return what a look at the disk brings."""
        if not self.answers:
            return None
        if isinstance(want, RealPathsOf):
            seen = [self.sees(RealPath(path)) for path in want.paths]
            return tuple(real if isinstance(real, str) else None for real in seen)
        if isinstance(want, RealPath):
            return self.real(want.path)
        if isinstance(want, GitCopy):
            return "none" if self.real(want.path) in self.files else "absent"
        if isinstance(want, ExistingPaths):
            inside = [path for path in self.files if path.startswith(f"{want.folder}/")]
            found = tuple(one for one in want.paths if f"{want.folder}/{one}" in inside)
            return found if inside else None
        return self.listed.get(want.path) if isinstance(want, ArchiveMembers) else self._text(want)

    def _text(self, want: FactRequest) -> Found | None:
        assert isinstance(want, FileText)
        real, root = self.real(want.path), self.real(want.root).rstrip("/") + "/"
        if real not in self.files or not real.startswith(root):
            return None
        text = self.files[real]
        return File(real, text[: want.max_chars], "1-1-1", len(text) <= want.max_chars)


def looked(policy: Policy, event: HookInput, facts: Facts, disk: Disk) -> Opinion | None:
    """Judge an event as the pipeline does: load missing facts, and judge again."""
    for _ in range(8):
        try:
            heard = list(ask_policies([policy], event, facts, lambda: 0.0))
        except MissingFacts as unseen:
            facts = facts.with_facts({want: disk.sees(want) for want in unseen.requests})
            continue
        assert [one.fault for one in heard if one.fault] == []
        return heard[0].opinion if heard else None
    raise AssertionError("it wants to see ever more")
