"""Give hints after API errors and failed tools.

A turn that an API error ended is counted by kind. At the next prompt the model reads once that
its turn was cut off, and why. Requests that exceeded the context window are handled by
`anthropic-context-window-limit-recovery`.

A tool failure by timeout, network, rate limit, missing program, permissions, full disk or missing
file brings a hint for its class, at most `retries` times, and not again within `cooldown` seconds.
The last hint adds that retrying has not helped. A success of the same tool resets the count. User
interrupts bring no hint; edits and subagents have their own policies. hookd itself retries nothing.
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
    """Limits of hints."""

    retries: int = Field(
        3, ge=1, description="Maximum hints for one class of failures, until the tool succeeds."
    )
    cooldown: int = Field(
        300, ge=0, description="Seconds before the same hint is repeated. 0: no delay."
    )


_MAX_KIND_CHARS = 60
"""Maximum characters of the name of a kind: the client may add new ones."""

_HANDLED_ELSEWHERE = frozenset(
    {"ApplyPatch", "Edit", "MultiEdit", "NotebookEdit", "Write", "Agent", "Task"}
)
"""Tools whose failures other policies handle."""

_HINTS = {
    "rate_limit": "A service limits the rate of requests. Retry after a pause.",
    "timeout": "It timed out. Use a smaller step, a longer timeout, or run it in the background.",
    "missing_command": "A program is not installed, or not on the PATH. Check: `command -v NAME`",
    "network": "A host did not answer. Retry, or check its name and port.",
    "permission": "Permission denied. Check the owner: `ls -ld PATH`",
    "no_space": "The disk is full. Check: `df -h`",
    "missing_file": "A path does not exist. List its folder.",
}

_CUT_OFF = {
    "rate_limit": "Retry later.",
    "overloaded": "The API was overloaded; retry later.",
    "server_error": "The API failed, usually temporarily.",
    "connection": "The connection failed.",
    "timeout": "The API did not answer in time.",
    "authentication_failed": "The user may have to sign in again.",
    "oauth_org_not_allowed": "The user's organisation does not allow this sign-in.",
    "account_on_hold": "The user's account is on hold.",
    "verification_required": "The user's account needs to be verified.",
    "billing_error": "The user's billing needs attention.",
    "cloud_credential_error": "The cloud provider's credentials need attention.",
    "model_not_found": "The model was not found; the user can choose another with `/model`.",
    "invalid_request": "The API refused the request.",
}


def opine(event: HookInput, facts: Facts, options: Options) -> Opinion | None:
    """Count failures, give a hint, and report a turn that was cut off."""
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
    """Record the error for the next prompt: here the client accepts no text."""
    said = error_text(event.last_assistant_message, event.error_details)
    if session.agent_id or event.error == "max_output_tokens" or is_window_full(said):
        return None
    kind = redact(api_kind(event.error, said))[:_MAX_KIND_CHARS]
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
    why = _CUT_OFF.get(kind, "The cause is unknown.")
    context = (
        f"[hookd:{NAME}] The previous turn was cut off by an API error ({kind}{often}). {why} Its"
        " work may be incomplete: check whether the last call ran."
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
    if event.is_interrupt or event.tool_name in _HANDLED_ELSEWHERE:
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
        text += f" It has failed {count + 1} times: try another approach."
    return Opinion(context=text, effects=(Remember(session.id, NAME, kept),))


def _succeeded(event: PostToolUse, session: Session, state: Mapping[str, Any]) -> Opinion | None:
    """Reset the failure counts of a tool that has succeeded."""
    failures, tool = _table(state, "failures"), event.tool_name[:100]
    tables = {kind: _table(failures, kind) for kind in failures}
    over = [kind for kind, one in tables.items() if one.get("tool") == tool and one.get("count")]
    if not over:
        return None
    # The time of the hint stays, so that a flaky tool does not repeat it each time.
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


def _examples() -> tuple[PolicyExample, ...]:
    session = Facts(session=Session(1, "s"))
    timed_out = _failure("Command timed out after 2m 0s")
    stopped = StopFailure(hook_event_name="StopFailure", error="rate_limit")
    full = StopFailure(hook_event_name="StopFailure", error="max_output_tokens")
    prompt = UserPrompt(hook_event_name="UserPromptSubmit", prompt="continue")
    success = PostToolUse(hook_event_name="PostToolUse", tool_name="Bash", tool_input={})
    return (
        PolicyExample(stopped, session, says="effects"),
        PolicyExample(full, session, says=""),
        PolicyExample(prompt, session, says=""),
        PolicyExample(
            prompt, _facts(errors={"rate_limit": 2}, untold="rate_limit"), says="context"
        ),
        PolicyExample(timed_out, session, says="context"),
        PolicyExample(
            timed_out, _facts(failures={"timeout": {"count": 3, "tool": "Bash"}}), says=""
        ),
        PolicyExample(_failure("Exit code 1"), session, says=""),
        PolicyExample(_failure("timed out", interrupt=True), session, says=""),
        PolicyExample(_failure("permission denied", "Edit"), session, says=""),
        PolicyExample(
            success, _facts(failures={"timeout": {"count": 3, "tool": "Bash"}}), says="effects"
        ),
        PolicyExample(success, session, says=""),
    )


POLICY = Policy(
    name=NAME,
    priority=155,
    events=frozenset({"StopFailure", "UserPromptSubmit", "PostToolUseFailure", "PostToolUse"}),
    options=Options,
    on_error="silence",
    profiles=WORKFLOW,
    opine=opine,
    examples=_examples,
)
