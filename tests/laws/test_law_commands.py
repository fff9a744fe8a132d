"""Laws of commands: each has a short sentence and an example, and options mean the same in all."""

import re
from collections.abc import Iterator, Mapping

import click
import pytest
from click.testing import CliRunner

from hookd.cli import main
from hookd.cli.lib.groups import Commands
from support.paths import ROOT

WITHOUT_JSON: Mapping[str, str] = {
    "hookd guard export": "it prints a rules file",
    "hookd guard import": "it prints a rules file",
    "hookd mail wake": "its one line is for the client that runs it as a hook",
    "hookd guard schema": "it prints JSON anyway",
    "hookd settings schema": "it prints JSON anyway",
    "hookd rpc": "it prints JSON anyway",
    "hookd mcp": "it prints JSON anyway",
    "hookd event export": "--format json is its default",
    "hookd dialogue export": "it writes Markdown; hookd message list --json has the rows",
    "hookd fleet tmux": "it prints lines of tmux.conf",
    "hookd help": "it prints the help",
    "hookd handover resume": "it is the client's terminal; hookd handover show prints JSON",
    "hookd run": "it is the client's terminal",
    "hookd serve": "it is the daemon",
    "hookd service run": "it is the daemon",
    "hookd web": "it serves until Ctrl-C",
}
"""Commands that print no data, or print it in a form of its own."""

SHORT: Mapping[str, str] = {
    "-m": "--message",
    "-n": "--limit",
    "-f": "--follow",
    "-h": "--help",
    "-o": "--output",
    "-a": "--all",
    "-w": "--watch",
    "-v": "--verbose",
}
"""Short options: each means the same everywhere."""


def walk(command: click.Command, above: click.Context | None = None) -> Iterator[click.Context]:
    """Yield a context for the command, and for each one below it."""
    here = click.Context(command, info_name=command.name if above else "hookd", parent=above)
    yield here
    if isinstance(command, click.Group):
        for name in command.list_commands(here):
            below = command.get_command(here, name)
            assert below is not None
            yield from walk(below, here)


COMMANDS = {context.command_path: context.command for context in walk(main)}
PATHS = [path for path, command in COMMANDS.items() if not command.hidden]


def long_and_short(command: click.Command) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the long and the short names of each option that is shown."""
    for option in command.params:
        if isinstance(option, click.Option) and not option.hidden:
            names = [*option.opts, *option.secondary_opts]
            yield (
                [name for name in names if name.startswith("--")],
                [name for name in names if not name.startswith("--")],
            )


@pytest.mark.parametrize("path", PATHS)
def test_the_first_sentence_is_short_and_there_is_an_example(path: str) -> None:
    command = COMMANDS[path]
    sentence = command.get_short_help_str(300)
    assert sentence.endswith("."), sentence
    assert len(sentence) <= 60, sentence
    assert "Example" in (command.epilog or "")
    # `hookd stop` is also `hookd daemon stop`: the name in the examples is the shorter one.
    name = path.rpartition(" ")[2]
    assert re.search(rf"hookd (\w+ )*{name}\b", command.epilog or "") or path == "hookd"


@pytest.mark.parametrize("path", COMMANDS)
def test_the_help_fits_a_terminal_of_80_columns(path: str) -> None:
    done = CliRunner().invoke(main, [*path.split()[1:], "--help"], env={"COLUMNS": "80"})
    assert done.exit_code == 0
    assert [line for line in done.output.splitlines() if len(line) > 80] == []


def test_the_list_of_all_commands_fits_a_terminal_of_80_columns() -> None:
    done = CliRunner().invoke(main, ["help", "--all"], env={"COLUMNS": "80"})
    assert "uninstall" in done.output
    assert [line for line in done.output.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize("path", PATHS)
def test_a_command_that_prints_data_prints_it_as_json(path: str) -> None:
    command = COMMANDS[path]
    only_below = isinstance(command, click.Group) and not command.invoke_without_command
    has = any("--json" in names for names, _ in long_and_short(command))
    assert has is not (only_below or path in WITHOUT_JSON)


def test_the_exceptions_exist() -> None:
    assert set(WITHOUT_JSON) <= set(COMMANDS)


@pytest.mark.parametrize("path", PATHS)
def test_short_options_mean_the_same_everywhere(path: str) -> None:
    for names, short in long_and_short(COMMANDS[path]):
        for one in short:
            assert SHORT[one] in names, f"{one} is {names}"
        for one in ("--limit", "--follow"):
            assert one not in names or short, f"{one} has no short name"


def test_options_of_all_commands_are_defined_once() -> None:
    shared = re.compile(r'click\.option\(\s*(?:"-\w", )?"--(?:json|limit|follow)"')
    files = (ROOT / "daemon" / "hookd" / "cli").rglob("*.py")
    found = [path.name for path in files if shared.search(path.read_text("utf-8"))]
    assert found == ["options.py"]


@pytest.mark.parametrize("path", PATHS)
def test_a_group_suggests_the_right_commands(path: str) -> None:
    command = COMMANDS[path]
    assert isinstance(command, Commands) or not isinstance(command, click.Group)
