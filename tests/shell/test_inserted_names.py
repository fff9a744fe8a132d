"""A text with names that find or xargs insert is certain if it only reads files."""

from hookd.shell.commands import read
from support.parametrize import parametrize_all


@parametrize_all(
    ("text", "certain"),
    [
        ("xargs -I{} sh -c 'wc -l {}'", True),
        ("find . -exec sh -c 'head -1 {} | grep x' \\;", True),
        ("xargs -I% sh -c 'echo %; wc -l %'", True),
        ("xargs -I{} sh -c '{}'", False),
        ("xargs -I{} sh -c 'echo x; {} y'", False),
        ("xargs -I{} sh -c 'rm {}'", False),
        ("xargs -I{} sh -c 'eval {}'", False),
        ("xargs -I{} sh -c 'cat x > {}'", False),
        ("xargs -I{} sh -c 'echo {} | sh'", False),
        ('xargs -I{} sh -c "wc $X {}"', False),
        ("tmux send-keys -t x 'f s i .strip()' Escape", True),
        ("tmux new 'f s i .strip()'", False),
    ],
)
def test_a_text_with_a_name_in_it_is_certain_if_it_only_reads(text: str, certain: bool) -> None:
    assert (read(text).unreadable is None) == certain
