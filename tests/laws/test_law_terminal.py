"""Laws of the command line: it starts fast, since it imports nothing heavy."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click
import pytest

from hookd.cli import COMMANDS, FIRST_PAGE, GROUPS, main
from hookd.cli.lib.groups import Commands

HEAVY = ("pydantic", "pydantic_core", "sqlite3", "aiosqlite", "asyncio", "uvloop", "tree_sitter")
LOOK = """
import sys
from hookd.cli import main
try:
    main({args!r}, standalone_mode=False)
finally:
    found = [name for name in {heavy!r} if name in sys.modules]
    print("imported:", *found, file=sys.stderr)
"""


def imported(args: list[str], home: Path, modules: Sequence[str] = HEAVY, **env: str) -> list[str]:
    """Return which of these modules a command line imports."""
    done = subprocess.run(
        [sys.executable, "-c", LOOK.format(args=args, heavy=modules)],
        env={"PATH": os.environ["PATH"], "HOME": str(home), "HOOKD_HOME": str(home), **env},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("imported:")]
    return line.split()[1:]


def test_the_list_of_commands_imports_none(tmp_path: Path) -> None:
    modules = [f"hookd.cli.{module}" for _, module, _ in COMMANDS.values()]
    assert imported(["--help"], tmp_path, modules) == []


@pytest.mark.parametrize("args", [["--help"], ["--version"], ["status"], ["status", "--json"]])
def test_a_command_that_asks_imports_nothing_heavy(args: list[str], tmp_path: Path) -> None:
    assert imported(args, tmp_path) == []


@pytest.mark.parametrize("words", ["hookd gu", "hookd policy show de", "hookd event --ag"])
def test_a_completion_imports_nothing_heavy(words: str, tmp_path: Path) -> None:
    env = {"COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    # A program that is called `-c` asks by this variable.
    assert imported([], tmp_path, **env, __C_COMPLETE="bash_complete") == []


def test_no_command_is_heavy_before_it_runs(tmp_path: Path) -> None:
    files = sorted({module for _, module, _ in COMMANDS.values()})
    code = ["import importlib, sys, hookd.cli"]
    code += [f"importlib.import_module('hookd.cli.{file}')" for file in files]
    code += [f"print([name for name in {HEAVY!r} if name in sys.modules])"]
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(code)],
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_says_what_it_does_and_shows_an_example(name: str) -> None:
    command = main.get_command(None, name)  # type: ignore[attr-defined]
    assert command is not None
    assert command.name == name
    assert command.help
    assert command.hidden or "Example" in (command.epilog or "")
    assert isinstance(command, Commands) or not isinstance(command, click.Group)
    group, _, sentence = COMMANDS[name]
    assert sentence == ("" if command.hidden else command.get_short_help_str(300))
    assert (group in GROUPS) is not command.hidden
    assert len(sentence) <= 60


def test_the_first_page_lists_at_most_twenty_commands() -> None:
    assert len(FIRST_PAGE) <= 20
