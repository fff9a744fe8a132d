"""Home of asking one table of dangers what it says of a command line."""

from collections.abc import Mapping

from hookd.risk.model import CallContext, CommandCall, RiskRule
from hookd.shell.commands import read

PLACE = CallContext(cwd="/home/me/shop", project="/home/me/shop", home="/home/me")


def told(rules: Mapping[str, RiskRule], text: str, place: CallContext = PLACE) -> set[str]:
    """Return kinds and weights, such as "history ask", of all commands in a text."""
    calls = [CommandCall(command, place) for command in read(text).commands]
    return {
        f"{danger.kind} {danger.severity}"
        for call in calls
        if call.program in rules
        for danger in rules[call.program](call)
    }
