"""What a person reads of a call before allowing it: text, input, reason, risk, diff; redacted."""

import json
from typing import Any

from hookd.core.model.facts import Facts
from hookd.core.model.method import Trial
from hookd.events.call_parts import APPLY_PATCH, patched_names
from hookd.events.model import HookInput, PreToolUse
from hookd.lazy_dataclass import dataclass
from hookd.policy_support.call_context import context_of
from hookd.policy_support.call_diff import diff_of
from hookd.policy_support.recoverable_files import known_to_remain
from hookd.redaction.redact import record, redact
from hookd.risk.analyze import assess
from hookd.risk.model import Risk

_MAX_TEXT_CHARS = 4_000
_MARGIN = 8_192
"""Characters that are read behind the limit: a secret across it is never half visible."""

_MAX_RULES = 20


@dataclass(frozen=True, slots=True)
class HeldCall:
    """A call as it is shown; `input` and `risk` are JSON texts. None: there is no such thing."""

    tool: str
    text: str
    input: str
    reason: str | None
    risk: str | None
    diff: str | None


def call_of(request: HookInput) -> PreToolUse:
    """Return the call that a permission request is about, for the guards to judge it."""
    return PreToolUse.model_validate(request.model_dump() | {"hook_event_name": "PreToolUse"})


def held_call(trial: Trial) -> HeldCall:
    """Return what is shown of a call that was tried."""
    event, outcome = trial.event, trial.outcome
    names = patched_names(event.tool_input) if event.tool_name == APPLY_PATCH else ()
    said = ", ".join(names) or event.call.primary
    said = said or json.dumps(event.tool_input, ensure_ascii=False, default=str)
    return HeldCall(
        tool=_shown(event.tool_name),
        text=_shown(said),
        input=record(event.tool_input).text,
        reason=redact(outcome.reason) if outcome.verdict == "ask" and outcome.reason else None,
        risk=_risk(event, trial.facts),
        diff=diff_of(event.tool_name, event.tool_input),
    )


def _shown(text: str) -> str:
    """Return the beginning of a text without its secrets."""
    return redact(text[: _MAX_TEXT_CHARS + _MARGIN])[:_MAX_TEXT_CHARS]


def _risk(event: PreToolUse, facts: Facts) -> str | None:
    """Return the risks of a command as JSON text: the severest kind, and all rules."""
    if event.tool_name != "Bash":
        return None
    found = known_to_remain(assess(event.call.shell, context_of(event, facts)), facts)
    if not found:
        return None
    worst = min(found, key=_rank)
    said: dict[str, Any] = {
        "kind": worst.kind,
        "severity": worst.severity,
        "reason": redact(worst.reason),
        "rules": list(dict.fromkeys(one.rule for one in found if one.rule))[:_MAX_RULES],
    }
    return json.dumps(said, ensure_ascii=False)


def _rank(risk: Risk) -> tuple[bool, bool]:
    """Return the place of a risk, the severest first."""
    return risk.severity != "deny", not risk.certain
