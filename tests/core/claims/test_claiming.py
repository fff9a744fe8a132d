"""Claiming: who gets what, and what is refused as a whole."""

from dataclasses import replace

import pytest

from hookd.core.claims.claiming import MAX_CLAIMS, Claimant, grant
from hookd.core.claims.wanted import Wanted
from hookd.core.model.claim import Claim, FilePlace
from hookd.core.model.claim_requests import OpenClaims, PlaceOfFile
from hookd.core.model.effects.claims import AddClaim, ExtendClaim
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts, Session
from hookd.core.model.identity import Identity

NOW = Facts().at
ANN = Claimant(Session(7, "ann's", owner="ann"), "a rewrite", "2026-01-31T08:30:00.000Z")
PERSON = Claimant(None, None, "2026-01-31T08:30:00.000Z")
BOB = Claim(4, "/r", "glob", "src/**", "bob's", 9, "bob", "codex", None, False, NOW, None)


def facts(*claims: Claim) -> Facts:
    places = [
        FilePlace("/r", "/r", "", "folder"),
        FilePlace("/r/src", "/r", "src", "folder"),
        FilePlace("/r/src/a.py", "/r", "src/a.py", "file"),
        FilePlace("/r/b.py", "/r", "b.py", "file"),
    ]
    resolved = {PlaceOfFile(place.real): place for place in places}
    return Facts(
        identity=Identity(cwd="/r"),
        resolved={**resolved, OpenClaims(NOW, "/r"): claims},
    )


def test_what_nobody_holds_is_claimed_for_the_conversation() -> None:
    granted = grant(("src/a.py", "b.py"), ANN, facts())
    assert granted.wanted == (Wanted("/r", "path", "src/a.py"), Wanted("/r", "path", "b.py"))
    assert granted.extended == frozenset()
    first = granted.effects[0]
    assert isinstance(first, AddClaim)
    assert (first.conversation, first.session_id, first.agent, first.why, first.automatic) == (
        "ann's", 7, "ann", "a rewrite", False,
    )  # fmt: skip


def test_a_person_holds_without_a_session() -> None:
    (effect,) = grant(("b.py",), PERSON, facts()).effects
    assert isinstance(effect, AddClaim)
    assert (effect.conversation, effect.session_id, effect.agent) == ("", None, None)


def test_nothing_is_claimed_if_another_holds_a_part() -> None:
    with pytest.raises(DomainError) as raised:
        grant(("b.py", "src/a.py"), ANN, facts(BOB))
    assert raised.value.code == "CLAIMED"
    assert "bob (codex, session 9)" in str(raised.value)
    assert "hookd release 4" in str(raised.value)
    with pytest.raises(DomainError):
        grant(("src/a.py",), PERSON, facts(BOB))


def test_what_another_only_edits_is_claimed_and_reported() -> None:
    editing = replace(BOB, kind="path", pattern="src/a.py", automatic=True)
    granted = grant(("src/a.py",), ANN, facts(editing))
    assert granted.editing == (editing,)
    assert len(granted.effects) == 1


def test_a_claim_of_its_own_is_extended() -> None:
    own = replace(BOB, conversation="ann's", kind="path", pattern="b.py")
    granted = grant(("b.py", "src/a.py"), ANN, facts(own))
    assert granted.extended == {Wanted("/r", "path", "b.py")}
    assert granted.effects[0] == ExtendClaim(4, ANN.expires_at, "a rewrite")


def test_an_automatic_claim_of_its_own_does_not_replace_an_explicit_one() -> None:
    own = replace(BOB, conversation="ann's", kind="path", pattern="b.py", automatic=True)
    granted = grant(("b.py",), ANN, facts(own))
    assert granted.extended == frozenset()
    (effect,) = granted.effects
    assert isinstance(effect, AddClaim)


def test_a_claim_in_another_repository_is_of_other_files() -> None:
    there = FilePlace("/s/src/a.py", "/s", "src/a.py", "file")
    folder = FilePlace("/s/src", "/s", "src", "folder")
    known = facts()
    places = {PlaceOfFile(place.real): place for place in (there, folder)}
    held = replace(BOB, root="/s", kind="path", pattern="b.py")
    both = {OpenClaims(NOW, "/r"): (), OpenClaims(NOW, "/s"): (held,)}
    known = replace(known, resolved={**known.resolved, **places, **both})
    assert len(grant(("b.py", "/s/src/a.py"), ANN, known).effects) == 2


def test_claims_are_bounded() -> None:
    many = [
        replace(BOB, id=number, conversation="ann's", kind="path", pattern=f"{number}")
        for number in range(MAX_CLAIMS)
    ]
    with pytest.raises(DomainError) as raised:
        grant(("b.py",), ANN, facts(*many))
    assert raised.value.code == "TOO_MANY"
    held = replace(BOB, id=0, conversation="ann's", kind="path", pattern="b.py")
    assert len(grant(("b.py",), ANN, facts(held, *many[1:])).effects) == 1, "it is one of these"


def test_without_a_folder_only_absolute_patterns_are_claimed() -> None:
    with pytest.raises(DomainError) as raised:
        grant(("b.py",), ANN, replace(facts(), identity=Identity()))
    assert raised.value.code == "INVALID_CLAIM"
