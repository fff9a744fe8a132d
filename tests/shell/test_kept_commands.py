"""A command in a variable is judged where the variable is run."""

from hookd.shell.commands import read
from support.parametrize import parametrize_all
from support.risks import said


@parametrize_all(
    ("text", "expected"),
    [
        ('C="rm -rf $HOME/src"; $C', "deny deletes"),
        ('C="rm -rf ${HOME}"; ${C}', "deny deletes"),
        ('if x; then C="rm -rf /"; else C=ls; fi; $C', "deny deletes"),
        ('for i in a b; do C="git push --force"; done; $C origin main', "deny force-push"),
        ('while read x; do y; done; C="rm -rf"; $C ~', "deny deletes"),
        ('local C="rm -rf $HOME"; $C', "deny deletes"),
        ('C="rm -rf $HOME/src"; bash -c "x"; $C', "deny deletes"),
        ("c=git; read x; $c push -f", "deny force-push"),
        ('C="npm run $X"; $C', ""),
        ('C="$1"; $C x', ""),
        ('T="python$V"; $T -m x', ""),
        ('M="rm -rf $HOME"; echo "$M"', ""),
        ('C="$X rm"; $C x', ""),
    ],
)
def test_a_command_in_a_variable_is_judged(text: str, expected: str) -> None:
    assert said(text) == expected


def test_the_text_is_a_guess_and_adds_no_flaw() -> None:
    assert read('C="a $X ("; $C').unreadable is None
