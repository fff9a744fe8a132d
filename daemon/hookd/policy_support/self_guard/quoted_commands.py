"""Texts that name a command which ends hookd, or a setting that turns all hooks off.

`BASH_ENV=<(echo hookd stop) bash -c true`, `npm pkg set scripts.x='hookd stop'`: no command of the
call runs it, but something may do so later. What programs only print, search or record is left
out: `git commit -m 'hookd stop: fix'`.
"""

import re
from collections.abc import Iterable, Iterator

from hookd.policy_support.self_guard.nested_commands import Text
from hookd.policy_support.self_guard.programs import CHANGES
from hookd.policy_support.self_guard.readers import is_reader, written_by
from hookd.risk.inline.source import programs
from hookd.risk.model import CommandCall
from hookd.risk.path_areas import area_of
from hookd.risk.written_files import PROGRAMS, Touched
from hookd.shell.quoting import names

_ENDS = re.compile(
    r"(?<![\w.-])hookd(?:[\s'\",\])}]{1,8}|\.cli\s{1,4})"
    r"(?:stop|restart|pause|uninstall|policies\s+(?:disable|set)|guard\s+remove)(?![\w-])"
)
OFF = re.compile(r"disableAllHooks|allowManagedHooksOnly")
"""Settings that turn hooks off."""

_LATER = re.compile(
    r"<\(|\b(?:BASH_ENV|ENV|PROMPT_COMMAND|PATH|EDITOR|VISUAL|PAGER|LESSOPEN|GIT_[A-Z_0-9]+)="
)
"""What makes a program run the text that another one prints or writes."""

_QUOTES = re.compile(r"[\"'\\]")
_COMMENT = re.compile(r"(?m)^[ \t]*#[^\n]*")
_STARTS = names("less more most man ssh watch tmux screen at batch crontab parallel xargs eval")
_STARTS |= names("ed ex perl find gfind")
"""Programs that print, search or change files, and may run what they are given."""


def ends_hookd(text: str, parts: Iterable[Text]) -> bool:
    """Return whether a call holds a command that ends hookd in a text that may be run."""
    if "hookd" not in text or not _ENDS.search(text):
        return False
    rest = _QUOTES.sub("", _COMMENT.sub("", text))
    if not _ENDS.search(rest):
        return False
    if _LATER.search(rest):
        return True
    for one in _printed(parts):
        rest = rest.replace(_QUOTES.sub("", one), " ")
    return _ENDS.search(rest) is not None


def turns_off(parts: Iterable[tuple[Text, list[Touched]]]) -> bool:
    """Return whether commands that name a setting which turns hooks off may write a file.

    Files in scratch folders do not count: nothing reads settings there.
    """
    for part, files in parts:
        for file in files:
            scratch = file.paths and all(
                area_of(path, part.place) == "scratch" for path in file.paths
            )
            if not scratch:
                return True
        for one in part.runs:
            call = CommandCall(one.command, part.place)
            words = (*one.command.words, *one.command.stdin)
            sets = call.program not in PROGRAMS and not is_reader(call)
            if sets and any(map(OFF.search, words)) and written_by(call) != ():
                return True
            if any(_writes(one.source) for one in programs(call)):
                return True
    return False


def _writes(source: str) -> bool:
    return CHANGES.search(source) is not None


def _printed(parts: Iterable[Text]) -> Iterator[str]:
    """Yield the texts that commands of a call only print, search or record."""
    for part in parts:
        for one in part.runs:
            call = CommandCall(one.command, part.place)
            calm = is_reader(call) or call.program in PROGRAMS
            if calm and call.program not in _STARTS and call.verb != "config":
                found = (*one.command.words[1:], *one.command.stdin, one.command.line)
                yield from (text.strip() for text in found if _ENDS.search(text))
