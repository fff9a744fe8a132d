"""End claims: the caller's own, by number or pattern, or all; a person may end those of others.

Nothing is released if one of them cannot be.
"""

from pydantic import Field

from hookd.core.claims.holders import named
from hookd.core.claims.releasing import claims_to_end
from hookd.core.claims.wanted import MAX_WORDS
from hookd.core.model.effects.claims import EndClaims
from hookd.core.model.facts import Facts
from hookd.core.model.method import Change, ChangeMethod, Example, Wire
from hookd.core.sessions.caller import caller_place, caller_session, has_no_session


class Params(Wire):
    """`claims` are numbers or patterns, relative to the caller's folder; `all`: every own claim."""

    claims: list[str] = Field(default_factory=list, max_length=MAX_WORDS)
    all: bool = False

    @property
    def act(self) -> str:
        """What only a person may do."""
        return "a release without a session"


class Released(Wire):
    """A claim that was ended."""

    id: int
    pattern: str


class Result(Wire):
    """The claims that were ended."""

    released: list[Released]


def decide(params: Params, facts: Facts) -> Change:
    """End the claims. INVALID_CLAIM if none is named, NOT_FOUND, NOT_YOURS."""
    session = caller_session(facts)
    conversation = session.claude_session_id if session else ""
    ended = claims_to_end(tuple(params.claims), conversation, facts, every=params.all)
    effect = EndClaims(tuple(one.id for one in ended), "holder" if session else "person")
    released = [Released(id=one.id, pattern=named(one)) for one in ended]
    return Change(Result(released=released), (effect,))


METHOD = ChangeMethod(
    "claims.release",
    Params,
    Result,
    caller_place,
    decide,
    (
        Example({"claims": ["4711"]}, says="NOT_FOUND"),
        Example({"claims": []}, says="INVALID_CLAIM"),
    ),
    person=has_no_session,
)
