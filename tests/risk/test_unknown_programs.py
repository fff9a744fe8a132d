"""A program with a computed name is asked about if the name is hidden, or its words are risky."""

from support.parametrize import parametrize_all
from support.risks import judged, said

USUAL = [
    *["$TOOL x", "${TOOL:-tool} x", "$TOOL/bin/x y", "${NAME}-build --help", "$A/$B-$C/x y"],
    *[".venv/bin/$NAME y", ".venv/bin/${NAME}-build y", "target/$T/release/x", "python$V -m x"],
    *["${CROSS_COMPILE}gcc -c x.c", "gcc-$V x.c", "$PIP install -r requirements.txt"],
    *["$SUDO apt-get update", "$CC -f x", "$(which node) x", '"$SHELL" -c "make test"'],
    *["${1:-supabase} status", '"$env:LOCALAPPDATA\\x\\py.exe" install', "uv run x.py wheels/*"],
    *['run() { "$1" x; }; run make'],
    *["ls &&\nresults/ && ls", "c=git; read x; $c push"],
    *["${SHELL:-sh} -c 'ls'", "$MAKE -C x all", "${RUNNER} run -f x.yml"],
]
ASKED = [
    *["r${x}m foo", "${x}rm foo", "g$1t push", "r$@m foo", '"$@"', "$(echo rm) x", "${!x} y"],
    *["printf -v c '%s' rm; $c x", "printf -v 'c' rm; $c x", "read c; $c x", "c=$(pick); $c x"],
    *["printf -v c git; ${c}-lfs push", "$TOOL -c 'rm -rf ~'", "$SUDO rm -rf /", "$X git push -f"],
    *[
        "shut${x}down now",
        "env /bin/r* -rf ~",
        "wheels/* x",
        'f() { "$@"; }; f rm -rf ~',
        'f() { "$@"; }; f $(cat x)',
        "f() { a; }; f b; bash -c '\"$@\"' _ rm x",
        "$X -rf src",
        "$X -r ~",
        '$SHELL -c "$x"',
        "$BASH -c $x",
        "$X $Y rm -rf /",
    ],
]
DENIED = ["$SHELL -c 'rm -rf ~'", "${BASH} -c 'cd /; rm -rf *'", '"${SHELL:-sh}" -ec "rm -rf ~"']


@parametrize_all("text", USUAL)
def test_a_name_that_a_variable_completes_is_usual(text: str) -> None:
    assert said(text) == ""


@parametrize_all("text", ASKED)
def test_a_hidden_name_or_a_risky_word_after_it_is_asked_about(text: str) -> None:
    assert said(text).startswith("ask")


@parametrize_all("text", DENIED)
def test_the_shell_of_the_user_runs_a_text_like_any_other(text: str) -> None:
    assert said(text) == "deny deletes"


RETRY = 'retry() { local n=$1; shift; until "$@"; do sleep 1; done; }; '
RUN = 'run() {\n  echo "+ $*"\n  "$@"\n}\n'


@parametrize_all(
    ("text", "expected"),
    [
        (RUN + "run npm ci", ""),
        (RUN + "run npm ci && run npm test -- --ci > log 2>&1", ""),
        (RETRY + "retry 3 npm ci", ""),
        ('retry() { until "$@"; do sleep 1; done; }; retry npm ci', ""),
        (RUN + "run rm -rf ~", "deny deletes"),
        (RUN + "run npm ci; run git push --force", "deny force-push"),
        (RUN + "run rm -rf src", "ask deletes"),
        (RETRY + "retry 3 rm -rf ~", "ask deletes"),
        (RUN, "ask unreadable"),
        (RUN + "run $X", "ask unreadable"),
        (RUN + "run $(cat x)", "ask unreadable"),
        (RUN + "run npm ci; cat x | while read l; do run $l; done", "ask unreadable"),
        (RUN + 'run npm ci; set -- rm -rf ~; "$@"', "ask unreadable"),
        (RUN + 'run npm ci; eval "$x"', "ask unreadable"),
        ('run() { "$@" -rf ~; }; run rm', "ask unreadable"),
        ('"$@"', "ask unreadable"),
    ],
)
def test_a_function_that_runs_its_arguments_is_judged_by_its_calls(
    text: str, expected: str
) -> None:
    assert judged(text) == expected
