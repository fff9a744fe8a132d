"""Texts that a shell text passes on are known where possible, and bounded."""

from hookd.shell.commands import read
from hookd.shell.env_printers import prints_setup
from hookd.shell.expand import printed_text
from hookd.shell.words import ANY_WORDS, Word
from support.parametrize import parametrize_all

PRINTED = [
    ("echo a b", "a b\n"),
    ("echo -n a", "a\n"),
    ("echo -e a\\tb", "a\tb\n"),
    ("echo a\\tb", None),
    ("echo -e \\0101", None),
    ("printf a\\n", "a\n"),
    ("printf %s\\n a b", "a\nb\n"),
    ("printf 100%% a", "100%"),
    ("printf %d 1", None),
    ("printf -v x a", None),
    ("printf", None),
    ("cat a", None),
]


@parametrize_all(("line", "expected"), PRINTED)
def test_the_output_of_echo_and_printf_is_known_if_all_shells_agree(
    line: str, expected: str | None
) -> None:
    assert printed_text([Word(word) for word in line.split(" ")]) == expected


def test_the_output_of_unknown_words_is_unknown() -> None:
    assert printed_text([Word("echo"), ANY_WORDS]) is None
    assert printed_text([]) is None


@parametrize_all(
    ("text", "expected"),
    [
        *[("$(ssh-agent -s)", True), ("`ssh-agent`", True), ("$(/usr/bin/ssh-agent)", True)],
        *[("$(pyenv init --path)", True), ("<(kubectl completion zsh)", True)],
        *[("$(conda shell.bash hook)", True), ("$(starship init bash)", True)],
        *[("$(ssh-agent -s; rm x)", False), ("$(ssh-agent $(rm x))", False)],
        *[("$(cat x)", False), ("$(pyenv exec x)", False), ("$(direnv hook bash | tee x)", False)],
        *[("$(ssh-agent -s)x", False), ("ssh-agent -s", False)],
    ],
)
def test_shell_setup_is_recognized_by_its_whole_text(text: str, expected: bool) -> None:
    assert prints_setup(text) is expected


@parametrize_all(
    ("text", "expected"),
    [
        ("cat > x <<'E'\na\nE", "a\n"),
        ("cat <<'E' > x\na\nE", "a\n"),
        ("cat - > x <<'E'\na\nE", "a\n"),
        ("cat y > x <<'E'\na\nE", None),
        ("sort > x <<'E'\na\nE", None),
        ("echo a > x", "a\n"),
        ("echo $A > x", None),
        ("{ echo a; } > x", None),
        ("echo() { y; }; echo a > x", None),
    ],
)
def test_the_written_text_is_known_for_simple_commands(text: str, expected: str | None) -> None:
    (redirect,) = [one for one in read(text).redirects if one.writes]
    assert redirect.text == expected


@parametrize_all(
    ("text", "reads"),
    [
        ("echo y | sh", True),
        ("x | echo y | sh", True),
        ("echo y | tr a b | sh", False),
        ("echo y | { x; sh; }", True),
        ("{ x; echo y; } | sh", False),
        ("echo y | sh; x | sh", False),
        ("echo() { x; }; echo y | sh", False),
    ],
)
def test_a_pipe_is_known_if_one_plain_command_fills_it(text: str, reads: bool) -> None:
    assert (read(text).unreadable is None) is reads


def test_a_value_that_is_too_long_is_unknown() -> None:
    shell = read("a=x;" + "a=$a$a;" * 40 + "rm $a")
    assert shell.commands[-1].holes
    assert read("a=x;" + "a=$a$a;" * 5 + "rm $a").commands[-1].words == ("rm", "x" * 32)


def test_many_values_in_one_word_are_not_put_together() -> None:
    shell = read(f'a={"x" * 4_000}; rm "{"$a" * 100}"')
    assert shell.commands[-1].holes
    assert len(shell.commands[-1].words[-1]) <= 65_536


def test_values_of_many_words_are_read_up_to_a_limit() -> None:
    shell = read(f"a='{'x ' * 2_000}'; rm {'$a ' * 400}; rm $a")
    assert all(one.holes for one in shell.commands)
    assert read(f"a='{'x ' * 60}'; rm {'$a ' * 400}").unreadable == "it contains too many commands"


@parametrize_all(
    ("text", "unreadable"),
    [
        *[
            ("uv run x 'a ('", False),
            ("docker exec x y -c 'a ('", False),
            ("npx x -c 'a ('", False),
        ],
        *[
            ("npx -c 'a ('", True),
            ("uv run sh -c 'a ('", True),
            ("docker exec x sh -c 'a ('", True),
        ],
        *[("su -c 'a ('", True), ("tmux new 'a ('", True), ("uv run x 'a ('; sh -c 'a ('", True)],
        *[("sh -c 'a ('; uv run x 'a ('", True), ("nix-shell --run 'a ('", True)],
    ],
)
def test_a_quoted_word_that_no_shell_reads_may_be_anything(text: str, unreadable: bool) -> None:
    assert (read(text).unreadable is not None) is unreadable


def test_a_guessed_text_writes_no_file() -> None:
    shell = read("docker ps --format 'a > b'")
    assert shell.redirects == ()
    assert shell.side_effect_free
