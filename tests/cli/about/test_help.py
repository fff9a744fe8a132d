"""`hookd help`, and the help in groups."""

import pytest
from click.testing import CliRunner

from hookd import __version__
from hookd.cli import COMMANDS, FIRST_PAGE, main
from support.parametrize import parametrize_all


def said(*args: str, code: int = 0) -> str:
    """Return what a command line prints."""
    done = CliRunner().invoke(main, args, prog_name="hookd", terminal_width=80)
    assert done.exit_code == code, done.output
    return done.output


def listed(text: str) -> list[str]:
    """Return the commands that a help lists."""
    _, _, commands = text.partition("\nGuard:\n")
    words = [line.split()[0] for line in commands.splitlines() if line.startswith("  ")]
    return [word for word in words if word in COMMANDS]


FIRST = """\
Usage: hookd [OPTIONS] COMMAND [ARGS]...

  One warm daemon for the hooks of coding agents.
"""


GROUPS_OF_THE_FIRST_PAGE = """
Guard:
  guard     Add, list and remove guard rules: what tools may do.
  allow     Allow a single call that guards blocked.
  deny      Make a guard rule from the call of event N.
  approval  Show permission requests that wait, and answer them.
  policy    Show and set the built-in policies.
  pause     Turn off all guards for DURATION: 30s, 10m, 2h.
"""
HELP_OF_A_COMMAND = """\
Usage: hookd policy enable [OPTIONS] NAME

  Switch a policy on.

  If a project has no settings of its own yet, or is trusted, the settings that
  you write with `--scope project` or `--scope local` are trusted, too: see
  hookd trust.

Options:
  --scope [user|project|local]  Apply to you everywhere, to the project, or to
                                you in it.  [default: user]
  --project-dir DIR             The project's directory.  [default: the current
                                one]
  --json                        Print one JSON object.
  -h, --help                    Show this message and exit.

  Examples:
    hookd policy enable todo-continuation-enforcer
    hookd policy enable write-existing-file-guard --scope project
"""


def test_transcripts_of_the_help() -> None:
    assert GROUPS_OF_THE_FIRST_PAGE in said("--help")
    assert said("help", "policies", "enable") == HELP_OF_A_COMMAND


def test_the_first_page_has_few_commands_in_groups_and_says_where_all_are() -> None:
    text = said("--help")
    assert text.startswith(FIRST)
    assert text == said("help")
    assert set(listed(text)) == FIRST_PAGE & set(COMMANDS)
    assert "hookd help --all lists all commands." in text
    assert f"This is hookd {__version__}; its guides: docs/ at the tag v{__version__}." in text
    for group in ("Guard", "Look", "Work", "Set up", "Plumbing"):
        assert f"\n{group}:\n" in text


@pytest.mark.parametrize(
    "args", [("help", "--all"), ("--help", "--all"), ("--all", "-h"), ("--all",)]
)
def test_the_long_page_has_all_commands_but_hidden_ones(args: tuple[str, ...]) -> None:
    shown = {name for name, (group, _, _) in COMMANDS.items() if group}
    assert set(listed(said(*args))) == shown


def test_the_list_of_commands_fits_80_columns_and_no_sentence_is_cut() -> None:
    lists = said("help", "--all").partition("\n  Examples:")[0]
    assert max(map(len, lists.splitlines())) <= 80
    assert "..." not in lists.partition("\nGuard:\n")[2]
    for _, _, sentence in COMMANDS.values():
        assert sentence in lists


@parametrize_all(
    ("names", "same"),
    [
        (["guard", "add"], ["guard", "add"]),
        (["policies", "show"], ["policy", "show"]),
        (["run"], ["run"]),
        (["help"], ["help"]),
    ],
)
def test_help_explains_a_command_at_any_depth(names: list[str], same: list[str]) -> None:
    assert said("help", *names) == said(*same, "--help")


@parametrize_all(
    ("args", "sentence"),
    [
        (["help", "nope"], "No such command 'nope'."),
        (["help", "policy", "sho"], "Did you mean hookd policy show?"),
        (["help", "why", "me"], "hookd why has no subcommands."),
    ],
)
def test_help_on_no_command_is_refused(args: list[str], sentence: str) -> None:
    assert sentence in said(*args, code=2)


def test_a_former_name_shows_the_present_one() -> None:
    assert said("events", "--help").startswith("Usage: hookd event ")
    assert said("hooks", "list", "--help").startswith("Usage: hookd hook list ")
