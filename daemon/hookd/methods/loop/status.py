"""List the running loops of all projects: their sessions, rounds and tasks."""

from typing import Any

from hookd.core.model.fact_requests import SavedState, StateOfPolicy
from hookd.core.model.facts import Facts
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, Wire
from hookd.core.sessions.loop import POLICY_NAME, parse_loop


class Params(Wire):
    """No parameters."""


class Result(Wire):
    """One object a loop; `lastAt` is the time of its last round, `stale` that this is long ago."""

    loops: list[dict[str, Any]]


def decide(_params: Params, facts: Facts) -> Change:
    """Change nothing."""
    found = (_row(one, facts) for one in facts.require(StateOfPolicy(POLICY_NAME)) or ())
    return Change(Result(loops=[row for row in found if row]))


def _row(one: SavedState, facts: Facts) -> dict[str, Any]:
    loop = parse_loop(one.value)
    if loop is None:
        return {}
    return {
        "sessionId": one.session_id,
        "claudeSessionId": one.claude_session_id,
        "project": one.project,
        "iteration": loop.iteration,
        "max": loop.max,
        "promise": loop.promise,
        "startedAt": loop.started_at,
        "lastAt": loop.at,
        "stale": loop.is_old(facts),
        "prompt": loop.prompt,
    }


METHOD = ChangeMethod("loop.status", Params, Result, daemon_only, decide, (Example({}),))
