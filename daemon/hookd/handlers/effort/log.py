"""Write a log entry of an effort and set the heartbeat to zero.

The entry goes to the end of `<task>/<ordinal>_<SKILL>_LOG.md` and into the messages. Its time,
UTC, is put into its first `## ` heading, or before it where it has none. The counter of
the session that asks is reset; from outside of any session, that of all open windows of the effort.
"""

import re

from pydantic import Field

from hookd.core.effects import AddMessage, AppendLog, Effect, SetHeartbeat
from hookd.core.errors import DomainError
from hookd.core.facts import Facts
from hookd.core.identity import own_or_named
from hookd.core.method import Change, ChangeMethod, Example, RowId, Wire

_HEADING = re.compile(r"^## +", re.MULTILINE)


class Params(Wire):
    """`text` is the entry; without `effortId` it is the asker's own effort."""

    text: str = Field(min_length=1)
    effort_id: RowId | None = None


class Result(Wire):
    """Where the entry went, and how many sessions were reset."""

    effort_id: int
    log_path: str
    sessions_reset: int


def decide(params: Params, facts: Facts) -> Change:
    """Write the entry. NO_ACTIVE_EFFORT without an effort, EFFORT_FINISHED with an ended one."""
    effort = facts.effort
    if effort is None:
        raise DomainError("NO_ACTIVE_EFFORT", "no effort is active here")
    if not effort.active:
        raise DomainError("EFFORT_FINISHED", f"effort {effort.id} is finished")
    windows = (facts.session.id,) if facts.session else facts.effort_windows
    effects: tuple[Effect, ...] = (
        AddMessage(facts.session.id if facts.session else None, effort.id, "log", params.text),
        *(SetHeartbeat(window, 0, None) for window in windows),
        AppendLog(effort.log_path, stamped(params.text, facts.at), f"{effort.skill} log"),
    )
    result = Result(effort_id=effort.id, log_path=effort.log_path, sessions_reset=len(windows))
    return Change(result, effects)


def stamped(text: str, at: str) -> str:
    """Return an entry with its time.

    >>> stamped("## Parser done", "2026-01-31T08:00:00.000Z")
    '## [2026-01-31 08:00:00] Parser done'
    """
    stamp = f"[{at[:10]} {at[11:19]}]"
    marked, found = _HEADING.subn(lambda heading: f"{heading[0]}{stamp} ", text, count=1)
    return marked if found else f"{stamp} {text}"


METHOD = ChangeMethod(
    "effort.log",
    Params,
    Result,
    own_or_named,
    decide,
    (Example({"text": "Parser done, tests next."}, says="NO_ACTIVE_EFFORT"),),
)
