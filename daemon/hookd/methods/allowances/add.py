"""Allow the call of an event to pass the guards that blocked it: exactly this call, for this user.

With the scope `project` it is the same call in any folder of the event's project, and in no other
one. Only a person may do this, as with all that weakens a guard. A denial by a guard rule or a user
hook is not lifted; `others` names these. With `preview` nothing is changed.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pydantic import AwareDatetime

from hookd.core.model.effects.messages import AddAllowance
from hookd.core.model.errors import DomainError
from hookd.core.model.fact_requests import DecisionRecord
from hookd.core.model.facts import Facts, iso
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, RowId, Wire


class Params(Wire):
    """`until` is when the rule expires; without it, the rule lasts until it is removed.

    `scope` is `call`, for the event's folder, or `project`, for all folders of its project.
    """

    event_id: RowId
    scope: Literal["call", "project"] = "call"
    until: AwareDatetime | None = None
    preview: bool = False


class AllowedCall(Wire):
    """A call, and the guard that it may pass.

    `folder` is null if it does not matter, and ends in `/**` for a project.
    """

    guard: str
    tool: str
    text: str
    folder: str | None


class Result(Wire):
    """The allowed calls, their expiry, and what else blocks the event's call."""

    calls: list[AllowedCall]
    until: str | None
    others: list[str]


def decide(params: Params, facts: Facts) -> Change:
    """Add the allow rules. NOT_FOUND without such an event; NOT_ALLOWABLE, INVALID_TIME."""
    number = params.event_id
    said = facts.require(DecisionRecord(number))
    if said is None:
        raise DomainError("NOT_FOUND", f"there is no event {number}")
    if params.until is not None and params.until <= facts.now:
        raise DomainError("INVALID_TIME", f"{iso(params.until)} is over: it is {facts.at}")
    until = iso(params.until) if params.until else None
    held = list(_held(said))
    if not held:
        raise DomainError("NOT_ALLOWABLE", f"no guard blocked the call of event {number}")
    if params.scope == "project" and not any(call.get("project_key") for _, call in held):
        raise DomainError("NOT_ALLOWABLE", f"no project of event {number}'s call is recorded")
    rules = tuple(_rule(guard, call, params, until) for guard, call in held if call)
    others = [rule for rule, call in held if not call]
    if not rules:
        who = f"the call of event {number} was blocked by {' and '.join(others)}"
        raise DomainError("NOT_ALLOWABLE", f"{who}, and no allow rule changes that")
    calls = [
        AllowedCall(guard=one.guard, tool=one.tool, text=one.text, folder=one.folder or None)
        for one in rules
    ]
    result = Result(calls=calls, until=until, others=others)
    return Change(result, () if params.preview else rules)


def _rule(guard: str, call: Mapping[str, Any], params: Params, until: str | None) -> AddAllowance:
    """Return the allow rule of a guard for a recorded call."""
    key, folder = call["key"], call.get("folder", "")
    if params.scope == "project":
        key, folder = call["project_key"], f"{call['project'].rstrip('/')}/**"
    return AddAllowance(guard, key, call["tool"], call["text"], folder, params.event_id, until)


def _held(said: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield what blocked a call, with the call if it can be allowed."""
    for one in json.loads(said)["opinions"] if said else ():
        if one.get("verdict") in ("deny", "ask", "defer"):
            yield one.get("rule", ""), one.get("call") or {}


METHOD = ChangeMethod(
    "allowances.add",
    Params,
    Result,
    daemon_only,
    decide,
    (
        Example({"eventId": 4711}, says="NOT_FOUND"),
        Example({"eventId": 4711, "until": "2026-01-31T09:00:00Z", "preview": True}, "NOT_FOUND"),
    ),
    person=True,
)
