"""Claims by any agents in any order: no two explicit ones of different holders overlap."""

from contextlib import closing
from datetime import timedelta
from itertools import combinations
from pathlib import Path
from sqlite3 import Connection
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hookd.core.claims.patterns import overlap
from hookd.core.model.claim import FilePlace
from hookd.core.model.claim_requests import OpenClaims, PlaceOfFile
from hookd.core.model.errors import DomainError
from hookd.core.model.fact_requests import FactRequest, MissingFacts
from hookd.core.model.facts import Facts, Session, iso
from hookd.core.model.identity import Identity
from hookd.methods.claims import add, release
from hookd.store.database import open_database
from hookd.store.facts.claims import open_claims
from hookd.store.facts.requested import seen
from hookd.store.writes import written
from support.database_rows import session, write

NAMES = ["a.py", "b.py", "*.py", "src/", "src/a.py", "src/*", "src/**", "**/a.py", "**", "[ab].py"]
STEP = st.tuples(
    st.sampled_from(["add", "release", "release all"]),
    st.integers(1, 3),  # the agent; 3 is a person
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=2),
    st.integers(1, 4),  # hours
)


def decide(db: Connection, module: Any, params: Any, facts: Facts) -> None:
    """Decide and write one request, as the dispatcher does."""
    for _ in range(9):
        try:
            change = module.decide(params, facts)
        except MissingFacts as lack:
            facts = facts.with_facts({one: _found(db, one) for one in lack.requests})
        else:
            written(db, change.effects, facts.at)
            return
    raise AssertionError("it asks without end")


def _found(db: Connection, request: FactRequest) -> Any:
    if not isinstance(request, PlaceOfFile):
        return (seen(db, [request]) or {})[request]
    below = request.path.removeprefix("/work").lstrip("/")
    kind = "folder" if below in ("", "src") else "file" if below[-3:] == ".py" else "nothing"
    kind = "nothing" if set("*[") & set(below) else kind
    return FilePlace(request.path, "/work", below, kind)  # type: ignore[arg-type]


@given(st.lists(STEP, min_size=4, max_size=12))
def test_open_claims_of_different_holders_never_overlap(steps: list[Any]) -> None:
    with TemporaryDirectory() as folder, closing(open_database(Path(folder, "h.db"))) as db:
        write(db, [session(1, "one"), session(2, "two")])
        now = Facts().now
        for act, agent, patterns, hours in steps:
            now += timedelta(minutes=30)
            own = Session(agent, ("one", "two")[agent - 1]) if agent < 3 else None
            facts = Facts(now=now, identity=Identity(cwd="/work"), session=own)
            try:
                if act == "add":
                    decide(db, add, add.Params(patterns=patterns, seconds=hours * 3600), facts)
                else:
                    every = act == "release all"
                    asked = release.Params(claims=[] if every else patterns, all=every)
                    decide(db, release, asked, facts)
            except DomainError as error:
                assert error.code in ("CLAIMED", "NOT_FOUND", "NOT_YOURS")
            claims = open_claims(db, OpenClaims(iso(now)))
            for left, right in combinations(claims, 2):
                if left.conversation != right.conversation:
                    assert not overlap(left.pattern, left.kind, right.pattern, right.kind)
