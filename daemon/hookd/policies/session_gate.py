"""Allow only reading while no effort is active; off by default.

If enabled, a call is denied while no effort is active. Allowed are reading (Read, Glob, Grep, LS,
NotebookRead, WebFetch, WebSearch, ToolSearch), AskUserQuestion, Skill, which may start an effort,
the patterns of `allow`, and two kinds of commands.

The first only read: `ls`, `cat`, `head`, `tail`, `nl`, `wc`, `cut`, `tr`, `grep`, `egrep`, `fgrep`,
`diff`, `cmp`, `stat`, `du`, `df`, `basename`, `dirname`, `realpath`, `readlink`, `pwd`, `cd`,
`echo`, `true`, `which`, `whoami`, and of git `status`, `log`, `show`, `diff`, `blame`, `ls-files`
and `rev-parse`. Every command of a line must be one of these, or match `allow`, and write nothing:
`git status && cat README.md` is allowed, `ls > list` and `cat $(make)` are not.

The others are `hookd` commands that start an effort, share work or only report: `effort`, `log`,
`work`, `task`, `skill`, `session`, `handover`, `status`, `fleet`, `agents`, `events`, `why`,
`message`, `dialogue`, `query`, `claim` and `release`. Other `hookd` commands are denied, since they
may change something: `hookd run` runs a program, and `hookd policy` would disable this policy.

The tools of hookd's MCP server are allowed, as the commands of the same names are.

Subagents are exempt: they work on the effort of their parent window, and cannot start one. If
enabled in a project's settings, it applies to that project only.
"""

from collections.abc import Iterable
from typing import Any

from pydantic import Field, field_validator

from hookd.config.models import Mode, PolicyOptions
from hookd.core.model.facts import Effort, Facts, Session
from hookd.core.model.policy import BY_NAME, Policy, PolicyExample
from hookd.core.model.renamed_commands import current_command
from hookd.core.model.verdict import Opinion
from hookd.core.sessions.own_tools import WITHOUT_EFFORT, own_tool
from hookd.events import tool_pattern
from hookd.events.model import PreToolUse
from hookd.events.tool_pattern import ToolCall, ToolPattern

NAME = "session-gate"

_COMMANDS = frozenset(
    {
        *("effort", "log", "work", "task", "skill", "session", "handover", "status", "fleet"),
        *("agent", "event", "why", "message", "dialogue", "query", "claim", "release"),
        *("-h", "--help", "--version"),
        *("send", "inbox", "wait", "reply", "mail"),
    }
)
_READING = tuple(
    tool_pattern.parse(f"Bash({program} *)")
    for program in (
        *("ls", "cat", "head", "tail", "nl", "wc", "cut", "tr", "grep", "egrep", "fgrep", "diff"),
        *("cmp", "stat", "du", "df", "basename", "dirname", "realpath", "readlink", "pwd", "cd"),
        *("echo", "true", "which", "whoami"),
        *("git status", "git log", "git show", "git diff", "git blame", "git ls-files"),
        "git rev-parse",
    )
)
"""Programs that write nothing, whatever their flags; of git's, see `_to_a_file`."""

_HOOKD = tool_pattern.parse("Bash(hookd *)")
_FREE = tuple(
    map(
        tool_pattern.parse,
        (
            *("Read", "Glob", "Grep", "LS", "NotebookRead", "WebFetch", "WebSearch", "ToolSearch"),
            *("AskUserQuestion", "Skill"),
        ),
    )
)


class Options(PolicyOptions):
    """Calls that are allowed while no effort is active."""

    mode: Mode = Field("off", description="Off by default: `off`, `warn` or `enforce`.")
    allow: tuple[str, ...] = Field(
        (), description="Patterns of further allowed calls, such as `Bash(git status *)`."
    )

    _patterns = field_validator("allow")(tool_pattern.validated)


def opine(event: PreToolUse, facts: Facts, options: Options) -> Opinion | None:
    """Deny calls that may change something while no effort is active."""
    subagent = event.agent_id or (facts.session and facts.session.agent_id)
    if subagent or (facts.effort and facts.effort.active):
        return None
    call, allowed = event.call, tuple(map(tool_pattern.parse, options.allow))
    if own_tool(call.names) in WITHOUT_EFFORT:
        return None
    if _finds_out(call) or any(tool_pattern.covers(one, call) for one in (*_FREE, *allowed)):
        return None
    if tool_pattern.covers(_any_of((*_READING, *allowed)), call) and not _to_a_file(call):
        return None
    return Opinion(
        "deny",
        f"{NAME}: no effort is active in this window, so only reading is allowed. Next: start one"
        " with a skill that has phases (Skill tool), or: hookd effort start TASK_DIR SKILL",
    )


def _any_of(patterns: Iterable[ToolPattern]) -> ToolPattern:
    """Return one pattern of Bash that each command of a line may match by another of these."""
    return ToolPattern("", "Bash", "*", tuple(form for one in patterns for form in one.commands))


def _to_a_file(call: ToolCall) -> bool:
    """Return whether an argument may be the flag of git that writes its output to a file."""
    return any(
        word.startswith("--ou") or set("$`*?[{") & set(word)
        for command in call.shell.commands
        if command.words[0] == "git"
        for word in command.words
    )


def _finds_out(call: ToolCall) -> bool:
    """Whether a call runs nothing but such commands of hookd."""
    return tool_pattern.covers(_HOOKD, call) and all(
        len(command.words) < 2 or current_command(command.words[1]) in _COMMANDS
        for command in call.shell.commands
    )


def _call(tool: str, **given: Any) -> PreToolUse:
    return PreToolUse(tool_name=tool, tool_input=given)


def _facts(effort: Effort | None = None, **more: Any) -> Facts:
    return Facts(
        session=Session(1, "s", **more), effort=effort, options={NAME: Options(mode="enforce")}
    )


def _examples() -> tuple[PolicyExample, ...]:
    idle = _facts()
    write = _call("Write", file_path="/work/a.py", content="")
    return (
        PolicyExample(write, idle, says="deny"),
        PolicyExample(_call("Bash", command="make"), idle, says="deny"),
        PolicyExample(_call("Bash", command="hookd log x; rm -r y"), idle, says="deny"),
        PolicyExample(_call("Bash", command="git status && cat README.md"), idle, says=""),
        PolicyExample(_call("Bash", command="git diff --output=x"), idle, says="deny"),
        PolicyExample(_call("Bash", command="hookd run -- make"), idle, says="deny"),
        PolicyExample(write, _facts(Effort(1, "/w", "build", lifecycle="finished")), says="deny"),
        PolicyExample(write, _facts(Effort(1, "/w", "build")), says=""),
        PolicyExample(_call("Bash", command="hookd effort start tasks/a build"), idle, says=""),
        PolicyExample(_call("Read", file_path="/work/a.py"), idle, says=""),
        PolicyExample(_call("Skill", skill="build"), idle, says=""),
        PolicyExample(write, _facts(agent_id="a1"), says=""),
    )


POLICY = Policy(
    name=NAME,
    priority=30,
    events=frozenset({"PreToolUse"}),
    options=Options,
    on_error="ask",
    profiles=BY_NAME,
    opine=opine,
    by_part=True,
    examples=_examples,
)
