"""Releasing: which claims words name, and who may end them."""

from dataclasses import replace

import pytest

from hookd.core.claims.releasing import claims_to_end
from hookd.core.model.claim import Claim, FilePlace
from hookd.core.model.claim_requests import OpenClaims, PlaceOfFile
from hookd.core.model.errors import DomainError
from hookd.core.model.fact_requests import MissingFacts
from hookd.core.model.facts import Facts
from hookd.core.model.identity import Identity

NOW = Facts().at
ANN = Claim(1, "/r", "path", "a.py", "ann's", 7, "ann", None, None, False, NOW, None)
CLAIMS = (
    ANN,
    replace(ANN, id=2, automatic=True),
    replace(ANN, id=3, conversation="bob's", agent="bob", kind="resource", pattern="staging"),
    replace(ANN, id=4, conversation=""),
)
FACTS = Facts(
    identity=Identity(cwd="/r"),
    resolved={
        OpenClaims(NOW): CLAIMS,
        PlaceOfFile("/r"): FilePlace("/r", "/r", "", "folder"),
        PlaceOfFile("/r/a.py"): FilePlace("/r/a.py", "/r", "a.py", "file"),
    },
)


@pytest.mark.parametrize(
    ("words", "who", "every", "found"),
    [
        (("1",), "ann's", False, [1]),
        (("a.py",), "ann's", False, [1, 2]),
        (("resource:staging",), "bob's", False, [3]),
        ((), "ann's", True, [1, 2]),
        (("3", "1"), "", False, [3, 1]),
        (("a.py",), "", False, [4]),
        (("resource:staging",), "", False, [3]),
    ],
)
def test_words_name_open_claims(
    words: tuple[str, ...], who: str, every: bool, found: list[int]
) -> None:
    ended = claims_to_end(words, who, FACTS, every=every)
    assert [claim.id for claim in ended] == found


def test_a_pattern_of_a_person_names_no_automatic_claim_of_another() -> None:
    facts = replace(FACTS, resolved={**FACTS.resolved, OpenClaims(NOW): CLAIMS[:2]})
    ended = claims_to_end(("a.py",), "", facts, every=False)
    assert [claim.id for claim in ended] == [1]


def in_a_subfolder(*claims: Claim) -> Facts:
    """Facts of a caller in /r/src, which has neither a.py nor a folder src."""
    places = {
        path: FilePlace(path, "/r", path[3:], kind)
        for path, kind in (
            ("/r/src", "folder"),
            ("/r/src/a.py", "nothing"),
            ("/r/src/src", "nothing"),
            ("/r/src/src/**", "nothing"),
        )
    }
    return Facts(
        identity=Identity(cwd="/r/src"),
        resolved={OpenClaims(NOW): claims, **{PlaceOfFile(at): one for at, one in places.items()}},
    )


@pytest.mark.parametrize("claim", [ANN, replace(ANN, kind="glob", pattern="src/**")])
def test_a_pattern_as_it_is_listed_names_an_own_claim_in_a_subfolder(claim: Claim) -> None:
    (ended,) = claims_to_end((claim.pattern,), "ann's", in_a_subfolder(claim), every=False)
    assert ended == claim
    with pytest.raises(DomainError):
        claims_to_end((claim.pattern,), "bob's", in_a_subfolder(claim), every=False)


def test_a_pattern_that_lists_show_twice_is_released_by_its_number() -> None:
    both = in_a_subfolder(ANN, replace(ANN, id=8, root="/other"))
    with pytest.raises(DomainError, match=r"2 claims are listed as 'a.py': hookd release 1 or 8"):
        claims_to_end(("a.py",), "ann's", both, every=False)


def test_the_places_of_all_words_are_loaded_at_once() -> None:
    facts = replace(FACTS, resolved={OpenClaims(NOW): CLAIMS})
    with pytest.raises(MissingFacts) as lack:
        claims_to_end(("1", "a.py", "b.py"), "ann's", facts, every=False)
    assert {PlaceOfFile("/r/a.py"), PlaceOfFile("/r/b.py")} < set(lack.value.requests)


@pytest.mark.parametrize(
    ("words", "who", "every", "code", "told"),
    [
        ((), "ann's", False, "INVALID_CLAIM", "no claim is named"),
        (("9",), "ann's", False, "NOT_FOUND", "there is no open claim '9'"),
        (("resource:x",), "ann's", False, "NOT_FOUND", "there is no open claim 'resource:x'"),
        (("1", "3"), "ann's", False, "NOT_YOURS", "hookd send bob"),
        (("3",), "ann's", False, "NOT_YOURS", "agents release only their own claims: resource:"),
        ((), "cid's", True, "NOT_FOUND", "you hold no claim"),
    ],
)
def test_what_cannot_be_ended_is_named(
    words: tuple[str, ...], who: str, every: bool, code: str, told: str
) -> None:
    with pytest.raises(DomainError) as raised:
        claims_to_end(words, who, FACTS, every=every)
    assert raised.value.code == code
    assert told in str(raised.value)
