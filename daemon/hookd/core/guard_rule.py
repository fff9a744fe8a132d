"""The guard rules that users set: their shape, and when one fires."""

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from hookd.core import tool_pattern
from hookd.core.facts import Facts
from hookd.core.tool_pattern import ToolCall, ToolPattern, covers, hits, undecided

_OPS = {
    "gte": lambda a, b: a >= b,
    "gt": lambda a, b: a > b,
    "lte": lambda a, b: a <= b,
    "lt": lambda a, b: a < b,
    "eq": lambda a, b: a == b,
}


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


def _checked(text: str) -> str:
    tool_pattern.parse(text)
    return text


Pattern = Annotated[str, AfterValidator(_checked)]
"""A tool, or a tool with a glob: `Bash(git push --force *)`, `Read(*/.env)`, `mcp__*`."""


class Condition(_Part):
    """A number of the session compared: heartbeat_counter, or context_usage (0.0 to 1.0)."""

    field: Literal["heartbeat_counter", "context_usage"]
    op: Literal["gte", "gt", "lte", "lt", "eq"]
    value: float = Field(allow_inf_nan=False)


class Trigger(_Part):
    """When the rule may fire: in a phase whose label matches the glob, or in a lifecycle."""

    type: Literal["phase", "lifecycle"]
    matches: str


class ToolFilter(_Part):
    """The calls it is about; an empty `include` means every tool."""

    include: tuple[Pattern, ...] = ()
    exclude: tuple[Pattern, ...] = ()


class Payload(_Part):
    """What a fired rule says."""

    text: str = ""


class Rule(_Part):
    """A guard rule. `block` denies, `ask` asks the user, `allow` only tells the model `text`."""

    id: str = Field(alias="ruleId", min_length=1, max_length=80, pattern=r"^[A-Za-z0-9._-]+$")
    description: str = ""
    trigger: Trigger | None = None
    condition: Condition | None = None
    tool_filter: ToolFilter = Field(ToolFilter(), alias="toolFilter")
    payload: Payload = Payload()
    urgency: Literal["allow", "ask", "block"] = "allow"
    priority: int = 100
    whitelist: tuple[Pattern, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _either_name(cls, rule: Any) -> Any:
        if isinstance(rule, dict) and "id" in rule:
            return {("ruleId" if key == "id" else key): value for key, value in rule.items()}
        return rule


@dataclass(frozen=True, slots=True)
class Fired:
    """A rule that fired. `sure` is False where the call could not be read well enough to know."""

    rule: Rule
    sure: bool


@lru_cache(maxsize=1024)
def parse_rule(text: str) -> Rule:
    """Return the rule that was stored as this JSON text."""
    return Rule.model_validate_json(text)


@lru_cache(maxsize=4096)
def _pattern(text: str) -> ToolPattern:
    return tool_pattern.parse(text)


def fired(call: ToolCall, facts: Facts) -> tuple[Fired, ...]:
    """Return the rules that fire for `call`, lowest priority number first."""
    rules = sorted((parse_rule(guard.rule) for guard in facts.guards), key=lambda r: r.priority)
    found = (_fires(rule, call, facts) for rule in rules)
    return tuple(one for one in found if one is not None)


def _fires(rule: Rule, call: ToolCall, facts: Facts) -> Fired | None:
    if not _holds(rule.condition, facts) or not _triggered(rule.trigger, facts):
        return None
    include = tuple(map(_pattern, rule.tool_filter.include))
    spared = (*rule.tool_filter.exclude, *rule.whitelist)
    if any(covers(_pattern(text), call) for text in spared):
        return None
    if not include or any(hits(one, call) for one in include):
        return Fired(rule, sure=True)
    return Fired(rule, sure=False) if any(undecided(one, call) for one in include) else None


def _holds(condition: Condition | None, facts: Facts) -> bool:
    if condition is None:
        return True
    value = getattr(facts.session, condition.field, None)
    return value is not None and _OPS[condition.op](value, condition.value)


def _triggered(trigger: Trigger | None, facts: Facts) -> bool:
    if trigger is None:
        return True
    if facts.effort is None:
        return trigger.type == "lifecycle" and trigger.matches == "none"
    value = facts.effort.phase if trigger.type == "phase" else facts.effort.lifecycle
    return fnmatchcase(value or "", trigger.matches)


def payloads(rules: Iterable[Fired]) -> list[dict[str, Any]]:
    """Return fired rules as preToolUse reports them: `{ruleId, payload}`."""
    return [{"ruleId": one.rule.id, "payload": one.rule.payload.model_dump()} for one in rules]
