"""Who sends a mail: an agent by its session or its client, else a person or a script."""

import pytest

from hookd.core.mail.senders import sender_of
from hookd.core.model.fact_requests import CallerReason, ProcessOrigin
from hookd.core.model.facts import Facts, Session
from hookd.core.model.identity import Identity
from hookd.core.model.mail import OpenAgent
from hookd.core.model.mail_requests import OpenAgents
from hookd.core.model.origin import Origin

OWN = Session(7, "conversation", owner="ann", project_id=1)
ROWS = (OpenAgent(7, "conversation", "ann", "claude-code", "/work", "/work", None),)


def facts(reason: str = "", session: Session | None = None, agent: str | None = None) -> Facts:
    return Facts(
        identity=Identity(peer=9, agent=agent),
        session=session,
        resolved={
            ProcessOrigin(9): Origin(),
            CallerReason(9): reason,
            OpenAgents(): ROWS,
        },
    )


@pytest.mark.parametrize(
    ("known", "terminal", "kind", "name", "origin"),
    [
        (facts(), True, "person", "person", ""),
        (facts(), False, "script", "script", ""),
        (facts("inside Codex"), True, "agent", "an agent without a session", ""),
        (facts(session=OWN), True, "agent", "ann", "claude-code, session 7"),
        (facts(session=Session(8, "other")), False, "agent", "session 8", ""),
    ],
)
def test_a_callers_own_word_does_not_make_it_a_person(
    known: Facts, terminal: bool, kind: str, name: str, origin: str
) -> None:
    sender = sender_of(known, terminal=terminal)
    assert (sender.kind, sender.name, sender.origin) == (kind, name, origin)
    assert sender.conversation == (known.session.claude_session_id if known.session else None)
