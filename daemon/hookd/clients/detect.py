"""Detection of the client that runs a hook which was registered for Claude Code.

Copilot CLI runs the hooks in the `.claude/settings.json` of a trusted repository, and other clients
may. They set variables for their hooks, and their payloads differ from Claude Code's in a few
fields.
"""

from collections.abc import Mapping
from typing import Any

from hookd.lazy_pattern import lazy_compile

_GEMINI_EVENTS = frozenset({"BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent", "PreCompress"})
_QWEN_PROMPT = lazy_compile(r".+#{8}[0-9]+")

_VARIABLES = {
    "COPILOT_PROJECT_DIR": "copilot",
    "GEMINI_SESSION_ID": "gemini",
    "QWEN_PROJECT_DIR": "qwen",
}
"""Variables that a client sets for its hooks, and not for the commands it runs.

A Claude Code that such a command starts does not inherit them. If a hook starts it, it does, but
its payloads have no timestamp.
"""


def detect_client(payload: Mapping[str, Any], variables: Mapping[str, object]) -> str:
    """Return the name of the client that sent a payload, "" if it may be Claude Code's.

    >>> detect_client({"sessionId": "s", "timestamp": 1795367951801, "toolName": "bash"}, {})
    'copilot'
    >>> detect_client({"session_id": "s", "timestamp": "2026-11-22"}, {"GEMINI_SESSION_ID": "s"})
    'gemini'
    >>> detect_client({"session_id": "s", "hook_event_name": "PreToolUse", "tool_use_id": "t"}, {})
    ''
    """
    if "timestamp" not in payload:
        return "codex" if "turn_id" in payload and "model" in payload else ""
    if "sessionId" in payload:
        return "copilot" if isinstance(payload["timestamp"], int) else ""
    named = next((client for name, client in _VARIABLES.items() if variables.get(name)), "")
    if named or payload.get("hook_event_name") in _GEMINI_EVENTS:
        return named or "gemini"
    prompt = payload.get("prompt_id")
    path = payload.get("transcript_path")
    if isinstance(prompt, str) and _QWEN_PROMPT.fullmatch(prompt):
        return "qwen"
    if isinstance(path, str):
        places = {"/.qwen/": "qwen", "/.gemini/": "gemini", "/.copilot/": "copilot"}
        return next((client for place, client in places.items() if place in path), "")
    # Copilot CLI gives no id of a call. A denial in its words would mean nothing to others.
    return "" if "tool_use_id" in payload else "copilot"
