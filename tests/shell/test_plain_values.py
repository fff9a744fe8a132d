"""A text with a number of a process, or a new file, in it is certain; with any other value not."""

from hookd.shell.commands import read
from support.parametrize import parametrize_all


@parametrize_all(
    ("text", "certain"),
    [
        ('npm start & S=$!; trap "kill $S" EXIT', True),
        ('npm start & S="$!"\ntrap "kill ${S} 2>/dev/null || true" EXIT INT', True),
        ('f() { local S; S=$!; trap "kill $S" EXIT; }; f', True),
        ('T=$(mktemp -d); trap "rm -rf $T" EXIT', True),
        ('trap "kill $(jobs -p)" EXIT', True),
        ('trap "kill $!" EXIT', True),
        ('trap "kill $S" EXIT', False),
        ('S=$!; S=$(cat x); trap "kill $S" EXIT', False),
        ('S=$!; read S; trap "kill $S" EXIT', False),
        ('S=$!; export S=$(cat x); eval "$S"', False),
        ('S=1; local S="$1"; eval "$S"', False),
        ('S=$!; printf -v S %s "$1"; trap "kill $S" EXIT', False),
        ('S=$!x; trap "kill $S" EXIT', False),
        ('S=$!; trap "kill $S $X" EXIT', False),
        ('S=$!; trap "kill ${S:-$X}" EXIT', False),
        ('trap "kill $(cat x)" EXIT', False),
        ('T=$(mktemp -d $X); trap "rm -rf $T" EXIT', False),
        ('for S in $X; do S=$!; done; trap "$S" EXIT', False),
        ('xargs -I{} bash -c "kill $! {}"', False),
    ],
)
def test_a_text_is_certain_if_its_values_run_nothing(text: str, certain: bool) -> None:
    assert (read(text).unreadable is None) == certain
