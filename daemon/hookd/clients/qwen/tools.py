"""Tools of Qwen Code: their names and inputs, and those of `events/`.

Most inputs are named as in `events/`. Source: the tools of Qwen Code 0.24.4; `replace`,
`search_file_content`, `task` and `absolute_path` are older names.
"""

from collections.abc import Mapping

from hookd.clients.tool_table import Tool

_EDIT, _AGENT = Tool("Edit"), Tool("Agent")
_GREP = Tool("Grep", always={"output_mode": "content"})

TOOLS: Mapping[str, Tool] = {
    "run_shell_command": Tool("Bash", {"is_background": "run_in_background"}, folder="directory"),
    "write_file": Tool("Write"),
    "edit": _EDIT,
    "replace": _EDIT,
    "read_file": Tool("Read", older={"absolute_path": "file_path"}),
    "notebook_edit": Tool("NotebookEdit"),
    "list_directory": Tool("LS"),
    "glob": Tool("Glob"),
    "grep_search": _GREP,
    "search_file_content": _GREP,
    "web_fetch": Tool("WebFetch"),
    "web_search": Tool("WebSearch"),
    "todo_write": Tool("TodoWrite"),
    "agent": _AGENT,
    "task": _AGENT,
    "skill": Tool("Skill"),
    "ask_user_question": Tool("AskUserQuestion"),
    "enter_plan_mode": Tool("EnterPlanMode"),
    "exit_plan_mode": Tool("ExitPlanMode"),
    "enter_worktree": Tool("EnterWorktree"),
    "exit_worktree": Tool("ExitWorktree"),
    "lsp": Tool("LSP"),
    "monitor": Tool("Monitor"),
    "send_message": Tool("SendMessage"),
    "task_stop": Tool("TaskStop"),
    "tool_search": Tool("ToolSearch"),
    "read_mcp_resource": Tool("ReadMcpResourceTool"),
    "cron_create": Tool("CronCreate"),
    "cron_list": Tool("CronList"),
    "cron_delete": Tool("CronDelete"),
}
"""Qwen Code's tools by its own names; a tool that is not among them keeps its name."""
