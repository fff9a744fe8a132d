"""A pattern hits what a call does, covers only what it is sure of, and says when it cannot tell."""

import shlex

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.events.tool_pattern import ToolCall, covers, matches, may_match, parse
from support.parametrize import parametrize_all

MORE = hypothesis.settings(
    max_examples=3 * hypothesis.settings.default.max_examples,
)
"""No property here is about time."""


def verdict(pattern: str, call: ToolCall) -> str:
    """Return h, c and u for hits, covers and undecided; a dash for none of them."""
    parsed = parse(pattern)
    found = {"h": matches(parsed, call), "c": covers(parsed, call), "u": may_match(parsed, call)}
    return "".join(letter for letter, true in found.items() if true) or "-"


BASH = [
    ("rm -rf *", "rm -rf x", "hc"),
    ("rm -rf *", "rm -fr x", "hc"),
    ("rm -rf *", "rm -r -f x", "hc"),
    ("rm -rf *", "rm -v -f x -r", "hc"),
    ("rm -rf *", "rm x -rf", "hc"),
    ("rm -rf *", "rm -rf", "hc"),
    ("rm -rf *", "rm -Rf x", "hc"),
    ("rm -rf *", "rm --recursive --force x", "hc"),
    ("rm -rf *", "rm -r --force x", "hc"),
    ("rm -rf *", "rm --rec --fo x", "u"),
    ("rm -rf *", "rm --force x", "-"),
    ("rm -rf *", "RM -rf x", "u"),
    ("rm -rf *", "rm.exe -rf x", "hc"),
    ("rm --recursive *", "rm -rf x", "hc"),
    ("rm -rf *", "grep -r 'rm -rf' .", "-"),
    ("rm -rf *", "ls # rm -rf x", "-"),
    ("rm -rf *", "rm notes.txt", "-"),
    ("rm -rf *", ". script", "-"),
    ("rm -rf *", "rm -r x", "-"),
    ("rm -rf *", "rm -- -rf", "-"),
    ("rm -rf *", "rm - r f", "-"),
    ("rm -rf *", "/bin/rm -rf x", "hc"),
    ("rm -rf *", "./rm -rf x", "h"),
    ("rm -rf *", "ls && rm -rf x", "h"),
    ("rm -rf *", "echo rm -rf x", "-"),
    ("rm -rf *", "echo 'rm -rf x' # rm -rf x", "-"),
    ("rm -rf *", "cat <<'E'\nrm -rf x\nE", "-"),
    ("rm -rf *", "git commit -m 'rm -rf x'", "-"),
    ("rm -rf *", "rmdir -rf x", "-"),
    ("/bin/rm *", "/bin/rm x", "hc"),
    ("/bin/rm *", "/usr/../bin/rm x", "hc"),
    ("/bin/rm *", "rm x", "-"),
    ("*/rm *", "/opt/rm x", "hc"),
    ("rm", "rm", "hc"),
    ("rm", "rm x", "-"),
    ("rm", "rm -f", "h"),
    ("rm *", "rm -f x", "hc"),
    ("rm -f", "rm -fv", "h"),
    ("mv * *", "mv a b", "hc"),
    ("mv * *", "mv a", "hc"),
    ("mv * b", "mv a b", "hc"),
    ("git push *", "git push", "hc"),
    ("git push *", "git push origin main", "hc"),
    ("git push:*", "git push origin main", "hc"),
    ("git push:*", "git pushx", "-"),
    ("git:*", "git", "hc"),
    ("npm run test:*", "npm run test:unit", "hc"),
    ("npm run test:*", "npm run test x", "hc"),
    ("git push*", "git push origin", "h"),
    ("rm -rf*", "rm -rf x", "h"),
    ("git push --force *", "git push --force", "hc"),
    ("git push --force *", "git push origin --force=x", "hc"),
    ("git push --force *", "git push --force-with-lease", "-"),
    ("git push --force *", "git push -uf origin main", "hc"),
    ("git push --force *", "git push origin main", "-"),
    ("git push --force *", "git push origin +main", "-"),
    ("git push --force *", "git push -of origin", "-"),
    ("git push --force *", "git -C x push -f", "hu"),
    ("git push --force *", "git -c alias.p='push -f' p", "h"),
    ("git push --force *", "git config alias.p 'push -f'", "h"),
    ("git commit --no-verify *", "git commit -anm x", "hc"),
    ("git commit --no-verify *", "git commit -mnow", "-"),
    ("git branch -D *", "git branch -d --force x", "hc"),
    ("git push --force *", "git push --forc", "u"),
    ("git push --force* *", "git push --force-with-lease", "hc"),
    ("git push --force *", "git commit -m '--force'", "-"),
    ("kubectl --context=prod *", "kubectl get x --context=prod", "h"),
    ("kubectl --context=prod *", "kubectl --context prod get x", "h"),
    ("kubectl --context=prod *", "kubectl --context=dev get x", "-"),
    ("kubectl --context=prod *", "kubectl --context $x get x", "u"),
    ("curl -X DELETE *", "curl -X DELETE url", "hc"),
    ("curl -X DELETE *", "curl url -XDELETE", "h"),
    ("curl -X DELETE *", "curl url -sX DELETE", "h"),
    ("curl -X DELETE *", "curl -X GET url", "-"),
    ("git push origin *", "git push -o ci origin x", "u"),
    ("find * -delete", "find . -delete", "hc"),
    ("find * -delete", "find . -name elt -depth", "-"),
    ("git checkout -- *", "git checkout -- x", "hc"),
    ("git checkout -- *", "git checkout x", "-"),
    ("git status", "git status 2>&1 >/dev/null", "hc"),
    ("git status", "git status > f", "h"),
    ("git status", "PATH=. git status", "h"),
    ("git status", "PATH=.; git status", "h"),
    ("git status", "git() { ls; }; git status", "h"),
    ("git status", "git status && git status", "hc"),
    ("git status", "git status && ls", "h"),
    ("git status", "git status $(git status)", "hu"),
    ("git status", "/tmp/git status", "h"),
    ("git status", "sudo git status", "h"),
    ("git status", "env A=b git status", "h"),
    ("git *", "git $X", "hc"),
    ("git log *", "git $X", "u"),
    ("ls *", "ls *.py ~ $x", "hc"),
    ("ls", "ls *.py", "u"),
    ("* *.env", "cat .env", "hc"),
    ("* *.env", "ls *", "-"),
    ("* *.env", "echo $? $X", "-"),
    ("* *.env", "wc -l $(git ls-files)", "-"),
    ("* *.env", "cat $(pwd)/.env", "u"),
    ("* *.env", "$X .env", "h"),
    ("* publish *", 'echo "$X"', "-"),
    ("* publish *", "make $X publish", "u"),
    ("* --force", "git push $X", "-"),
    ("*", "anything at all", "hc"),
    ("*", "$x", "h"),
    ("*", "", "-"),
    ("* --force", "git --force", "hc"),
    ("git commit --no-verify *", "git commit -m \"$(cat <<'E'\n--no-verify\nE\n)\"", "h"),
]

EVASIONS = [
    ("\\rm -rf /", "h"),
    ("'rm' -rf /", "h"),
    ("r\"m\" -r''f /", "h"),
    ("$'\\x72m' -rf /", "h"),
    ("rm$IFS-rf$IFS/", "h"),
    ("rm${IFS}-rf /", "h"),
    ("rm$IFS$9-rf /", "u"),
    ("rm -r\\f /", "h"),
    ("rm -r\\\nf /", "u"),
    ("rm \\\n-rf /", "h"),
    ("rm -{r,f} /", "h"),
    ("x=rm; $x -rf /", "h"),
    ("x=-rf; rm $x /", "h"),
    ("x=ls; x=rm; $x -rf /", "h"),
    ("$x -rf /", "u"),
    ("$(echo rm) -rf /", "u"),
    ("`echo rm` -rf /", "u"),
    ("r$1m -rf /", "u"),
    ('r"$@"m -rf /', "u"),
    ("/bin/r? -rf /", "u"),
    ("/bin/r[m] -rf /", "u"),
    ("rm $x /", "u"),
    ('rm "$x" /', "u"),
    ("rm -r$x /", "u"),
    ("rm -$x /", "u"),
    ("rm -r $(echo -f) /", "u"),
    ("rm *", "u"),
    ('f() { rm "$@"; }; f -rf /', "u"),
    ("echo -rf / | xargs rm", "u"),
    ("xargs rm -rf", "h"),
    ("find . -exec rm -rf {} +", "h"),
    ("sh -c 'rm -rf /'", "h"),
    ("sh -c 'rm \"$@\"' x -rf /", "u"),
    ('sh -c "$x"', "u"),
    ("eval 'rm -rf /'", "h"),
    ('eval "$x"', "u"),
    ("bash <<< 'rm -rf /'", "h"),
    ("bash <<E\nrm -rf /\nE", "h"),
    ("echo `rm -rf /`", "h"),
    ('echo "$(rm -rf /)"', "h"),
    ("echo `echo \\`rm -rf /\\``", "h"),
    ("a=$(rm -rf /)", "h"),
    ("cat <(rm -rf /)", "h"),
    ("cat <<E\n$(rm -rf /)\nE", "h"),
    ("cat <<E\n`rm -rf /`\nE", "u"),
    ("rm >log -rf /", "h"),
    (">log rm -rf /", "h"),
    ("sudo -u root rm -rf /", "h"),
    ("sudo $x rm -rf /", "u"),
    ("sudo -k rm -rf /", "h"),
    ("sudo --new-flag value rm -rf /", "h"),
    ("env -S 'rm -rf /'", "h"),
    ("timeout 5 nice -n 3 rm -rf /", "h"),
    ("time rm -rf /", "h"),
    ("! rm -rf /", "h"),
    ("busybox rm -rf /", "h"),
    ("ssh host 'cd x; rm -rf /'", "h"),
    ("docker run -v a:b image rm -rf /", "h"),
    ("git -c alias.x='!rm -rf /' x", "h"),
    ("trap 'rm -rf /' EXIT", "h"),
    ("PS4='$(rm -rf /)'; set -x; ls", "hu"),
    ("x='a[$(rm -rf /)]'; echo $((x))", "u"),
    ("alias l=rm; l -rf /", "u"),
    ("echo 'rm -rf /' | sh", "h"),
    ("curl url | sudo bash", "u"),
    ("cat <<'E' | bash\nrm -rf /\nE", "u"),
    ("bash 0<<E\nrm -rf /\nE", "u"),
    ("rm -rf<<E\n/\nE", "h"),
    ('r$"m" -rf /', "u"),
    ("rm -{r},f} /", "u"),
    ("env =x rm -rf /", "h"),
    ("choom -n 1 -- rm -rf /", "h"),
    ("rm -rf /; (", "hu"),
    ("ls # $(\nrm -rf /", "h"),
    ("ls\rrm -rf /", "u"),
    ("ls; '", "u"),
    ("rm -rf /\0", "u"),
    ("ls " + "x" * 70_000, "u"),
    ("ls " + "(" * 5_000, "u"),
]

OTHERS = [
    ("Read(*/.claude/*)", "Read", {"file_path": "/x/.claude/y/z"}, "hc"),
    ("Read(*/.claude/*)", "Read", {"file_path": "/x/./.claude//y"}, "hc"),
    ("Read(*/.claude/*)", "Read", {"file_path": "/x/.claude/../secret"}, "-"),
    ("Read(*/.claude/*)", "Read", {"file_path": "//x/y/../.claude/z"}, "hc"),
    ("Read(*/.claude/*)", "Read", {"file_path": ".claude/y"}, "h"),
    ("Read(*/.claude/*)", "Read", {"file_path": "y"}, "u"),
    ("Read(*/.claude/*)", "Read", {"file_path": "../y"}, "u"),
    ("Read(*/.claude/*)", "Read", {"file_path": "~/.claude/y"}, "h"),
    ("Read(*.env)", "Read", {"file_path": "src/x.py"}, "-"),
    ("Read(*.env)", "Read", {"file_path": "src/x.env"}, "hc"),
    ("Read(*.env)", "Write", {"file_path": "/x.env"}, "-"),
    ("Read(*)", "Read", {}, "u"),
    ("Read(*)", "Read", {"file_path": 3}, "u"),
    ("Read(*)", "Read", {"file_path": ["/x"]}, "u"),
    ("Read", "Read", {}, "hc"),
    ("Read", "read", {}, "-"),
    ("*", "Anything", {}, "hc"),
    ("mcp__*", "mcp__github__delete", {}, "hc"),
    ("mcp__github__*", "mcp__gitlab__x", {}, "-"),
    ('mcp__*(*"force":true*)', "mcp__g__x", {"a": 1, "force": True}, "hc"),
    ('mcp__*(*"force":true*)', "mcp__g__x", {"force": False}, "-"),
    ("Edit(/x/*)", "Edit", {"file_path": "/x/y"}, "hc"),
    ("Edit(/x/*)", "Edit", {"file_path": "/x/../y"}, "-"),
    ("*(/x/*)", "NotebookEdit", {"notebook_path": "/x/y"}, "hc"),
    ("NotebookEdit(/x/*)", "NotebookEdit", {"file_path": "/x/y"}, "u"),
    ("Skill(deploy*)", "Skill", {"skill": "deploy-all"}, "hc"),
    ("Grep(*secret*)", "Grep", {"pattern": "my secret"}, "hc"),
    ("WebFetch(https://x.org/*)", "WebFetch", {"url": "https://x.org/a"}, "hc"),
    ("WebFetch(https://x.org/*)", "WebFetch", {"url": "http://x.org/a"}, "-"),
    ("Task(review)", "Agent", {"subagent_type": "review"}, "hc"),
    ("Agent", "Task", {}, "hc"),
    ("Bash", "Bash", {}, "hc"),
    ("Bash(rm *)", "Bash", {}, "u"),
    ("Bash(rm *)", "Bash", {"command": None}, "u"),
    ("Bash(rm *)", "Bash", {"command": ["rm", "x"]}, "u"),
    ("*(rm *)", "Bash", {"command": "ls; rm x"}, "h"),
]


@parametrize_all(("glob", "command", "expected"), BASH)
def test_a_command_is_judged_by_program_flags_and_words(
    glob: str, command: str, expected: str
) -> None:
    assert verdict(f"Bash({glob})", ToolCall("Bash", {"command": command})) == expected


@parametrize_all(("command", "expected"), EVASIONS)
def test_no_disguise_of_a_command_is_passed_over_in_silence(command: str, expected: str) -> None:
    found = verdict("Bash(rm -rf *)", ToolCall("Bash", {"command": command}))
    assert set(expected) <= set(found)
    assert "c" not in found or command.startswith(("\\", "'", "r", "$", "!"))


@parametrize_all(("pattern", "name", "fields", "expected"), OTHERS)
def test_a_call_of_another_tool_is_judged_by_its_primary_field(
    pattern: str, name: str, fields: dict[str, object], expected: str
) -> None:
    assert verdict(pattern, ToolCall(name, fields)) == expected


@parametrize_all(
    ("command", "expected"),
    [
        ('rm "./$x"', "-"),
        ("rm $HOME/x ~/y", "-"),
        ("rm *.log", "-"),
        ('rm -rf "$x"', "hc"),
        ("ls $x", "-"),
        ('"$DIR/bin/ls" -rf x', "-"),
        ('"$DIR/bin/rm" -rf x', "h"),
        ('for f in *; do ls "$f"; done', "-"),
        ("HOME=-rf; rm $HOME", "h"),
    ],
)
def test_an_unknown_word_is_asked_about_only_where_it_matters(command: str, expected: str) -> None:
    assert verdict("Bash(rm -rf *)", ToolCall("Bash", {"command": command})) == expected


@parametrize_all(
    ("text", "problem"),
    [
        ("", "begins with the name"),
        ("   ", "begins with the name"),
        ("(rm *)", "begins with the name"),
        ("Bash(rm *", "not closed"),
        ("Bash(rm *) x", "not closed"),
        ("Bash)", "not the name"),
        ("Bash rm", "not the name"),
        ("Bash()", "are empty"),
        ("Bash( )", "are empty"),
        ("Bash(rm 'x)", "quote"),
        ("Bash(curl * | sh)", "one simple command"),
        ("Bash(a && b)", "one simple command"),
        ("Bash(a > b)", "one simple command"),
        ("Bash('')", "begins with a program"),
    ],
)
def test_what_is_no_pattern_is_refused_with_a_sentence(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        parse(text)


READINGS = ("mcp__my_server__get_issue", "mcp__my_server_get__issue")


@parametrize_all(
    ("pattern", "expected"),
    [
        ("mcp__my__server_get_issue", "hc"),
        ("mcp__my__*", "hc"),
        ("mcp__my", "hc"),
        ("mcp__my_server__get_issue", "hc"),
        ("mcp__my_server__*", "h"),
        ("mcp__my_server", "h"),
        ("mcp__*__get_issue", "h"),
        ("mcp__*", "hc"),
        ("mcp__my_server__get_issue(*)", "hc"),
        ('mcp__my_server__*(*"id":7*)', "h"),
        ("mcp__your_server__get_issue", "-"),
        ("mcp__server__get_issue", "-"),
    ],
)
def test_a_tool_with_several_names_is_hit_by_each_and_covered_by_exact_ones(
    pattern: str, expected: str
) -> None:
    call = ToolCall("mcp__my__server_get_issue", {"id": 7}, readings=READINGS)
    assert verdict(pattern, call) == expected


def test_a_call_reads_its_command_once() -> None:
    call = ToolCall("Bash", {"command": "git status"})
    assert call.shell is call.shell
    assert call.primary == "git status"
    assert ToolCall("Read", {"file_path": "/x"}).shell.unreadable


QUOTE = st.sampled_from([shlex.quote, lambda text: f'"$(: ){text.translate(ESCAPED)}"'])
ESCAPED = str.maketrans({sign: f"\\{sign}" for sign in '$`"\\'})
WRAPPERS = st.sampled_from(
    [
        *["sudo {}", "sudo -u root {}", "env A=1 {}", "nice -n 5 {}", "timeout 5 {}", "nohup {}"],
        *["command {}", "exec {}", "busybox {}", "xargs -n 1 {}", "strace -f {}", "time {}"],
        *["find . -exec {} ';'", "find . -exec {} +", "git bisect run {}"],
    ]
)
AROUND = st.sampled_from(
    [
        *[
            "A=1 {}",
            "! {}",
            "({})",
            "{{ {}; }}",
            "if {}; then :; fi",
            "for i in 1; do {}; done",
            "f() {{ {}; }}; f",
        ],
        *["ls; {}", "ls\n{}", "ls & {}", "ls && {}", "ls | {}", "{} | ls", "{} &", "# x\n{}"],
        *["echo $({})", 'echo "$({})"', "cat <({})", "x=$({})", "case x in x) {};; esac"],
        *["cat <<E\n$({})\nE", "bash <<E\n{}\nE", "while {}; do :; done", "coproc {}"],
    ]
)
SCRIPTS = st.sampled_from(
    [
        *["bash -c {}", "sh -ec {}", "sh <<< {}", "eval {}", "ssh host {}", "su -c {}"],
        *["echo {} | sh", "env -S {}", "sudo bash -lc {}", "xargs sh -c {}", 'x={}; eval "$x"'],
        *["trap {} EXIT", "alias x={}", "EDITOR={} git commit"],
    ]
)


@st.composite
def wrapped(draw: st.DrawFn) -> str:
    """Draw a way to run `rm -rf x`: programs before it, then shell and scripts around it."""
    text = draw(st.sampled_from(["rm -rf x", "/bin/rm x -fr", "'rm' -r --force x", "\\rm -f -R x"]))
    for wrapper in draw(st.lists(WRAPPERS, max_size=2)):
        text = wrapper.format(text)
    for around in draw(st.lists(AROUND, max_size=2)):
        text = around.format(text)
    for script in draw(st.lists(SCRIPTS, max_size=2)):
        text = script.format(draw(QUOTE)(text))
    return text


@given(wrapped())
@MORE
def test_no_chain_of_wrappers_hides_a_command(command: str) -> None:
    found = verdict("Bash(rm -rf *)", ToolCall("Bash", {"command": command}))
    assert set("hu") & set(found)


@MORE
@given(st.text(max_size=30), st.sampled_from(["rm *", "git push --force *", "* -x *", "a:*"]))
def test_no_command_makes_judging_fail_and_none_is_covered_without_a_hit(
    command: str, glob: str
) -> None:
    found = verdict(f"Bash({glob})", ToolCall("Bash", {"command": command}))
    assert "c" not in found or "h" in found


@MORE
@given(st.lists(st.sampled_from(["-r", "-f", "-v", "x", "-rf", "--", "y"]), max_size=6))
def test_a_hit_needs_every_flag_before_the_double_dash(words: list[str]) -> None:
    command = " ".join(["rm", *words])
    flags = words[: words.index("--")] if "--" in words else words
    given_letters = {letter for flag in flags if flag[0] == "-" for letter in flag}
    assert matches(parse("Bash(rm -rf *)"), ToolCall("Bash", {"command": command})) == (
        {"r", "f"} <= given_letters
    )


@parametrize_all(
    ("pattern", "command", "strictly", "loosely"),
    [
        ("rm -rf out/*", "rm -rf out/x", True, True),
        ("rm -rf out/*", "rm -rf out/../../..", False, False),
        ("rm -rf out/*", "rm -rf out//../../..", False, False),
        ("rm -rf out/../x/*", "rm -rf out/../x/y", True, True),
        ("rm -rf out/*", "rm -rf out/..x/y", True, True),
        ("git push --force origin *", "git push --force origin x", True, True),
        ("git push --force origin *", "git push --force --mirror origin x", False, True),
        ("git push --force origin *", "git push --force --receive-pack=x origin x", False, False),
        ("git push --force origin *", "git push --force origin +x :main", False, True),
        ("git push --force origin *", "git push --force origin $X", False, True),
        ("git push --force origin *", "git push --force origin ../x", False, True),
        ("hookd *", "hookd log --task a b", False, True),
    ],
)
def test_a_strict_pattern_covers_plain_words_alone(
    pattern: str, command: str, strictly: bool, loosely: bool
) -> None:
    call = ToolCall("Bash", {"command": command})
    assert covers(parse(f"Bash({pattern})"), call, strictly=True) is strictly
    assert covers(parse(f"Bash({pattern})"), call) is loosely
