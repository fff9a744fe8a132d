"""Caller session: the open session of the agent that calls a method, whatever its client is."""

from hookd.core.model.fact_requests import CallerSession, ProcessOrigin
from hookd.core.model.facts import Facts, Session
from hookd.core.model.identity import Identity, Where


def caller_place(_params: object, identity: Identity) -> Where:
    """Refer to the session that the caller's variables name, and to its project."""
    return Where(identity, identity.claude_session_id, cwd=identity.cwd)


def caller_session(facts: Facts) -> Session | None:
    """Return the caller's session, None for a person or a script. Raise MissingFacts.

    It is the session of the client process that the caller runs in. A client that started below
    another one has inherited that one's variables, so they only decide where the process has no
    session. The agent (AGENT_ID) decides last.
    """
    identity, named = facts.identity, facts.session
    if named is not None and named.ended_at is not None:
        named = None
    origin = facts.require(ProcessOrigin(identity.peer)) if identity.peer else None
    client = origin.client if origin else ""
    if not client:
        if named is not None or identity.agent is None:
            return named
        return facts.require(CallerSession("", identity.agent))
    request = CallerSession(client, None if named else identity.agent, named.id if named else None)
    return facts.require(request) or named


def has_no_session(_params: object, facts: Facts) -> bool:
    """Return whether a caller has no session, so that it must be a person. Raise MissingFacts."""
    return caller_session(facts) is None
