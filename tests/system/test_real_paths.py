"""A folder has one name, whatever way leads to it: that of `os.path.realpath`."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.core.model.identity import Identity
from hookd.system import real_paths
from hookd.system.real_paths import RealPaths

LINKS = {
    "link": "a/b",
    "up": "..",
    "a/b/back": "../../a",
    "loop": "loop",
    "one": "two",
    "two": "one/a",
    "root": "/",
    "gone": "nowhere/at/all",
    "chain": "link/back",
}
NAMES = ["a", "b", "c", ".", "..", "", *LINKS, "back", "new", "é"]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with files, folders, and links of every kind."""
    root = tmp_path_factory.mktemp("tree")
    (root / "a" / "b").mkdir(parents=True)
    (root / "a" / "c").write_text("x")
    for name, target in LINKS.items():
        (root / name).symlink_to(target)
    return root


paths = st.lists(st.sampled_from(NAMES), max_size=6).map("/".join)


@given(wanted=st.lists(paths, min_size=1, max_size=8))
def test_real_paths_are_those_of_realpath(tree: Path, wanted: list[str]) -> None:
    known = RealPaths()
    for path in wanted:
        for whole in (f"{tree}/{path}", f"{tree}{path}", f"/{path}", path):
            assert known.real(whole) == os.path.realpath(whole)


def test_a_very_deep_path_is_resolved(tree: Path) -> None:
    deep = f"{tree}/link" + "/x" * 3_000
    assert RealPaths().real(deep) == os.path.realpath(deep)


@pytest.mark.parametrize("name", ["a\0b/c", "nowhere/a\0b", "nowhere/\ud800", "\ud800/a"])
def test_what_can_be_no_path_is_an_error(name: str, tree: Path) -> None:
    with pytest.raises(ValueError, match=r"null|surrogates"):
        RealPaths().real(f"{tree}/{name}")


RESOLVED = [
    (None, None),
    ("", None),
    ("relative", None),
    ("~/x", None),
    ("/a\0b", None),
    ("/", "/"),
    ("/nowhere/../there/./x/", "/there/x"),
]


@pytest.mark.parametrize(("path", "expected"), RESOLVED)
def test_only_an_absolute_path_is_one(path: str | None, expected: str | None) -> None:
    assert real_paths.real(path) == expected


def test_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    folder = os.path.realpath(tmp_path)
    assert real_paths.real(f"{tmp_path}/link/new") == f"{folder}/real/new"
    assert real_paths.real(f"{tmp_path}/loop") == f"{folder}/loop"
    identity = Identity("builder", cwd=f"{tmp_path}/link", project_dir="relative")
    assert real_paths.located(identity) == Identity("builder", cwd=f"{folder}/real")


@pytest.mark.parametrize(
    ("cwd", "project", "expected"),
    [
        ("repo/sub", None, "repo"),
        ("repo", "other", "repo"),
        ("repo/sub", "repo/su", "repo"),
        ("repo/sub", "repo/sub", "repo/sub"),
        ("repo/sub", "link", "repo"),
        ("link/sub", "repo", "repo"),
        ("tree", None, "tree"),
        ("other/sub", None, None),
        ("gone/sub", None, None),
        (None, "other", "other"),
    ],
)
def test_another_client_works_in_a_project_around_its_folder(
    tmp_path: Path, cwd: str | None, project: str | None, expected: str | None
) -> None:
    """`tree` is a linked working tree of git."""
    for name in ("repo/.git", "repo/sub", "repo/su", "other/sub", "tree"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "tree" / ".git").write_text("gitdir: ../repo/.git/worktrees/tree\n")
    (tmp_path / "link").symlink_to("repo")
    root = os.path.realpath(tmp_path)
    there = Identity(
        cwd=f"{root}/{cwd}" if cwd else None, project_dir=f"{root}/{project}" if project else None
    )
    found = real_paths.located(there, claude_code=False).project_dir
    assert found == (f"{root}/{expected}" if expected else None)


def test_what_claude_code_names_is_the_project(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    root = os.path.realpath(tmp_path)
    assert real_paths.located(Identity(cwd=root)).project_dir is None
    assert real_paths.located(Identity(cwd=root, project_dir="/etc")).project_dir == "/etc"
