"""Deletion of files: rm, unlink, find -delete, truncate, shred, ..."""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import replace

from hookd.lazy_pattern import lazy_compile
from hookd.programs.catalogue import with_trait
from hookd.programs.model import Severity
from hookd.risk.data_files import deleted_data, emptied_file
from hookd.risk.model import SCRATCH, CallContext, CommandCall, Risk, RiskRule
from hookd.risk.path_areas import (
    FAR,
    PHRASES,
    Area,
    area,
    is_recreated_file,
    is_recreated_folder,
    means_everything,
    paths,
)
from hookd.risk.quoting import quoted_word
from hookd.shell.argv import Item
from hookd.shell.commands import Command, read
from hookd.shell.interpreters import SHELLS

_HARMLESS = frozenset({"rebuildable", "scratch"})
DELETERS = with_trait("deletes")
"""Programs that delete their arguments."""

FINDERS = with_trait("finds")
_FILE = lazy_compile(
    r"[\w.@+-]+\.(?:json|txt|md|tsx?|[cm]?jsx?|pyi?|rb|go|rs|java|kt|c|h|cc|cpp|cs|php|s?css|html?"
    r"|xml|ya?ml|toml|ini|cfg|conf|csv|tsv|sql|png|jpe?g|gif|svg|webp|pdf|zip|gz|tgz|tar|xz|sh|lock"
    r"|env|patch|diff|snap|ipynb|wasm)"
)
"""Names of files, not folders: nothing is below them."""

_SWITCH = lazy_compile(r"/[A-Za-z]")
_ANY_FILE = frozenset({"-delete", "-type", "-depth", "-mindepth", "-maxdepth", "-print", "-xdev"})
_NAMED_FILE = lazy_compile(r"/[\w${}.-]*\w\.\w+$")
_VARIABLE_FOLDER = lazy_compile(r"\$\{?(\w+)\}?/")
_BEFORE_PLACES = frozenset({"-H", "-L", "-P", "-D", "-O"})
_NAMING = ("-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename")
_EITHER = frozenset({"-o", "-or", ","})

_SET = "`${TMPDIR:?}` stops if the variable is not set."
_INSTEAD = "Commit what matters in it first: nothing else can be restored."
_SHARED = "Other programs have their files there: delete only those that this session created."
_USERS = "Ask the user to delete it: nothing restores what is outside of the project."
_OVERWRITTEN = "Ask the user: no program restores what shred has overwritten."


def deletion_risk(item: Item, call: CommandCall, verb: str, *, tree: bool) -> Risk | None:
    """Return the risk of deleting an item; `tree`: with everything below it."""
    where = area(item, call.context)
    every = means_everything(item.text)
    if where == "scratch" and (risk := _all_of_scratch(item, call.context, verb)):
        return risk
    if where in _HARMLESS or (where == "repository" and item.text.endswith(".lock")):
        return None
    if risk := deleted_data(item, call.context, verb):
        return risk
    name = item.text.rstrip("/").rpartition("/")[2]
    if where == "outside" and not item.unknown and is_recreated_folder(name):
        weight: Severity = "ask"
    elif where in FAR:
        weight = "deny" if tree or every or where != "outside" else "ask"
    elif where == "repository" or tree or _many(item, call) or every or _broad(name):
        weight = "ask"
    else:
        return None
    if (
        where in ("inside", "unknown")
        and item.text
        and (is_recreated_file(name) or _FILE.fullmatch(name))
    ):
        return None
    return _said(item, where, weight, verb, tree=tree)


def _said(item: Item, where: Area, weight: Severity, verb: str, *, tree: bool) -> Risk:
    below = " and everything below it" if tree else ""
    what = (
        f"{quoted_word(item.text)} ({PHRASES[where]})"
        if item.text
        else "what another program names"
    )
    instead = _SET if where == "unset" else _USERS if where in FAR else _INSTEAD
    known = where != "unknown" or not (tree or means_everything(item.text))
    variable = None if known else _VARIABLE_FOLDER.match(item.text)
    if variable is not None:
        below += f", from the root of the file system if {variable[1]} is empty"
        instead = f"Name the folder; `${{{variable[1]}:?}}` stops if the variable is empty."
    return Risk("deletes", weight, f"{verb} {what}{below}", instead, certain=item.fixed)


def _all_of_scratch(item: Item, place: CallContext, verb: str) -> Risk | None:
    """Return the risk of deleting a folder that all programs have temporary files in.

    The user may name it as scratch. `${TMPDIR:?}` is rather a folder of this session.
    """
    if item.text.startswith("${TMPDIR:?"):
        return None
    shared = set(SCRATCH).difference(place.scratch[len(SCRATCH) :])
    for path in paths(item, place):
        folder = posixpath.dirname(path) if means_everything(path) else path
        if folder in shared:
            why = f"{verb} {quoted_word(item.text)}: the temporary files of all programs"
            return Risk("deletes", "ask", why, _SHARED, item.fixed, rule="files.empty-scratch")
    return None


def _many(item: Item, call: CommandCall) -> bool:
    """Return whether it may be any number of words, flags among them.

    `$DIR/part_$N.sam` names one file, even if no value of its variables is known.
    """
    if is_inserted(item, call):
        return True
    if item.hole is None or not item.hole.any or _NAMED_FILE.search(item.text):
        return False
    return not paths(item, call.context)


def is_inserted(item: Item, call: CommandCall) -> bool:
    """Return whether xargs makes the item, or a part of it, of each line of its input."""
    variable = "$" in item.text or "`" in item.text
    return item.hole is not None and not variable and "xargs" in call.command.wrappers[-1:]


def _broad(name: str) -> bool:
    """Return whether a glob means all files of an extension: `*.py`."""
    return name.startswith("*.") and not is_recreated_file(name)


def _through_find(call: CommandCall, item: Item) -> bool:
    """Return whether the item is a result of find, whose own rule covers it."""
    return "{}" in item.text and "{}" in call.context.values


def _rm(call: CommandCall) -> Iterator[Risk]:
    if call.has("--help", "--version"):
        return
    tree = call.has("-r") or call.program == "rimraf"
    kept = _without_output([item.text for item in call.items])
    for item in call.items:
        if not item.text and not item.unknown:
            continue  # "" is no file
        if item.text not in kept and area(item, call.context) == "inside":
            continue
        danger = deletion_risk(item, call, "deletes", tree=tree)
        if danger and not _through_find(call, item):
            rule = danger.rule or ("rm.recursive" if tree else "rm.file")
            yield replace(danger, rule=rule)
    if call.has("--no-preserve-root"):
        yield Risk("deletes", "deny", "disables the protection of /", rule="rm.no-preserve-root")


def _shred(call: CommandCall) -> Iterator[Risk]:
    for item in call.items:
        where = area(item, call.context)
        if where == "device":
            why = f"overwrites the device {quoted_word(item.text)}"
            yield Risk("disk", "deny", why, _OVERWRITTEN)
        elif where not in _HARMLESS and not _through_find(call, item):
            weight: Severity = "deny" if where in FAR else "ask"
            done = "overwrites and deletes" if call.has("-u", "--remove") else "overwrites"
            risk = _said(item, where, weight, done, tree=False)
            yield replace(risk, alternative=_OVERWRITTEN)


def _truncate(call: CommandCall) -> Iterator[Risk]:
    size = {item.text for item in call.values("-s", "--size")}
    if not size or any(sign[:1] in "+>%/" for sign in size):
        return
    for item in call.items:
        where = area(item, call.context)
        if item.text in size:
            continue
        if where in (*FAR, "repository"):
            yield _said(item, where, "deny", "cuts off", tree=False)
        elif where == "inside" and (risk := emptied_file(item, call.context, "cuts off")):
            yield risk


def start_folders(call: CommandCall) -> tuple[Item, ...]:
    """Return the folders in which find starts."""
    flags = [at for flag, at in call.words.flags if flag[:2] not in _BEFORE_PLACES]
    first = min(flags, default=len(call.command.words))
    folders = tuple(item for item in call.items if item.place < first and item.text not in "(!")
    return folders or (Item(".", 0),)


def _find(call: CommandCall) -> Iterator[Risk]:
    if call.has("-delete") or _executes(call):
        yield from find_risks(call)


def find_risks(call: CommandCall) -> Iterator[Risk]:
    """Yield the risk of deleting everything that a call of find finds."""
    recreated = _finds_recreated(call)
    for item in start_folders(call):
        where = area(item, call.context)
        if item.many and item.text in ("$TMPDIR", "${TMPDIR}") and where == "scratch":
            where = "unset" if "TMPDIR" not in call.context.values else where
        if not _narrowed(call) and (risk := _all_of_scratch(item, call.context, "empties")):
            yield replace(risk, rule="find.delete")
        if where in _HARMLESS or (where not in FAR and (recreated or call.has("-empty"))):
            continue
        weight: Severity = (
            "deny" if where in FAR and not (where == "outside" and recreated) else "ask"
        )
        why = f"deletes what it finds below {quoted_word(item.text)} ({PHRASES[where]})"
        yield Risk(
            "deletes",
            weight,
            why,
            f"Without {_deleting(call)} it lists them.",
            certain=item.fixed,
            rule="find.delete",
        )


def _deleting(call: CommandCall) -> str:
    """Return the word by which the results of find are deleted."""
    words = call.command.words
    return next((word for word in words if word in _ACTIONS), "xargs")


_ACTIONS = ("-delete", "-exec", "-execdir", "-ok", "-okdir")


def _finds_recreated(call: CommandCall) -> bool:
    """Return whether find selects only names of what a build recreates.

    A negated test narrows this further, unless it is an alternative: `! -name x -o -name y`.
    """
    words = call.command.words
    negated = {at + 2 for at, word in enumerate(words) if word in ("!", "-not")}
    if call.has("-regex", "-iregex") or (negated and not _EITHER.isdisjoint(words)):
        return False
    names = [item.text for item in call.values(*_NAMING) if item.place not in negated]
    return bool(names) and all(map(_throwaway, _without_output(names)))


def _without_output(names: list[str]) -> list[str]:
    """Return names without `bin` where `obj` is among them: the outputs of .NET."""
    last = [name.rstrip("/").rpartition("/")[2] for name in names]
    if "obj" not in last:
        return names
    return [name for name, own in zip(names, last, strict=True) if own != "bin"]


def _narrowed(call: CommandCall) -> bool:
    """Return whether a call of find selects files by more than their kind."""
    return any(flag not in _ANY_FILE for flag, _ in call.words.flags)


def ls_risks(call: CommandCall) -> Iterator[Risk]:
    """Yield the risk of deleting everything that a call of ls names."""
    risks = (deletion_risk(item, call, "deletes", tree=False) for item in call.items)
    yield from (replace(risk, rule=risk.rule or "rm.file") for risk in risks if risk is not None)


def _throwaway(pattern: str) -> bool:
    return is_recreated_file(pattern) or any(
        map(is_recreated_file, pattern.replace("*/", "/").split("/"))
    )


def _executes(call: CommandCall) -> bool:
    """Return whether find runs a program that deletes its results."""
    words = call.command.words
    runs = [at for at, word in enumerate(words) if word in ("-exec", "-execdir", "-ok", "-okdir")]
    rest = [words[at + 1 :] for at in runs]
    return any(_deletes(words) for words in rest)


def _deletes(words: tuple[str, ...]) -> bool:
    if "/dev/null" in words[:2]:
        return True  # cp /dev/null FILE
    at = next((n for n, word in enumerate(words) if _plain(word) not in _WRAPPERS), len(words))
    first = _plain(words[at]) if at < len(words) else ""
    if first in SHELLS:
        return any(map(_script_deletes, words[at + 1 : at + 4]))
    return first in DELETERS | {"truncate"}


def _plain(word: str) -> str:
    return word.rpartition("/")[2].lstrip("\\")


def _script_deletes(text: str) -> bool:
    """Return whether a text that runs for each file deletes or empties it."""
    if re.search(r"[\"'\s]", text) is None or "$" not in text:
        return False
    script = read(text)
    emptied = [
        part for part in script.redirects if part.operator in (">", ">|") and "$" in part.path
    ]
    return bool(emptied) or any(
        part.argv.name in DELETERS | {"truncate"} and any("$" in word for word in part.words[1:])
        for part in script.commands
    )


_WRAPPERS = frozenset({"sudo", "nice", "env", "command", "doas"})


def _windows(call: CommandCall) -> Iterator[Risk]:
    """Yield the deletions by the programs of Windows: `rmdir /s /q src`, `del *.*`."""
    switches = [item for item in call.items if _SWITCH.fullmatch(item.text)]
    tree = any(item.text.lower() == "/s" for item in switches)
    if not tree and call.program in ("rd", "rmdir"):
        return  # it deletes empty folders only
    for item in call.items:
        if item not in switches and (risk := deletion_risk(item, call, "deletes", tree=tree)):
            yield replace(risk, rule=risk.rule or "rm.recursive")


def _cmd(call: CommandCall) -> Iterator[Risk]:
    """Yield the deletions by the shell of Windows: `cmd /c rd /s /q src`."""
    words = call.command.words
    at = next((at for at, word in enumerate(words) if word.lower() in ("/c", "//c", "/k")), None)
    inner = words[at + 1 :] if at is not None else ()
    inner = tuple(inner[0].split()) if len(inner) == 1 else inner
    if inner and inner[0].lower() in _WINDOWS:
        yield from _windows(replace(call, command=Command(inner, exact=True)))


_WINDOWS = ("rd", "rmdir", "del", "erase")


def _remove_item(call: CommandCall) -> Iterator[Risk]:
    """Yield the deletions by PowerShell's cmdlet, run as a program."""
    flags = [flag.lower() for flag, _ in call.words.flags]
    tree = any(flag.startswith("-r") for flag in flags)
    for item in call.items if "-whatif" not in flags else ():
        if risk := deletion_risk(item, call, "deletes", tree=tree):
            yield replace(risk, rule=risk.rule or "rm.recursive")


def _rmdir(call: CommandCall) -> Iterator[Risk]:
    """Yield the deletions by rmdir, which deletes empty folders only, apart from Windows."""
    yield from _windows(call)
    yield from (risk for risk in _rm(call) if risk.severity == "deny")


def _robocopy(call: CommandCall) -> Iterator[Risk]:
    """Yield the risk of making a folder equal to another one; `/L` only lists."""
    switches = {item.text.lower() for item in call.items}
    if switches & {"/mir", "/purge", "/mov", "/move"} and "/l" not in switches:
        moves = switches & {"/mov", "/move"}
        what = "the files that it copies" if moves else "what is only in the target"
        yield Risk("deletes", "ask", f"deletes {what}", "`/L` lists what would be deleted.")


def _fd(call: CommandCall) -> Iterator[Risk]:
    texts = [_plain(item.text) for item in call.values("-x", "-X", "--exec", "--exec-batch")]
    endings = [f"*.{item.text.lstrip('.')}" for item in call.values("-e", "--extension")]
    if endings and all(map(is_recreated_file, endings)):
        return
    if any(name in DELETERS for name in texts):
        why = "deletes what it finds"
        yield Risk("deletes", "ask", why, "Without -x it lists them.", certain=False)


def _gio(call: CommandCall) -> Iterator[Risk]:
    """Yield the deletions of a desktop's file tool, apart from those into the trash."""
    if call.verb == "remove":
        risks = (deletion_risk(item, call, "deletes", tree=False) for item in call.items[1:])
        yield from (risk for risk in risks if risk is not None)


def _history(call: CommandCall) -> Iterator[Risk]:
    """Yield the deletion of the shell's list of earlier commands."""
    if call.has("-c", "-d"):
        why = "deletes commands from the history of the shell"
        yield Risk("deletes", "ask", why, "The history is the user's: ask first.")


RULES: dict[str, RiskRule] = {
    "gio": _gio,
    "history": _history,
    "rm": _rm,
    "grm": _rm,
    "srm": _rm,
    "rimraf": _rm,
    "unlink": _rm,
    "rmdir": _rmdir,
    **dict.fromkeys(("rd", "del", "erase"), _windows),
    **dict.fromkeys(("cmd", "cmd.exe"), _cmd),
    "remove-item": _remove_item,
    "robocopy": _robocopy,
    "shred": _shred,
    "gshred": _shred,
    "wipe": _shred,
    "truncate": _truncate,
    "find": _find,
    "gfind": _find,
    "fd": _fd,
    "fdfind": _fd,
}
"""By the program's name."""
