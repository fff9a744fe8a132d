"""Wrong arguments: the usage, what is wrong, a close value, and the next step."""

import pytest
from click.testing import CliRunner

from hookd.cli import main
from support.home import Home


def refused(*args: str) -> list[str]:
    """Return the lines that a wrong command line prints."""
    done = CliRunner().invoke(main, args, prog_name="hookd", terminal_width=200)
    assert done.exit_code == 2, done.output
    assert done.stdout == ""
    return done.stderr.splitlines()


@pytest.mark.parametrize(
    ("line", "sentence", "step"),
    [
        ("guard preset nodee", "Did you mean node?", "hookd guard preset --help"),
        ("guard test nofile", "File 'nofile' does not exist.", "hookd guard test --help"),
        ("replay --policy nope", "There is no policy 'nope'", "hookd replay --help"),
        ("event --decision denied", "Did you mean deny?", "hookd event --help"),
        ("status --jsn", "Did you mean '--json'?", "hookd status --help"),
        ("guard lst", "Did you mean hookd guard list?", "hookd guard --help"),
        ("completion", "Choose from: bash, zsh, fish", "hookd completion --help"),
        ("version x", "Got unexpected extra argument (x)", "hookd version --help"),
        ("test", "Did you mean hookd guard test or hookd hook test?", "hookd --help"),
        ("--nope", "No such option '--nope'.", "hookd --help"),
        ("frobnicate", "No such command 'frobnicate'.", "hookd --help"),
    ],
)
def test_wrong_arguments_name_the_next_step(line: str, sentence: str, step: str) -> None:
    usage, said, following = refused(*line.split())
    assert usage.startswith("Usage: hookd")
    assert said.startswith("hookd: ")
    assert said.endswith(sentence) or sentence in said
    assert following == f"  next: {step}"


def test_control_characters_of_an_argument_are_escaped() -> None:
    assert "\\x1b[31m" in refused("guard", "\x1b[31m")[1]


def test_a_group_alone_prints_its_help() -> None:
    done = CliRunner().invoke(main, ["guard"], prog_name="hookd")
    assert done.output.startswith("Usage: hookd guard [OPTIONS] COMMAND [ARGS]...\n\n  Add,")


@pytest.mark.parametrize(
    ("args", "step"),
    [
        (("guard", "test", "--junit", "/nowhere/x.xml"), "/nowhere is there and yours to write"),
        (("stats", "--project", "/nowhere"), "hookd stats, which lists the projects"),
        (("allow", "remove", "99999"), "hookd "),
        (("why", "999999999"), "hookd event"),
        (("replay", "--session", "nope"), "hookd session list shows the ids"),
    ],
)
def test_what_is_not_there_names_the_next_step(
    shared: Home, args: tuple[str, ...], step: str
) -> None:
    done = shared.hookd(*args, check=False)
    assert done.returncode == 1
    *_, sentence, following = done.stderr.splitlines()
    assert not sentence.endswith("..")
    assert following.startswith("  next: ")
    assert step in following
