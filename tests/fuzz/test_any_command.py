"""Any text is parsed as a command and judged in bounded steps, with a sane result."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from fuzz.odd_values import ODD
from hookd.risk.analyze import assess
from hookd.risk.model import CallContext, Risk
from hookd.shell.commands import LIMIT, Shell, read

STEPS = 1_000_000
"""Calls of Python functions that the longest text may take: a count, so that no clock is asked."""

# fmt: off
PIECES = st.sampled_from([
    *"$`'\"(){}<>|&;#!=*?[]~\\ \n\t\r\0", "$(", "$((", "${a:-", "<<E\n", "\nE\n", "<<<", "<(",
    "if ", "fi;", "for a in ", "do ", "done;", "case x in ", "esac", "f() {", "rm -rf ", "sudo ",
    "xargs ", "sh -c '", "eval ", "env A=", "find . -exec ", "{} \\;", "python3 -c '", "curl ",
    "git push -f ", "cat ~/.ssh/id_rsa ", "docker run x ", "psql -c 'drop table a' ", "~/", "/etc/",
    "é", "😀", "\ufffd", "\u2028", "A=b ", "$A ", "@{u} ", "{a,b}", "*/", "ssh h ", "make -f ",
])
# fmt: on
SHORT = st.lists(PIECES | st.text(max_size=3), max_size=14).map("".join)
LONG = st.builds(
    lambda unit, times, end: unit * (times // max(1, len(unit))) + end,
    st.lists(PIECES, min_size=1, max_size=3).map("".join),
    st.sampled_from([1_000, 8_000, LIMIT - 100]),
    SHORT,
)
ANY = SHORT | LONG | ODD.filter(lambda value: isinstance(value, str))
PLACES = st.sampled_from(
    [
        CallContext(),
        CallContext(cwd="/w/shop", project="/w/shop", home="/home/ada"),
        CallContext(cwd="/", project="/w", home="/home/ada", values={"A": ("/", "x")}),
    ]
)


class TooManyStepsError(Exception):
    """More functions were called than may be."""


def counted(work: Callable[[], Any], most: int = STEPS) -> Any:
    """Return what the work returns, in at most so many calls of Python functions."""
    left = most

    def step(_frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal left
        left -= event == "call"
        if left < 0:
            raise TooManyStepsError

    before = sys.getprofile()
    sys.setprofile(step)
    try:
        return work()
    finally:
        sys.setprofile(before)


def sane(shell: Shell) -> None:
    """Check that every unknown text is within its command, or after it."""
    for command in shell.commands:
        assert all(isinstance(word, str) for word in command.words)
        for hole in command.holes:
            # Behind the last word any words may follow, once for each program that adds some.
            assert 0 <= hole.at < len(command.words) or hole.any
            assert hole.spread in ("", "home", "glob", "split")
        assert [hole.at for hole in command.holes] == sorted(hole.at for hole in command.holes)
        assert not command.exact or not command.holes
    for redirect in shell.redirects:
        assert redirect.operator
        assert redirect.hole is None or redirect.hole.at == 0
    if shell.single is not None:
        assert shell.unreadable is None
        assert shell.commands[0] == shell.single
    assert shell.unreadable is None or shell.unreadable.strip()


@given(ANY)
@example("(" * LIMIT)
@example("$(" * (LIMIT // 2))
@example("a=$a;" * (LIMIT // 5))
@example("sh -c " * (LIMIT // 6))
@example("{a,b}" * (LIMIT // 5))
@example("cat <<E\n" * (LIMIT // 8))
@example("find . -exec " * 1_200)
def test_any_text_is_read_in_bounded_steps_and_every_place_is_in_it(text: str) -> None:
    shell = counted(lambda: read(text))
    sane(shell)
    assert read(text) == shell


@given(ANY, PLACES)
@example("rm -rf " + "$A " * 9_000, CallContext(values={"A": ("/", "x")}))
@example("rm " * (LIMIT // 3), CallContext())
@example("find . -exec " * (LIMIT // 13), CallContext())
def test_any_text_is_judged_in_bounded_steps_and_every_danger_says_why(
    text: str, place: CallContext
) -> None:
    shell = read(text)
    found: list[Risk] = counted(lambda: list(assess(shell, place)))
    for one in found:
        assert one.reason.strip()
        assert one.severity in ("deny", "ask")
    assert found or not shell.unreadable, "what cannot be read is asked about"
