"""Names of the clients that hookd serves, as they are stored with a session."""

from collections.abc import Mapping

CLAUDE_CODE = "claude-code"
"""The default client."""

CLIENTS: Mapping[str, str] = {
    CLAUDE_CODE: "Claude Code",
    "codex": "Codex",
    "gemini": "Gemini CLI",
    "qwen": "Qwen Code",
    "copilot": "Copilot CLI",
    "opencode": "opencode",
}
"""The product of each client, by its name."""


def client_label(client: str | None, version: str | None) -> str:
    """Return a client and its version in a few characters, "" if the client is unknown.

    >>> client_label("codex", "0.169.0"), client_label("codex", None), client_label(None, None)
    ('codex 0.169.0', 'codex', '')
    """
    return " ".join(filter(None, (client, version))) if client else ""
