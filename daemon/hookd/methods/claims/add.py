"""Claim files, globs or named resources for the caller's conversation, or for a person.

All patterns are claimed, or none: what another holds is refused, with who holds it, since when, and
how to ask for it. A pattern that the caller has is extended. A claim ends after `seconds`, with the
holder's session, or by `claims.release`. The worktrees of a repository are one.
"""

from datetime import timedelta

from pydantic import Field

from hookd.core.claims.claiming import Claimant, caller_folder, grant
from hookd.core.claims.holders import holder, named
from hookd.core.claims.wanted import MAX_WORDS, missing_files
from hookd.core.fleet.membership import claims_reach
from hookd.core.model.facts import Facts, iso
from hookd.core.model.method import Change, ChangeMethod, Example, Wire
from hookd.core.sessions.caller import caller_place, caller_session, has_no_session

_WEEK_S = 7 * 86_400


class Params(Wire):
    """`patterns` are relative to the caller's folder; `resource:NAME` is no file."""

    patterns: list[str] = Field(min_length=1, max_length=MAX_WORDS)
    seconds: int = Field(1_800, ge=1, le=_WEEK_S)
    why: str | None = Field(None, max_length=500)

    @property
    def act(self) -> str:
        """What only a person may do."""
        return "a claim without a session"


class Claimed(Wire):
    """One claim: the pattern below the root of the repository. `extended`: it was there before.

    `missing`: a file or folder that does not exist yet.
    """

    kind: str
    root: str
    pattern: str
    extended: bool
    missing: bool


class Edited(Wire):
    """A claimed file that another conversation edits at the moment."""

    pattern: str
    holder: str


class Result(Wire):
    """The claims, their end, and who else edits their files.

    `reach` is `fleet` if other hosts learn of them at once, `local` if the central store does not
    answer now, and `host` in no fleet, or in one whose claims this host does not accept.
    """

    claims: list[Claimed]
    expires_at: str
    edited: list[Edited]
    reach: str


def decide(params: Params, facts: Facts) -> Change:
    """Claim all patterns. INVALID_CLAIM, CLAIMED if another holds one, TOO_MANY."""
    until = iso(facts.now + timedelta(seconds=params.seconds))
    claimant = Claimant(caller_session(facts), params.why, until)
    granted = grant(tuple(params.patterns), claimant, facts)
    words = tuple(params.patterns)
    missing = missing_files(words, caller_folder(words, facts), facts)
    result = Result(
        claims=[
            Claimed(
                kind=one.kind,
                root=one.root,
                pattern=one.pattern,
                extended=one in granted.extended,
                missing=one in missing,
            )
            for one in granted.wanted
        ],
        expires_at=until,
        reach=claims_reach(facts),
        edited=[Edited(pattern=named(one), holder=holder(one)) for one in granted.editing],
    )
    return Change(result, granted.effects)


METHOD = ChangeMethod(
    "claims.add",
    Params,
    Result,
    caller_place,
    decide,
    (
        Example({"patterns": ["resource:staging"], "seconds": 600, "why": "a migration"}),
        Example({"patterns": [""]}, says="INVALID_CLAIM"),
    ),
    person=has_no_session,
)
