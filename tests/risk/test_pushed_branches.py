"""The branches that a call pushes to are found in every spelling of a refspec."""

from typing import Any

from hookd.events.tool_pattern import ToolCall
from hookd.risk.model import CallContext
from hookd.risk.pushed_branches import EVERY, pushes
from support.parametrize import parametrize_all

ROOT = "/w/shop"
PLACE = CallContext(cwd=ROOT, project=ROOT, home="/home/me")


def pushed(command: str) -> list[tuple[str | None, bool]]:
    """Return the branches, None for the current one, and whether they are certain."""
    found = pushes(ToolCall("Bash", {"command": command}, ROOT), PLACE)
    return list(dict.fromkeys((one.branch, one.certain) for one in found))


NAMED = [
    ("git push", None),
    ("git push -f", None),
    ("git push origin", None),
    ("git push -u origin HEAD", None),
    ("git push origin @", None),
    ('git push origin "$(git branch --show-current)"', None),
    ("git push origin main", "main"),
    ("git push origin +main", "main"),
    ("git push origin :main", "main"),
    ("git push origin x:main", "main"),
    ("git push origin HEAD:main", "main"),
    ("git push origin HEAD:refs/heads/main", "main"),
    ("git push origin refs/heads/main", "main"),
    ("git push origin heads/main", "main"),
    ("git push --delete origin main", "main"),
    ("git push -d origin main", "main"),
    ("git push -o ci.skip origin main", "main"),
    ("git push --force-with-lease=main:abc origin main", "main"),
    ("git push origin release/1.0", "release/1.0"),
    ("git push --all", EVERY),
    ("git push --branches origin", EVERY),
    ("git push --mirror backup", EVERY),
    ("git push origin :", EVERY),
    ("git push origin 'refs/heads/*:refs/heads/*'", EVERY),
    ("git subtree push --prefix dist origin gh-pages", "gh-pages"),
    ("sh -c 'git push origin main'", "main"),
    ("git -C sub push origin main", "main"),
]


@parametrize_all(("command", "branch"), NAMED)
def test_the_branch_of_a_push(command: str, branch: str | None) -> None:
    assert pushed(command) == [(branch, True)]


NONE = [
    "git push --tags",
    "git push origin refs/tags/v1",
    "git push origin tag main",
    "git push origin HEAD:refs/for/main",
    "git push --dry-run origin main",
    "git push -n origin main",
    "git push origin ^main --tags",
    "git fetch origin main",
    "git stash push",
    "git subtree pull --prefix dist origin main",
    "echo git push origin main",
]


@parametrize_all("command", NONE)
def test_no_branch_is_pushed(command: str) -> None:
    assert pushed(command) == []


UNKNOWN = [
    ('git push origin "$BRANCH"', EVERY),
    ("git push origin HEAD:$BRANCH", EVERY),
    ('git push origin "feature/$NAME"', "feature/*"),
    ("git push $ARGS", EVERY),
]


@parametrize_all(("command", "glob"), UNKNOWN)
def test_an_unknown_branch_may_be_any_with_its_beginning(command: str, glob: str) -> None:
    assert (glob, False) in pushed(command)
    assert not any(certain for _, certain in pushed(command))


SWITCHED = [
    ("git checkout -b fix && git push -u origin HEAD", ("fix",), True),
    ("git switch -c fix && git add . && git commit -m x && git push", ("fix",), True),
    ("git switch main && git push", ("main",), True),
    ("git checkout main; git push", ("main",), False),
    ("git checkout -- a.py && git push", (), False),
    ("git checkout main a.py && git push", (), False),
    ("git checkout - && git push", (EVERY,), True),
]


@parametrize_all(("command", "branches", "surely"), SWITCHED)
def test_a_text_that_changes_the_branch_first(
    command: str, branches: tuple[str, ...], surely: bool
) -> None:
    (push,) = pushes(ToolCall("Bash", {"command": command}, ROOT), PLACE)
    assert (push.branch, push.switched, push.surely) == (None, branches, surely)


@parametrize_all(
    ("tool", "given", "branches"),
    [
        ("mcp__github__push_files", {"branch": "main"}, ["main"]),
        ("mcp__github__create_or_update_file", {"branch": "refs/heads/main"}, ["main"]),
        ("mcp__github__get_file_contents", {"branch": "main"}, []),
    ],
)
def test_a_tool_of_mcp_pushes_too(tool: str, given: dict[str, Any], branches: list[str]) -> None:
    assert [one.branch for one in pushes(ToolCall(tool, given), PLACE)] == branches


def test_a_tool_with_several_names_pushes_by_any() -> None:
    given = {"branch": "main"}
    call = ToolCall("mcp__git__files", given, readings=("mcp__g__push_files",))
    assert [one.branch for one in pushes(call, PLACE)] == ["main"]
