"""Require reading files in parts in a nearly full window; off by default.

From the context level `overflow` on (see the policy `overflow`), Read is denied unless it asks for
at most `lines` lines with `limit`, or for single pages with `pages`. So is a Bash call that is only
`cat` of files. The reason says how to read a part. Subagents are not restricted.
"""

from typing import Any

from pydantic import Field

from hookd.config.models import Mode, PolicyOptions
from hookd.core.model.facts import Facts, Session
from hookd.core.model.policy import BY_NAME, Policy, PolicyExample
from hookd.core.model.verdict import Opinion
from hookd.events.context_usage import levels
from hookd.events.model import PreToolUse
from hookd.events.tool_pattern import ToolCall

NAME = "read-throttle"


class Options(PolicyOptions):
    """Limits of a single read in a nearly full window."""

    mode: Mode = Field("off", description="Off by default: `off`, `warn` or `enforce`.")
    lines: int = Field(200, ge=1, description="Lines that a single Read call may ask for.")


def opine(event: PreToolUse, facts: Facts, options: Options) -> Opinion | None:
    """Deny reading a whole file if the window is nearly full."""
    session = facts.session
    if session is None or session.agent_id or event.agent_id or session.context_usage is None:
        return None
    if session.context_usage < levels(facts.options).overflow or not _whole(event.call, options):
        return None
    return Opinion(
        "deny",
        f"{NAME}: the context window is {session.context_usage:.0%} full. Read a part:"
        f" Read with offset and a limit of up to {options.lines} lines, Grep, or"
        " `sed -n '10,40p' FILE` in Bash. To read the whole file in a new window:"
        " hookd handover save",
    )


def _whole(call: ToolCall, options: Options) -> bool:
    """Return whether a call certainly reads a whole file, or more lines than allowed."""
    if call.name == "Read":
        limit, pages = call.input.get("limit"), call.input.get("pages")
        return not pages and not _bounded(limit, options.lines)
    lone = call.shell.single if call.name == "Bash" else None
    if lone is None or lone.words[0].rpartition("/")[2] != "cat":
        return False
    return any(word != "-" and word[:1] != "-" for word in lone.words[1:])


def _bounded(limit: object, most: int) -> bool:
    return isinstance(limit, int) and not isinstance(limit, bool) and 0 < limit <= most


def _call(tool: str, **given: Any) -> PreToolUse:
    return PreToolUse(tool_name=tool, tool_input=given)


def _facts(usage: float | None, **more: Any) -> Facts:
    return Facts(
        session=Session(1, "s", context_usage=usage, **more),
        options={NAME: Options(mode="enforce")},
    )


def _examples() -> tuple[PolicyExample, ...]:
    full = _facts(0.92)
    read = _call("Read", file_path="/work/shop/app.py")
    return (
        PolicyExample(read, full, says="deny"),
        PolicyExample(_call("Read", file_path="/work/a.py", limit=5_000), full, says="deny"),
        PolicyExample(_call("Bash", command="cat app.py"), full, says="deny"),
        PolicyExample(_call("Read", file_path="/work/a.py", offset=9, limit=40), full, says=""),
        PolicyExample(_call("Read", file_path="/work/a.pdf", pages="1-2"), full, says=""),
        PolicyExample(_call("Bash", command="cat app.py | head"), full, says=""),
        PolicyExample(_call("Grep", pattern="price"), full, says=""),
        PolicyExample(read, _facts(0.89), says=""),
        PolicyExample(read, _facts(None), says=""),
        PolicyExample(read, _facts(0.92, agent_id="a1"), says=""),
    )


POLICY = Policy(
    name=NAME,
    priority=25,
    events=frozenset({"PreToolUse"}),
    options=Options,
    on_error="ask",
    profiles=BY_NAME,
    opine=opine,
    examples=_examples,
)
