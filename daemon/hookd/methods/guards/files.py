"""List the rules files of a project: whether their rules apply, and what is wrong with them.

Texts and patterns of rules are not in the result: they may not be trusted.
"""

from typing import Any

from hookd.core.guard_rules.file_state import FileState, sentence
from hookd.core.guard_rules.rule import loosening
from hookd.core.guard_rules.rule_file import rule_warnings
from hookd.core.model.fact_requests import HooksOfProject
from hookd.core.model.facts import Facts
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, Wire


class Params(Wire):
    """`root` is the project's root; null lists the files that apply everywhere."""

    root: str | None = None


class Result(Wire):
    """The files that exist or are trusted, the strongest layer first.

    `state` is applies, untrusted, changed, broken or missing; in the last three the version that
    was trusted last applies, if there is one. `sentence` is for the user. `problems` and `warnings`
    have a line and a column.
    """

    files: list[dict[str, Any]]


def decide(params: Params, facts: Facts) -> Change:
    """Change nothing."""
    page = facts.require(HooksOfProject(params.root))
    found = page.rule_files if page else ()
    return Change(Result(files=[_row(one) for one in found if one.state]))


def _row(one: FileState) -> dict[str, Any]:
    return {
        "layer": one.layer,
        "path": one.path,
        "root": one.root,
        "state": one.state,
        "digest": one.digest,
        "trusted": one.trusted,
        "sentence": sentence(one),
        "problems": [_place(problem) for problem in one.problems],
        "warnings": [_place(problem) for problem in rule_warnings(one.file)],
        "rules": [
            {
                "ruleId": rule.rule.id,
                "urgency": rule.rule.urgency,
                "loosens": bool(loosening(rule.rule)),
            }
            for rule in one.file.rules
        ],
    }


def _place(problem: Any) -> dict[str, Any]:
    return {"line": problem.line, "column": problem.column, "sentence": problem.sentence}


METHOD = ChangeMethod(
    "guards.files",
    Params,
    Result,
    daemon_only,
    decide,
    (Example({"root": "/work/orders"}, says="the rules files of all layers"),),
)
