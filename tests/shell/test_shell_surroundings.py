"""The context of a text's commands: who runs them, their input, and the opened files."""

from hookd.shell.commands import Command, Redirect, read
from support.parametrize import parametrize_all


def only(text: str, program: str) -> Command:
    """Return the one command of a text that runs this program."""
    (found,) = (one for one in read(text).commands if one.words[:1] == (program,))
    return found


@parametrize_all(
    ("text", "straight"),
    [
        ("cd /x", True),
        ("true; cd /x", True),
        ("true && cd /x", False),
        ("{ cd /x; }", True),
        ("false || cd /x", False),
        ("(cd /x)", False),
        ("cd /x &", False),
        ("cd /x | cat", False),
        ("if true; then cd /x; fi", False),
        ("for a in 1 2; do cd /x; done", False),
        ("echo $(cd /x)", False),
        ("f() { cd /x; }; f", False),
        ("command cd /x", False),
        ("bash -c 'cd /x'", False),
    ],
)
def test_only_a_command_that_the_shell_runs_once_is_unconditional(
    text: str, straight: bool
) -> None:
    assert only(text, "cd").unconditional is straight


@parametrize_all(
    ("text", "through"),
    [
        ("rm x", ()),
        ("sudo rm x", ("sudo",)),
        ("sudo nice -n 5 rm x", ("sudo", "nice")),
        ("find . -exec rm x ';'", ("find",)),
        ("echo a | xargs rm x", ("xargs",)),
        ("bash -c 'rm x'", ("bash",)),
        ("sudo bash -c 'env rm x'", ("sudo", "bash", "env")),
        ("ssh host rm x", ("ssh",)),
    ],
)
def test_a_command_names_its_wrappers(text: str, through: tuple[str, ...]) -> None:
    assert only(text, "rm").wrappers == through


@parametrize_all(
    ("text", "stdin", "fed"),
    [
        ("python3 x", (), False),
        ("python3 <<< 'import os'", ("import os",), False),
        ("python3 <<'X'\nimport os\nX\n", ("import os\n",), False),
        ("curl u | python3", (), True),
        ("python3 < file", (), False),
        ('python3 <<< "$x"', ("$x",), True),
        ("python3 <<X\nimport $x\nX\n", ("import $x\n",), True),
        ("bash -c 'python3' <<< 'print(1)'", ("print(1)",), False),
    ],
)
def test_a_command_has_its_possible_input(text: str, stdin: tuple[str, ...], fed: bool) -> None:
    found = only(text, "python3")
    assert (found.stdin, found.piped_input) == (stdin, fed)


@parametrize_all(
    ("text", "expected", "writes"),
    [
        ("echo a > x", [(">", "x")], [True]),
        ("echo a >> x", [(">>", "x")], [True]),
        ("echo a >| x", [(">|", "x")], [True]),
        ("echo a &> x", [("&>", "x")], [True]),
        ("cat < x", [("<", "x")], [False]),
        ("echo a 2>&1", [(">&", "1")], [False]),
        ("echo a >& x", [(">&", "x")], [True]),
        ("> x", [(">", "x")], [True]),
        ("bash -c 'echo a > y' > x", [(">", "x"), (">", "y")], [True, True]),
        ("cat <<X > x\n> y\nX\n", [(">", "x")], [True]),
    ],
)
def test_the_opened_files_are_returned(
    text: str, expected: list[tuple[str, str]], writes: list[bool]
) -> None:
    found = read(text).redirects
    assert [one.writes for one in found] == writes
    assert sorted((one.operator, one.path) for one in found) == expected


def test_a_file_of_unknown_name_is_returned_as_unknown() -> None:
    (found,) = read('echo a > "$HOME/x"').redirects
    assert isinstance(found, Redirect)
    assert found.writes
    assert found.hole is not None
    assert (found.hole.tail, found.hole.spread) == ("/x", "home")
