"""Mail of the caller: whose it is."""

from hookd.core.model.fact_requests import CallerReason, ProcessOrigin
from hookd.core.model.facts import Facts
from hookd.core.model.identity import Identity
from hookd.core.model.mail import InboxItem
from hookd.core.model.mail_requests import InboxOf, OpenAgents
from hookd.core.model.origin import Origin
from hookd.methods.mail.inbox import Params, Result, decide

TO_PERSON = InboxItem(
    1, 1, None, "ann", "agent", None, "@person", "normal", "hookd", "waiting", "x", "x", "now"
)


def read(reason: str) -> Result:
    """Return what a caller gets whom a client runs for this reason, none for a person."""
    known = Facts(
        identity=Identity(peer=9),
        resolved={
            ProcessOrigin(9): Origin(),
            CallerReason(9): reason,
            OpenAgents(): (),
            InboxOf(None, None, None, every=False, limit=100, person=not reason): (TO_PERSON,),
        },
    )
    result = decide(Params(), known).result
    assert isinstance(result, Result)
    return result


def test_mail_to_the_person_is_not_for_an_agent_without_a_session() -> None:
    assert [one.id for one in read("").mail] == [1]
    assert read("inside Codex").mail == []
    assert read("inside Codex").owner == "an agent without a session"
