"""Former names of commands, which keep working. Standard library only."""

RENAMED_COMMANDS = {
    "agents": "agent",
    "approvals": "approval",
    "events": "event",
    "hooks": "hook",
    "policies": "policy",
}
"""The name of a command by its former one. Command line and guards read both here."""


def current_command(name: str) -> str:
    """Return the name of a command that may be given by its former one."""
    return RENAMED_COMMANDS.get(name, name)
