"""Whether two patterns of claims can be of the same file."""

from fnmatch import fnmatchcase
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.core.claims.patterns import Kind, overlap

CASES = [
    # a pattern and its kind, another one, and whether they overlap
    ("src/**", "glob", "src/api/a.py", "path", True),
    ("src/**", "glob", "src/", "path", True),  # the folder with its content
    ("src/**", "glob", "src", "path", False),  # a file of that name
    ("src/**", "glob", "docs/a.md", "path", False),
    ("src/*.py", "glob", "src/*.ts", "glob", False),
    ("src/*.py", "glob", "src/a*", "glob", True),
    ("src/*/a.py", "glob", "src/api/**", "glob", True),
    ("**/test_*.py", "glob", "src/api/test_a.py", "path", True),
    ("**/test_*.py", "glob", "src/api/a.py", "path", False),
    ("**/test_*.py", "glob", "src/api/", "path", True),
    ("**/a/**/b", "glob", "a/x/y/b", "path", True),
    ("a/**/b", "glob", "a/b", "path", True),
    ("**", "glob", "anything/at/all", "path", True),
    ("*", "glob", "a/b/c", "path", True),  # everything in a folder that matches
    ("src/[ab].py", "glob", "src/[bc].py", "glob", True),
    ("src/[ab].py", "glob", "src/[cd].py", "glob", False),
    ("src/[!ab].py", "glob", "src/[ab].py", "glob", False),
    ("a[.-0]", "glob", "a[!.0]", "glob", False),  # only a slash is in both
    ("src/[!a].py", "glob", "src/[ab].py", "glob", True),
    ("src/[a-c]x", "glob", "src/[c-e]?", "glob", True),
    ("src/?.py", "glob", "src/ab.py", "path", False),
    ("src/[.py", "glob", "src/[.py", "path", True),  # no set: a character
    ("a*b*c", "glob", "*x*", "glob", True),
    ("a*b", "glob", "b*a", "glob", False),
    ("", "path", "src/a.py", "path", True),  # the whole repository
    ("app/[id]/page.tsx", "path", "app/[id]/page.tsx", "path", True),
    ("app/[id]/page.tsx", "path", "app/i/page.tsx", "path", False),
    ("app/[id]/page.tsx", "path", "app/*/page.tsx", "glob", True),
    ("app/[id]/page.tsx", "glob", "app/i/page.tsx", "path", True),
    ("src/", "path", "src/a.py", "path", True),
    ("src", "path", "src/a.py", "path", False),
    ("src/a.py", "path", "src/a.py.bak", "path", False),
    ("staging", "resource", "staging", "resource", True),
    ("staging", "resource", "production", "resource", False),
    ("staging", "resource", "staging", "path", False),
    ("**", "glob", "staging", "resource", False),
]


@pytest.mark.parametrize(("one", "kind", "other", "other_kind", "same"), CASES)
def test_patterns_overlap_if_both_can_be_of_one_file(
    one: str, kind: Kind, other: str, other_kind: Kind, same: bool
) -> None:
    assert overlap(one, kind, other, other_kind) is same
    assert overlap(other, other_kind, one, kind) is same


NAMES = ["".join(each) for size in (1, 2, 3) for each in product("ab", repeat=size)]
PATHS = ["/".join(each) for size in (1, 2, 3) for each in product(NAMES[:6], repeat=size)]
SETS = st.sampled_from(["a", "b", "*", "?", "[ab]", "[!a]", "[b]"])
NAME = st.lists(SETS, min_size=1, max_size=3).map("".join)
GLOB = st.lists(st.one_of(NAME, st.just("**")), min_size=1, max_size=3).map("/".join)


def matches(glob: str, path: str) -> bool:
    """Return whether a glob covers a path: by recursion, one name at a time."""
    steps = glob.split("/")
    if steps[-1] == "**":
        steps.append("*")
    return _covers(steps, path.split("/"))


def _covers(steps: list[str], names: list[str]) -> bool:
    if not steps:
        return True
    if steps[0] == "**":
        return any(_covers(steps[1:], names[at:]) for at in range(len(names) + 1))
    return bool(names) and fnmatchcase(names[0], steps[0]) and _covers(steps[1:], names[1:])


@given(GLOB, st.sampled_from(PATHS))
def test_a_glob_overlaps_with_a_file_exactly_if_it_matches_it(glob: str, path: str) -> None:
    assert overlap(glob, "glob", path, "path") is matches(glob, path)


@given(GLOB, st.sampled_from(PATHS))
def test_a_folder_overlaps_with_a_glob_that_matches_a_file_in_it(glob: str, path: str) -> None:
    if any(matches(glob, f"{path}/{more}") for more in PATHS[:80]):
        assert overlap(glob, "glob", f"{path}/", "path")


@given(GLOB, GLOB)
def test_globs_overlap_exactly_if_there_is_a_path_that_both_match(one: str, other: str) -> None:
    found = overlap(one, "glob", other, "glob")
    assert found == overlap(other, "glob", one, "glob")
    if any(matches(one, path) and matches(other, path) for path in PATHS):
        assert found
    simple = all("**" not in glob and glob.count("/") < 2 for glob in (one, other))
    if simple and not found:
        assert not any(matches(one, path) and matches(other, path) for path in PATHS)
    if simple and found:
        assert _witness(one, other)


def _witness(one: str, other: str) -> bool:
    """Return whether a path with few more names or letters matches both."""
    alphabet = ["".join(each) for size in range(1, 7) for each in product("abc", repeat=size)]
    left, right = one.split("/"), other.split("/")
    size = min(len(left), len(right))
    return all(
        any(fnmatchcase(name, left[at]) and fnmatchcase(name, right[at]) for name in alphabet)
        for at in range(size)
    )


@given(GLOB)
def test_a_glob_overlaps_with_itself_and_with_everything(glob: str) -> None:
    assert overlap(glob, "glob", glob, "glob")
    assert overlap(glob, "glob", "**", "glob")
    assert overlap(glob, "glob", "", "path")


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_text_has_an_answer(one: str, other: str) -> None:
    assert overlap(one, "glob", other, "glob") is overlap(other, "glob", one, "glob")
