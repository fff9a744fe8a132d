"""Decision record: the facts and opinions behind an answer, as stored with the event."""

import json
from collections.abc import Iterable
from dataclasses import asdict

from hookd.core.model.facts import Facts
from hookd.core.model.verdict import Opinion


def decision_record(facts: Facts, opinions: Iterable[Opinion]) -> str:
    """Return the facts behind an answer, and every opinion, as JSON text."""
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
    record: dict[str, object] = {key: value for key, value in known.items() if value is not None}
    record["opinions"] = [_opinion(opinion) for opinion in opinions]
    return json.dumps(record, ensure_ascii=False)


def _opinion(opinion: Opinion) -> dict[str, object]:
    parts: dict[str, object] = {
        "rule": opinion.rule,
        "verdict": opinion.verdict or "",
        "reason": opinion.reason,
        "ruleIds": list(opinion.rule_ids),
        "context": opinion.context[:_MAX_CONTEXT_CHARS],
        "contextChars": len(opinion.context) if len(opinion.context) > _MAX_CONTEXT_CHARS else 0,
        "systemMessage": opinion.system_message,
        "call": asdict(opinion.call) if opinion.call else None,
        "allowed": opinion.allowed,
    }
    return {key: value for key, value in parts.items() if value}


_MAX_CONTEXT_CHARS = 400
"""Characters of a context in the record; the answer has the whole text."""
