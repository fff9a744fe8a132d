"""Valid texts that the parser misreads are read as bash reads them."""

import re
import subprocess

from hypothesis import given
from hypothesis import strategies as st

from hookd.shell.commands import read
from hookd.shell.parser_repairs import simplified
from support.parametrize import parametrize_all


def words(text: str) -> list[str]:
    """Return the commands of `text`, each with its words joined by a bar."""
    return ["|".join(command.words) for command in read(text).commands]


@parametrize_all(
    ("text", "expected"),
    [
        ("cp $A/$B.txt /tmp/", ["cp|$A/$B.txt|/tmp/"]),
        ("mkdir -p out/$A/$B/c", ["mkdir|-p|out/$A/$B/c"]),
        ("tar czf $A-$B.tar.gz src", ["tar|czf|$A-$B.tar.gz|src"]),
        ("cat $A/$B/$C-$D.x y", ["cat|$A/$B/$C-$D.x|y"]),
        ("for f in $A/$B.x; do cat $f; done", ["cat|$f"]),
        ("A=x-$B/$C.d; ls $A", ["ls|$A"]),
        ("ls $A/$1.txt", ["ls|$A/$1.txt"]),
        ('ls $A/$B"x y"/$C', ["ls|$A/$Bx y/$C"]),
        ("ls $A/$B$(rm x)", ["ls|$A/$B$(rm x)", "rm|x"]),
        ("ls $A/$B`rm x`", ["ls|$A/$B`rm x`", "rm|x"]),
        ("B=x; ls $A/$B.d", ["ls|$A/x.d"]),
        ("ls $A/$B;rm x", ["ls|$A/$B", "rm|x"]),
        ("(( (8#$mode & 2) != 0 )); rm x", ["rm|x"]),
        ("echo $((10#$n + 1))", ["echo|$((10#$n + 1))"]),
        ("B=${B//$'\\n'/x}; rm x", ["rm|x"]),
        ("B=\"${B//$'\\n'/$'\\n'> }\"; rm x", ["rm|x"]),
        ("exec 3<>f", ["exec"]),
        ("cat <>f y", ["cat|y"]),
        ("coproc NAME { rm x; }; rm y", ["rm|x", "rm|y"]),
        ("coproc { rm x; } 2>/dev/null", ["rm|x"]),
        ('grep a "b"\n--include="c" .', ["grep|a|b", "--include=c|."]),
        ("nohup x\n  --config=y > z", ["nohup|x", "x", "--config=y"]),
        ("psql <<'SQL'\n\\timing on\nselect 1;\nSQL\nrm x", ["psql", "rm|x"]),
        ("rm x; >$\ny z", ["rm|x", "y|z"]),
        ('echo "$A  ${B}  $(rm x)"', ["echo|$A  ${B}  $(rm x)", "rm|x"]),
        ('echo "$(rm y)  `echo \\`rm x\\``"', None),
    ],
)
def test_a_valid_text_is_read_whole(text: str, expected: list[str] | None) -> None:
    assert read(text).unreadable is None
    if expected is not None:
        assert words(text) == expected


def test_the_file_of_a_descriptor_for_reading_and_writing_is_written() -> None:
    (redirect,) = read("exec 3<>/etc/x").redirects
    assert (redirect.operator, redirect.path, redirect.writes) == ("<>", "/etc/x", True)


def test_the_variables_of_a_coprocess_are_not_those_of_the_shell() -> None:
    found = [one.words for one in read("x=rm; coproc { x=ls; }; $x y").commands]
    assert ("$x", "y") in found


@parametrize_all(
    "text",
    [
        *["rm x; $A/$B'", 'rm x; echo $A/$B"', "rm x; (( 8#$m", "rm x; exec 3<>"],
        *["rm x; ls $=HOME/$A-$B.x", "rm x; ls $^A", "rm x; if ( $A/$B"],
    ],
)
def test_a_text_that_is_not_valid_or_differs_between_shells_is_not(text: str) -> None:
    assert read(text).unreadable
    assert words(text)[0] == "rm|x"


PART = st.sampled_from(["$A", "$B_2", "$1", "a", "b-c", "/", ".d", "=", "'q r'", '"$C s"', "\\ "])


@given(
    st.lists(PART, min_size=1, max_size=6), st.sampled_from(["cat {} z", "x={}; cat $x", "cat >{}"])
)
def test_a_variable_in_a_word_means_the_same_with_and_without_braces(
    parts: list[str], form: str
) -> None:
    text = form.format("".join(parts))
    braced = re.sub(r"\$(\w+)", r"${\1}", text) if "1" not in text else None
    if braced is not None and re.search(r"\$\w+\w*[a-z]", text) is None:
        plain, other = read(text), read(braced)
        assert (plain.unreadable is None) or other.unreadable
        if plain.unreadable is None and other.unreadable is None:
            same = [
                tuple(re.sub(r"[{}]", "", word) for word in one.words) for one in other.commands
            ]
            assert [one.words for one in plain.commands] == same


SHELLISH = st.lists(
    st.sampled_from([
        *("a", "$A", "/", "$", "^", " ", ";", "\n", "|", "&", "(", ")", "{", "}", "<", ">", "<>"),
        *("'", '"', "`", "\\", "#", "8#", "coproc", "coproc ", "coproc N {", "<<", "E", "-x=", "="),
        *("$'\\n'", "/$'\\n'/", "${A/", "$((", "))", "[[", "]]", "if", "then", "fi", "!", "%", ","),
    ]),
    max_size=9,
).map("".join)  # fmt: skip


@given(st.lists(SHELLISH, min_size=12, max_size=12))
def test_a_view_is_valid_where_its_text_is(texts: list[str]) -> None:
    views = [simplified(text.encode()).decode() for text in texts]
    assert [len(view) for view in views] == [len(text) for text in texts]
    changed = [(text, view) for text, view in zip(texts, views, strict=True) if text != view]
    for text, view in changed[:1]:
        checks = [
            subprocess.run(["bash", "-n", "-c", one], capture_output=True, check=False).returncode
            for one in (text, view)
        ]
        assert checks[0] == checks[1]
