"""The home of what mattered: which facts stood behind an answer, and who said what."""

import json
from collections.abc import Iterable
from dataclasses import asdict

from hookd.core.model.facts import Facts
from hookd.core.model.verdict import Opinion


def decision_record(facts: Facts, said: Iterable[Opinion]) -> str:
    """Return the facts that an answer rests on, and every opinion, as JSON text."""
    session, effort, agent = facts.session, facts.effort, facts.agent
    known = {
        "agent": agent.id if agent else None,
        "agentStatus": agent.status if agent else None,
        "status": session.status if session and not agent else None,
        "project": facts.project.path if facts.project else None,
        "effort": effort.id if effort else None,
        "task": effort.task_dir if effort else None,
        "skill": effort.skill if effort else None,
        "phase": effort.phase if effort else None,
        "heartbeat": session.heartbeat_counter if session and effort else None,
        "contextUsage": session.context_usage if session else None,
        "guards": [guard.rule_id for guard in facts.guards] or None,
    }
    opinions = [_opinion(one) for one in said]
    told = {key: value for key, value in known.items() if value is not None}
    return json.dumps(told | {"opinions": opinions}, ensure_ascii=False)


def _opinion(one: Opinion) -> dict[str, object]:
    parts: dict[str, object] = {
        "rule": one.rule,
        "verdict": one.verdict or "",
        "reason": one.reason,
        "context": one.context[:_SHOWN],
        "systemMessage": one.system_message,
        "call": asdict(one.call) if one.call else None,
        "allowed": one.allowed,
    }
    return {key: value for key, value in parts.items() if value}


_SHOWN = 400
"""Characters of a context that are kept here: the whole stands in the answer."""
