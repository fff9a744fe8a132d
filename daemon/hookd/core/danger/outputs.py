"""The home of programs that write, or remove, files by a flag: `sort -o`, `zip -m`, `vim -c w`."""

import re
from collections.abc import Iterator, Mapping

from hookd.core.danger.entry import Call, Danger, Rule
from hookd.core.danger.files import deletion
from hookd.core.danger.transfers import writing
from hookd.core.danger.verbs import joined
from hookd.core.shell.escapes import names
from hookd.core.shell.flag_texts import sed_scripts
from hookd.core.shell.flags import Item
from hookd.core.shell.words import Word

_FLAGS = {
    "sort gsort": ("-o", "--output"),
    "find gfind": ("-fprint", "-fprint0", "-fprintf", "-fls"),
    "openssl": ("-out", "-keyout"),
    "gpg gpg2": ("-o", "--output"),
    "base64 base32": ("-o", "--output"),
    "awk gawk": ("-o", "--output-file"),
    "csplit": ("-f", "--prefix"),
    "cpio": ("-D", "--directory"),
    "7z 7za 7zz": ("-o",),
    "yq": ("-s",),
}
_LAST = {"uniq": 2, "split": 2, "xxd": 2}
"""Programs whose last word is the file that they write, where there are so many."""

_GIT = {
    **dict.fromkeys(("diff", "log", "show", "stash", "range-diff", "diff-tree"), ("--output",)),
    "format-patch": ("-o", "--output-directory"),
    "archive": ("-o", "--output"),
}
_EDITORS = names("vim vi nvim ex view ed emacs")
_SAVES = re.compile(r"(?:^|[|:\n])[ \t]*[\d,$%.]*(?:w|write|wq|sav|saveas)!?[ \t]+([^\s|!]\S*)")
_SED_WRITES = re.compile(
    r"(?:^|[;{}\n])[ \t]*+(?:(?:\d++|\$|/(?:\\.|[^/\\\n])*+/)[I,~+!\d$ \t]*+)*+[wW][ \t]+([^\n;]+)"
    r"|/[gpiIm\d]*w[ \t]+([^\n;]+)"
)
_INSTEAD = "Without that flag the files stay."


def _of_flags(flags: tuple[str, ...]) -> Rule:
    def rule(call: Call) -> Iterator[Danger]:
        yield from _each(call, call.values(*flags))

    return rule


def _each(call: Call, items: tuple[Item, ...]) -> Iterator[Danger]:
    said = (writing(item, call.place) for item in items if item.text not in ("", "-"))
    yield from (one for one in said if one is not None)


def _last(call: Call) -> Iterator[Danger]:
    items = [item for item in call.items if not item.optional]
    if len(items) >= _LAST[call.program] and not (call.program == "xxd" and not call.has("-r")):
        yield from _each(call, tuple(items[-1:]))


def _git(call: Call) -> Iterator[Danger]:
    flags = _GIT.get(call.verb, ())
    yield from _each(call, call.values(*flags) if flags else ())
    if call.starts("bundle", "create"):
        yield from _each(call, call.items[2:3])


def _sed(call: Call) -> Iterator[Danger]:
    for script in sed_scripts([Word(text) for text in call.command.words]):
        found = (one or two for one, two in _SED_WRITES.findall(script))
        yield from _each(call, tuple(Item(path.strip(), 0) for path in found))


def _edited(call: Call) -> Iterator[Danger]:
    """Judge what an editor is told to save, and the file of ed, which it edits in place."""
    texts = (*call.command.words[1:], *call.command.stdin)
    paths = [found.strip() for text in texts for found in _SAVES.findall(text)]
    saves = any(re.search(r"(?m)^[ \t]*(?:w|wq)$", text) for text in call.command.stdin)
    edited = call.items[:1] if call.program == "ed" and saves else ()
    yield from _each(call, (*edited, *(Item(path, 0) for path in paths)))


def _packed(*flags: str) -> Rule:
    """Return the rule of a program that removes, with one of these flags, what it has packed."""

    def rule(call: Call) -> Iterator[Danger]:
        given = any(flag in flags for flag, _ in call.words.flags)
        short = {flag[1:] for flag in flags if len(flag) == 2}
        clusters = (flag[1:] for flag, _ in call.words.flags if flag[:2] != "--")
        if given or any(short & set(letters) for letters in clusters):
            for item in call.items[1:]:
                if danger := deletion(item, call, "removes, once it is packed,", tree=True):
                    yield danger

    return rule


def _table() -> Mapping[str, Rule]:
    rules = {name: _of_flags(flags) for many, flags in _FLAGS.items() for name in many.split()}
    rules |= dict.fromkeys(_LAST, _last)
    rules |= {"git": _git, **dict.fromkeys(("sed", "gsed"), _sed)}
    rules |= dict.fromkeys(_EDITORS, _edited)
    rules |= dict.fromkeys(("tar", "gtar", "bsdtar"), _packed("--remove-files"))
    rules["zip"] = _packed("-m", "--move")
    for name in ("7z", "7za", "7zz"):
        rules[name] = joined(rules[name], _packed("-sdel"))
    return rules


RULES = _table()
"""By the program's name."""
