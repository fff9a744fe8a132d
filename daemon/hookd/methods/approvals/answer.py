"""Answer a permission request that waits, instead of the client's own dialog.

`allow` runs the call once; a guard that denies it by now is not passed. `deny` tells the model the
`message`. `dialog` leaves the request to the client's own dialog at once. Only a person may do
this.
"""

from typing import Literal

from pydantic import Field

from hookd.core.model.effects.after_commit import AnswerApproval
from hookd.core.model.facts import Facts
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, RowId, Wire


class Params(Wire):
    """`id` is the request's. `via` is what the person used, such as `web`; "" is the terminal."""

    id: RowId
    answer: Literal["allow", "deny", "dialog"]
    message: str = Field("", max_length=4_000)
    via: str = Field("", max_length=40, pattern=r"^[\w ./:-]*$")


class Result(Wire):
    """The request, and its answer."""

    id: int
    answer: str


def decide(params: Params, facts: Facts) -> Change:
    """Answer it. NOT_PENDING if it does not wait; GUARD_DENIES if a guard denies the call."""
    peer = facts.identity.peer
    effect = AnswerApproval(params.id, params.answer, params.message, peer, params.via)
    return Change(Result(id=params.id, answer=params.answer), (effect,))


METHOD = ChangeMethod(
    "approvals.answer",
    Params,
    Result,
    daemon_only,
    decide,
    (Example({"id": 7, "answer": "allow"}, says="after a look at the request"),),
    person=True,
)
