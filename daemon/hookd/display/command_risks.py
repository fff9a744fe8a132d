"""Risks of a recorded command, as the analysis finds them now: what each part of it would do.

It knows the text as it was stored, redacted, and nothing of the disk.
"""

from collections.abc import Mapping
from typing import Any

from hookd.display.event_subject import tool_input
from hookd.lazy_dataclass import dataclass

_MAX_CHARS = 8_000
"""Characters of a command that is analyzed again."""


@dataclass(frozen=True, slots=True)
class CommandRisk:
    """A part of a command, and what it would do; `certain` is False if that depends on values.

    `verdict` is deny or ask, `rule` the id of the catalogue's rule that found it.
    """

    command: str
    verdict: str
    kind: str
    reason: str
    rule: str
    certain: bool


def command_risks(event: Mapping[str, Any]) -> tuple[CommandRisk, ...]:
    """Return the risks of the command of an event with a decision, the strongest first."""
    command = tool_input(event["payload"]).get("command")
    if event["toolName"] != "Bash" or not event["decision"] or not isinstance(command, str):
        return ()
    if len(command) > _MAX_CHARS:
        return ()
    from hookd.risk.analyze import assess_text  # noqa: PLC0415 - slow to import, seldom needed
    from hookd.risk.model import CallContext  # noqa: PLC0415

    cwd = event["payload"].get("cwd")
    project = (event["facts"] or {}).get("project") or event["project"]
    place = CallContext(cwd=cwd if isinstance(cwd, str) else None, project=project)
    return tuple(
        CommandRisk(one.command, one.severity, one.kind, one.reason, one.rule, one.certain)
        for one in assess_text(command, place)
    )
