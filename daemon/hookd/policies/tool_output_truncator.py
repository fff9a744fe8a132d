"""Truncate long tool outputs before the model reads them.

It applies to MCP tools, WebFetch and WebSearch; the client truncates its other tools itself. An
output has at most `limit` tokens, and at most half of the tokens left in the window, if known. A
token is estimated as four characters. The structure is preserved: the longest texts are cut, keep
their start, and say how much is missing. Images and error outputs stay unchanged. If the window is
full, only a note remains.
"""

from typing import Any

from pydantic import Field

from hookd.config.models import PolicyOptions
from hookd.core.model.facts import Facts, Session
from hookd.core.model.policy import WORKFLOW, Policy, PolicyExample
from hookd.core.model.verdict import Opinion
from hookd.events.context_usage import window_size
from hookd.events.model import PostToolUse
from hookd.events.tool_results import is_flagged_error
from hookd.policy_support.truncation import length, shortened
from hookd.shell.globs import text_fits


class Options(PolicyOptions):
    """Tools whose output is truncated, and the limits."""

    tools: tuple[str, ...] = Field(
        ("mcp__*", "WebFetch", "WebSearch"),
        description="Names or globs of tools whose output is truncated, built-in tools included.",
    )
    limit: int = Field(50_000, ge=500, description="Maximum tokens of an output.")
    limits: dict[str, int] = Field(
        {"WebFetch": 10_000},
        description="Limits in tokens for single tools, by name or glob; the first match applies.",
    )


_NAME = "tool-output-truncator"
_CHARS_PER_TOKEN = 4
"""Characters per token, as an estimate."""


def opine(event: PostToolUse, facts: Facts, options: Options) -> Opinion | None:
    """Truncate an output that is too long."""
    if not any(text_fits(glob, event.tool_name) for glob in options.tools):
        return None
    if is_flagged_error(event.tool_response):
        return None
    limit = _limit(event.tool_name, options)
    left = _left(facts)
    room = limit if left is None else min(limit, left // 2)
    output = shortened(event.tool_response, max(room, 0) * _CHARS_PER_TOKEN)
    if output is event.tool_response:
        return None
    return Opinion(
        context=_said(event, room, tight=room < limit), event_fields={"tool_output": output}
    )


def _limit(tool: str, options: Options) -> int:
    own = (most for glob, most in options.limits.items() if text_fits(glob, tool))
    return min(next(own, options.limit), options.limit)


def _left(facts: Facts) -> int | None:
    """Return the tokens that are left of the window; None if unknown."""
    session, chosen = facts.session, facts.settings.context.window
    if session is None or session.context_usage is None:
        return None
    if not (chosen or session.window_tokens or session.model):
        return None
    whole = window_size(session.model, told=session.window_tokens, chosen=chosen)
    return round(whole * (1 - session.context_usage))


def _said(event: PostToolUse, room: int, *, tight: bool) -> str:
    tokens = length(event.tool_response) // _CHARS_PER_TOKEN
    most = f"{room:,} are half of the window's rest" if tight else f"the limit is {room:,}"
    most = most if room > 0 else "the context window is full"
    return (
        f"[hookd:{_NAME}] The output of {event.tool_name[:200]} has about {tokens:,} tokens;"
        f" {most}. Ask for less to get a complete part."
    )


def _event(response: Any, tool: str = "mcp__db__query") -> PostToolUse:
    return PostToolUse(tool_name=tool, tool_input={}, tool_response=response)


def _examples() -> tuple[PolicyExample, ...]:
    long = "a line of some length\n" * 10_000
    short = Facts(options={_NAME: Options(limit=1_000)})
    full = Facts(session=Session(1, "s", context_usage=0.99, window_tokens=200_000))
    return (
        PolicyExample(_event(long), short, says="output"),
        PolicyExample(_event([{"type": "text", "text": long}]), full, says="output"),
        PolicyExample(_event({"result": long, "code": 200}, "WebFetch"), Facts(), says="output"),
        PolicyExample(_event("short"), full, says=""),
        PolicyExample(_event({"isError": True, "content": long}), short, says=""),
        PolicyExample(_event({"stdout": long}, "Bash"), short, says=""),
    )


POLICY = Policy(
    name=_NAME,
    priority=100,
    events=frozenset({"PostToolUse"}),
    options=Options,
    on_error="silence",
    profiles=WORKFLOW,
    opine=opine,
    examples=_examples,
)
