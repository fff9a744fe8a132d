"""Texts that list protected paths with one command, and change what is listed with another.

`F=$(ls ~/.claude/settings.json); echo {} > $F`, `grep -l x .claude/* | xargs sed -i s/x/y/`: the
names that are changed are not known from the text, but they may be those that are listed.
"""

import re
from collections.abc import Iterable

from hookd.core.danger.entry import Call
from hookd.core.danger.files import FINDERS, starts
from hookd.core.danger.paths import paths
from hookd.core.own_files import Ground
from hookd.core.own_mentions import is_own
from hookd.core.own_reads import is_reader, written_by
from hookd.core.own_texts import Text
from hookd.core.shell.runners import SHELLS
from hookd.core.written import PROGRAMS, Touched

_VARIABLE = re.compile(r"\$\{?\w+\}?|\S*\{\}\S*|")
_RUN_BY_LISTS = frozenset({"xargs", "gxargs", "find", "gfind", "parallel"})


def changed_of_listed(text: Text, files: Iterable[Touched], own: Ground) -> str:
    """Return the protected path that a text lists and may change; "" where there is none."""
    unknown = any(not file.paths and _VARIABLE.fullmatch(file.text) for file in files)
    if not unknown and not any(_changes_listed(text, number) for number in range(len(text.runs))):
        return ""
    found = (_listed(Call(one.command, text.at(one.folders[-1])), own) for one in text.runs)
    return next((one for one in found if one), "")


def _changes_listed(text: Text, number: int) -> bool:
    """Return whether a command is run with words that another one lists, and may change them."""
    one = text.runs[number]
    if _RUN_BY_LISTS.isdisjoint(one.command.through):
        return False
    call = Call(one.command, text.place)
    if call.program in PROGRAMS:
        return bool(one.within or one.listed)
    return call.program in SHELLS or (not is_reader(call) and written_by(call) != ())


def _listed(call: Call, own: Ground) -> str:
    if call.program in FINDERS:
        return _found(call, own)
    return next((item.text for item in call.items if is_own(item, call, own)), "")


def _found(call: Call, own: Ground) -> str:
    """Return where find looks, if it may find a protected path there by the names it asks for."""
    names = [item.text for item in call.values("-name", "-iname")]
    for start in starts(call):
        for path in paths(start, call.place):
            near = own.below(path, names) if names else own.holder(path) or own.above(path)
            if near:
                return f"{start.text}/{names[0]}" if names else start.text
    return ""
