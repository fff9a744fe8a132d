"""Show the claims of other hosts here, and end own claims that another host has won.

The sync process calls it when the claims in the central store change. The daemon verifies each
claim's signature. A holder whose claim ends gets a mail with the name of who holds it.
"""

from pydantic import Field

from hookd.core.fleet.claim_conflicts import MAX_SHOWN
from hookd.core.fleet.item_shapes import Key, Outcome, Signed, envelopes, keys, outcomes
from hookd.core.fleet.peer_claims import Lost, compare
from hookd.core.model.facts import Facts
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, RowId, Wire


class LostClaim(Wire):
    """The number of an own claim, and who holds it: NAME@HOST."""

    claim: RowId
    holder: str = Field(min_length=1, max_length=300)


class Params(Wire):
    """`claims` are all of other hosts in the repositories of `roots`: folders by key."""

    claims: list[Signed] = Field(max_length=MAX_SHOWN)
    hosts: dict[str, Key] = Field(default_factory=dict, max_length=10_000)
    roots: dict[str, list[str]] = Field(default_factory=dict, max_length=10_000)
    lost: list[LostClaim] = Field(default_factory=list, max_length=10_000)


class Result(Wire):
    """What became of each claim, and the own claims that ended."""

    outcomes: list[Outcome]
    ended: list[int]


def decide(params: Params, facts: Facts) -> Change:
    """Compare them. NOT_JOINED."""
    found = compare(
        envelopes(params.claims),
        keys(params.hosts),
        params.roots,
        [Lost(one.claim, one.holder) for one in params.lost],
        facts,
    )
    result = Result(outcomes=outcomes(found.results), ended=list(found.ended))
    return Change(result, found.effects)


METHOD = ChangeMethod(
    "fleet.claims",
    Params,
    Result,
    daemon_only,
    decide,
    (Example({"claims": []}, says="NOT_JOINED"),),
    person=True,
)
