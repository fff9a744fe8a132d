"""Commands by which a person empties or compacts a window, and whether hookd can block that.

Sources: Claude Code 2.1.330, Codex 0.169.0, Gemini CLI 0.61.0, Qwen Code 0.24.4, Copilot CLI
1.0.102 and opencode 1.18.33.
"""

_NEW = {"opencode": "/new"}
_COMPACT = {"gemini": "/compress", "qwen": "/compress"}
_NOT_BLOCKED = frozenset({"codex", "gemini", "copilot", "opencode"})


def new_window(client: str) -> str:
    """Return the command that begins an empty window.

    >>> new_window("codex"), new_window("opencode")
    ('/clear', '/new')
    """
    return _NEW.get(client, "/clear")


def compact(client: str) -> str:
    """Return the command that compacts the window.

    >>> compact("claude-code"), compact("gemini")
    ('/compact', '/compress')
    """
    return _COMPACT.get(client, "/compact")


def blocks_compaction(client: str) -> bool:
    """Return whether a client lets a hook block a compaction.

    Codex would end the turn instead, and the others compact in any case.
    """
    return client not in _NOT_BLOCKED
