"""Home of asking one table of dangers what it says of a command line."""

from collections.abc import Mapping

from hookd.risk.model import Call, Place, Rule
from hookd.shell import read

PLACE = Place(cwd="/home/me/shop", project="/home/me/shop", home="/home/me")


def told(rules: Mapping[str, Rule], text: str, place: Place = PLACE) -> set[str]:
    """Return kinds and weights, such as "history ask", of all commands in a text."""
    calls = [Call(command, place) for command in read(text).commands]
    return {
        f"{danger.kind} {danger.weight}"
        for call in calls
        if call.program in rules
        for danger in rules[call.program](call)
    }
