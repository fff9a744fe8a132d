"""No single tool output may fill the context window: a long one is cut before the model reads it.

It holds for MCP tools, WebFetch and WebSearch; the client cuts the output of its other tools by
itself. An output may be as long as the limit, and takes at most half of what is left of the
window, where that is known. A token is taken as four characters. The shape of the output stays as
it is: its longest texts are cut, keep their start, and say how much is missing. Images stay, and so
does an output that is an error. Where nothing of the window is left, the note alone remains.
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
    """Whose output is cut, and to which length."""

    tools: tuple[str, ...] = Field(
        ("mcp__*", "WebFetch", "WebSearch"),
        description="Names, or globs of names, of tools whose output is cut. A built-in tool can be"
        " named as well.",
    )
    limit: int = Field(50_000, ge=500, description="Tokens that an output may have.")
    limits: dict[str, int] = Field(
        {"WebFetch": 10_000},
        description="Other limits for single tools, by name or glob; the first that fits holds.",
    )


_NAME = "tool-output-truncator"
_CHARACTERS = 4
"""Characters that a token has."""


def opine(event: PostToolUse, facts: Facts, options: Options) -> Opinion | None:
    """Cut the output where it is too long."""
    if not any(text_fits(glob, event.tool_name) for glob in options.tools):
        return None
    if is_flagged_error(event.tool_response):
        return None
    limit = _limit(event.tool_name, options)
    left = _left(facts)
    room = limit if left is None else min(limit, left // 2)
    output = shortened(event.tool_response, max(room, 0) * _CHARACTERS)
    if output is event.tool_response:
        return None
    return Opinion(
        context=_said(event, room, tight=room < limit), event_fields={"tool_output": output}
    )


def _limit(tool: str, options: Options) -> int:
    own = (most for glob, most in options.limits.items() if text_fits(glob, tool))
    return min(next(own, options.limit), options.limit)


def _left(facts: Facts) -> int | None:
    """Return the tokens that are left of the window; None where it is not known."""
    session, chosen = facts.session, facts.settings.context.window
    if session is None or session.context_usage is None:
        return None
    if not (chosen or session.window_tokens or session.model):
        return None
    whole = window_size(session.model, told=session.window_tokens, chosen=chosen)
    return round(whole * (1 - session.context_usage))


def _said(event: PostToolUse, room: int, *, tight: bool) -> str:
    tokens = length(event.tool_response) // _CHARACTERS
    most = f"{room:,} are half of what is left of the window" if tight else f"the limit is {room:,}"
    most = most if room > 0 else "nothing is left of the context window"
    return (
        f"[hookd:{_NAME}] The output of {event.tool_name[:200]} has about {tokens:,} tokens;"
        f" {most}. A call that asks for less brings a part of it whole."
    )


def _event(response: Any, tool: str = "mcp__db__query") -> PostToolUse:
    return PostToolUse(tool_name=tool, tool_input={}, tool_response=response)


_LONG = "a line of some length\n" * 10_000
_SHORT = Facts(options={_NAME: Options(limit=1_000)})
_FULL = Facts(session=Session(1, "s", context_usage=0.99, window_tokens=200_000))

POLICY = Policy(
    name=_NAME,
    priority=100,
    events=frozenset({"PostToolUse"}),
    options=Options,
    on_error="silence",
    profiles=WORKFLOW,
    opine=opine,
    examples=(
        PolicyExample(_event(_LONG), _SHORT, says="output"),
        PolicyExample(_event([{"type": "text", "text": _LONG}]), _FULL, says="output"),
        PolicyExample(_event({"result": _LONG, "code": 200}, "WebFetch"), Facts(), says="output"),
        PolicyExample(_event("short"), _FULL, says=""),
        PolicyExample(_event({"isError": True, "content": _LONG}), _SHORT, says=""),
        PolicyExample(_event({"stdout": _LONG}, "Bash"), _SHORT, says=""),
    ),
)
