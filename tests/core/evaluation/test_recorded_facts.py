"""Recorded facts: what a record holds, what it leaves out, and that it returns what was loaded."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.core.evaluation.recorded_facts import (
    NO_RECORD,
    RecordedFacts,
    facts_record,
    parse_record,
)
from hookd.core.model.fact_requests import (
    DirListing,
    ExistingPaths,
    File,
    FileText,
    Folder,
    GitBranch,
    GitCopy,
    LatestEffort,
    RealPath,
    RealPathsOf,
)
from hookd.core.model.facts import Effort, Facts, Session

OWN = RealPathsOf(("/home/me/.claude/settings.json", "/home/me/.hookd", "/run/hookd.sock"))
TOKEN = "ghp_" + "a1B2c3D4e5" * 4
LISTING = DirListing("/work/shop", "/work")


def recorded(facts: Facts, cwd: str | None = "/work", sent: object = "/work") -> RecordedFacts:
    return parse_record(facts_record(facts, cwd, sent))


@pytest.mark.parametrize(
    ("request_", "value"),
    [
        (RealPath("/work/a"), "/work/a"),
        (RealPath("/work/a"), "/private/work/a"),
        (RealPath("/work/\udcff"), "/work/\udcff"),
        (RealPath("/work/a"), None),
        (OWN, OWN.paths),
        (OWN, ("/elsewhere/settings.json", *OWN.paths[1:])),
        (OWN, (OWN.paths[0], None, OWN.paths[2])),
        (OWN, None),
        (GitBranch("/work"), "main"),
        (GitBranch("/work"), None),
        (ExistingPaths("/work", ("a", "b")), ("a",)),
        (GitCopy("/work/a.db"), "same"),
        (GitCopy("/work/a.db"), None),
        (FileText("/work/a", "/work", max_chars=1), File("/work/a", "x", "1-2-3", whole=False)),
        (FileText("/work/a", "/work"), None),
        (LISTING, Folder("/work/shop", ("AGENTS.md", "a.py"))),
    ],
)
def test_a_fact_is_found_again(request_: object, value: object) -> None:
    known = recorded(Facts(resolved={request_: value}))
    assert known.find(request_) == value


@pytest.mark.parametrize(
    ("request_", "value"),
    [
        (FileText("/work/a", "/work"), File("/work/a", "x" * 500, "1-2-3")),
        (LISTING, Folder("/work/shop", tuple(f"file{n}.py" for n in range(100)))),
        (GitBranch("/work"), f"fix/{TOKEN}"),
        (RealPath("/work/a"), f"/work/{TOKEN}"),
        (LatestEffort(1), None),
    ],
    ids=["long text", "long listing", "secret branch", "secret path", "row"],
)
def test_a_long_or_secret_fact_and_a_row_are_left_out(request_: object, value: object) -> None:
    facts = Facts(resolved={request_: value})
    assert TOKEN not in str(facts_record(facts, "/work", "/work"))
    with pytest.raises(KeyError):
        recorded(facts).find(request_)


def test_another_request_is_not_answered() -> None:
    known = recorded(Facts(resolved={RealPath("/work/a"): "/work/a", OWN: OWN.paths}))
    others = (RealPath("/work/b"), RealPathsOf(OWN.paths[:2]), GitBranch("/work/a"))
    for other in others:
        with pytest.raises(KeyError):
            known.find(other)


def test_the_session_and_the_folder_are_recorded() -> None:
    facts = Facts(session=Session(7, "s", context_usage=0.42), effort=Effort(3, "/work/t", "fix"))
    known = recorded(facts, cwd="/private/work")
    assert (known.usage, known.effort, known.cwd) == (0.42, 3, "/private/work")
    known = recorded(replace(facts, effort=None))
    assert (known.usage, known.effort, known.cwd) == (0.42, None, None)


def test_nothing_to_record_is_null() -> None:
    assert facts_record(Facts(), "/work", "/work") is None
    assert facts_record(Facts(), None, None) is None
    assert parse_record(None) is NO_RECORD
    assert (NO_RECORD.cwd, NO_RECORD.effort, NO_RECORD.usage) == (None, None, None)


@pytest.mark.parametrize("text", ["", "{", "[]", "7"])
def test_a_damaged_record_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_record(text)


def test_a_record_is_compact() -> None:
    paths = [f"/work/shop/src/module{n}.py" for n in range(5)]
    text = facts_record(
        Facts(resolved={RealPath(path): path for path in paths} | {OWN: OWN.paths}), "/", "/"
    )
    assert text is not None
    assert len(text) < 100
    assert set(json.loads(text).values()) == {True}


@given(
    st.dictionaries(st.text(min_size=1, max_size=40), st.none() | st.text(max_size=40), max_size=8)
)
def test_what_is_found_is_what_was_loaded(paths: dict[str, str | None]) -> None:
    facts = Facts(resolved={RealPath(path): real for path, real in paths.items()})
    known = recorded(facts)
    for path, real in paths.items():
        try:
            assert known.find(RealPath(path)) == real
        except KeyError:
            assert real is not None  # only a text can have a secret
