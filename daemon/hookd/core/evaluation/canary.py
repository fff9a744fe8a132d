"""The home of the check that hookd guards at all: an event that must be denied.

`hookd doctor` announces a nonce and an answer, and sends, through the installed command line, a
tool call in a session that is named after the nonce. A guard that is nowhere stored denies exactly
that call, with the answer in its reason: whoever carries the call never saw that.
"""

from hookd.core.guard_rules.rule import Payload, Rule, ToolFilter
from hookd.core.model.facts import Guard

KIND = "canary"
"""The kind under which such an event is kept, outside of all counters."""

_PREFIX = "hookd-canary-"
_MAX_PENDING = 16
"""Checks that are waited for at a time."""


def session_id(nonce: str) -> str:
    """Return the session that the call is made in."""
    return _PREFIX + nonce


def nonce_of(session: str) -> str:
    """Return the nonce of such a session; of any other, an empty text."""
    return session.removeprefix(_PREFIX) if session.startswith(_PREFIX) else ""


def announce(announced: dict[str, str], nonce: str, answer: str) -> None:
    """Put a check among those that were announced; the oldest goes where there are many."""
    announced.pop(nonce, None)
    announced[nonce] = answer
    while len(announced) > _MAX_PENDING:
        del announced[next(iter(announced))]


def canary_guard(answer: str) -> Guard:
    """Return the rule that denies the call, with the answer in its reason."""
    rule = Rule(
        id=KIND,
        tool_filter=ToolFilter(include=("Bash(hookd-canary)",)),
        payload=Payload(text=f"the check {answer} arrived, and hookd guards."),
        urgency="block",
    )
    return Guard(0, KIND, "user", rule.model_dump_json(by_alias=True, exclude_none=True))
