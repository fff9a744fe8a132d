"""The home of the check that hookd guards at all: an event that must be denied.

`hookd doctor` announces a nonce and sends, through the installed command line, a tool call in a
session that is named after it. A guard that is nowhere stored denies exactly that call.
"""

from hookd.core.facts import Guard
from hookd.core.guards.rule import Payload, Rule, ToolFilter

KIND = "canary"
"""The kind under which such an event is kept, outside of all counters."""

_PREFIX = "hookd-canary-"


def session_id(nonce: str) -> str:
    """Return the session that the call is made in."""
    return _PREFIX + nonce


def nonce_in(session: str) -> str:
    """Return the nonce of such a session; of any other, an empty text."""
    return session.removeprefix(_PREFIX) if session.startswith(_PREFIX) else ""


def guard(nonce: str) -> Guard:
    """Return the rule that denies the call, with the nonce in its reason."""
    rule = Rule(
        id=KIND,
        tool_filter=ToolFilter(include=("Bash(hookd-canary)",)),
        payload=Payload(text=f"the check {nonce} arrived, and hookd guards."),
        urgency="block",
    )
    return Guard(0, KIND, "user", rule.model_dump_json(by_alias=True, exclude_none=True))
