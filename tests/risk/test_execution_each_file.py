"""Commands for each file that is found: by a shell text, by many at once."""

from support.parametrize import parametrize_all
from support.risks import said

HELD = [
    ("find . -type f -exec sh -c 'rm \"$1\"' _ {} \\;", "ask deletes"),
    ("find . -name '*.py' -exec bash -c 'rm -f \"$0\"' {} \\;", "ask deletes"),
    ("find . -type f -exec sudo sh -c 'for f; do unlink \"$f\"; done' _ {} +", "ask deletes"),
    ("find . -type f -exec sh -c '> \"$1\"' _ {} \\;", "ask deletes"),
    ("find /srv -type f -exec sh -c 'truncate -s 0 \"$1\"' _ {} \\;", "deny deletes"),
    ("find ~ -type f -exec sh -c 'rm \"$1\"' _ {} \\;", "deny deletes"),
    ("fd . --exec-batch rm -rf", "ask deletes"),
    ("fd -e py --exec-batch rm", "ask deletes"),
    ("fd -e py -x rm", "ask deletes"),
]
PASSED = [
    "find . -name '*.orig' -exec sh -c 'echo \"$1\"' _ {} \\;",
    "find src -name '*.py' -exec sh -c 'grep -c def \"$1\"' _ {} \\;",
    "find . -type f -exec sh -c 'wc -l < \"$1\"' _ {} \\;",
    "find . -name '*.pyc' -exec sh -c 'rm \"$1\"' _ {} \\;",
    "find . -name '*.md' -exec sh -c 'echo rm \"$1\"' _ {} \\;",
    "find . -name '*.md' -exec sh -c 'pandoc \"$1\" > /tmp/x.html' _ {} \\;",
    "fd -e py -x wc -l",
    "fd -e pyc -x rm",
    "fd -e .pyc --exec-batch rm",
]


@parametrize_all("text, expected", HELD)
def test_deletion_of_each_file_is_denied_or_asked_about(text: str, expected: str) -> None:
    assert said(text) == expected


@parametrize_all("text", PASSED)
def test_reading_each_file_passes(text: str) -> None:
    assert said(text) == ""
