"""Let a held mail pass: it is queued for its recipients. Only a person may do this."""

from hookd.core.mail.sending import DEFAULT_EXPIRY, known_mail
from hookd.core.model.effects.after_commit import AnnounceMail
from hookd.core.model.effects.mail import ReleaseMail
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts, iso
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, RowId, Wire


class Params(Wire):
    """The number of the mail."""

    id: RowId


class Result(Wire):
    """The mail, and when it expires."""

    id: int
    recipient: str
    expires_at: str


def decide(params: Params, facts: Facts) -> Change:
    """Release it. NOT_FOUND, NOT_HELD."""
    mail = known_mail(params.id, facts)
    if mail.state != "held":
        raise DomainError("NOT_HELD", f"mail {mail.id} is {mail.state}, not held")
    until = iso(facts.now + DEFAULT_EXPIRY)
    result = Result(id=mail.id, recipient=mail.recipient, expires_at=until)
    return Change(result, (ReleaseMail(mail.id, until), AnnounceMail()))


METHOD = ChangeMethod(
    "mail.allow",
    Params,
    Result,
    daemon_only,
    decide,
    (Example({"id": 12}, says="NOT_FOUND"),),
    person=True,
)
