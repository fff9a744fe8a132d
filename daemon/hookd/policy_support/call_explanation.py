"""A tool call explained: what it runs and may do, which guard rules match, and who spoke."""

from collections.abc import Iterable
from typing import Any

from hookd.core.evaluation.judged_call import JudgedCall
from hookd.core.guard_rules.rule import fired, in_force, parse_rule, unreadable_guards
from hookd.core.model.facts import Facts, Guard
from hookd.core.model.verdict import Opinion
from hookd.events.model import PreToolUse
from hookd.policy_support.call_context import context_of
from hookd.policy_support.judged_calls import judged_calls
from hookd.policy_support.recoverable_files import known_to_remain
from hookd.risk.analyze import assess
from hookd.risk.execution import PlacedCommand, placed_commands
from hookd.risk.model import Risk


def commands(event: PreToolUse, facts: Facts) -> dict[str, Any]:
    """Return what a command line runs, writes and may do; nothing for another tool than Bash."""
    if event.tool_name != "Bash":
        return {"unreadable": None, "commands": [], "redirects": [], "effects": []}
    place, shell = context_of(event, facts), event.call.shell
    return {
        "unreadable": shell.unreadable,
        "commands": [_command(one) for one in placed_commands(shell, place)],
        "redirects": [
            {"operator": one.operator, "path": one.path, "writes": one.writes}
            for one in shell.redirects
        ],
        "effects": [_effect(one) for one in known_to_remain(assess(shell, place), facts)],
    }


def parts(event: PreToolUse, facts: Facts) -> list[dict[str, Any]]:
    """Return the calls that a patch is judged as, empty for a call without a patch."""
    return [
        {
            "tool": one.event.tool_name,
            "file": one.event.call.primary if one.event.tool_input else None,
            "why": one.file if one.unreadable else None,
        }
        for one in _parts(event, facts)
    ]


def _parts(event: PreToolUse, facts: Facts) -> list[JudgedCall]:
    return [one for one in judged_calls(event, facts) if one.file]


def _command(one: PlacedCommand) -> dict[str, Any]:
    return {
        "words": list(one.command.words),
        "known": not one.command.holes,
        "through": list(one.command.wrappers),
        "where": one.where,
        "folders": list(one.folders),
    }


def _effect(one: Risk) -> dict[str, Any]:
    return {
        "kind": one.kind,
        "weight": one.severity,
        "command": one.command,
        "why": one.reason,
        "instead": one.alternative,
        "sure": one.certain,
        "rule": one.rule,
    }


def rules(event: PreToolUse, facts: Facts) -> list[dict[str, Any]]:
    """Return each guard rule that applies here, and whether it matches the call, or a part."""
    calls = (event.call, *(one.event.call for one in _parts(event, facts)))
    hits = [one for call in calls for one in fired(call, facts)]
    odd = unreadable_guards(facts)

    def matches(guard: Guard) -> str:
        if guard in odd:
            return "maybe"
        rule = parse_rule(guard.rule)
        sure = [one.certain for one in hits if one.rule == rule]
        return "no" if not sure else "yes" if any(sure) else "maybe"

    return [
        {
            "ruleId": guard.rule_id,
            "scope": guard.scope,
            "project": guard.root,
            "layer": guard.layer or "user",
            "source": guard.source,
            "matches": matches(guard),
        }
        for guard in in_force(facts.guards)
    ]


def opinions(said: Iterable[Opinion]) -> list[dict[str, Any]]:
    """Return who said what, in the order of evaluation."""
    return [
        {
            "rule": one.rule,
            "verdict": one.verdict,
            "reason": one.reason,
            "ruleIds": list(one.rule_ids),
            "context": one.context,
            "systemMessage": one.system_message,
            "updatedInput": one.updated_input,
        }
        for one in said
    ]
