"""Rules of a fleet: a versioned file of guard rules and policies that may only tighten.

A file with one rule that loosens is refused as a whole: half of a team's rules would look like all
of them.
"""

from collections.abc import Container, Iterator
from typing import Any

from pydantic import ValidationError

from hookd.config.models import Policies
from hookd.config.refusal import first_error
from hookd.core.guard_rules.rule import Rule, loosening
from hookd.core.guard_rules.rule_file import (
    FileProblem,
    FileRule,
    Located,
    Mistake,
    RuleFile,
    parse_yaml,
    rules_in,
)
from hookd.lazy_dataclass import dataclass

LAYER = "fleet"
"""Layer of guard rules that a fleet has published."""

_KEYS = ("rules", "policies", "version")
_MAX_PROBLEMS = 20
_TIGHT_MODE = "enforce"


@dataclass(frozen=True, slots=True)
class TeamRules:
    """What a file of a fleet says: its rules, and the policies to turn on; or its mistakes."""

    rules: tuple[FileRule, ...] = ()
    policies: tuple[str, ...] = ()
    problems: tuple[FileProblem, ...] = ()

    @property
    def stored_rules(self) -> tuple[tuple[str, str], ...]:
        """The names and the JSON texts of the rules."""
        return tuple((one.rule.id, one.text) for one in self.rules)

    @property
    def refusal(self) -> str:
        """Why the file is refused, "" if it is not."""
        if not self.problems:
            return ""
        first = self.problems[0]
        more = len(self.problems) - 1
        rest = f" (and {more} more)" if more else ""
        return f"line {first.line}, column {first.column}: {first.sentence}{rest}"


def read_team_rules(data: bytes, known: Container[str] | None = None) -> TeamRules:
    """Return what a file says, or all mistakes and all that loosens in it.

    `known` are the names of policies; without them, names are not checked.
    """
    try:
        located = parse_yaml(data)
    except Mistake as mistake:
        return TeamRules(problems=(mistake.problem,))
    file = rules_in(located, _KEYS)
    policies, wrong = _policies(located, known)
    problems = (*file.problems, *_loosening(file), *wrong)
    if problems:
        return TeamRules(problems=problems[:_MAX_PROBLEMS])
    return TeamRules(file.rules, policies)


def _loosening(file: RuleFile) -> Iterator[FileProblem]:
    for one in file.rules:
        if why := loosens(one.rule):
            yield FileProblem(one.line, one.column, f"{one.rule.id}: {why}")


def loosens(rule: Rule) -> str:
    """Return why a rule is none for a whole fleet, "" if it only tightens.

    It may deny, ask, or tell the model a text. It may not spare a call from another rule, nor show
    the model files of this machine, nor name a command to run.
    """
    if why := loosening(rule):
        return f"it loosens: {why}"
    payload = rule.payload
    if payload.files or payload.preload:
        return "a rule of a fleet adds no files of this machine to a conversation"
    if payload.command:
        return "a rule of a fleet names no command to run"
    return ""


def _policies(
    located: Located, known: Container[str] | None
) -> tuple[tuple[str, ...], tuple[FileProblem, ...]]:
    """Return the policies that the file turns on, or what is wrong with that part."""
    top = located.value
    given = top.get("policies") if isinstance(top, dict) else None
    if given is None:
        return (), ()
    try:
        said = Policies.model_validate(given)
    except ValidationError as error:
        key, why = first_error(error, "there is no such setting")
        place = located.place(("policies", *key.split(".")))
        return (), (FileProblem(*place, f"policies.{key}: {why}"),)
    names = tuple(dict.fromkeys((*said.enabled, *said.options)))
    problems = (
        *_loosening_policies(said, located),
        *(
            FileProblem(*located.place(("policies",)), f"there is no policy {name!r}")
            for name in names
            if known is not None and name not in known
        ),
    )
    return names, problems


def _loosening_policies(said: Policies, located: Located) -> Iterator[FileProblem]:
    only = "a fleet may turn a policy on (`enabled`, or the mode `enforce`), and nothing else"
    if said.disabled:
        yield FileProblem(*located.place(("policies", "disabled")), f"it loosens: {only}")
    if said.profile is not None:
        yield FileProblem(*located.place(("policies", "profile")), f"it may loosen: {only}")
    for name, options in said.options.items():
        if dict[str, Any](options) != {"mode": _TIGHT_MODE}:
            place = located.place(("policies", "options", name))
            yield FileProblem(*place, f"{name}: it may loosen: {only}")
