"""State of a rules file: whether its rules apply, and the sentence about it for the user."""

from collections.abc import Iterable
from typing import Literal

from hookd.core.guard_rules.rule_file import FileProblem, RuleFile
from hookd.lazy_dataclass import dataclass

FileLayer = Literal["managed", "user", "team", "project"]
State = Literal["applies", "untrusted", "changed", "broken", "missing"]
"""`changed`, `broken` and `missing`: the version that was trusted last applies, if there is one."""

NAME = ".hookd/rules.yaml"
"""A project's rules file, below its root."""

_OWN: tuple[FileLayer, ...] = ("managed", "user")
"""Layers whose files need no trust: only the administrator or the user can write them."""


@dataclass(frozen=True, slots=True)
class FileState:
    """A rules file as it was found; `root` is the root of its project.

    `digest` is that of its content, None without a file; `trusted` that of the content whose rules
    are stored. `error` says why the file cannot be read.
    """

    layer: FileLayer
    path: str
    root: str | None = None
    digest: str | None = None
    trusted: str | None = None
    file: RuleFile = RuleFile()
    error: str = ""

    @property
    def problems(self) -> tuple[FileProblem, ...]:
        """The mistakes in the file, or why it cannot be read."""
        return (FileProblem(1, 1, self.error),) if self.error else self.file.problems

    @property
    def state(self) -> State | None:
        """Return the state; None if there is no file, or one without rules."""
        if self.problems:
            return "broken"
        if self.digest is None:
            return "missing" if self.trusted else None
        if self.digest == self.trusted:
            return "applies"
        if self.trusted:
            return "changed"
        return "untrusted" if self.file.rules else None

    @property
    def needs_no_trust(self) -> bool:
        """Return whether its content applies as it is."""
        return self.layer in _OWN

    @property
    def stored_rules(self) -> tuple[tuple[str, str], ...]:
        """The names and the JSON texts of the rules."""
        return tuple((one.rule.id, one.text) for one in self.file.rules)


def sentence(file: FileState) -> str:
    """Return what the user should know of a file, "" if nothing. It has no text of a rule."""
    state, path = file.state, _printable(file.path)
    applies = (
        "the rules that were trusted last apply" if file.trusted else "none of its rules apply"
    )
    if state == "broken":
        first = file.problems[0]
        place = f"{path}, line {first.line}, column {first.column}"
        more = f" ({len(file.problems)} mistakes)" if len(file.problems) > 1 else ""
        return f"{place}: {_printable(first.sentence)}{more}; {applies}"
    if state == "untrusted":
        count = len(file.file.rules)
        rules = "1 rule that does" if count == 1 else f"{count} rules that do"
        return f"{path} has {rules} not apply yet: hookd trust"
    if state == "changed":
        return f"{path} has changed; {applies} until you run hookd trust"
    if state == "missing":
        return f"{path} is gone; {applies} until you run hookd trust"
    return ""


def notice(files: Iterable[FileState]) -> str:
    """Return the line about all files for a new session, "" if there is nothing to say."""
    said = "; ".join(filter(None, map(sentence, files)))
    return f"hookd: guard rules: {said}" if said else ""


def _printable(text: str) -> str:
    shown = "".join(one if one.isprintable() else "?" for one in text)
    return shown if len(shown) <= 300 else f"{shown[:297]}..."
