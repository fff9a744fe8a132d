"""Remind a window to verify a subagent's work before using it; off by default.

When a subagent returns, the window that delegated is reminded of the steps that verify the work,
and that the same subagent can be asked again if a step fails. It is silent if the subagent changed
nothing, as reported by the client, if it runs in the background, and within `every` minutes of the
last reminder.
"""

from typing import Any

from pydantic import Field

from hookd.config.models import Mode, PolicyOptions
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.facts import Facts, Session
from hookd.core.model.policy import BY_NAME, Policy, PolicyExample
from hookd.core.model.verdict import Opinion
from hookd.events.delegation import Report, report, resume_hint
from hookd.events.model import PostToolUse
from hookd.policy_support.rate_limit import given, lately


class Options(PolicyOptions):
    """Steps to check, and the interval of reminders."""

    mode: Mode = Field("off", description="Off by default: `off`, `warn` or `enforce`.")
    every: int = Field(
        10, ge=0, description="Minutes between two reminders in a window. 0: at each result."
    )
    steps: dict[str, str] = Field(
        {
            "diagnostics": "no errors in the changed files",
            "tests": "all pass",
            "build": "exit code 0",
            "review": "the change is what was requested, and no more",
        },
        min_length=1,
        description="Checks by name, each with its criterion.",
    )


_NAME = "verification"


def opine(event: PostToolUse, facts: Facts, options: Options) -> Opinion | None:
    """Remind the window of the steps that verify a subagent's work."""
    known, session = report(event), facts.session
    if session is None or known is None or _idle(known) or not (known.text or "").strip():
        return None
    state = facts.policy_state.get(_NAME)
    if lately(state, facts, options.every):
        return None
    steps = "; ".join(f"{name} ({how})" for name, how in options.steps.items())
    return Opinion(
        context=f"[hookd:{_NAME}] The subagent's report is not verified yet.{_changed(known)}"
        f" Check: {steps[:_MAX_STEPS_CHARS]}."
        f" If a check fails, pass on its exact error.{resume_hint(known)}",
        effects=(Remember(session.id, _NAME, given(state, facts)),),
    )


_MAX_STEPS_CHARS = 2_000
"""Maximum characters of all steps."""


def _idle(known: Report) -> bool:
    """Return whether the client reports that the subagent edited and ran nothing."""
    stats = known.stats
    return stats is not None and stats.get("editFileCount") == 0 and stats.get("bashCount") == 0


def _changed(known: Report) -> str:
    """Return the size of the change, as counted by the client."""
    stats = known.stats or {}
    files, more, less = (_count(stats, name) for name in _COUNTED)
    edits = "1 edit" if files == 1 else f"{files:,} edits"
    return f" It made {edits} (+{more:,} -{less:,} lines)." if files else ""


_COUNTED = ("editFileCount", "linesAdded", "linesRemoved")


def _count(stats: Any, name: str) -> int:
    value = stats.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _done(tool: str = "Agent", **response: object) -> PostToolUse:
    said = {"status": "completed", "content": [{"type": "text", "text": "All done."}]}
    return PostToolUse(tool_name=tool, tool_input={}, tool_response={**said, **response})


_READ = {"readCount": 3, "bashCount": 0, "editFileCount": 0}
_EDITED = {"readCount": 3, "bashCount": 1, "editFileCount": 2, "linesAdded": 40, "linesRemoved": 3}


def _examples() -> tuple[PolicyExample, ...]:
    known = Facts(session=Session(1, "s"))
    reminded = Facts(
        session=Session(1, "s"), policy_state={_NAME: {"at": "2026-01-31T07:55:00.000Z"}}
    )
    return (
        PolicyExample(_done(agentId="a1", toolStats=_EDITED), known, says="context"),
        PolicyExample(_done(), known, says="context"),
        PolicyExample(_done(toolStats=_READ), known, says=""),
        PolicyExample(_done(status="async_launched", content=None), known, says=""),
        PolicyExample(_done(status="failed"), known, says=""),
        PolicyExample(_done(), reminded, says=""),
        PolicyExample(_done("Bash"), known, says=""),
    )


POLICY = Policy(
    name=_NAME,
    priority=140,
    events=frozenset({"PostToolUse"}),
    options=Options,
    on_error="silence",
    profiles=BY_NAME,
    opine=opine,
    examples=_examples,
)
