"""Guard rules: the schema of a rule, and which rules fire for a call."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, model_validator

from hookd.core.guard_rules.budgets import ONCE, is_granted, reached
from hookd.core.guard_rules.conditions import (
    After,
    Agents,
    Branches,
    Budget,
    Clients,
    ContextShare,
    Globs,
    Hosts,
    Requirements,
    Size,
)
from hookd.core.guard_rules.example_schema import Examples
from hookd.core.guard_rules.required_commands import missing
from hookd.core.guard_rules.short_form import expand
from hookd.core.guard_rules.situation import agent_fits, context_exceeds, is_larger, on_branch
from hookd.core.guard_rules.subjects import (
    Match,
    changes,
    context_of_call,
    pushes_to,
    reaches,
    weakest,
)
from hookd.core.guard_rules.trigger_match import condition_holds, trigger_holds
from hookd.core.guard_rules.trigger_schema import Condition, Part, Trigger
from hookd.core.guard_rules.variables import check_path, check_text
from hookd.core.model.facts import Facts, Guard
from hookd.events import tool_pattern
from hookd.events.tool_pattern import ToolCall, ToolPattern, covers, matches, may_match
from hookd.lazy_dataclass import dataclass
from hookd.redaction.redact import is_env
from hookd.shell.globs import GlobRoots

STATE_KEY = "guard-rules"
"""Key of the policy state that records which rules were shown once in a session."""

_STORED = "stored"


def _checked(text: str) -> str:
    tool_pattern.parse(text)
    return text


def _worded(text: str, info: ValidationInfo) -> str:
    # A rule that was stored before variables existed keeps its dollars.
    return text if info.context == _STORED else check_text(text)


def _pathed(path: str, info: ValidationInfo) -> str:
    return path if info.context == _STORED else check_path(path)


def _several(value: Any) -> Any:
    if isinstance(value, str):
        if not value.startswith("$"):
            raise ValueError("give a list of paths, or one $name, such as $pendingPreloads")
        return (value,)
    return value


Pattern = Annotated[str, AfterValidator(_checked)]
"""A tool, or a tool with a glob: `Bash(git push --force *)`, `Read(*/.env)`, `mcp__*`."""

Words = Annotated[str, AfterValidator(_worded)]
"""A text that may name values, such as `$phase`."""

Path = Annotated[str, Field(min_length=1), AfterValidator(_pathed)]
Paths = Annotated[tuple[Path, ...], BeforeValidator(_several)]
"""Files, from the project's root; or one `$name` for files."""


class ToolFilter(Part):
    """The calls that the rule matches; an empty `include` means every tool."""

    include: tuple[Pattern, ...] = ()
    exclude: tuple[Pattern, ...] = ()


class Payload(Part):
    """Content of a fired rule: a text, files to show, files to preload, a command to run."""

    text: Words = ""
    files: Paths = ()
    preload: Paths = ()
    command: Words = ""


class Rule(Part):
    """A guard rule. `block` denies, `ask` asks the user, `allow` only informs the model.

    `interrupt` denies, has no whitelist but its own, and asks the model to stop.

    `changes`, `reaches` and `protectedBranches` say what a call does, whichever tool it is;
    `largerThan`, `branch`, `agents`, `client` and `context` say when the rule applies, `after`
    which command has to succeed first, `budget` which cost has to be reached. All that is given has
    to be true.
    With `softens`, a guard of hookd asks about the call instead of denying it. `denies`, `asks`,
    `tells` and `allows` are examples, which `hookd guard test` evaluates.
    """

    id: str = Field(alias="ruleId", min_length=1, max_length=80, pattern=r"^[A-Za-z0-9._-]+$")
    description: str = ""
    trigger: Trigger | None = None
    condition: Condition | None = None
    tool_filter: ToolFilter = Field(ToolFilter(), alias="toolFilter")
    payload: Payload = Payload()
    mode: Literal["inline", "read", "preload", "paste"] = "inline"
    urgency: Literal["allow", "ask", "block", "interrupt"] = "allow"
    priority: int = 100
    inject: Literal["always", "once"] = "always"
    whitelist: tuple[Pattern, ...] = ()
    changes: Globs | None = None
    reaches: Hosts | None = None
    protected_branches: Branches | None = Field(None, alias="protectedBranches")
    larger_than: Size | None = Field(None, alias="largerThan")
    branch: Branches | None = None
    agents: Agents | None = None
    client: Clients | None = None
    context: ContextShare | None = None
    after: Requirements | None = None
    budget: Budget | None = None
    softens: Literal[True] | None = None
    denies: Examples | None = None
    asks: Examples | None = None
    tells: Examples | None = None
    allows: Examples | None = None

    @model_validator(mode="before")
    @classmethod
    def _long_form(cls, rule: Any) -> Any:
        if not isinstance(rule, dict):
            return rule
        long = expand(rule)
        return {("ruleId" if key == "id" else key): value for key, value in long.items()}

    @property
    def blocks_all_calls(self) -> bool:
        """Return whether the rule blocks every call, because it names none."""
        named = self.tool_filter.include or self.names_deeds
        return self.urgency == "block" and not named

    @property
    def names_deeds(self) -> bool:
        """Return whether the rule says what a call does: changes, reaches or pushes."""
        return bool(self.changes or self.reaches or self.protected_branches)


def loosening(rule: Rule) -> str:
    """Return what a rule spares from other rules, for the user; "" if it only tightens."""
    if rule.blocks_all_calls and rule.whitelist:
        calls = ", ".join(rule.whitelist)
        return f"its whitelist ({calls}) also spares calls from other rules that block all calls"
    if rule.softens:
        calls = ", ".join(rule.tool_filter.include)
        return f"for {calls}, the built-in guards ask instead of denying"
    return ""


RANKS = {"managed": 0, "user": 1, "team": 2, "fleet": 2, "project": 3}
"""Layers of rules files, the strongest first; a rule that the user set is of the layer user."""

_OWN_NAMES = "fleet"
"""Layer whose rules replace none of another layer, and are replaced by none: they only tighten."""


def rank(guard: Guard) -> int:
    """Return the rank of a guard's layer; the lower is the stronger."""
    return RANKS.get(guard.layer or "user", 1)


def in_force(guards: tuple[Guard, ...]) -> tuple[Guard, ...]:
    """Return the guards that apply, the strongest layer first.

    Of rules of files with one name, only those of the strongest layer apply. A rule that was set by
    a command replaces none of a file: anybody may add one.
    """
    if not any(guard.layer for guard in guards):
        return guards
    strongest: dict[str, int] = {}
    for guard in guards:
        if guard.layer and guard.layer != _OWN_NAMES:
            strongest[guard.rule_id] = min(rank(guard), strongest.get(guard.rule_id, 9))
    left = (
        one
        for one in guards
        if not one.layer or one.layer == _OWN_NAMES or rank(one) <= strongest[one.rule_id]
    )
    return tuple(sorted(left, key=rank))


def _may_open(guard: Guard, other: Guard) -> bool:
    """Return whether the whitelist of `guard` also spares calls from `other`."""
    if guard.source == other.source:
        return True
    return rank(guard) <= rank(other) or (guard.loosens and rank(other) > 0)


@dataclass(frozen=True, slots=True)
class Fired:
    """A rule that fired. `certain` is False if the call could not be parsed well enough.

    `missing` are the commands that have to succeed before the call. `source` is the fleet that has
    published the rule, "" for rules of this host.
    """

    rule: Rule
    certain: bool
    missing: tuple[After, ...] = ()
    source: str = ""

    @property
    def name(self) -> str:
        """The name of the rule, as answers say it."""
        return f"{self.rule.id} ({self.source})" if self.source else self.rule.id


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """A cache key: a call and facts compared by identity, because their content may be large."""

    call: ToolCall
    facts: Facts

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Asked):
            return NotImplemented
        return self.call is other.call and self.facts is other.facts

    def __hash__(self) -> int:
        return hash((id(self.call), id(self.facts)))


def parse_rule(text: str) -> Rule:
    """Return the rule in a stored JSON text. Raise ValueError if it is invalid."""
    return Rule.model_validate_json(text, context=_STORED)


@lru_cache(maxsize=1024)
def _parsed(text: str) -> Rule | None:
    try:
        return parse_rule(text)
    except ValueError:
        return None


def rules_of(facts: Facts) -> Iterator[Rule]:
    """Yield the rules that apply here and can be parsed."""
    for guard in in_force(facts.guards):
        rule = _parsed(guard.rule)
        if rule is not None:
            yield rule


def unreadable_guards(facts: Facts) -> tuple[Guard, ...]:
    """Return the guards whose stored rules cannot be parsed."""
    return tuple(guard for guard in in_force(facts.guards) if _parsed(guard.rule) is None)


@lru_cache(maxsize=4096)
def _pattern(text: str) -> ToolPattern:
    return tool_pattern.parse(text)


@lru_cache(maxsize=4096)
def _guarding(text: str) -> ToolPattern:
    return tool_pattern.widened(_pattern(text))


def fired_cached(call: ToolCall, facts: Facts) -> tuple[Fired, ...]:
    """Return `fired` for the current call, cached for the same call and facts.

    The policy and the method's result need it for the same call and facts.
    """
    return _fired(_Asked(call, facts))


@lru_cache(maxsize=1)
def _fired(asked: _Asked) -> tuple[Fired, ...]:
    return fired(asked.call, asked.facts)


def fired(call: ToolCall, facts: Facts) -> tuple[Fired, ...]:
    """Return the rules that fire for `call`, lowest priority number first.

    Rules that block all calls share their whitelists. Rules that cannot be parsed are left out;
    see `unreadable_guards`.
    """
    rules = ((rule, guard) for guard in in_force(facts.guards) if (rule := _parsed(guard.rule)))
    ready = [
        (rule, guard, _places(guard.root, facts))
        for rule, guard in sorted(rules, key=lambda one: one[0].priority)
        if _ready(rule, call, facts)
    ]
    opened = [
        guard
        for rule, guard, places in ready
        if rule.blocks_all_calls
        and any(covers(_pattern(text), call, places) for text in rule.whitelist)
        and _applies(rule, call, places, facts) is not None
    ]
    found = (
        _fires(rule, call, places, facts, guard)
        for rule, guard, places in ready
        if not (rule.blocks_all_calls and any(_may_open(one, guard) for one in opened))
    )
    return tuple(one for one in found if one is not None)


def _places(root: str | None, facts: Facts) -> GlobRoots:
    """Return the folders that anchor a rule's globs; `root` is the root of the rule's project."""
    project = root or (facts.project.path if facts.project else facts.identity.project_dir)
    return GlobRoots(home=facts.home, project=project or "")


def _ready(rule: Rule, call: ToolCall, facts: Facts) -> bool:
    """Return whether the rule may fire now, as far as that needs no further facts."""
    if rule.inject == "once" and rule.urgency == "allow" and rule.id in told_once(facts):
        return False
    return (
        condition_holds(rule.condition, facts)
        and trigger_holds(rule.trigger, facts)
        and (rule.agents is None or agent_fits(rule.agents, call))
        and (rule.client is None or facts.client in rule.client)
        and (rule.context is None or context_exceeds(rule.context, facts))
        and (rule.larger_than is None or is_larger(rule.larger_than, call))
    )


def _applies(
    rule: Rule, call: ToolCall, places: GlobRoots, facts: Facts
) -> tuple[After, ...] | None:
    """Return the missing commands of a rule that applies, None if it does not apply.

    These are the conditions that need further facts. Raise MissingFacts.
    """
    if rule.budget is not None and not _exceeds(rule, rule.budget, facts):
        return None
    if rule.branch is None and rule.after is None:
        return ()

    def is_subject(one: ToolCall) -> bool:
        return _subject(rule, one, places, facts) != "no"

    place = context_of_call(call, places, facts)
    if rule.branch is not None and not on_branch(rule.branch, call, place, is_subject, facts):
        return None
    if rule.after is None:
        return ()
    return missing(rule.after, call, place, is_subject, facts) or None


def _exceeds(rule: Rule, budget: Budget, facts: Facts) -> bool:
    times = reached(budget, facts)
    if rule.urgency in ONCE and is_granted(rule.id, times, facts):
        return False
    return times > 0


def told_once(facts: Facts) -> dict[str, bool]:
    """Return which of the rules with `inject: once` were shown in this session."""
    kept = facts.policy_state.get(STATE_KEY)
    return dict(kept) if isinstance(kept, dict) else {}


def _fires(
    rule: Rule, call: ToolCall, places: GlobRoots, facts: Facts, guard: Guard
) -> Fired | None:
    spared = (*rule.tool_filter.exclude, *rule.whitelist)
    if any(covers(_pattern(text), call, places) for text in spared):
        return None
    answer = _subject(rule, call, places, facts)
    lacks = None if answer == "no" else _applies(rule, call, places, facts)
    if lacks is None:
        return None
    source = (guard.source or "") if guard.layer == _OWN_NAMES else ""
    return Fired(rule, answer == "yes", lacks, source)


def _subject(rule: Rule, call: ToolCall, places: GlobRoots, facts: Facts) -> Match:
    """Return whether a rule is about a call, whatever the situation is. Raise MissingFacts."""
    answer = _included(rule, call, places)
    if answer == "no" or not rule.names_deeds:
        return answer
    return weakest((answer, *_deeds(rule, call, places, facts)))


def _included(rule: Rule, call: ToolCall, places: GlobRoots) -> Match:
    # A rule that only informs matches the named tool; others, all tools that edit the file.
    read = _pattern if rule.urgency == "allow" else _guarding
    include = tuple(map(read, rule.tool_filter.include))
    if not include or any(matches(one, call, places) for one in include):
        return "yes"
    return "maybe" if any(may_match(one, call, places) for one in include) else "no"


def _deeds(rule: Rule, call: ToolCall, places: GlobRoots, facts: Facts) -> Iterator[Match]:
    place = context_of_call(call, places, facts)
    if rule.changes:
        yield changes(rule.changes, call, place, facts)
    if rule.reaches:
        yield reaches(rule.reaches, call, place, facts)
    if rule.protected_branches:
        yield pushes_to(rule.protected_branches, call, place, facts)


def softening_rule(call: ToolCall, facts: Facts) -> str:
    """Return the id of a rule that makes a guard ask about a call, "" if there is none.

    Everything that the call does has to match, as for an exception. Raise MissingFacts.
    """
    found = [one.rule for one in fired_cached(call, facts) if one.rule.softens and one.certain]
    for guard in facts.guards if found else ():
        rule = _parsed(guard.rule)
        if rule is not None and rule in found and _may_soften(guard):
            places = _places(guard.root, facts)
            if any(covers(_pattern(text), call, places) for text in rule.tool_filter.include):
                return rule.id
    return ""


def _may_soften(guard: Guard) -> bool:
    # A rule of a team's or a project's file loosens nothing unless a person has confirmed that.
    return guard.loosens or rank(guard) <= RANKS["user"]


def payloads(rules: Iterable[Fired]) -> list[dict[str, Any]]:
    """Return fired rules as preToolUse reports them: `{ruleId, payload}`, the text always there."""
    said = ((one.rule.id, one.rule.payload) for one in rules)
    return [
        {"ruleId": rule, "payload": {"text": ""} | payload.model_dump(exclude_defaults=True)}
        for rule, payload in said
    ]


def read_refusal(path: str, facts: Facts) -> str:
    """Return why hookd may not give a file to a model, "" if it may.

    A rule over `Read(...)` that denies or asks also applies to files that hookd adds. Files of
    variables (`.env`) are never added: their values are secrets, and would be stored.
    """
    if is_env(path):
        return "an .env file"
    if odd := unreadable_guards(facts):  # it may apply to this file
        return f"guard {odd[0].rule_id}"
    call = ToolCall("Read", {"file_path": path})
    for one in fired(call, facts):
        if one.rule.tool_filter.include and one.rule.urgency != "allow":
            return f"guard {one.rule.id}"
    return ""
