"""The home of commands whose program is not known from the text: `$TOOL x`, `"$@"`."""

import re
from collections.abc import Iterator

from hookd.risk.model import CommandCall, Risk
from hookd.risk.rules.deletion import deletion

_NAMED = re.compile(
    r"\$\{?[A-Za-z_]\w*\}?(?:/[\w./-]+)?|\$\{[A-Za-z_]\w*:?-(?:python|node|pip|npm)[\d.]*\}|\$\([^()]*\)/[\w./-]+"
)
_FOUND = re.compile(r"\$\(\s*(?:which|command -v|type -p)\s+[\w.-]+\s*\)")
_ECHOED = re.compile(r"(?:\$\(|`)\s*(?:echo|printf)\b")
_INSTEAD = "With the program's name in the text it can be judged."


def nameless(call: CommandCall) -> Iterator[Risk]:
    """Yield what may be wrong with a command of an unknown program.

    A variable that names one is usual. What deletes, were it rm, is asked about; so is a program
    whose name another command makes.
    """
    if not call.command.words:
        if call.command.holes:
            why = "runs a program that another one names"
            yield Risk("unreadable", "ask", why, _INSTEAD, certain=False, command=call.text)
        return
    said = call.command.words[0]
    deletes = call.has("-r") or call.has("-R") or call.has("-f")
    found = [deletion(item, call, "deletes", tree=True) for item in call.items] if deletes else []
    values = call.context.values.get(said.strip("${}"))
    filled = values is not None and all(value[:1] in ("$", "`") for value in values)
    usual = (_NAMED.fullmatch(said) and not filled) or _FOUND.fullmatch(said)
    if any(found) or not usual:
        why = f"runs a program that is not known from the text ({said[:40]})"
        yield Risk("unreadable", "ask", why, _INSTEAD, certain=False, command=call.text)
    if _ECHOED.match(said):
        yield from (one for one in found if one is not None and one.severity == "deny")
