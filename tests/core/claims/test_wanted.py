"""What words claim: patterns below the root of a repository, or an error that names the word."""

import pytest

from hookd.core.claims.wanted import (
    Wanted,
    agent_words,
    missing_files,
    patterns_wanted,
    unclaimed_words,
)
from hookd.core.model.claim import FilePlace
from hookd.core.model.claim_requests import PlaceOfFile
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts

THERE = {
    "/": "folder",
    "/work": "folder",
    "/work/shop": "folder",
    "/work/shop/src": "folder",
    "/work/shop/src/a.py": "file",
    "/work/shop/src/[id]": "folder",
    "/tmp": "folder",
}


class Places(dict[object, object]):
    """The places of all paths: those in `/work/shop` are of one repository, linked elsewhere."""

    def __contains__(self, _key: object) -> bool:
        return True

    def __missing__(self, request: PlaceOfFile) -> FilePlace:
        path = request.path
        inside = path == "/work/shop" or path.startswith("/work/shop/")
        below = path.removeprefix("/work/shop").lstrip("/") if inside else path.lstrip("/")
        root = "/repositories/shop" if inside else "/"
        return FilePlace(path, root, below, THERE.get(path, "nothing"))  # type: ignore[arg-type]


FACTS = Facts(resolved=Places())  # type: ignore[arg-type]


def test_words_that_name_nothing_are_known() -> None:
    places = {
        "/r": "folder", "/r/a.py": "file", "/r/no.py": "nothing",
        "/r/lib": "nothing", "/r/lib/**": "nothing",
    }  # fmt: skip
    facts = Facts(
        resolved={
            PlaceOfFile(path): FilePlace(path, "/r", path[3:], kind)
            for path, kind in places.items()
        }
    )
    assert missing_files(("a.py", "no.py"), "/r", facts) == {Wanted("/r", "path", "no.py")}
    assert unclaimed_words(("a.py", "lib/**", "backend"), "/r", facts) == ("lib/**",)


@pytest.mark.parametrize(
    ("word", "kind", "root", "pattern"),
    [
        ("src/a.py", "path", "/repositories/shop", "src/a.py"),
        ("./src/../src/a.py", "path", "/repositories/shop", "src/a.py"),
        ("/work/shop/src", "path", "/repositories/shop", "src/"),
        ("src/later/", "path", "/repositories/shop", "src/later/"),
        (".", "path", "/repositories/shop", ""),
        ("src/new.py", "path", "/repositories/shop", "src/new.py"),
        ("src/**", "glob", "/repositories/shop", "src/**"),
        ("*.md", "glob", "/repositories/shop", "*.md"),
        ("src/[id]", "path", "/repositories/shop", "src/[id]/"),
        ("../../tmp/x*", "glob", "/", "tmp/x*"),
        ("resource:staging", "resource", "/repositories/shop", "staging"),
    ],
)
def test_a_word_is_a_path_a_glob_or_a_resource(
    word: str, kind: str, root: str, pattern: str
) -> None:
    (found,) = patterns_wanted((word,), "/work/shop", FACTS)
    assert found == Wanted(root, kind, pattern)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("", "an empty text claims nothing"),
        ("  ", "an empty text claims nothing"),
        ("resource: ", "an empty text claims nothing"),
        ("a\0b", "claims nothing"),
        ("x" * 2_000, "claims nothing"),
        ("scr/api/**", "'scr/api/**' claims nothing: there is no folder /work/shop/scr/api"),
        ("scr/a.py", "there is no folder /work/shop/scr"),
        ("/", "the whole machine"),
        ("src/{a,b}*", "only *, **, ? and [] are wildcards"),
        ("src/{a,b}.py", "only *, **, ? and [] are wildcards"),
        ("**/a" * 11, "has more than 10 wildcards"),
        ("*a" * 11, "has more than 10 wildcards"),
    ],
)
def test_a_word_that_claims_nothing_is_named(word: str, told: str) -> None:
    with pytest.raises(DomainError) as raised:
        patterns_wanted(("src/a.py", word), "/work/shop", FACTS)
    assert raised.value.code == "INVALID_CLAIM"
    assert told in str(raised.value)


def test_the_words_of_an_agent_are_claimed_as_far_as_they_are_files() -> None:
    words = agent_words("src/a.py,the  backend, scr/**", "src/a.py docs/*.md resource:x")
    assert words == ("src/a.py", "the", "backend", "scr/**", "docs/*.md", "resource:x")
    found = patterns_wanted(words, "/work/shop", FACTS, skip_unknown=True)
    assert [one.pattern for one in found] == ["src/a.py", "x"]
