"""Evaluate a tool call as if the client made it: every opinion, and the client's answer.

Nothing is recorded, and no user hook runs. With `sessionId` it is that session's next call, else
the first call of a new session in that folder.
"""

from dataclasses import replace
from typing import Any

from hookd.core.evaluation.pause import paused
from hookd.core.guard_rules.conditions import ClientName
from hookd.core.model.identity import Identity
from hookd.core.model.method import Example, Trial, TrialMethod, Wire
from hookd.events.model import PreToolUse
from hookd.policy_support import call_explanation

_NEW = "new-session"
"""Session id of a session that hookd has not seen yet."""


class Params(Wire):
    """The call, made in `client`. `cwd` and `projectDir` are the caller's own by default."""

    tool: str
    input: dict[str, Any]
    cwd: str | None = None
    project_dir: str | None = None
    session_id: str | None = None
    permission_mode: str | None = None
    client: ClientName = "claude-code"


class Result(Wire):
    """The evaluation.

    `opinions` are in the order of evaluation; `asked` are the policies that evaluated the call,
    silent ones included. `rules` are the guard rules that apply here; `matches` is yes, maybe (the
    user is asked) or no. `hooks` are the user hooks that would run. `answer` is the JSON that the
    client would get, null for silence. `commands`, `redirects`, `effects` and `unreadable` describe
    a command line. `parts` are the calls that a patch is judged as: `file` is the path or the
    command, and `why` says of a part that it cannot be read.
    """

    cwd: str | None
    project: str | None
    paused: bool
    unreadable: str | None
    commands: list[dict[str, Any]]
    redirects: list[dict[str, Any]]
    effects: list[dict[str, Any]]
    parts: list[dict[str, Any]]
    opinions: list[dict[str, Any]]
    asked: list[str]
    rules: list[dict[str, Any]]
    hooks: list[dict[str, Any]]
    verdict: dict[str, Any]
    answer: dict[str, Any] | None


def event(params: Params, identity: Identity) -> PreToolUse:
    """Return the event of the call."""
    return PreToolUse(
        hook_event_name="PreToolUse",
        session_id=params.session_id or identity.claude_session_id or _NEW,
        cwd=params.cwd or identity.cwd,
        permission_mode=params.permission_mode,
        tool_name=params.tool,
        tool_input=params.input,
    )


def who(params: Params, identity: Identity) -> Identity:
    """Return the caller as the client would be in that folder."""
    project = params.project_dir or (None if params.cwd else identity.project_dir)
    return replace(identity, cwd=params.cwd or identity.cwd, project_dir=project)


def client_of(params: Params) -> str:
    """Return the client that makes the call."""
    return params.client


def shape(_params: Params, trial: Trial) -> Result:
    """Return the evaluation."""
    facts, outcome = trial.facts, trial.outcome
    return Result(
        cwd=trial.event.cwd,
        project=facts.project.path if facts.project else None,
        paused=paused(facts),
        **call_explanation.commands(trial.event, facts),
        parts=call_explanation.parts(trial.event, facts),
        opinions=call_explanation.opinions(trial.said),
        asked=list(trial.asked),
        rules=call_explanation.rules(trial.event, facts),
        hooks=[
            {"id": hook.id, "action": hook.action, "path": hook.source.path} for hook in trial.hooks
        ],
        verdict={
            "decision": outcome.verdict,
            "rule": outcome.rule,
            "reason": outcome.reason,
            "context": outcome.context,
        },
        answer=trial.answer,
    )


METHOD = TrialMethod(
    "guards.explain",
    Params,
    Result,
    event,
    who,
    client_of,
    shape,
    (Example({"tool": "Bash", "input": {"command": "rm -rf /"}}, says="destructive-guard denies"),),
)
