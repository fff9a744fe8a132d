"""Releasing: which open claims words name, and who may end them."""

from contextlib import suppress

from hookd.core.claims.claiming import caller_folder
from hookd.core.claims.holders import described, how_to_ask, named, short
from hookd.core.claims.wanted import patterns_wanted
from hookd.core.fleet.peers import peer_of_key
from hookd.core.model.claim import Claim
from hookd.core.model.claim_requests import OpenClaims
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts


def claims_to_end(
    words: tuple[str, ...], conversation: str, facts: Facts, *, every: bool
) -> tuple[Claim, ...]:
    """Return the claims that words name, with `every` all of a conversation. Raise MissingFacts.

    A person (`conversation` is "") may end those of others. Raise DomainError: INVALID_CLAIM if
    none is named, NOT_FOUND, NOT_YOURS.
    """
    if not words and not every:
        raise DomainError("INVALID_CLAIM", "no claim is named; name its number or its pattern")
    claims = facts.require(OpenClaims(facts.at)) or ()
    patterns = tuple(word for word in words if not _is_number(word))
    if patterns:  # what they all need is loaded at once
        with suppress(DomainError):  # a word may be a pattern as lists show it
            patterns_wanted(patterns, caller_folder(patterns, facts), facts)
    found: dict[int, Claim] = {}
    for word in words:
        for claim in _named(word, claims, conversation, facts):
            peer = peer_of_key(claim.conversation)
            if peer or (conversation and claim.conversation != conversation):
                told = f"{described(claim, facts.now)}. {how_to_ask(claim)}"
                raise DomainError("NOT_YOURS", f"agents release only their own claims: {told}")
            found[claim.id] = claim
    if every:
        found |= {claim.id: claim for claim in claims if claim.conversation == conversation}
        if not found:
            raise DomainError("NOT_FOUND", "you hold no claim")
    return tuple(found.values())


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit()


def _named(
    word: str, claims: tuple[Claim, ...], conversation: str, facts: Facts
) -> tuple[Claim, ...]:
    """Return the open claims of a number or a pattern, the caller's own first."""
    if _is_number(word):
        found = [claim for claim in claims if claim.id == int(word)]
    else:
        listed = _listed(word, claims, conversation)
        try:
            (wanted,) = patterns_wanted((word,), caller_folder((word,), facts), facts)
        except DomainError:
            if not listed:
                raise
            same = []
        else:
            key = (wanted.root, wanted.kind, wanted.pattern)
            same = [one for one in claims if (one.root, one.kind, one.pattern) == key]
        found = [one for one in same if one.conversation == conversation] or [
            one for one in same if not one.automatic
        ]
        if not found and len(listed) > 1:
            numbers = " or ".join(str(one.id) for one in listed)
            told = f"{len(listed)} claims are listed as '{short(word)}': hookd release {numbers}"
            raise DomainError("NOT_FOUND", told)
        found = found or listed
    if not found:
        raise DomainError("NOT_FOUND", f"there is no open claim '{short(word)}'")
    return tuple(found)


def _listed(word: str, claims: tuple[Claim, ...], conversation: str) -> list[Claim]:
    """Return the claims of a caller that lists show by this word: relative to the repository."""
    own = (one for one in claims if one.conversation == conversation and not one.automatic)
    return [one for one in own if named(one) == word]
