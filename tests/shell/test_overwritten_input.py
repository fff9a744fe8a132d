"""A redirection knows the commands of its pipe that name the file which it empties."""

from hookd.shell.commands import read
from support.parametrize import parametrize_all

NAMING = [
    ("sort f > f", [("sort", "f")]),
    ("sort './f' -u > f", [("sort", "./f", "-u")]),
    ("cat f | sort | uniq > f", [("cat", "f")]),
    ("sort < f > f", [("<", "f")]),
    ("sort > f < f", [("<", "f")]),
    ("a f && b f > f", [("b", "f")]),
    ("a f; b g > f", []),
    ("sort f >> f", []),
    ("sort f 2> f", [("sort", "f")]),
    ("sort f > g", []),
    ("sort fig > f", []),
    ("if true; then sort f > f; fi", [("sort", "f")]),
    ("{ sort f; } > f", [("sort", "f")]),
    ("(cat g; sort f | uniq) > f", [("sort", "f")]),
    ("sort $x > $x", [("sort", "$x")]),
    ('jq . "$f" > "$f"', [("jq", ".", "$f")]),
    ("sort $x > $y", []),
    ("> f", []),
]


@parametrize_all(("text", "expected"), NAMING)
def test_commands_that_name_the_file_are_known(text: str, expected: list[tuple[str, ...]]) -> None:
    found = [words for one in read(text).redirects for words in one.naming]
    assert found == expected
