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


@parametrize_all(
    ("text", "expected"),
    [
        ("ls src | xargs -I{} cp {} out/", ""),
        ("find src -name '*.ts' | xargs -I % cp % %.bak", ""),
        ("git ls-files '*.md' | xargs -I{} wc -l {}", ""),
        ("ls x | xargs -I{} cp -r {} out/{}", ""),
        ("git ls-files | xargs -I{} rm {}", "ask deletes"),
        ("git ls-files | xargs -I% rm -f ./%", "ask deletes"),
        ("git ls-files | xargs rm", "ask deletes"),
        ("ls ~ | xargs -I{} rm -rf ~/{}", "deny deletes"),
        ("cat x | xargs -I{} cp a {}", "ask outside"),
        ("cat x | xargs -I{} mv a {}", "ask outside"),
        ("ps aux | awk '{print $2}' | xargs -I{} kill {}", "ask kills"),
        ("ps aux | awk '{print $2}' | xargs -I% kill -9 %", "ask kills"),
        ("docker ps -q | xargs -I{} docker stop {}", "ask containers"),
        ("cat x | xargs -I{} -n1 rm", "ask deletes"),
        ("cat x | xargs -I{} bash -c {}", "ask unreadable"),
    ],
)
def test_a_name_that_xargs_inserts_is_one_word_and_one_of_many(text: str, expected: str) -> None:
    assert said(text) == expected
