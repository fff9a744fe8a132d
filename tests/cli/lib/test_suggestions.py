"""A wrong name is answered with what it means, or with names that are really close."""

import pytest

from hookd.cli import COMMANDS, main
from hookd.cli.lib.suggestions import INTENTS, OF_GROUPS, suggestions

ROOT = list(COMMANDS)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("test", ["guard test", "hook test"]),
        ("ls", ["fleet"]),
        ("show", ["why N", "guard explain COMMAND"]),
        ("rules", ["guard list"]),
        ("block", ["guard add"]),
        ("config", ["settings"]),
        ("statsu", ["stats", "status"]),
        ("gurad", ["guard"]),
        ("GUARD", ["guard"]),
        ("sessions", ["session"]),
        ("comp", []),
        ("install-hooks", []),
        ("frobnicate", []),
        ("", []),
    ],
)
def test_at_the_top(name: str, meant: list[str]) -> None:
    assert suggestions(name, [one for one in ROOT if one != "completion"], INTENTS) == meant


@pytest.mark.parametrize(
    ("name", "meant"),
    [("rm", ["remove"]), ("ls", ["list"]), ("ad", ["add"]), ("vacuum", []), ("xyz", [])],
)
def test_in_a_group(name: str, meant: list[str]) -> None:
    assert suggestions(name, ["add", "list", "remove"], OF_GROUPS) == meant


def test_what_is_meant_exists() -> None:
    context = main.make_context("hookd", ["status"])
    for text in INTENTS.values():
        for one in text.split(", "):
            words = one.split(" ")
            command = main.get_command(context, words[0])  # type: ignore[attr-defined]
            assert command is not None, one
            below = getattr(command, "commands", {})
            assert not below or len(words) == 1 or words[1] in {*below, "N", "--follow"}, one
            assert words[0] not in INTENTS, "it is a command"
