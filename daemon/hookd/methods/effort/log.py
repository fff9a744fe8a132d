"""Write a log entry of an effort and set the heartbeat to zero.

The entry is appended to `<task>/<ordinal>_<SKILL>_LOG.md` and to the messages. Its time, UTC, is
put into its first `## ` heading, or before the entry if it has none. The counter of the calling
session is reset; from outside any session, the counters of all open windows of the effort.
"""

from pydantic import Field

from hookd.core.efforts.log_entry import affected_sessions, write_entry
from hookd.core.model.facts import Facts
from hookd.core.model.identity import own_or_named_effort
from hookd.core.model.method import Change, ChangeMethod, Example, RowId, Wire


class Params(Wire):
    """`text` is the entry; without `effortId` it is the caller's own effort."""

    text: str = Field(min_length=1)
    effort_id: RowId | None = None


class Result(Wire):
    """Where the entry went, and how many sessions were reset."""

    effort_id: int
    log_path: str
    sessions_reset: int


def decide(params: Params, facts: Facts) -> Change:
    """Write the entry. NO_ACTIVE_EFFORT without an effort, EFFORT_FINISHED with an ended one."""
    effort, effects = write_entry(params.text, facts)
    result = Result(
        effort_id=effort.id,
        log_path=effort.log_path,
        sessions_reset=len(affected_sessions(effort, facts)),
    )
    return Change(result, effects)


METHOD = ChangeMethod(
    "effort.log",
    Params,
    Result,
    own_or_named_effort,
    decide,
    (Example({"text": "Parser done, tests next."}, says="NO_ACTIVE_EFFORT"),),
)
