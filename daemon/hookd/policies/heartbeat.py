"""Logging discipline: remind, then deny, until the agent writes a log entry.

Tool calls are counted since the last `hookd log`. At `warn_after` calls the model is reminded; from
`block_after` on, calls are denied until it logs. Exempt are the calls that it needs for that:
`hookd` commands, Write, AskUserQuestion, Task, and reading `.claude` folders and log templates.
Without an active effort the policy is silent. An effort may set its own limits (`hookd effort start
--block-after`). If `warn_after` is not below `block_after`, the reminder comes at the last call
before the first denial.

A subagent has its own counter and logs for itself, but only if it can (option `subagents`): if the
definition of its type, in `.claude/agents` of the project or of the user, includes Bash, if it is
`general-purpose`, `Explore` or `Plan`, or after its first Bash call. The calls of other subagents
do not count, since they cannot run `hookd log`.
"""

from typing import Literal

from pydantic import Field

from hookd.config.models import PolicyOptions
from hookd.core.efforts.slash_command import is_effort_command
from hookd.core.model.facts import Effort, Facts, Session
from hookd.core.model.policy import Policy, PolicyExample
from hookd.core.model.verdict import Opinion
from hookd.core.sessions.own_tools import LOG, WITHOUT_EFFORT, own_tool
from hookd.events import tool_pattern
from hookd.events.model import PreToolUse
from hookd.events.tool_pattern import ToolCall


class Options(PolicyOptions):
    """Limits of tool calls without a log entry."""

    warn_after: int = Field(3, ge=0, description="Calls without a log entry before the reminder.")
    block_after: int = Field(
        10, ge=0, description="Calls without a log entry before calls are denied."
    )
    subagents: Literal["able", "always", "never"] = Field(
        "able",
        description="Subagents whose calls count as well: those that can run `hookd log` (`able`),"
        " all (`always`), or none (`never`).",
    )


WHITELIST = tuple(
    map(
        tool_pattern.parse,
        (
            "Bash(hookd log *)",
            "Bash(hookd effort log *)",
            "Bash(hookd session *)",
            "Read(*/.claude/*)",
            "Read(*/TEMPLATE_*_LOG.md)",
            "Task",
            "TaskOutput",
            "Write",
            "AskUserQuestion",
        ),
    )
)
"""Calls that are never denied: the agent needs them to write a log entry."""

_NEVER_COUNTED = frozenset({"Agent", "Task", "TaskOutput"})


DUTY = "log-duty"
"""State key of a subagent that is known to have Bash, so that it can log."""


def _options(facts: Facts) -> Options:
    options = facts.options.get(POLICY.name)
    return options if isinstance(options, Options) else Options()


def duty(call: ToolCall, facts: Facts) -> bool:
    """Return whether the caller has to log: the main agent, or a subagent that can."""
    session, whose = facts.session, _options(facts).subagents
    if session is None or session.agent_id is None or whose == "always":
        return True
    can_log = call.name == "Bash" or own_tool(call.names) or DUTY in facts.policy_state
    return whose == "able" and bool(can_log)


def limits(facts: Facts) -> tuple[int, int]:
    """Return (warn_after, block_after) for the current effort; its own numbers win."""
    base = _options(facts)
    own = facts.effort.metadata if facts.effort else {}
    return _number(own.get("warnAfter"), base.warn_after), _number(
        own.get("blockAfter"), base.block_after
    )


def _number(value: object, default: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else default


def own_command(call: ToolCall) -> str | None:
    """Return the subcommand where the whole call is one simple `hookd ...` command, else None.

    Only the whole: `hookd log x; rm -rf y` is not ours. Nor is a path: what is called hookd there
    may be anything.
    """
    if call.name != "Bash" or "hookd" not in (call.primary or ""):
        return None
    lone = call.shell.single
    if lone is None or lone.words[0] != "hookd":
        return None
    return lone.words[1] if len(lone.words) > 1 else ""


def logs(call: ToolCall) -> bool:
    """Return whether the call writes a log entry: `hookd log TEXT`, or the MCP tool `log`."""
    if own_tool(call.names) == LOG:
        return bool(str(call.input.get("text", "")).strip())
    if own_command(call) not in ("log", "effort") or call.shell.single is None:
        return False
    words = call.shell.single.words[1:]
    if words[0] == "effort":
        words = words[1:]
    text = words[1:] if words[:1] == ("log",) else ()
    return any(map(str.strip, text)) and not {"-h", "--help"} & set(text)


def counted(call: ToolCall, facts: Facts) -> bool:
    """Whether the call counts: not while the effort is loading, finished or handing over."""
    if not duty(call, facts):
        return False
    effort = facts.effort
    if call.name in _NEVER_COUNTED or own_command(call) is not None or _effort_command(call):
        return False
    if own_tool(call.names) in WITHOUT_EFFORT:
        return False
    if effort is None:
        return True
    # Only the window that has handed over is done; another one on the effort is not.
    handing = effort.metadata.get("dehydrating") and facts.session and facts.session.handover
    return effort.active and not (effort.metadata.get("loading") or handing)


def _effort_command(call: ToolCall) -> bool:
    return call.name == "Skill" and is_effort_command(call.primary or "")


def opine(event: PreToolUse, facts: Facts, options: Options) -> Opinion | None:
    """Remind at the first limit, deny from the second on."""
    if facts.effort is None or facts.session is None or not counted(event.call, facts):
        return None
    count, (warn, block) = facts.session.heartbeat_counter, limits(facts)
    if count >= block:
        if any(tool_pattern.covers(pattern, event.call) for pattern in WHITELIST):
            return None
        return Opinion("deny", _blocked(count, block, facts.effort))
    if count == min(warn, block - 1):
        return Opinion(context=_reminder(count, block))
    return None


def _blocked(count: int, block: int, effort: Effort) -> str:
    return (
        f"heartbeat: {count}/{block} tool calls without logging. Next: log what was done and what "
        f'comes next, to continue: hookd log "..." (written to {effort.log_path}).'
    )


def _reminder(count: int, block: int) -> str:
    calls = "1 tool call" if count == 1 else f"{count} tool calls"
    return (
        f"[hookd:heartbeat] {calls} without a log entry. From {block} on, calls are denied until "
        'you log: hookd log "..."'
    )


def _example(
    count: int,
    tool: str,
    tool_input: dict[str, object],
    own: int | None = None,
    subagent: str | None = None,
) -> tuple[PreToolUse, Facts]:
    event = PreToolUse(tool_name=tool, tool_input=tool_input)
    session = Session(1, "s", agent_id=subagent, heartbeat_counter=count)
    effort = Effort(1, "/work/demo", "implement", metadata={"warnAfter": own})
    return event, Facts(effort=effort, session=session)


def _examples() -> tuple[PolicyExample, ...]:
    return (
        PolicyExample(*_example(2, "Bash", {"command": "ls"}), says=""),
        PolicyExample(*_example(3, "Bash", {"command": "ls"}), says="context"),
        PolicyExample(*_example(9, "Bash", {"command": "ls"}, own=30), says="context"),
        PolicyExample(*_example(10, "Bash", {"command": "ls"}), says="deny"),
        PolicyExample(*_example(10, "Write", {"file_path": "/work/x"}), says=""),
        PolicyExample(*_example(12, "Bash", {"command": 'hookd log "done"'}), says=""),
        PolicyExample(*_example(12, "Bash", {"command": "hookd log x; rm -rf y"}), says="deny"),
        PolicyExample(*_example(12, "Bash", {"command": "./hookd log x"}), says="deny"),
        PolicyExample(*_example(12, "Grep", {"pattern": "x"}, subagent="a"), says=""),
        PolicyExample(*_example(12, "Bash", {"command": "ls"}, subagent="a"), says="deny"),
    )


POLICY = Policy(
    name="heartbeat",
    priority=40,
    events=frozenset({"PreToolUse"}),
    options=Options,
    on_error="ask",
    opine=opine,
    examples=_examples,
)
