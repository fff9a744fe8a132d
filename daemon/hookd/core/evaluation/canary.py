"""Canary: the self-test of `hookd doctor`, a tool call that hookd must deny.

`hookd doctor` announces a nonce and an answer, then sends a tool call through the installed shim in
a session named after the nonce. A guard that is not stored denies exactly that call, with the
answer in its reason, which the sender of the call did not know.
"""

from hookd.core.guard_rules.rule import Payload, Rule, ToolFilter
from hookd.core.model.facts import Guard

KIND = "canary"
"""The kind of such an event in the database; it is not counted."""

_PREFIX = "hookd-canary-"
_MAX_PENDING = 16
"""Maximum announced checks; the oldest is dropped."""


def session_id(nonce: str) -> str:
    """Return the id of the session for a nonce."""
    return _PREFIX + nonce


def nonce_of(session: str) -> str:
    """Return the nonce in a session's id; "" for any other session."""
    return session.removeprefix(_PREFIX) if session.startswith(_PREFIX) else ""


def announce(announced: dict[str, str], nonce: str, answer: str) -> None:
    """Add an announced check; the oldest is dropped if there are too many."""
    announced.pop(nonce, None)
    announced[nonce] = answer
    while len(announced) > _MAX_PENDING:
        del announced[next(iter(announced))]


def canary_guard(answer: str) -> Guard:
    """Return the guard rule that denies the call, with the answer in its reason."""
    rule = Rule(
        id=KIND,
        tool_filter=ToolFilter(include=("Bash(hookd-canary)",)),
        payload=Payload(text=f"the check {answer} arrived, and hookd guards."),
        urgency="block",
    )
    return Guard(0, KIND, "user", rule.model_dump_json(by_alias=True, exclude_none=True))
