"""Trust a rules file with exactly its current content, or end that.

`digest` is the value that guards.files returned: the user agrees to the content they were shown.
Without a digest the rules of the file are removed.
"""

from pydantic import Field

from hookd.core.guard_rules.file_state import FileState
from hookd.core.guard_rules.rule import loosening
from hookd.core.model.effects.after_commit import ReloadHooks
from hookd.core.model.effects.messages import SetFileRules
from hookd.core.model.errors import DomainError
from hookd.core.model.fact_requests import HooksOfProject
from hookd.core.model.facts import Facts
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, Wire


class Params(Wire):
    """`root` is the project's root, null for a team's file.

    `loosen` names rules that may also spare calls from rules of other files.
    """

    path: str = Field(pattern="^/")
    root: str | None = None
    digest: str | None = Field(None, pattern="^[0-9a-f]{64}$")
    loosen: list[str] = []


class Result(Wire):
    """The trusted file and content, and the number of its rules."""

    path: str
    digest: str | None
    rules: int


def decide(params: Params, facts: Facts) -> Change:
    """Store the trust and the rules. NOT_FOUND without such a file, STALE if it has changed."""
    page = facts.require(HooksOfProject(params.root))
    found = page.rule_files if page else ()
    file = next((one for one in found if one.path == params.path), None)
    if file is None or file.needs_no_trust:
        raise DomainError("NOT_FOUND", f"{params.path} is no rules file that needs trust here")
    rules: tuple[tuple[str, str], ...] = ()
    if params.digest is not None:
        rules = _rules(file, params)
    effect = SetFileRules(
        file.path, file.layer, file.root, params.digest, rules, tuple(params.loosen)
    )
    result = Result(path=file.path, digest=params.digest, rules=len(rules))
    return Change(result, (effect, ReloadHooks(params.root)))


def _rules(file: FileState, params: Params) -> tuple[tuple[str, str], ...]:
    if file.problems:
        first = file.problems[0]
        place = f"{file.path}, line {first.line}, column {first.column}"
        raise DomainError("INVALID_RULE", f"{place}: {first.sentence}")
    if file.digest != params.digest:
        raise DomainError("STALE", "the file has changed since it was shown")
    known = {one.rule.id: one.rule for one in file.file.rules}
    for name in params.loosen:
        if name not in known or not loosening(known[name]):
            raise DomainError("NOT_FOUND", f"no rule {name!r} in the file spares other calls")
    return file.stored_rules


METHOD = ChangeMethod(
    "guards.trust",
    Params,
    Result,
    daemon_only,
    decide,
    (
        Example(
            {"path": "/work/orders/.hookd/rules.yaml", "digest": "0" * 64, "loosen": []},
            says="NOT_FOUND",
        ),
    ),
    person=True,
)
