"""The commands of a shell text are read from its grammar, whatever it looks like."""

import re
import shlex
import subprocess

import hypothesis
import tree_sitter
import tree_sitter_bash
from hypothesis import example, given
from hypothesis import strategies as st

from hookd.shell.argv import argv_of
from hookd.shell.commands import LIMIT, Command, read
from hookd.shell.parser_repairs import simplified
from support.parametrize import parametrize_all

PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))

MORE = hypothesis.settings(
    max_examples=2 * hypothesis.settings.default.max_examples,
)
"""No property here is about time."""


def words(text: str) -> list[str]:
    """Return the commands of `text`, each with its words joined by a bar."""
    return ["|".join(command.words) for command in read(text).commands]


ONE = [
    *[("git status", "git|status"), ("  git   status\t-s  ", "git|status|-s")],
    *[("\\rm -rf /", "rm|-rf|/"), ("'rm' -rf /", "rm|-rf|/"), ('"rm" -rf /', "rm|-rf|/")],
    *[('r"m" -r"f" /', "rm|-rf|/"), ("r''m -rf /", "rm|-rf|/"), ("r\\m -rf /", "rm|-rf|/")],
    *[("$'rm' -rf /", "rm|-rf|/"), ("$'\\x72\\155' -rf /", "rm|-rf|/")],
    *[("$'\\u0072m\\0junk' x", "rm|x"), ("$'a\\tb\\'c' x", "a\tb'c|x")],
    *[("rm \\\n  -rf \\\n  /", "rm|-rf|/"), ("rm {a,b}{c,d}", "rm|ac|ad|bc|bd")],
    *[("rm {a,{b,c}}x", "rm|ax|bx|cx"), ("echo {} {a} a,b }x{", "echo|{}|{a}|a,b|}x{")],
    *[("rm$IFS-rf${IFS}/", "rm|-rf|/"), ("x=rm; $x -rf /", "rm|-rf|/")],
    *[("x=rm y=-rf; $x ${y} /", "rm|-rf|/"), ("x=r; x+=m; $x -rf /", "rm|-rf|/")],
    *[('cmd="rm -rf"; $cmd /', "rm|-rf|/"), ('cmd="rm -rf"; "$cmd" /', "rm -rf|/")],
    ('a="x y"; b=$a; rm "$b" $b', "rm|x y|x|y"),
    *[("export x=rm; $x -rf /", "export|x=rm", "rm|-rf|/"), ("x=; $x rm /", "rm|/")],
    *[('echo "a \\"b\\" \\$c \\n"', 'echo|a "b" $c \\n'), ("echo 'it'\\''s'", "echo|it's")],
    *[("rm >log -rf /", "rm|-rf|/"), (">log rm -rf /", "rm|-rf|/")],
    *[("2>&1 rm -rf / 2>log x", "rm|-rf|/|x"), ("rm -rf / <<< x y", "rm|-rf|/|y")],
    *[("echo a#b # rm x", "echo|a#b"), ("/bin/rm x", "/bin/rm|x")],
    *[("echo é ✓ \u00a0x", "echo|é|✓|\u00a0x"), ("PATH=. git status", "git|status")],
    ("rm -- -rf", "rm|--|-rf"),
]

NESTED = [
    ("EDITOR='rm x' git commit", "git|commit", "rm|x"),
    ("a; b && c || d | e & f", "a", "b", "c", "d", "e", "f"),
    ("a\nb\n\nc", "a", "b", "c"),
    ("a |& rm x", "a", "rm|x"),
    ("! rm x", "rm|x"),
    ("(rm x; (rm y))", "rm|x", "rm|y"),
    ("{ rm x; }", "rm|x"),
    ("if rm a; then rm b; elif rm c; then rm d; else rm e; fi", *(f"rm|{x}" for x in "abcde")),
    ("while rm a; do rm b; done; until rm c; do rm d; done", *(f"rm|{x}" for x in "abcd")),
    ("for i in $(rm a); do rm b; done", "rm|a", "rm|b"),
    ("for ((i=0; i<3; i++)); do rm a; done", "rm|a"),
    ("select i in a; do rm b; done", "rm|b"),
    ("case $(rm a) in x) rm b;; *) rm c; esac", "rm|a", "rm|b", "rm|c"),
    ("f() { rm x; }; f", "rm|x", "f"),
    ("function f { rm x; }", "rm|x"),
    ("f() ( rm x )", "rm|x"),
    ("echo $(rm x)", "echo|$(rm x)", "rm|x"),
    ("echo `rm x`", "echo|`rm x`", "rm|x"),
    ('echo "a $(rm "x y") b"', 'echo|a $(rm "x y") b', "rm|x y"),
    ("echo `echo \\`rm x\\``", "echo|`echo \\`rm x\\``", "echo|`rm x`", "rm|x"),
    ("a=$(rm x)", "rm|x"),
    ("a=(b $(rm x)); a[$(rm y)]=z", "rm|x", "rm|y"),
    ("echo ${a:-$(rm x)} ${a[$(rm y)]}", "echo|${a:-$(rm x)}|${a[$(rm y)]}", "rm|x", "rm|y"),
    ("echo $((1 + $(rm x)))", "echo|$((1 + $(rm x)))", "rm|x"),
    ("diff <(rm x) >(rm y)", "diff|<(rm x)|>(rm y)", "rm|x", "rm|y"),
    ("[[ -n $(rm x) && a == `rm y` ]]", "rm|x", "rm|y"),
    ('[ -f x -a -n "$(rm x)" ]', "[|-f|x|-a|-n|$(rm x)|]", "rm|x"),
    ("test -n $(rm x)", "test|-n|$(rm x)", "rm|x"),
    ("cat > $(rm x)", "cat", "rm|x"),
    ("cat <<E\na $(rm x) b\nE", "cat", "rm|x"),
    ("cat <<'E'\na $(rm x) b\nE", "cat"),
    ("cat <<'E' | tee\nrm x\nE\nrm y", "cat", "tee", "rm|y"),
    ("<<E sh\nrm x\nE", "sh", "rm|x"),
    ("rm -rf<<E\nx\nE", "rm|-rf"),
    ("cat <<'A' - <<-'B' 2>&1 | rm x\na\nA\n\tb\n\tB\nrm y", "cat|-", "rm|x", "rm|y"),
    ("time (rm x)", "time", "rm|x"),
    ("coproc rm x", "coproc|rm|x", "rm|x", "x"),
    ("export A=$(rm x)", "export|A=$(rm x)", "rm|x"),
]

WRAPPED = [
    *[("sh -c 'rm x'", "rm|x"), ("bash -lc 'rm x; rm y'", "rm|x", "rm|y")],
    *[("/bin/bash -x -o pipefail -c 'rm x' a b", "rm|x"), ("zsh -ec 'rm x'", "rm|x")],
    *[("bash -c \"bash -c 'rm x'\"", "bash|-c|rm x", "rm|x"), ("bash <<< 'rm x'", "rm|x")],
    *[("sudo sh <<E\nrm x\nE", "sh", "rm|x"), ("{ bash -s; } <<'E' 2>&1\nrm x\nE", "rm|x")],
    *[(". /dev/stdin <<< 'rm x'", "rm|x"), ("eval 'rm x'", "rm|x")],
    *[("eval rm '\"x y\"'", "rm|x y"), ("trap 'rm x' EXIT", "rm|x"), ("alias l='rm x'", "rm|x|$@")],
    *[("sudo -u root -E rm x", "rm|x"), ("sudo A=b rm x", "rm|x"), ("doas -u root rm x", "rm|x")],
    *[("env -i A=b -u C rm x", "rm|x"), ("env -S 'rm -rf' x", "rm|-rf|x")],
    *[("command rm x", "rm|x"), ("command -v rm",), ("builtin cd x", "cd|x")],
    *[("exec -a name rm x", "rm|x"), ("nohup nice -n 5 rm x", "nice|-n|5|rm|x", "rm|x")],
    ("time -p rm x", "rm|x", "x"),
    (
        "ionice -c 3 stdbuf -oL setsid -w rm x",
        "stdbuf|-oL|setsid|-w|rm|x",
        "setsid|-w|rm|x",
        "rm|x",
    ),
    *[("timeout -k 5 10 rm x", "rm|x"), ("timeout --signal=KILL 10 rm x", "rm|x")],
    *[("chroot /mnt rm x", "rm|x"), ("xargs -n 1 rm -rf", "rm|-rf"), ("xargs -I{} rm {}", "rm|{}")],
    ("watch -n 5 'rm x'", "rm x", "rm|x"),
    *[("find . -exec rm {} \\; -execdir rm a +", "rm|{}", "rm|a"), ("busybox rm x", "rm|x")],
    *[("git -C d -c a.b=c push -f", "git|push|-f"), ("git -c alias.x='!rm x' x", "git|x", "rm|x")],
    ("git -c alias.x='push -f' x", "git|x", "git|push|-f|$@"),
    ("git config core.pager 'rm x'", "rm|x"),
    ("env GIT_SSH_COMMAND='rm x' git fetch", "rm|x", "git|fetch"),
    *[("ssh host 'bash -s' <<'E'\nrm x\nE", "bash|-s", "rm|x"), ("ssh -p 22 host rm x", "rm|x")],
    ("ssh -oProxyCommand='rm x' host", "rm|x"),
]


@parametrize_all(("text", "expected"), [(row[0], list(row[1:])) for row in ONE + NESTED])
def test_every_simple_command_is_found_with_its_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected
    assert read(text).unreadable is None


@parametrize_all(("text", "expected"), [(row[0], list(row[1:])) for row in WRAPPED])
def test_a_command_in_the_arguments_of_another_is_found(text: str, expected: list[str]) -> None:
    assert words(text)[1:] == expected
    assert read(text).unreadable is None


@parametrize_all(
    ("text", "expected"),
    [
        ('rm -rf "$HOME/x"', Command(("rm", "-rf", "$HOME/x"), exact=False)),
        ("$CMD foo", Command(("$CMD", "foo"), exact=False)),
        ("r$x -rf", Command(("r$x", "-rf"), exact=False)),
        ("r$@m x", Command(("r$@m", "x"), exact=False)),
        ('"$(printf rm)" x', Command(("$(printf rm)", "x"), exact=False)),
        ("/bin/r? x", Command(("/bin/r?", "x"), exact=False)),
        ("ls *.py ~", Command(("ls", "*.py", "~"), exact=False)),
        ("ls '*.py' \\*", Command(("ls", "*.py", "*"), exact=True)),
        ("A=b git status", Command(("git", "status"), exact=False)),
        ("echo {1..3}", Command(("echo", "{1..3}"), exact=False)),
        ("echo $x{a,b}", Command(("echo", "$x{a,b}"), exact=False)),
        ("echo $'a' \"b\" c", Command(("echo", "a", "b", "c"), exact=True)),
    ],
)
def test_a_command_is_exact_if_its_words_are_known(text: str, expected: Command) -> None:
    assert read(text).commands[0] == expected


@parametrize_all(
    "text",
    [
        *["false && x=ls; $x -rf /", "(x=ls); $x -rf /", "x=ls | true; $x -rf /"],
        *["x=ls & $x -rf /", "if false; then x=ls; fi; $x -rf /"],
        *["x=ls; for i in 1 2; do $x -rf /; x=rm; done", "f() { x=ls; }; $x -rf /"],
        *["x=ls; f() { $x -rf /; }; x=rm; f", "x=ls; read x <<< rm; $x -rf /"],
        *["x=ls; printf -v x rm; $x -rf /", "x=ls; eval x=rm; $x -rf /"],
        *["x=ls; . ./file; $x -rf /", "x=ls; declare -n y=x; y=rm; $x -rf /"],
        *["x=ls; unset x; $x -rf /", "x=ls; ((x=1)); $x -rf /", "x=ls true; $x -rf /"],
        *["for x in ls; do :; done; $x -rf /", "IFS=,; x=rm,-rf; $x /", "x=ls; sh -c '$x -rf /'"],
        *["cat() { echo rm; }; $(cat <<'E'\nls\nE\n) -rf /", "x=$(echo rm); $x -rf /"],
        "_=ls; $_ -rf /",
    ],
)
def test_a_value_that_may_change_is_not_taken_for_known(text: str) -> None:
    assert any(hole.at == 0 for command in read(text).commands for hole in command.holes)


def test_a_message_of_several_lines_is_known_text() -> None:
    text = "git commit -m \"$(cat <<'EOF'\nfix `x` $(y)\n\n  more\nEOF\n)\""
    expected = Command(("git", "commit", "-m", "fix `x` $(y)\n\n  more"), exact=True)
    assert read(text).commands[0] == expected
    assert read(text + " && git push").unreadable is None


@parametrize_all(
    "text",
    [
        "git status; (rm x",
        "rm x; 'open",
        'rm x; "open $(',
        "rm x; if true",
        "rm x; cat <<E\nno end",
        "rm x; a\rb",
        "rm x; r\\\nm y",
        "rm x; { a; } } }",
        "rm x; ! ! y",
        "rm x; echo ${y@P}",
        'rm x; eval "$y"',
        'rm x; bash -c "a $(y)"',
        'rm x; y=$(z); bash -c "a $y"',
        'rm x; read y; bash -c "a $y"',
        'rm x; bash -c "$y a"',
        'rm x; bash -c "a; $y"',
        'rm x; bash -c "eval $y"',
        'rm x; bash -c "$1"',
        'rm x; bash -c "a ${y:=b}"',
        "rm x; bash $y",
        "rm x; bash <(echo y)",
        "rm x; source <(echo y)",
        "rm x; find . -exec sh -c 'rm {}' \\;",
        "rm x; hash -p /bin/rm ls",
        "rm x; cat <<'E' | bash -s\ny\nE",
        "rm x; ls > >(sh)",
        "rm x; sh < <(y)",
        "rm x; f() { sh; }; y | f",
        "rm x; cat <<'E\n' | sh\ny\nE\n",
        "rm x; sh<<'y'E\nz\nE\n",
        "rm x; cat <<\nE\ny\nE\n",
        "rm x; sh 0<<E\ny\nE",
        "rm x; echo ${y:-$>(z)}",
        'rm x; r$"m" y',
        "rm x; [[ 'a[$(y)]' -eq 1 ]]",
        "rm x; y='a[$(z)]'; ((y))",
        "rm x; " + "eval " * 20 + "z",
        "rm x; sh <<E\n$y\nE",
    ],
)
def test_an_uncertain_text_is_unreadable_but_has_commands(text: str) -> None:
    shell = read(text)
    assert shell.unreadable
    assert shell.single is None
    assert not shell.side_effect_free
    assert ("rm", "x") in {command.words for command in shell.commands} or "status" in text


@parametrize_all(
    "text",
    [
        "a" * (LIMIT + 1),
        "a " * 500_000,
        "rm x\0",
        "rm \ud800",
        "rm \ufffd",
        "(" * 10_000 + ")" * 10_000,
        "$(" * 10_000 + ")" * 10_000,
        "`>1" * 10_000,
        "]`>" * 10_000,
        "a|" * 10_000,
        "a=(" * 10_000,
        "eval " * 10_000,
        "xargs " * 2_000,
    ],
)
def test_a_text_beyond_the_limits_is_unreadable(text: str) -> None:
    assert read(text).unreadable


def test_a_long_heredoc_or_argument_is_read_all_the_same() -> None:
    body = "x | y (z) $(rm w) `q` it's\n" * 2_000
    quiet = body.replace("'", "")
    assert words(f"cat > f <<'EOF'\n{body}EOF\nls") == ["cat", "ls"]
    assert read(f"python3 -c '{quiet}'").commands[0] == Command(
        ("python3", "-c", quiet), exact=True
    )
    assert words(f"bash <<'EOF'\necho '{quiet}'\nrm x\nEOF")[-1] == "rm|x"
    assert read(f"cat > f <<'EOF'\n{body}EOF\n").unreadable is None


@parametrize_all(
    "text",
    [
        *['cat <<E "x\ny"; rm z\nE\n"', 'cat - <<E "$(: )x\ny"; rm z\nE\n"'],
        *["cat - <<E # it's\nE\nrm z\n# it's\nE", "cat - <<E \\\\\nE\nrm z\nE"],
        *["# <<'E'\nrm z\nE\n(", "echo '<<E'\nrm z\nE\n(", "((1 <<E))\nrm z\nE\n("],
    ],
)
def test_a_false_heredoc_hides_nothing(text: str) -> None:
    shell = read(text)
    assert shell.unreadable or ("rm", "z") in {command.words for command in shell.commands}


@parametrize_all("text", ["", " \n", "# rm x", "  # a\n# b\n"])
def test_nothing_to_run_is_readable(text: str) -> None:
    shell = read(text)
    assert (shell.commands, shell.unreadable, shell.single) == ((), None, None)


@parametrize_all(
    "text",
    [
        *['hookd log "text"', "hookd log <<'EOF'\n$(rm x); `y`\nEOF"],
        *['hookd log <<"EOF"\ntext\nEOF\n', "hookd log - <<'EOF'\ntext\nEOF\n"],
        *["hookd log <<EOF\nplain text; rm x\nEOF", "hookd log <<< 'text'", "/usr/bin/hookd log x"],
        *["  hookd log x\n", "hookd log \\\n  x", "hookd log 'a; b && $(c) | d > e'"],
        "hookd log {a,b}",
    ],
)
def test_a_single_command_is_single(text: str) -> None:
    shell = read(text)
    assert shell.single is not None
    assert shell.single == shell.commands[0]


@parametrize_all(
    "text",
    [
        "hookd log x; rm -rf /",
        "hookd log x;",
        "hookd log x && rm y",
        "hookd log x || rm y",
        "hookd log x | sh",
        "hookd log x |& sh",
        "hookd log x &",
        "hookd log x & rm y",
        "hookd log x\nrm y",
        "hookd log x\r\nrm y",
        'hookd log "$(rm -rf /)"',
        "hookd log `rm y`",
        'hookd log "`rm y`"',
        "hookd log <(id)",
        "hookd log >(id)",
        "hookd log x > f",
        "hookd log x >> f",
        "hookd log x 2>&1",
        "hookd log x < f",
        "PATH=. hookd log x",
        "! hookd log x",
        "(hookd log x)",
        "{ hookd log x; }",
        "hookd log x # comment",
        "# comment\nhookd log x",
        'hookd log "${x:-$(rm y)}"',
        'hookd log "${x@P}"',
        "hookd log $((a[$(rm y)]))",
        "hookd log ${a[$(rm y)]}",
        "hookd log <<EOF\n$(rm y)\nEOF",
        "hookd log <<EOF\n$HOME\nEOF",
        "hookd log <<'EOF'\nx\nEOF\nrm y",
        "hookd log <<'EOF' | sh\nx\nEOF",
        "hookd log <<'EOF' > f\nx\nEOF",
        "hookd log - <<'EOF'; rm y\nx\nEOF",
        'hookd log <<< "$(rm y)"',
        "hookd() { rm y; }; hookd log x",
        "if hookd log x; then rm y; fi",
        "$HOOKD log x",
        'hookd log "$HOME"',
        "hookd log x$$",
        "hookd log *",
        "hookd log ~",
        'hookd log <<< "$x"',
        "hookd log <<'E\n' | sh\nrm x\nE",
        "hookd log 'x",
        "hookd log x )",
        "hookd log x \0",
        "hookd log " + "x" * LIMIT,
    ],
)
def test_a_command_with_anything_beside_it_is_not_single(text: str) -> None:
    assert read(text).single is None


@parametrize_all(
    ("text", "plain"),
    [
        ("git status && ls 2>&1 >/dev/null < f", True),
        ("git status > f", False),
        ("git status &>> f", False),
        ("PATH=.; git status", False),
        ("git() { ls; }; git status", False),
    ],
)
def test_a_side_effect_free_text_only_runs_its_commands(text: str, plain: bool) -> None:
    assert read(text).side_effect_free is plain


SHELLISH = st.lists(
    st.sampled_from([*"$`'\"(){}<>|&;#!=*?[]~\\ \n\ta1é", "<<E", "\nE\n", "rm ", "$(", "if ", "fi"])
    | st.text(max_size=3)
).map("".join)


@given(st.lists(st.text(st.characters(exclude_characters="\0\ufffd", exclude_categories=["Cs"]))))
@MORE
def test_quoted_words_are_read_as_they_are(arguments: list[str]) -> None:
    shell = read(shlex.join(["prog", *arguments]))
    # A long text is quoted in many signs, and shells disagree about a carriage return.
    if shell.unreadable is None:
        assert shell.single == Command(("prog", *arguments), exact=True)
    else:
        assert any(mark in "".join(arguments) for mark in ("\r", "[", "\ue000"))


@given(SHELLISH | st.text())
@MORE
@example("{\U000b4718")
@example("\ue0000\ue000" + "(" * 2_000)
@example("$$$$$$$$$fi!$<$")
@example("& ")
def test_no_text_makes_reading_fail_and_a_parse_error_is_never_passed_over(text: str) -> None:
    # The parser itself may crash on signs that are not ASCII, and fails on some valid heredocs.
    plain = re.sub(r"[^\0-\x7f]", ".", text).encode()
    views = (plain, simplified(plain))
    broken = "<<" not in text and all(PARSER.parse(one).root_node.has_error for one in views)
    if broken and not read(text).unreadable:
        # A text that was repaired for the parser in another way, which is valid for bash; or it
        # begins with PowerShell's `& `, and bash refuses the whole.
        accepted = subprocess.run(["bash", "-n"], input=plain, check=False).returncode == 0
        assert accepted or re.match(r"(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*&[ \t]", text)


_FLAGS = st.sampled_from([
    *("-f", "-rf", "-r", "--force", "--force=x", "--fo", "--", "--=x", "-m", "-mx", "-D", "-iname"),
    *("-F=", "--recursive", "--[a-f]*", "-*", "--name=value", "--name", "value", "x", ""),
])  # fmt: skip


@given(
    st.sampled_from(["rm", "git", "cp", "find", "chmod", "GIT", "tar"]),
    st.lists(_FLAGS, max_size=6),
    st.lists(_FLAGS, max_size=4),
)
def test_one_of_several_flags_is_given_where_any_of_them_is(
    program: str, words: list[str], flags: list[str]
) -> None:
    verb = ("commit",) if program == "git" else ()
    for given_words in ((program, *words), (program, *verb, *words)):
        argv = argv_of(given_words, (), exact=True)
        assert argv.has_any(tuple(flags)) == any(argv.has(flag) for flag in flags)


@parametrize_all("text", ["& rm x", "# a\n\n  & .venv\\Scripts\\python.exe -V\nrm x", "&\trm x"])
def test_a_text_that_begins_with_an_operator_runs_nothing(text: str) -> None:
    assert (words(text), read(text).unreadable) == ([], None)


@parametrize_all("text", ["&> x rm y", "&>> x rm y", "a & rm y", "'' & rm y"])
def test_another_sign_at_the_beginning_runs_something(text: str) -> None:
    assert "rm|y" in words(text)


@parametrize_all(
    ("text", "certain"),
    [
        ('A_COMMAND="x $B"; A_COMMAND+=" --y=$C"', True),
        ('GIT_SSH_COMMAND="x $B"', False),
        ('PROMPT_COMMAND+="; $B"', False),
    ],
)
def test_a_variable_with_a_command_for_the_script_itself_is_a_guess(
    text: str, certain: bool
) -> None:
    assert (read(text).unreadable is None) == certain
    assert "rm|x" in words("A_COMMAND='rm x'")
    assert "rm|x" in words("PROMPT_COMMAND+='rm x'")


@parametrize_all(
    ("text", "certain"),
    [
        ("aws ec2 describe-x --query 'A[?B==`c`].D'", True),
        ("aws x --query 'A[?B==`c`].D'; printf -v 'a[`rm x`]' y", False),
        ("test -v 'a[`rm x`]'", False),
        ("aws() { test -v \"$2\"; }; aws --query 'a[`rm x`]'", False),
        ("cat <<'X'\n\\timing on\nselect 1;\nX", True),
    ],
)
def test_a_query_in_backticks_is_no_substitution(text: str, certain: bool) -> None:
    assert (read(text).unreadable is None) == certain
