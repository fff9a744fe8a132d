"""Trigger matching: whether the condition and the trigger of a guard rule apply now.

Unknown values (no usage, no phase, no session) never match.
"""

from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from typing import assert_never

from hookd.core.context_window.injections import queued_texts
from hookd.core.guard_rules.trigger_schema import (
    Condition,
    ContextThreshold,
    Discovery,
    Lifecycle,
    LifecycleNamed,
    Limits,
    Matching,
    PhaseIs,
    PhaseNamed,
    ToolCount,
    Trigger,
)
from hookd.core.model.facts import Effort, Facts, Session
from hookd.events.context_usage import Level, Levels, levels

_OPS: Mapping[str, Callable[[float, float], bool]] = {
    "gte": lambda a, b: a >= b,
    "gt": lambda a, b: a > b,
    "lte": lambda a, b: a <= b,
    "lt": lambda a, b: a < b,
    "eq": lambda a, b: a == b,
}


def condition_holds(condition: Condition | None, facts: Facts) -> bool:
    """Return whether a rule's condition is met; True without a condition."""
    if condition is None:
        return True
    value: float | None = getattr(facts.session, condition.field, None)
    limit = _limit(condition.value, levels(facts.options))
    return value is not None and _OPS[condition.op](value, limit)


def trigger_holds(trigger: Trigger | None, facts: Facts) -> bool:
    """Return whether a rule's trigger is met; True without a trigger."""
    match trigger:
        case None:
            return True
        case ContextThreshold() | ToolCount():
            number = _number(trigger.type, facts.session)
            return _within(trigger.condition, number, levels(facts.options))
        case Discovery():
            return bool(named_list(trigger.condition.field, facts))
        case Lifecycle() | PhaseIs() | Matching():
            return _works(trigger, facts.effort)
        case _:
            assert_never(trigger)


def effort_state(effort: Effort | None) -> str:
    """Return the state of the current effort in one word; `none` without an effort."""
    if effort is None:
        return "none"
    if effort.active:
        for flag in ("dehydrating", "loading"):
            if effort.metadata.get(flag):
                return flag
    return effort.lifecycle


def named_list(field: str, facts: Facts) -> tuple[str, ...]:
    """Return a list that rules can test and show, by its name in a rule."""
    session, effort = facts.session, facts.effort
    match field:
        case "pendingPreloads":
            return tuple(dict.fromkeys(one.path for one in queued_texts(facts) if one.path))
        case "pendingInjections":
            return tuple(dict.fromkeys(one.rule_id for one in queued_texts(facts)))
        case "discoveredDirectives":
            return effort.directives if effort else ()
        case "loadedFiles":
            return session.loaded_files if session else ()
        case _:
            return session.preloaded_files if session else ()


def _within(asked: Limits, value: float | None, where: Levels) -> bool:
    limits = ((op, _limit(by, where)) for op, by in asked.limits.items())
    return value is not None and all(_OPS[op](value, by) for op, by in limits)


def _limit(by: float | Level, where: Levels) -> float:
    return where.at(by) if isinstance(by, str) else by


def _number(kind: str, session: Session | None) -> float | None:
    if session is None:
        return None
    counts = {"toolCount": session.tool_calls, "perTranscriptToolCount": session.heartbeat_counter}
    return counts.get(kind, session.context_usage)


def _works(trigger: Lifecycle | PhaseIs | Matching, effort: Effort | None) -> bool:
    match trigger:
        case Lifecycle():
            return _lives(trigger.condition, effort)
        case PhaseIs():
            return _stands(trigger.condition, effort)
        case Matching():
            return _matches(trigger, effort)
        case _:
            assert_never(trigger)


def _lives(asked: LifecycleNamed, effort: Effort | None) -> bool:
    if asked.no_active_session and effort is not None and effort.active:
        return False
    return all(fnmatchcase(effort_state(effort), _known_as(glob)) for glob in asked.globs)


def _known_as(glob: str) -> str:
    return "none" if glob == "idle" else glob


def _stands(asked: PhaseNamed, effort: Effort | None) -> bool:
    title = effort.phase if effort else None
    return bool(title) and all(_titled(str(title), glob) for glob in asked.globs)


def _titled(title: str, glob: str) -> bool:
    title, glob = title.casefold(), glob.casefold()
    return glob in title if set("*?[").isdisjoint(glob) else fnmatchcase(title, glob)


def _matches(trigger: Matching, effort: Effort | None) -> bool:
    if trigger.type == "phase":
        return effort is not None and fnmatchcase(effort.phase or "", trigger.matches)
    glob = _known_as(trigger.matches)
    if effort is None:
        return glob == "none"
    return any(fnmatchcase(state, glob) for state in (effort.lifecycle, effort_state(effort)))
