"""No command makes a rule fail, and the work is bounded: more is asked about."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from hookd.risk.analyze import assess
from hookd.risk.model import CallContext, CommandCall
from hookd.risk.registry import RULES, effect_texts
from hookd.risk.rules.deletion import FINDERS
from hookd.risk.unknown_programs import unnamed_program_risks
from hookd.shell.commands import Command, Shell
from hookd.shell.interpreters import SHELLS
from hookd.shell.words import UnknownText
from support.parametrize import parametrize_all
from support.risks import SHOP, found, said

FLAGS = (
    *("-", "--", "-r", "-rf", "-n", "-c", "-e", "-C", "-o", "-X", "-i", "-m", "-T", "-d", "-f"),
    *("--all", "--force", "--delete", "--dry-run", "--output", "--post-file=", "-D", "-exec", "-1"),
    *("-in", "-t", "-s", "-v", "--mount", "--exec", "--eval", "-S", "--", "-name", "-delete", "-O"),
)
OPERANDS = (
    *("", " ", "/", "~", ".", "..", "src", "*", "{}", "{", "=", ":", "+x", "@", "@~/.ssh/id_rsa"),
    *("delete", "rm", "run", "exec", "push", "s3", "config", "drop", "get", "secret", "api", "of="),
    *("drop table a", "if=/dev/sda", "777", "+s", "0", "s/a/b/", "os.chmod", "a\nb", "//h", "h:/x"),
    *(
        "'",
        "\\",
        "[",
        "\ud800",
        "é",
        "a" * 300,
        "unlink(",
        "$(",
        "`",
        "x=$A_TOKEN",
        "/proc/1/environ",
    ),
)
HOLES = (
    UnknownText(0),
    UnknownText(0, spread="split"),
    UnknownText(0, "-", "", "split"),
    UnknownText(0, "/", "x", "glob"),
    UnknownText(0, "a", "", "home"),
    UnknownText(0, "", "rm"),
)
WORD = st.sampled_from((*FLAGS, *OPERANDS)) | st.text(max_size=4)
UNKNOWN = st.dictionaries(st.integers(1, 6), st.sampled_from(HOLES), max_size=3)
PLACE = st.sampled_from(
    (SHOP, CallContext(), replace(SHOP, values={"A": ("/", "x"), "1": ("$1", "/etc")}))
)


def command(
    program: str, words: list[str], holes: dict[int, UnknownText], stdin: tuple[str, ...]
) -> Command:
    found = tuple(replace(hole, at=at) for at, hole in sorted(holes.items()))
    return Command((program, *words), not found, found, stdin=stdin, piped_input=bool(stdin))


@given(st.lists(WORD, max_size=6), UNKNOWN, st.lists(WORD, max_size=1), PLACE)
@settings(max_examples=10)  # each goes through a thousand programs
def test_no_words_make_a_rule_fail(
    words: list[str], holes: dict[int, UnknownText], stdin: list[str], place: CallContext
) -> None:
    for program, rules in RULES.items():
        one = command(program, words, holes, tuple(stdin))
        call = CommandCall(one, place)
        assert all(
            each.reason and each.severity in ("deny", "ask")
            for rule in rules
            for each in rule(call)
        )
        assert all(isinstance(text, str) for text in effect_texts(one))


@given(
    st.lists(
        st.builds(
            command,
            st.sampled_from(
                sorted({*SHELLS, *FINDERS, "curl", "xargs", "docker", "env", "git", "tee"})
            ),
            st.lists(WORD, max_size=4),
            UNKNOWN,
            st.lists(WORD, max_size=1).map(tuple),
        ),
        max_size=4,
    ),
    PLACE,
)
def test_no_command_line_makes_the_analysis_fail(line: list[Command], place: CallContext) -> None:
    run = [
        replace(one, wrappers=tuple(line[at - 1].words[:1]) if at % 2 else ())
        for at, one in enumerate(line)
    ]
    weights = [one.severity for one in assess(Shell(tuple(run), None, None), place)]
    assert weights == sorted(weights, key=("deny", "ask").index)


@parametrize_all("program", sorted(RULES))
def test_a_program_may_stand_alone(program: str) -> None:
    assert found(f"{program}") is not None


def test_a_command_of_unknown_words_only_is_assessed() -> None:
    unknown = Command((), False, (UnknownText(0, spread="split"),))
    assert [one.severity for one in unnamed_program_risks(CommandCall(unknown, SHOP))] == ["ask"]


def numbered(text: str, count: int) -> str:
    return "".join(text.replace("#", str(number)) for number in range(count))


MUCH = {
    "words": "rm -f " + "a " * 5_000,
    "words in many folders": numbered("a || cd d#; ", 3) + "rm -f " + numbered("a# ", 700),
    "unknown words": "rm -f " + '"$A"/x ' * 1_500,
    "signs": numbered("a#;", 1_100),
    "texts within texts": "; ".join(numbered("sh -c 'a# b'\n", 300).splitlines()),
    "a long program": "python3 - <<'E'\n" + "x = 1\n" * 6_000 + "E\n",
    "a program of many acts": "python3 - <<'E'\n" + numbered("os.remove('/tmp/a#')\n", 100) + "E\n",
    "a program of many calls": "node -e '" + 'fs.rmSync("/tmp/a"); ' * 200 + "'",
    "files that are opened": numbered("a || cd d#; ", 30) + numbered("a > b#; ", 600),
}


@parametrize_all("what", MUCH)
def test_a_text_beyond_the_limits_is_asked_about(what: str) -> None:
    assert said(MUCH[what]).startswith("ask"), what


def test_risks_found_before_the_limit_still_count() -> None:
    assert said("rm -rf /; rm -f " + "a " * 5_000) == "deny deletes"


def test_a_long_line_of_harmless_commands_passes() -> None:
    assert said("git add " + numbered("src/file#.ts ", 900)) == ""
    assert said("eslint " + numbered("src/file#.ts ", 900)) == ""
    assert said("cat > notes.md <<'E'\n" + "some words; (and more) `x` $y\n" * 1_500 + "E\n") == ""


@parametrize_all(
    "text",
    [
        *["gh secret delete X", "hg strip .", "fly destroy", "docker stack rm x", "reboot"],
        *[
            "npm unpublish x",
            "dropuser x",
            "nmcli networking off",
            "systemctl stop x",
            "kill -9 -1",
        ],
        *["wrangler delete", "iptables -F", "git filter-branch x", "crontab x", "aws iam x-policy"],
        *["git push -f", "mkfs /dev/sda1", "curl x | sh", "$(make-it)", "setfacl -R -m u:x:rwx ."],
    ],
)
def test_each_risk_has_a_safe_way(text: str) -> None:
    """A rule that names none has that of its kind of risk."""
    assert all(risk.alternative for risk in found(text))
