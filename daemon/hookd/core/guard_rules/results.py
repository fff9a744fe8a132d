"""Record what a finished call means for guard rules: commands that succeeded, granted budgets."""

from collections.abc import Mapping

from hookd.core.guard_rules.budgets import granted
from hookd.core.guard_rules.conditions import After
from hookd.core.guard_rules.required_commands import (
    STATE,
    met,
    owner_id,
    requirement_key,
    state_after,
)
from hookd.core.guard_rules.rule import rules_of
from hookd.core.guard_rules.subjects import context_of_call
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.events.model import PostToolUse, PostToolUseFailure
from hookd.shell.globs import GlobRoots


def record_result(event: PostToolUse | PostToolUseFailure, facts: Facts) -> tuple[Effect, ...]:
    """Return the effects of a call that has ended; none unless a rule has `after` or `budget`.

    Raise MissingFacts in a subagent.
    """
    session = facts.session
    if not facts.guards or session is None:
        return ()
    passed = granted(event.tool_use_id, facts)
    needed = _needed(facts)
    if not needed:
        return passed
    project = facts.project.path if facts.project else facts.identity.project_dir
    places = GlobRoots(home=facts.home, project=project or "")
    place = context_of_call(event.call, places, facts)
    before = met(facts)
    success = isinstance(event, PostToolUse) and not _in_background(event)
    now = state_after(before, needed, event.call, place, success=success)
    if now == before:
        return passed
    return (
        *passed,
        Remember(owner_id(session), STATE, list(now) or None, lasts=True),
    )


def _needed(facts: Facts) -> Mapping[str, After]:
    """Return the required commands of all rules, by their keys in the state."""
    needed = (one for rule in rules_of(facts) for one in rule.after or ())
    return {requirement_key(one): one for one in needed}


def _in_background(event: PostToolUse) -> bool:
    response = event.tool_response
    started = isinstance(response, dict) and bool(response.get("backgroundTaskId"))
    return started or event.tool_input.get("run_in_background") is True
