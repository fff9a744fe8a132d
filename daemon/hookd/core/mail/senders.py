"""Sender of a mail: an agent in its session, a person at a terminal, or a script."""

from hookd.core.model.fact_requests import CallerReason
from hookd.core.model.facts import Facts, Session
from hookd.core.model.mail import SenderKind
from hookd.core.model.mail_requests import OpenAgents
from hookd.core.sessions.caller import caller_session
from hookd.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sends: `session` is the agent's, None for others; `origin` is what the frame adds."""

    kind: SenderKind
    name: str
    session: Session | None = None
    origin: str = ""

    @property
    def conversation(self) -> str | None:
        """The client's id of the sender's conversation."""
        return self.session.claude_session_id if self.session else None


def sender_of(facts: Facts, *, terminal: bool) -> Sender:
    """Return who calls; `terminal`: the caller says that it is at one. Raise MissingFacts.

    An agent is one by its session, or since a client is above its process; its word for being at a
    terminal does not count.
    """
    session = caller_session(facts)
    if session is not None:
        name = session.owner or f"session {session.id}"
        own = (one for one in facts.require(OpenAgents()) or () if one.session_id == session.id)
        client = next((one.client for one in own if one.client), None)
        where = (client, f"session {session.id}" if session.owner else None)
        return Sender("agent", name, session, ", ".join(filter(None, where)))
    peer = facts.identity.peer
    if peer and facts.require(CallerReason(peer)):
        return Sender("agent", facts.identity.agent or "an agent without a session")
    return Sender("person", "person") if terminal else Sender("script", "script")
