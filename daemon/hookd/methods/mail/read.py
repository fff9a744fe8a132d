"""Count mail of the caller as delivered: a command has printed it.

So it does not come with an answer as well. Mail that is not the caller's is left as it is.
"""

from pydantic import Field

from hookd.core.mail.senders import sender_of
from hookd.core.model.effects.mail import ReadMail
from hookd.core.model.facts import Facts
from hookd.core.model.method import Change, ChangeMethod, Example, RowId, Wire
from hookd.core.sessions.caller import caller_place


class Params(Wire):
    """The numbers of mails."""

    ids: list[RowId] = Field(min_length=1, max_length=1_000)


class Result(Wire):
    """The numbers."""

    ids: list[int]


def decide(params: Params, facts: Facts) -> Change:
    """Count them."""
    sender = sender_of(facts, terminal=True)
    if sender.kind == "agent" and sender.session is None:
        return Change(Result(ids=[]))
    session = sender.session.id if sender.session else None
    return Change(Result(ids=params.ids), (ReadMail(tuple(params.ids), session),))


METHOD = ChangeMethod("mail.read", Params, Result, caller_place, decide, (Example({"ids": [12]}),))
