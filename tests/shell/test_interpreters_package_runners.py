"""Nested commands of package managers and shells are read from their words."""

from hypothesis import given
from hypothesis import strategies as st

from hookd.shell.commands import read
from hookd.shell.interpreters import LAUNCHERS
from support.parametrize import parametrize_all


def inner(text: str) -> list[str]:
    """Return the commands that the first command of a text runs."""
    return [" ".join(command.words) for command in read(text).commands[1:]]


@parametrize_all(
    ("text", "runs"),
    [
        ("npm exec -- tsc --noEmit", ["tsc --noEmit"]),
        ("npm --prefix web x -y -p a@1 b c", ["b c"]),
        ("npm exec -c 'a; b'", ["a", "b"]),
        ("npm x --package=a -- b", ["b"]),
        ("npm $X rm y", ["rm y"]),
        ("npm run exec rm", []),
        ("npm install rm", []),
        ("pipx run --spec a b c", ["b c"]),
        ("conda run -n py --no-capture-output a b", ["a b"]),
        ("micromamba run -p /x a", ["a"]),
        ("mise exec node@22 python@3.12 -- a b", ["a b"]),
        ("mise x -c 'a b' node", ["a b", "node"]),
        ("mise x node --", []),
        ("corepack yarn@3.1 exec a", ["yarn exec a", "exec a", "a"]),
        ("composer exec -- a b", ["a b"]),
        ("composer install", []),
        ("bun x a b", ["a b"]),
        ("bun run build", ["build"]),
        ("pyenv exec a", ["a"]),
        ("volta run --node 20 a", ["a"]),
        ("bash -n -c 'a'", []),
        ("bash -nx <<< a", []),
        ("bash -in -c 'a'", ["a"]),
        ("zsh -n -o exec -c 'a'", ["a"]),
        ("bash -n +n -c 'a'", ["a"]),
    ],
)
def test_the_words_after_the_subcommand_run(text: str, runs: list[str]) -> None:
    assert sorted(inner(text)) == sorted(runs)
    assert read(text).unreadable is None


WORDS = (
    "exec",
    "x",
    "run",
    "--",
    "-c",
    "-p",
    "-n",
    "--spec",
    "a",
    "'b c'",
    "$X",
    '"$@"',
    "{a,b}",
    "",
)


@given(st.sampled_from(sorted(LAUNCHERS)), st.lists(st.sampled_from(WORDS), max_size=6))
def test_no_words_make_a_launcher_fail(program: str, words: list[str]) -> None:
    shell = read(" ".join((program, *words)))
    assert all(command.words or command.holes for command in shell.commands)
    assert all(command.argv.name is not None for command in shell.commands)
