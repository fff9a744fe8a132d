"""Claiming: what a conversation or a person gets of what it wants, and who holds the rest."""

from collections.abc import Iterable

from hookd.core.claims.holders import RESOURCE, described, how_to_ask
from hookd.core.claims.patterns import overlap
from hookd.core.claims.wanted import Wanted, patterns_wanted
from hookd.core.model.claim import Claim
from hookd.core.model.claim_requests import OpenClaims
from hookd.core.model.effects.claims import AddClaim, ExtendClaim
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts, Session
from hookd.lazy_dataclass import dataclass

MAX_CLAIMS = 200
"""Claims that one conversation may hold at a time."""

_MAX_REFUSED = 5


@dataclass(frozen=True, slots=True)
class Claimant:
    """Who claims: a session, or a person (None); why, and until when."""

    session: Session | None
    why: str | None = None
    expires_at: str | None = None

    @property
    def conversation(self) -> str:
        """The holder as it is stored; "" for a person."""
        return self.session.claude_session_id if self.session else ""


def open_claims(wanted: Iterable[Wanted], facts: Facts) -> tuple[Claim, ...]:
    """Return the open claims in the repositories of what is wanted. Raise MissingFacts."""
    asked = [OpenClaims(facts.at, root) for root in dict.fromkeys(one.root for one in wanted)]
    facts.require_all(*asked)
    return tuple(claim for one in asked for claim in facts.require(one) or ())


def covers(claim: Claim, wanted: Wanted) -> bool:
    """Return whether a claim and what is wanted can be of the same file."""
    return claim.root == wanted.root and overlap(
        claim.pattern, claim.kind, wanted.pattern, wanted.kind
    )


def held_by_others(
    wanted: Wanted, claims: Iterable[Claim], claimant: Claimant
) -> tuple[Claim, ...]:
    """Return the claims of others that can be of the same file."""
    return tuple(
        claim
        for claim in claims
        if claim.conversation != claimant.conversation and covers(claim, wanted)
    )


def claim_effect(
    wanted: Wanted, claims: Iterable[Claim], claimant: Claimant, facts: Facts
) -> AddClaim | ExtendClaim:
    """Return the effect that claims; a claim that the claimant has is extended."""
    own = (
        claim
        for claim in claims
        if (claim.conversation, claim.automatic) == (claimant.conversation, False)
        and (claim.root, claim.kind, claim.pattern) == (wanted.root, wanted.kind, wanted.pattern)
    )
    known = next(own, None)
    if known is not None:
        return ExtendClaim(known.id, claimant.expires_at, claimant.why)
    session = claimant.session
    return AddClaim(
        root=wanted.root,
        kind=wanted.kind,
        pattern=wanted.pattern,
        conversation=claimant.conversation,
        session_id=session.id if session else None,
        agent=session.owner if session else None,
        project_id=facts.project.id if facts.project else None,
        why=claimant.why,
        automatic=False,
        expires_at=claimant.expires_at,
    )


def refusal(claim: Claim, facts: Facts) -> str:
    """Return why what another holds is not claimed, and how to ask for it."""
    return f"{described(claim, facts.now)}. {how_to_ask(claim)}"


@dataclass(frozen=True, slots=True)
class Granted:
    """A granted request. `extended` was claimed before; `editing`: others edit these files."""

    wanted: tuple[Wanted, ...]
    extended: frozenset[Wanted]
    editing: tuple[Claim, ...]
    effects: tuple[AddClaim | ExtendClaim, ...]


def grant(patterns: tuple[str, ...], claimant: Claimant, facts: Facts) -> Granted:
    """Claim all patterns, relative to the caller's folder. Raise MissingFacts.

    Raise DomainError: INVALID_CLAIM, CLAIMED if another holds one of them, TOO_MANY.
    """
    wanted = patterns_wanted(patterns, caller_folder(patterns, facts), facts)
    claims = open_claims(wanted, facts)
    others = [one for each in wanted for one in held_by_others(each, claims, claimant)]
    refused = list(dict.fromkeys(one for one in others if not one.automatic))
    if refused:
        told = ". ".join(refusal(one, facts) for one in refused[:_MAX_REFUSED])
        raise DomainError("CLAIMED", f"nothing was claimed: {told}")
    own = [one for one in claims if one.conversation == claimant.conversation and not one.automatic]
    extended = frozenset(wanted) & {Wanted(one.root, one.kind, one.pattern) for one in own}
    if len(own) + len(wanted) - len(extended) > MAX_CLAIMS:
        raise DomainError("TOO_MANY", f"at most {MAX_CLAIMS} claims can be open at a time")
    return Granted(
        wanted,
        extended,
        tuple(dict.fromkeys(others)),
        tuple(claim_effect(one, claims, claimant, facts) for one in wanted),
    )


def caller_folder(patterns: tuple[str, ...], facts: Facts) -> str:
    """Return the folder that patterns are relative to. Raise DomainError if it is unknown."""
    folder = facts.identity.cwd or (facts.project.path if facts.project else "")
    if not folder and not all(one.startswith((RESOURCE, "/")) for one in patterns):
        raise DomainError("INVALID_CLAIM", "the caller's folder is unknown; name an absolute path")
    return folder or "/"
