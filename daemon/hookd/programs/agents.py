"""Coding agents, their clients, and words that are more often subcommands."""

from hookd.programs.model import Program

PROGRAMS = (
    Program("claude", "writes-nothing takes-text client"),
    Program("claude-code", "writes-nothing client"),
    Program("codex gemini", "writes-nothing takes-text"),
    Program("aider llm ollama chatgpt sgpt mods opencode cursor-agent", "takes-text"),
    Program("slack", "takes-text service"),
    Program("hookd", "prints-nothing writes-nothing takes-text"),
    Program("hookd-hook", "writes-nothing"),
    Program("help"),
    Program("get", "plain"),
    Program("plan", "is-subcommand"),
)
