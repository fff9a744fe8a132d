"""A word on what failed, and how to go on: after an error of the API, and after a tool's failure.

A turn that an error of the API ended is counted, by its kind. With the next prompt the model is
told once that its turn was cut off, and by what. A request that was too long for the window is
`anthropic-context-window-limit-recovery`'s.

A tool that failed by a timeout, the network, a rate limit, a missing program, permissions, a full
disk or a missing file brings a hint for that class: `retries` times at most, and not again within
`cooldown` seconds. With the last one the model is told that trying again has not helped. After a
success of the same tool it is counted anew. What the user interrupted brings none; edits and
subagents have policies of their own. Nothing is tried again by hookd itself.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from pydantic import Field

from hookd.config.models import PolicyOptions
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.facts import Facts, Session
from hookd.core.model.policy import WORKFLOW, Policy, PolicyExample
from hookd.core.model.verdict import Opinion
from hookd.events.failures import api_kind, error_text, is_window_full, tool_kind
from hookd.events.model import HookInput, PostToolUse, PostToolUseFailure, StopFailure, UserPrompt
from hookd.redaction.redact import redact

NAME = "session-recovery"


class Options(PolicyOptions):
    """How often the model is given a hint."""

    retries: int = Field(
        3, ge=1, description="Hints for one class of failures of a tool, until it succeeds."
    )
    cooldown: int = Field(
        300, ge=0, description="Seconds after a hint in which the same one is not given again."
    )


_LONGEST = 60
"""Characters of the name of a kind: the client may have new ones."""

_OTHERS = frozenset({"Edit", "MultiEdit", "NotebookEdit", "Write", "Agent", "Task"})
"""Tools whose failures other policies speak of."""

_HINTS = {
    "rate_limit": "A service limits how often it is asked. It takes requests again after a pause.",
    "timeout": "It took too long. A smaller step, a longer timeout or a run in the background can"
    " come to an end.",
    "missing_command": "A program is not installed, or not on the PATH: `command -v NAME` tells.",
    "network": "A host did not answer. Such errors often pass; the name and the port may be wrong.",
    "permission": "The rights are missing: `ls -ld PATH` shows whose it is.",
    "no_space": "The disk is full: `df -h` shows where.",
    "missing_file": "A path is not there: listing its folder shows what is.",
}

_CUT_OFF = {
    "rate_limit": "The limit passes with time.",
    "overloaded": "The API was overloaded, which passes with time.",
    "server_error": "The API failed, which usually passes.",
    "connection": "The connection failed.",
    "timeout": "The API did not answer in time.",
    "authentication_failed": "The user may have to sign in again.",
    "oauth_org_not_allowed": "The user's organisation does not allow this sign-in.",
    "account_on_hold": "The user's account is on hold.",
    "verification_required": "The user's account needs to be verified.",
    "billing_error": "The user's billing needs attention.",
    "cloud_credential_error": "The cloud provider's credentials need attention.",
    "model_not_found": "The model was not found; `/model` chooses another.",
    "invalid_request": "The API refused the request as it was.",
}


def opine(event: HookInput, facts: Facts, options: Options) -> Opinion | None:
    """Count what failed, hint at the way out, and tell of a turn that was cut off."""
    session = facts.session
    if session is None:
        return None
    kept = facts.policy_state.get(NAME)
    state = kept if isinstance(kept, dict) else {}
    match event:
        case StopFailure():
            return _cut_off(event, session, state)
        case UserPrompt():
            return _told(session, state)
        case PostToolUseFailure():
            return _failed(event, session, state, facts.now, options)
        case PostToolUse():
            return _succeeded(event, session, state)
        case _:
            return None


def _cut_off(event: StopFailure, session: Session, state: Mapping[str, Any]) -> Opinion | None:
    """Keep what ended the turn for the next prompt: here the client takes no word."""
    said = error_text(event.last_assistant_message, event.error_details)
    if session.agent_id or event.error == "max_output_tokens" or is_window_full(said):
        return None
    kind = redact(api_kind(event.error, said))[:_LONGEST]
    counts = _table(state, "errors")
    counted = {**counts, kind: _number(counts.get(kind)) + 1}
    kept = {**state, "errors": counted, "untold": kind}
    return Opinion(effects=(Remember(session.id, NAME, kept),))


def _told(session: Session, state: Mapping[str, Any]) -> Opinion | None:
    kind = state.get("untold")
    if not isinstance(kind, str):
        return None
    count = _number(_table(state, "errors").get(kind))
    often = f", {count} times in this session" if count > 1 else ""
    why = _CUT_OFF.get(kind, "Its cause is not known.")
    context = (
        f"[hookd:{NAME}] The turn before was cut off by an API error ({kind}{often}). {why} What it"
        " had begun may be unfinished, and its last call may not have run."
    )
    kept = {name: value for name, value in state.items() if name != "untold"}
    return Opinion(context=context, effects=(Remember(session.id, NAME, kept),))


def _failed(
    event: PostToolUseFailure,
    session: Session,
    state: Mapping[str, Any],
    now: datetime,
    options: Options,
) -> Opinion | None:
    if event.is_interrupt or event.tool_name in _OTHERS:
        return None
    kind = tool_kind(error_text(event.error))
    if kind is None:
        return None
    failures = _table(state, "failures")
    known = _table(failures, kind)
    count = _number(known.get("count"))
    if count >= options.retries or _cools(known.get("at"), now, options.cooldown):
        return None
    entry = {"count": count + 1, "at": now.timestamp(), "tool": event.tool_name[:100]}
    kept = {**state, "failures": {**failures, kind: entry}}
    text = f"[hookd:{NAME}] {_HINTS[kind]}"
    if count + 1 == options.retries > 1:
        text += f" It has failed like this {count + 1} times: another way may be needed."
    return Opinion(context=text, effects=(Remember(session.id, NAME, kept),))


def _succeeded(event: PostToolUse, session: Session, state: Mapping[str, Any]) -> Opinion | None:
    """Count the failures of a tool that has succeeded anew."""
    failures, tool = _table(state, "failures"), event.tool_name[:100]
    tables = {kind: _table(failures, kind) for kind in failures}
    over = [kind for kind, one in tables.items() if one.get("tool") == tool and one.get("count")]
    if not over:
        return None
    # When the hint was given stays: what fails and succeeds in turns is not told each time.
    again = {kind: {**tables[kind], "count": 0} for kind in over}
    kept: dict[str, Any] = {**state, "failures": {**failures, **again}}
    return Opinion(effects=(Remember(session.id, NAME, kept),))


def _cools(at: object, now: datetime, seconds: int) -> bool:
    if not isinstance(at, int | float):
        return False
    passed = now - datetime.fromtimestamp(at, now.tzinfo)
    return timedelta(0) <= passed < timedelta(seconds=seconds)


def _table(state: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = state.get(name)
    return found if isinstance(found, dict) else {}


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


_SESSION = Facts(session=Session(1, "s"))


def _facts(**state: Any) -> Facts:
    return Facts(session=Session(1, "s"), policy_state={NAME: state})


def _failure(error: str, tool: str = "Bash", *, interrupt: bool = False) -> PostToolUseFailure:
    return PostToolUseFailure(
        hook_event_name="PostToolUseFailure",
        tool_name=tool,
        tool_input={},
        error=error,
        is_interrupt=interrupt,
    )


_TIMED_OUT = _failure("Command timed out after 2m 0s")
_STOPPED = StopFailure(hook_event_name="StopFailure", error="rate_limit")
_FULL = StopFailure(hook_event_name="StopFailure", error="max_output_tokens")
_PROMPT = UserPrompt(hook_event_name="UserPromptSubmit", prompt="go on")
_SUCCESS = PostToolUse(hook_event_name="PostToolUse", tool_name="Bash", tool_input={})

POLICY = Policy(
    name=NAME,
    priority=155,
    events=frozenset({"StopFailure", "UserPromptSubmit", "PostToolUseFailure", "PostToolUse"}),
    options=Options,
    on_error="silence",
    profiles=WORKFLOW,
    opine=opine,
    examples=(
        PolicyExample(_STOPPED, _SESSION, says="effects"),
        PolicyExample(_FULL, _SESSION, says=""),
        PolicyExample(_PROMPT, _SESSION, says=""),
        PolicyExample(
            _PROMPT, _facts(errors={"rate_limit": 2}, untold="rate_limit"), says="context"
        ),
        PolicyExample(_TIMED_OUT, _SESSION, says="context"),
        PolicyExample(
            _TIMED_OUT, _facts(failures={"timeout": {"count": 3, "tool": "Bash"}}), says=""
        ),
        PolicyExample(_failure("Exit code 1"), _SESSION, says=""),
        PolicyExample(_failure("timed out", interrupt=True), _SESSION, says=""),
        PolicyExample(_failure("permission denied", "Edit"), _SESSION, says=""),
        PolicyExample(
            _SUCCESS, _facts(failures={"timeout": {"count": 3, "tool": "Bash"}}), says="effects"
        ),
        PolicyExample(_SUCCESS, _SESSION, says=""),
    ),
)
