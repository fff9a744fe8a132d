"""Keep a row, or an event, that the central store refused, with the reason; others are sent.

The sender of a mail is notified by mail. `hookd fleet outbox --rejected`
shows the row, `--retry` sends it again, and `--drop` drops it.
"""

from pydantic import Field

from hookd.core.fleet.membership import member
from hookd.core.model.effects.after_commit import AnnounceMail
from hookd.core.model.effects.fleet import RejectRow
from hookd.core.model.facts import Facts
from hookd.core.model.identity import daemon_only
from hookd.core.model.membership import Stream
from hookd.core.model.method import Change, ChangeMethod, Example, RowId, Wire


class Params(Wire):
    """`seq` is the number of a row of the outbox, or of an event; `reason` what the store says."""

    stream: Stream = "changes"
    seq: RowId
    reason: str = Field(min_length=1, max_length=10_000)


class Result(Wire):
    """The number of the row."""

    seq: int


def decide(params: Params, facts: Facts) -> Change:
    """Mark the row. NOT_JOINED."""
    member(facts)
    effects = (RejectRow(params.seq, params.reason, params.stream), AnnounceMail())
    return Change(Result(seq=params.seq), effects)


METHOD = ChangeMethod(
    "fleet.reject",
    Params,
    Result,
    daemon_only,
    decide,
    (Example({"seq": 7, "reason": "invalid input syntax for type json"}, says="NOT_JOINED"),),
    person=True,
)
