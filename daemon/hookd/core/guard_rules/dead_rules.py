"""Dead guard rules: why a rule can never match a call, and which tool names are unknown.

`problems` rejects a rule when it is added, and marks stored rules. `warnings` are for names that a
newer client may have.
"""

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from math import inf
from typing import Any

from pydantic import ValidationError

from hookd.config.refusal import first_error
from hookd.core.guard_rules.rule import Payload, Rule, parse_rule
from hookd.core.guard_rules.short_form import EXAMPLES
from hookd.core.guard_rules.trigger_schema import (
    Condition,
    ContextThreshold,
    Lifecycle,
    Limits,
    Matching,
    Trigger,
)
from hookd.core.model.errors import DomainError
from hookd.events import tool_pattern
from hookd.events.call_parts import APPLY_PATCH
from hookd.events.context_usage import LEVELS
from hookd.events.tool_names import TOOLS, did_you_mean, is_known, unknown_tool
from hookd.events.tool_pattern import ToolCall, ToolPattern
from hookd.lazy_pattern import lazy_compile
from hookd.redaction.redact import redact
from hookd.shell.quoting import names

_WILD = lazy_compile(r"[*?\[]")
_PARAMETER = lazy_compile(r"[A-Za-z_]\w*:.+", re.DOTALL)
_DOMAIN = lazy_compile(r"domain:[\w.*-]*[\w*]", re.ASCII)
_KEYWORDS = names(
    "if then else elif fi for while until do done case esac select function { } ( ) ! [[ (("
)
_QUOTED = lazy_compile(r"\\.|'[^']*'|\"[^\"]*\"")
_SEPARATORS = frozenset(";|&<>")
_ASSIGNMENT = lazy_compile(r"[A-Za-z_]\w*\+?=.*")
_COMPARED = (
    "A pattern contains what looks like a secret, and the database stores it unredacted."
    " Match its form instead, such as ghp_*"
)
_LIFECYCLES = ("none", "idle", "loading", "dehydrating", "active", "finished")


def validate_rule(given: Mapping[str, Any]) -> Rule:
    """Return the rule that a user gave. Raise DomainError (INVALID_RULE) if it can never match."""
    try:
        rule = Rule.model_validate(given)
    except ValidationError as error:
        field, why = first_error(error, "there is no such field")
        raise DomainError("INVALID_RULE", f"{field or 'rule'}: {why}") from error
    if dead := problems(rule):
        raise DomainError("INVALID_RULE", "; ".join(dead))
    return rule


def problems(rule: Rule) -> tuple[str, ...]:
    """Return why parts of a rule, or all of it, can never match; empty if it can."""
    filters = rule.tool_filter
    places = (
        *(("toolFilter.include", text) for text in filters.include),
        *(("toolFilter.exclude", text) for text in filters.exclude),
        *(("whitelist", text) for text in rule.whitelist),
    )
    dead = ((place, text, pattern_problem(text)) for place, text in places)
    found = [f"{place}: {text!r} never matches: {why}" for place, text, why in dead if why]
    return (*found, *_exempts_all(rule), *_never(rule))


def warnings(rule: Rule) -> tuple[str, ...]:
    """Return a sentence for each unknown tool name, with the most similar known name."""
    texts = (*rule.tool_filter.include, *rule.tool_filter.exclude, *rule.whitelist)
    tools = dict.fromkeys(tool_pattern.parse(text).tool for text in texts)
    return tuple(_unknown(tool) for tool in tools if not is_known(tool))


def stored_rule_problems(stored: str) -> dict[str, list[str]]:
    """Return `problems` and `warnings` of a stored rule, which may predate the checks."""
    try:
        rule = parse_rule(stored)
    except ValueError:
        return {"problems": ["it cannot be read, so it asks about every call"], "warnings": []}
    secret = [_COMPARED] if _compares_secret(rule) else []
    return {"problems": list(problems(rule)), "warnings": [*warnings(rule), *secret]}


def _unknown(name: str) -> str:
    why = f"{unknown_tool(name)}, so this matches no call unless Claude Code adds it."
    return why + did_you_mean(name)


def pattern_problem(text: str) -> str | None:
    """Return why no call can match a pattern; None if one can."""
    pattern = tool_pattern.parse(text)
    if pattern.glob is None or pattern.glob == "*":
        return None
    check = _CHECKS.get(pattern.tool)
    if check is not None:
        return check(pattern.glob)
    known = pattern.tool in TOOLS or pattern.tool.startswith("mcp__")
    return _json_problem(pattern.tool, pattern.glob) if known else None


def _command_problem(glob: str) -> str | None:
    program = shlex.split(glob)[0]
    bare = _QUOTED.sub("_", glob).split()
    if any(word.endswith(";") for word in bare) or not _SEPARATORS.isdisjoint(bare[0]):
        return "each simple command is tested alone, so a pattern is for one"
    if program in _KEYWORDS:
        return f"{program!r} is no program: name the command that it runs"
    if _ASSIGNMENT.fullmatch(program):
        return "assignments are not part of a command: begin with the program"
    return None


def _path_problem(glob: str) -> str | None:
    if glob.startswith("!"):
        return "a pattern cannot exclude; toolFilter.exclude can"
    steps = glob.split("/")
    while steps and steps[0] in (".", ".."):
        steps.pop(0)
    if ".." in steps:
        return "paths are tested with '..' resolved"
    return None


def _url_problem(glob: str) -> str | None:
    if glob.startswith("domain:"):
        whole = _DOMAIN.fullmatch(glob) is not None
        return (
            None if whole else "a domain has no scheme, port or path: WebFetch(domain:example.com)"
        )
    head = _WILD.split(glob)[0].lower()
    if _PARAMETER.fullmatch(glob) and "//" not in glob:
        return None
    if any(
        scheme.startswith(head) or head.startswith(scheme) for scheme in ("http://", "https://")
    ):
        return None
    domain = re.split(r"[/:*?\[]", head)[0]
    host = domain if "." in domain else "example.com"
    return f"a URL begins with http:// or https://; for a host write WebFetch(domain:{host})"


def _skill_problem(glob: str) -> str | None:
    return "the name of a skill has no slash" if glob.startswith("/") else None


def _json_problem(tool: str, glob: str) -> str | None:
    """Return why a glob cannot match an object as JSON, the only text of such a tool."""
    if _PARAMETER.fullmatch(glob) or (glob[0] in "*?[{" and glob[-1] in "*?]}"):
        return None
    return (
        f"{tool} is tested by its whole input as JSON: write {tool}(*{glob.strip('*')}*), or"
        f" {tool}(parameter:value)"
    )


def _none(_glob: str) -> None:
    return None


_CHECKS: Mapping[str, Callable[[str], str | None]] = {
    **dict.fromkeys(
        ("Read", "Edit", "Write", "MultiEdit", "NotebookEdit", APPLY_PATCH), _path_problem
    ),
    **dict.fromkeys(("Agent", "Task", "Glob", "Grep", "PowerShell"), _none),
    "Bash": _command_problem,
    "Skill": _skill_problem,
    "WebFetch": _url_problem,
}
"""By tool: returns why a glob can match no call of it."""


def _exempts_all(rule: Rule) -> Iterator[str]:
    """Yield a sentence if the rule's own exceptions cover every call that it matches."""
    spares = map(tool_pattern.parse, (*rule.tool_filter.exclude, *rule.whitelist))
    whole = [one.tool for one in spares if one.glob in (None, "*")]
    patterns = map(tool_pattern.parse, rule.tool_filter.include)
    if rule.urgency != "allow":
        patterns = map(tool_pattern.widened, patterns)
    tools = [tool for one in patterns for tool in (one.tool, *one.also)]
    if "*" in whole or (tools and all(_among(tool, whole) for tool in tools)):
        yield "toolFilter.exclude and whitelist exempt every call that the rule matches"


def _among(tool: str, globs: Iterable[str]) -> bool:
    return any(fnmatchcase(tool, glob) for glob in globs)


def _never(rule: Rule) -> Iterator[str]:
    """Yield a sentence for each limit, and each combination of keys, that nothing can meet."""
    if rule.condition is not None and not _possible(rule.condition):
        yield f"condition: {rule.condition.field} is never {_shown(rule.condition)}"
    if rule.trigger is not None and (why := _trigger_problem(rule.trigger)):
        yield f"trigger.condition: {why}"
    if rule.context is not None and _above_trigger(rule.context, rule.trigger):
        yield "context: the trigger is only met below it"
    yield from _no_tool(rule)
    yield from _blocks_its_command(rule)
    yield from _softens_nothing(rule)
    for key, globs in (("changes", rule.changes), ("reaches", rule.reaches)):
        if globs and _all_excepted(globs):
            yield f"{key}: its exceptions name everything that it names"


_CHANGING = ("Bash", "Edit", "Write", "MultiEdit", "NotebookEdit", APPLY_PATCH, "mcp__*")
_REACHING = ("Bash", "WebFetch", "PowerShell", "mcp__*")
_PUSHING = ("Bash", "mcp__*")


def _blocks_its_command(rule: Rule) -> Iterator[str]:
    """Yield a sentence if a rule blocks the command that has to succeed before the call."""
    for one in rule.after or ():
        covered = ToolCall("Bash", {"command": one.command.removesuffix("*").strip()})
        patterns = map(tool_pattern.parse, rule.tool_filter.include)
        every = not rule.tool_filter.include and not rule.names_deeds
        if every or any(tool_pattern.matches(pattern, covered) for pattern in patterns):
            yield f"after: the rule is about {one.command} too, so that could not run: name calls"


def _softens_nothing(rule: Rule) -> Iterator[str]:
    """Yield a sentence if a rule that softens could spare no call."""
    if rule.softens and rule.urgency != "ask":
        yield "softens: only a rule that asks can make a denial a question"
    if rule.softens and (rule.names_deeds or not rule.tool_filter.include):
        yield "softens: name the calls by patterns, since everything that a call does has to match"


def _no_tool(rule: Rule) -> Iterator[str]:
    """Yield a sentence if no tool that the rule includes can do what it says."""
    deeds = (
        ("changes", rule.changes, _CHANGING, "changes a file"),
        ("reaches", rule.reaches, _REACHING, "reaches a host"),
        ("protectedBranches", rule.protected_branches, _PUSHING, "pushes"),
    )
    patterns = tuple(map(tool_pattern.parse, rule.tool_filter.include))
    if rule.urgency != "allow":
        patterns = tuple(map(tool_pattern.widened, patterns))
    able = set(_CHANGING + _REACHING)
    for key, named, tools, does in deeds:
        if not named:
            continue
        if patterns and not any(_is_able(one, tools) for one in patterns):
            including = ", ".join(rule.tool_filter.include)
            yield f"{key}: no call of {including} {does}; {key} alone covers every tool that does"
            return
        able &= set(tools)
    if patterns and rule.names_deeds and not any(_is_able(one, tuple(able)) for one in patterns):
        yield "no tool that the rule includes can do all that it says: make two rules"


def _is_able(pattern: ToolPattern, tools: tuple[str, ...]) -> bool:
    for tool in (pattern.tool, *pattern.also):
        server = tool.startswith("mcp__") and "mcp__*" in tools
        if server or any(fnmatchcase(one, tool) for one in tools):
            return True
    return False


def _all_excepted(globs: tuple[str, ...]) -> bool:
    """Return whether each glob is followed by an exception that is the same, or is everything."""
    for at, glob in enumerate(globs):
        if not glob.startswith("!"):
            later = {one[1:] for one in globs[at:] if one.startswith("!")}
            if later.isdisjoint({glob, "/**", "*"} if "/" not in glob else {glob, "/**"}):
                return False
    return True


def _above_trigger(share: float | str, trigger: Trigger | None) -> bool:
    if not isinstance(trigger, ContextThreshold) or isinstance(share, str):
        return False
    limits = {op: by for op, by in trigger.condition.limits.items() if not isinstance(by, str)}
    return not _meets({op: float(by) for op, by in limits.items()}, share, 1.0)


def _possible(condition: Condition) -> bool:
    if isinstance(condition.value, str):
        return True
    top = 1.0 if condition.field == "context_usage" else inf
    return _meets({condition.op: condition.value}, 0.0, top)


def _shown(condition: Condition) -> str:
    return f"{condition.op} {condition.value:g}" if isinstance(condition.value, float) else ""


def _trigger_problem(trigger: Trigger) -> str | None:
    asked = trigger.condition if not isinstance(trigger, Matching) else None
    if isinstance(asked, Limits):
        numbers = {op: by for op, by in asked.limits.items() if by not in LEVELS}
        top = 1.0 if trigger.type == "contextThreshold" else inf
        meets = _meets({op: float(by) for op, by in numbers.items()}, 0.0, top)
        return None if meets else "no number is within these limits"
    if isinstance(trigger, Lifecycle):
        return _lifecycle_problem(trigger)
    if isinstance(trigger, Matching) and trigger.type == "lifecycle":
        return _no_state((trigger.matches,))
    return None


def _lifecycle_problem(trigger: Lifecycle) -> str | None:
    asked = trigger.condition
    states = ("none", "idle", "finished") if asked.no_active_session else _LIFECYCLES
    return _no_state(asked.globs, states)


def _no_state(globs: tuple[str, ...], states: tuple[str, ...] = _LIFECYCLES) -> str | None:
    if any(all(fnmatchcase(state, glob) for glob in globs) for state in states):
        return None
    return f"no state of an effort matches; there are {', '.join(_LIFECYCLES)}"


def _meets(limits: dict[str, float], least: float, top: float) -> bool:
    """Return whether a number from `least` to `top` meets all limits."""
    low, high, open_low, open_high = least, top, False, False
    for op, by in limits.items():
        if op in ("gte", "gt", "eq") and (by > low or (by == low and op == "gt")):
            low, open_low = by, op == "gt"
        if op in ("lte", "lt", "eq") and (by < high or (by == high and op == "lt")):
            high, open_high = by, op == "lt"
    return low < high or (low == high and not (open_low or open_high))


def without_secrets(rule: Rule) -> Rule:
    """Return the rule with the secrets in its texts redacted.

    Raise DomainError (INVALID_RULE) for a secret in a pattern: redacted, it would not match.
    """
    if _has_secret(rule.model_dump(mode="json", include=set(EXAMPLES))):
        why = "an example of the rule contains what looks like a secret, and hookd stores none"
        raise DomainError("INVALID_RULE", why)
    if _compares_secret(rule):
        why = (
            "a pattern of the rule contains what looks like a secret, and hookd stores none;"
            " match its form instead, such as ghp_*"
        )
        raise DomainError("INVALID_RULE", why)
    return _redacted(rule)


def stored_without_secrets(stored: str) -> str:
    """Return a stored rule with the secrets in its texts redacted.

    Patterns are unchanged, because the rule would not match without them: `stored_rule_problems`.
    """
    try:
        rule = parse_rule(stored)
    except ValueError:  # an unreadable rule asks about every call
        return redact(stored)
    clean = _redacted(rule)
    return stored if clean == rule else clean.model_dump_json(by_alias=True, exclude_none=True)


def _compares_secret(rule: Rule) -> bool:
    compared = rule.model_copy(update={"description": "", "payload": Payload()})
    return _has_secret(compared.model_dump(mode="json", exclude=set(EXAMPLES)))


def _has_secret(value: Any) -> bool:
    return any(redact(text) != text for text in _texts(value))


def _redacted(rule: Rule) -> Rule:
    payload = rule.payload
    said = {"text": redact(payload.text), "command": redact(payload.command)}
    clean = {"description": redact(rule.description), "payload": payload.model_copy(update=said)}
    return rule.model_copy(update=clean)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)
