"""Who calls a method of work items: an agent by its session or its client, else a person."""

import pytest

from hookd.core.model.fact_requests import CallerReason, ProcessOrigin
from hookd.core.model.facts import Facts, Session
from hookd.core.model.identity import Identity
from hookd.core.model.origin import Origin
from hookd.core.work_items.ownership import Caller, caller


def facts(reason: str = "", session: Session | None = None, agent: str | None = None) -> Facts:
    identity = Identity(peer=9, agent=agent, claude_session_id="s" if session else None)
    resolved = {ProcessOrigin(9): Origin(), CallerReason(9): reason}
    return Facts(identity=identity, session=session, resolved=resolved)


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        (facts(), Caller(None, None, None, "person")),
        (facts("inside Codex"), Caller(None, None, None, "an agent without a session")),
        (facts(session=Session(7, "s", owner="ann")), Caller("s", 7, "ann", "ann")),
        (facts(session=Session(7, "s")), Caller("s", 7, None, "session 7")),
        (facts(session=Session(7, "s"), agent="ben"), Caller("s", 7, None, "session 7")),
        (facts(session=Session(7, "s", owner="ann"), agent="ben"), Caller("s", 7, "ann", "ann")),
    ],
)
def test_no_variable_of_a_command_makes_a_caller_another_one(
    known: Facts, expected: Caller
) -> None:
    assert caller(known) == expected
