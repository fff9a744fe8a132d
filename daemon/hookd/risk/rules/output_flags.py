"""Programs that write or delete files by a flag: `sort -o`, `zip -m`, `vim -c w`."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from hookd.lazy_pattern import lazy_compile
from hookd.programs.catalogue import flags_of, with_trait
from hookd.risk.model import CommandCall, Risk, RiskRule
from hookd.risk.rules.deletion import deletion_risk
from hookd.risk.rules.writes import write_risk
from hookd.risk.subcommands import joined_rule
from hookd.shell.argv import Item
from hookd.shell.command_flags import sed_scripts
from hookd.shell.words import Word

_LAST = {"uniq": 2, "split": 2, "xxd": 2}
"""Programs whose last word is their output file, if there are so many words."""

_GIT = {
    **dict.fromkeys(("diff", "log", "show", "stash", "range-diff", "diff-tree"), ("--output",)),
    "format-patch": ("-o", "--output-directory"),
    "archive": ("-o", "--output"),
}
_EDITORS = with_trait("edits")
_SAVES = lazy_compile(r"(?:^|[|:\n])[ \t]*[\d,$%.]*(?:w|write|wq|sav|saveas)!?[ \t]+([^\s|!]\S*)")
_SED_WRITES = lazy_compile(
    r"(?:^|[;{}\n])[ \t]*+(?>(?:(?:\d++|\$|/(?>(?:\\.|[^/\\\n])*)/)[I,~+!\d$ \t]*+)*)"
    r"[wW][ \t]+([^\n;]+)"
    r"|/[gpiIm\d]*w[ \t]+([^\n;]+)"
)


Saves = Callable[[CommandCall], Iterable[Item]]


def _of_flags(flags: tuple[str, ...]) -> Saves:
    return lambda call: call.values(*flags)


def _last(call: CommandCall) -> Iterable[Item]:
    items = [item for item in call.items if not item.optional]
    if len(items) >= _LAST[call.program] and not (call.program == "xxd" and not call.has("-r")):
        return items[-1:]
    return ()


def _git(call: CommandCall) -> Iterable[Item]:
    flags = _GIT.get(call.verb, ())
    if call.starts("bundle", "create"):
        return call.items[2:3]
    return call.values(*flags) if flags else ()


def _sed(call: CommandCall) -> Iterator[Item]:
    for script in sed_scripts([Word(text) for text in call.command.words]):
        targets = (first or two for first, two in _SED_WRITES.findall(script))
        yield from (Item(path.strip(), 0) for path in targets)


def _edited(call: CommandCall) -> Iterator[Item]:
    """Yield the files that an editor saves by command, and the file that ed edits in place."""
    texts = (*call.command.words[1:], *call.command.stdin)
    paths = [match.strip() for text in texts for match in _SAVES.findall(text)]
    saves = any(re.search(r"(?m)^[ \t]*(?:w|wq)$", text) for text in call.command.stdin)
    yield from call.items[:1] if call.program == "ed" and saves else ()
    yield from (Item(path, 0) for path in paths)


def _judged(saves: Saves) -> RiskRule:
    def rule(call: CommandCall) -> Iterator[Risk]:
        risks = (
            write_risk(item, call.context) for item in saves(call) if item.text not in ("", "-")
        )
        yield from (risk for risk in risks if risk is not None)

    return rule


def _packed(*flags: str) -> RiskRule:
    """Return the rule of a program that, by one of these flags, deletes the packed files."""

    def rule(call: CommandCall) -> Iterator[Risk]:
        deletes = any(flag in flags for flag, _ in call.words.flags)
        short = {flag[1:] for flag in flags if len(flag) == 2}
        clusters = (flag[1:] for flag, _ in call.words.flags if flag[:2] != "--")
        if deletes or any(short & set(letters) for letters in clusters):
            for item in call.items[1:]:
                if danger := deletion_risk(item, call, "packs, then deletes", tree=True):
                    yield danger

    return rule


SAVES: Mapping[str, Saves] = {
    **{name: _of_flags(flags) for name, flags in flags_of(lambda program: program.saves).items()},
    **dict.fromkeys(_LAST, _last),
    "git": _git,
    **dict.fromkeys(("sed", "gsed"), _sed),
    **dict.fromkeys(_EDITORS, _edited),
}
"""By the program's name: the files that it writes by a flag or a command of its own."""


def _table() -> Mapping[str, RiskRule]:
    rules = {name: _judged(saves) for name, saves in SAVES.items()}
    rules |= dict.fromkeys(with_trait("archives"), _packed("--remove-files"))
    rules["zip"] = _packed("-m", "--move")
    for name in ("7z", "7za", "7zz"):
        rules[name] = joined_rule(rules[name], _packed("-sdel"))
    return rules


RULES = _table()
"""By the program's name."""
