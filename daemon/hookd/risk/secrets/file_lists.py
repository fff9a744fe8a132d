"""Home of the secrets that one program names and another reads: by find, by xargs."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise

from hookd.risk.model import CommandCall, Risk, RiskRule
from hookd.risk.rules.deletion import starts
from hookd.risk.secrets.harmless import QUIET, names_only
from hookd.risk.secrets.paths import Secret, may_name, within
from hookd.risk.secrets.readers import COPYING, MATCHING, SHOWING, first, reading
from hookd.shell.interpreters import SHELLS
from hookd.shell.quoting import names

_FINDERS = names("find gfind")
_NAMING = _FINDERS | names("fd fdfind ls echo printf grep rg locate git")
"""Programs whose output may be names of files that stand among their own words."""

_TESTS = names("-name -iname -path -ipath -wholename -iwholename")
_COUNTED = ("-l", "-c", "-q", "-L", "--count", "--quiet", "--files-with-matches", "-noout")
_READERS = SHOWING | MATCHING | COPYING


def _find(call: CommandCall) -> Iterator[Risk]:
    """What find names is read where it starts a program that reads."""
    words = call.command.words
    for at, (word, after) in enumerate(pairwise(words)):
        if word not in ("-exec", "-execdir", "-ok", "-okdir"):
            continue
        rest = words[at + 2 :]
        own = rest[: next((n for n, one in enumerate(rest) if one in (";", "+")), len(rest))]
        runs = after.rpartition("/")[2]
        counts = runs in MATCHING | {"openssl"} and not set(own).isdisjoint(_COUNTED)
        if runs not in QUIET and not counts and (found := _found(call)):
            yield reading(call, found)
            return


def _found(call: CommandCall) -> Secret | None:
    """Return the first secret that find may come upon: by its tests, else by where it begins."""
    asked = list(_asked(call.command.words))
    begins = starts(call)
    if not asked:
        return first(call, begins)
    joined = (f"{start.text.rstrip('/')}/{test}" for start in begins[:8] for test in asked[:8])
    return next(filter(None, (may_name(one, call.context) for one in (*asked, *joined))), None)


def _asked(words: tuple[str, ...]) -> Iterator[str]:
    """Yield the patterns of names that find is told to find, less those that it passes over."""
    for before, word, after in zip(words, words[1:], words[2:], strict=False):
        if word in _TESTS and before not in ("!", "-not"):
            yield after


def _lists(call: CommandCall) -> Iterator[Risk]:
    """The words of a file become the words of a command, which xargs shows where it is told to."""
    if found := first(call, call.values("-a", "--arg-file")):
        yield reading(call, found)


def handed(calls: tuple[CommandCall, ...]) -> Iterator[Risk]:
    """Yield the secrets whose names are handed to xargs, which runs what reads them."""
    reader = next((call for call in calls if _by_xargs(call)), None)
    for call in calls if reader is not None else ():
        if call.program not in _NAMING:
            continue
        if call.program in _FINDERS:
            found = _found(call)
        else:
            found = next(filter(None, (within(item, call.context) for item in call.items)), None)
        if found:
            yield replace(reading(call, found), command=reader.text if reader else "")


def _by_xargs(call: CommandCall) -> bool:
    by = bool({"xargs", "gxargs", "parallel"} & set(call.command.wrappers[-1:]))
    return by and call.program in _READERS | SHELLS and not names_only(call)


LISTS: Mapping[str, RiskRule] = {
    **dict.fromkeys(_FINDERS, _find),
    **dict.fromkeys(names("xargs gxargs"), _lists),
}
"""By program: the secrets that it names for another to read."""
