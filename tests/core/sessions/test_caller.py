"""Which session a caller belongs to: by its process, its variables, its agent."""

from dataclasses import replace

import pytest

from hookd.core.model.fact_requests import CallerSession, FactRequest, MissingFacts, ProcessOrigin
from hookd.core.model.facts import Facts, FactValue, Session
from hookd.core.model.identity import Identity
from hookd.core.model.origin import Origin
from hookd.core.sessions.caller import caller_place, caller_session

NAMED, OTHER = Session(3, "named"), Session(4, "other")
ENDED = replace(NAMED, ended_at="2026-01-31T07:00:00.000Z")
CLIENT = Origin("9:1", "98:1")

Known = dict[FactRequest, FactValue | None]
CASES: list[tuple[str, Facts, Session | None]] = [
    (
        "a person",
        Facts(identity=Identity(peer=7), resolved={ProcessOrigin(7): Origin("9:1")}),
        None,
    ),
    ("no process", Facts(identity=Identity(), session=NAMED), NAMED),
    ("nothing at all", Facts(), None),
    (
        "the variables of the client's own command",
        Facts(
            identity=Identity(peer=7),
            session=NAMED,
            resolved={ProcessOrigin(7): CLIENT, CallerSession("98:1", None, 3): NAMED},
        ),
        NAMED,
    ),
    (
        "a client below another one has inherited its variables",
        Facts(
            identity=Identity(peer=7, agent="builder"),
            session=NAMED,
            resolved={ProcessOrigin(7): CLIENT, CallerSession("98:1", None, 3): OTHER},
        ),
        OTHER,
    ),
    (
        "a process without a session",
        Facts(
            identity=Identity(peer=7),
            session=NAMED,
            resolved={ProcessOrigin(7): CLIENT, CallerSession("98:1", None, 3): None},
        ),
        NAMED,
    ),
    (
        "a client that sets no variables",
        Facts(
            identity=Identity(peer=7, agent="builder"),
            resolved={ProcessOrigin(7): CLIENT, CallerSession("98:1", "builder"): OTHER},
        ),
        OTHER,
    ),
    (
        "an agent whose process is unknown",
        Facts(
            identity=Identity(peer=7, agent="builder"),
            resolved={ProcessOrigin(7): Origin(), CallerSession("", "builder"): OTHER},
        ),
        OTHER,
    ),
    ("a session that has ended", Facts(session=ENDED), None),
]


@pytest.mark.parametrize(
    ("facts", "expected"), [case[1:] for case in CASES], ids=[c[0] for c in CASES]
)
def test_the_process_decides_then_the_variables_then_the_agent(
    facts: Facts, expected: Session | None
) -> None:
    assert caller_session(facts) == expected


def test_the_process_is_looked_up_first() -> None:
    with pytest.raises(MissingFacts) as missing:
        caller_session(Facts(identity=Identity(peer=7), session=NAMED))
    assert missing.value.requests == (ProcessOrigin(7),)


def test_the_place_is_what_the_variables_say() -> None:
    where = caller_place(None, Identity(claude_session_id="named", cwd="/work"))
    assert (where.claude_session_id, where.cwd) == ("named", "/work")
