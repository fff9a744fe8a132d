"""Coding agents, their clients, and words that are more often subcommands."""

from hookd.programs.model import Program, Rule, Table

_UNASKED = "starts an agent that runs every tool without a question"
_LESS = "Name the tools that it needs, or let it ask."

_CLAUDE_PERMISSIONS = Table(
    "permissions",
    (
        Rule(
            "claude.skip-permissions",
            "",
            "ask",
            _UNASKED,
            "`--allowedTools` names the tools that it may run.",
            flags=(
                "--dangerously-skip-permissions --allow-dangerously-skip-permissions"
                " --permission-mode=bypassPermissions"
            ),
        ),
    ),
)
_CODEX_PERMISSIONS = Table(
    "permissions",
    (
        Rule(
            "codex.skip-permissions",
            "",
            "ask",
            _UNASKED,
            _LESS,
            flags="--dangerously-bypass-approvals-and-sandbox --yolo --dangerously-auto-approve",
        ),
    ),
)
_GEMINI_PERMISSIONS = Table(
    "permissions",
    (
        Rule(
            "gemini.skip-permissions",
            "",
            "ask",
            _UNASKED,
            _LESS,
            flags="-y --yolo --approval-mode=yolo",
        ),
    ),
)
_QWEN_PERMISSIONS = Table(
    "permissions",
    (
        Rule(
            "qwen.skip-permissions",
            "",
            "ask",
            _UNASKED,
            _LESS,
            flags="-y --yolo --approval-mode=yolo",
        ),
    ),
)
COPILOT_PERMISSIONS = Table(
    "permissions",
    (
        Rule(
            "copilot.skip-permissions",
            "",
            "ask",
            _UNASKED,
            "`--allow-tool` names the tools that it may run.",
            flags="--allow-all-tools --allow-all --yolo",
        ),
    ),
)
_OPENCODE_PERMISSIONS = Table(
    "permissions",
    (Rule("opencode.skip-permissions", "", "ask", _UNASKED, _LESS, flags="--auto"),),
)
_CURSOR_AGENT_PERMISSIONS = Table(
    "permissions",
    (Rule("cursor-agent.skip-permissions", "", "ask", _UNASKED, _LESS, flags="-f --force"),),
)
_AIDER_PERMISSIONS = Table(
    "permissions",
    (Rule("aider.skip-permissions", "", "ask", _UNASKED, _LESS, flags="--yes-always"),),
)

PROGRAMS = (
    Program("claude", "writes-nothing takes-text client", (_CLAUDE_PERMISSIONS,)),
    Program("claude-code", "writes-nothing client", (_CLAUDE_PERMISSIONS,)),
    Program("codex", "writes-nothing takes-text client", (_CODEX_PERMISSIONS,)),
    Program("gemini", "writes-nothing takes-text client", (_GEMINI_PERMISSIONS,)),
    Program("qwen", "writes-nothing takes-text client", (_QWEN_PERMISSIONS,)),
    Program("opencode", "takes-text client", (_OPENCODE_PERMISSIONS,)),
    Program("cursor-agent", "takes-text", (_CURSOR_AGENT_PERMISSIONS,)),
    Program("aider", "takes-text", (_AIDER_PERMISSIONS,)),
    Program("llm ollama chatgpt sgpt mods", "takes-text"),
    Program("slack", "takes-text service"),
    Program("hookd", "prints-nothing writes-nothing takes-text"),
    Program("hookd-hook", "writes-nothing"),
    Program("help"),
    Program("get", "plain"),
    Program("plan", "is-subcommand"),
)
