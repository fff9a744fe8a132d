"""Drop a mail that is held or waits: who has not got it does not get it. For a person only."""

from hookd.core.mail.sending import known_mail
from hookd.core.model.effects.mail import DropMail
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, RowId, Wire


class Params(Wire):
    """The number of the mail."""

    id: RowId


class Result(Wire):
    """The mail."""

    id: int
    recipient: str


def decide(params: Params, facts: Facts) -> Change:
    """Drop it. NOT_FOUND, NOT_HELD."""
    mail = known_mail(params.id, facts)
    if mail.state not in ("held", "waiting"):
        raise DomainError("NOT_HELD", f"mail {mail.id} is {mail.state}, neither held nor waiting")
    return Change(Result(id=mail.id, recipient=mail.recipient), (DropMail(mail.id),))


METHOD = ChangeMethod(
    "mail.drop",
    Params,
    Result,
    daemon_only,
    decide,
    (Example({"id": 12}, says="NOT_FOUND"),),
    person=True,
)
