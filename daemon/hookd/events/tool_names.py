"""Names of Claude Code's built-in tools, of ApplyPatch and Batch, and suggestions."""

from difflib import get_close_matches
from fnmatch import fnmatchcase

from hookd.events.call_parts import APPLY_PATCH, BATCH
from hookd.events.matcher import OLD_TOOL_NAMES, PATCH_NAMES, listed_names
from hookd.events.protocol import EVENTS

TOOLS = frozenset(
    {
        *(
            APPLY_PATCH,
            "Agent",
            "Artifact",
            "AskUserQuestion",
            BATCH,
            "Bash",
            "BashOutput",
            "CronCreate",
            "CronDelete",
        ),
        *("CronList", "Edit", "EndConversation", "EnterPlanMode", "EnterWorktree", "ExitPlanMode"),
        *("ExitWorktree", "Glob", "Grep", "KillBash", "ListMcpResourcesTool", "LS", "LSP"),
        *("Monitor", "MultiEdit", "NotebookEdit", "NotebookRead", "PowerShell"),
        *("PushNotification", "Read", "ReadMcpResourceTool", "RefreshMcpTools", "RemoteTrigger"),
        *("ReportFindings", "ScheduleWakeup", "SendMessage", "SendUserFile"),
        *("ShareOnboardingGuide", "Skill", "SlashCommand", "StructuredOutput", "TaskCreate"),
        *("TaskGet", "TaskList", "TaskOutput", "TaskStop", "TaskUpdate", "TeamCreate"),
        *("TeamDelete", "TodoRead", "TodoWrite", "ToolSearch", "WaitForMcpServers", "WebFetch"),
        *("WebSearch", "Workflow", "Write"),
        *OLD_TOOL_NAMES,
    }
)
"""Tools of all supported versions; a new client may have more."""

_MCP = "mcp__"


def is_known(name: str) -> bool:
    """Return whether a tool name or a glob can match a built-in tool or an MCP tool."""
    if name.startswith(_MCP) and len(name) > len(_MCP):
        return True
    wild = not {"*", "?", "["}.isdisjoint(name)
    return (wild and fnmatchcase("mcp__server__tool", name)) or _builtin(name)


def unknown_tool(name: str) -> str:
    """Return a clause that a tool name is unknown."""
    return f"no tool called {name!r} is known"


def did_you_mean(name: str) -> str:
    """Return ` Did you mean ...?` with the most similar tool, "" without one."""
    meant = suggestion(name)
    return f" Did you mean {meant}?" if meant else ""


def unknown_tool_problems(event: str, matcher: str | None) -> list[str]:
    """Return a sentence for each unknown tool name in the matcher of a tool event."""
    spec = EVENTS.get(event)
    if spec is None or spec.match != "tool_name":
        return []
    listed = listed_names(event, matcher)
    names = [name for name in listed if name not in PATCH_NAMES and not is_known(name)]
    return [
        f"{unknown_tool(name)}, so the hook does not run for it.{did_you_mean(name)}"
        for name in names
    ]


def _builtin(name: str) -> bool:
    return any(fnmatchcase(tool, name) for tool in TOOLS)


def suggestion(name: str) -> str:
    """Return the tool with the most similar name, "" if none is similar."""
    low = name.lower()
    if low.startswith("mcp_"):
        return f"{_MCP}{low[4:].lstrip('_')}" if low != "mcp_" else ""
    by_case = {tool.lower(): tool for tool in sorted(TOOLS)}
    found = [low] if low in by_case else get_close_matches(low, by_case, n=1, cutoff=0.6)
    return by_case[found[0]] if found else ""
