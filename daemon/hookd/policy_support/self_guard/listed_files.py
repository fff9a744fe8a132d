"""Texts that list protected paths with one command, and change what is listed with another.

`F=$(ls ~/.claude/settings.json); echo {} > $F`, `grep -l x .claude/* | xargs sed -i s/x/y/`: the
names that are changed are not known from the text, but they may be those that are listed.
"""

import re
from collections.abc import Iterable

from hookd.policy_support.self_guard.files import ProtectedFiles
from hookd.policy_support.self_guard.mentions import is_own
from hookd.policy_support.self_guard.nested_commands import Text
from hookd.policy_support.self_guard.readers import is_reader, written_by
from hookd.risk.model import CommandCall
from hookd.risk.path_areas import paths
from hookd.risk.rules.deletion import FINDERS, starts
from hookd.risk.written_files import PROGRAMS, Touched
from hookd.shell.interpreters import SHELLS

_VARIABLE = re.compile(r"\$\{?\w+\}?|\S*\{\}\S*|")
_RUN_BY_LISTS = frozenset({"xargs", "gxargs", "find", "gfind", "parallel"})


def changed_of_listed(text: Text, files: Iterable[Touched], own: ProtectedFiles) -> str:
    """Return the protected path that a text lists and may change; "" where there is none."""
    unknown = any(not file.paths and _VARIABLE.fullmatch(file.text) for file in files)
    if not unknown and not any(_changes_listed(text, number) for number in range(len(text.runs))):
        return ""
    found = (_listed(CommandCall(one.command, text.at(one.folders[-1])), own) for one in text.runs)
    return next((one for one in found if one), "")


def _changes_listed(text: Text, number: int) -> bool:
    """Return whether a command is run with words that another one lists, and may change them."""
    one = text.runs[number]
    if _RUN_BY_LISTS.isdisjoint(one.command.wrappers):
        return False
    call = CommandCall(one.command, text.place)
    if call.program in PROGRAMS:
        return bool(one.within or one.listed)
    return call.program in SHELLS or (not is_reader(call) and written_by(call) != ())


def _listed(call: CommandCall, own: ProtectedFiles) -> str:
    if call.program in FINDERS:
        return _found(call, own)
    return next((item.text for item in call.items if is_own(item, call, own)), "")


def _found(call: CommandCall, own: ProtectedFiles) -> str:
    """Return where find looks, if it may find a protected path there by the names it asks for."""
    names = [item.text for item in call.values("-name", "-iname")]
    for start in starts(call):
        for path in paths(start, call.context):
            near = own.below(path, names) if names else own.holder(path) or own.above(path)
            if near:
                return f"{start.text}/{names[0]}" if names else start.text
    return ""
