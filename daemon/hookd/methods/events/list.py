"""List hook events with their answers and reasons, the newest first.

`after` selects those with a higher number, `since` those of a later time (UTC, as stored, or a
prefix of it). With `oldestFirst` the list begins with the oldest, so that repeated calls miss
nothing.
"""

from typing import Any, Literal

from pydantic import Field

from hookd.core.model.method import Example, RowId, Wire
from hookd.methods.listing import TIME, Listing, Objects, list_method, oldest_first
from hookd.policies import POLICIES


class Params(Wire):
    """`session` is a row's number, `agent` an AGENT_ID, `agentId` a subagent's id.

    `client` is a client's name, such as `codex`.

    With `kind` null the checks of `hookd doctor` are listed, too.
    """

    id: RowId | None = None
    after: int | None = Field(None, ge=0, le=2**63 - 1)
    since: str | None = Field(None, pattern=TIME)
    session: RowId | None = None
    claude_session_id: str | None = None
    agent: str | None = None
    agent_id: str | None = None
    client: str | None = None
    event: str | None = None
    decision: str | None = None
    rule: str | None = None
    kind: Literal["hook", "canary"] | None = "hook"
    oldest_first: bool = False
    limit: int = Field(100, ge=1, le=100_000)


class Result(Wire):
    """Rows of the view event_overview, keys in camelCase; `judges` has the policies by event.

    `rule` is the view's `decided_by`. `payloadSha256` is set if the payload is cut: `events.body`
    has all of it. `lost`: the client disconnected before its answer, which blocked nothing.
    `repeats`: number of repeated deliveries; each got the answer of the first. `timedOut`: a user
    hook did not answer in time. `durationUs` and `stages` are microseconds, as in `events.slow`;
    null if they were not measured. `resolved` has the facts from outside the database, by digests
    of their requests, for a replay. `more` is true if the limit cut the rows.
    """

    events: list[dict[str, Any]]
    judges: dict[str, list[str]]
    more: bool


def _judges(event: str) -> list[str]:
    return [policy.name for policy in POLICIES if event in policy.events]


def _result(_params: Params, rows: Objects, more: bool) -> Result:
    names = dict.fromkeys(one["event"] for one in rows)
    return Result(events=rows, judges={name: _judges(name) for name in names}, more=more)


METHOD = list_method(
    "events.list",
    Params,
    Result,
    Listing(
        "event_overview",
        (
            "id",
            "kind",
            "session_id",
            "claude_session_id",
            "agent",
            "agent_id",
            "client",
            "event",
            "decision",
            "decided_by",
        ),
        {"id": "after", "at": "since"},
        order=oldest_first,
        names={"decided_by": "rule"},
        parameters={"session_id": "session"},
        flags=("lost", "timed_out"),
        result=_result,
    ),
    Example({"decision": "deny", "limit": 5}, says="the five newest denials"),
    Example({"after": 4711, "oldestFirst": True}, says="what came after 4711"),
)
