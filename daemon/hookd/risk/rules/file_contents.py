"""Files that lose their content without being deleted: overwritten, emptied, read too late.

Only files of the project: writing elsewhere has rules of its own, and no build output counts.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from hookd.lazy_pattern import lazy_compile
from hookd.programs.catalogue import with_trait
from hookd.risk.data_files import emptied, emptied_file, overwritten_data, read_too_late
from hookd.risk.model import CallContext, CommandCall, Risk
from hookd.risk.path_areas import paths
from hookd.shell.argv import Item
from hookd.shell.commands import Redirect
from hookd.shell.overwritten_input import INPUT
from hookd.shell.words import UnknownText

_SOURCES_OF_NOTHING = frozenset({"/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"})
_REPLACES = frozenset({">", ">|", "&>"})
_READERS = with_trait("shows", "filters", "searches", "decodes")
_NO_READERS = with_trait("prints-words", "takes-text", "prints-names") - _READERS
_SCRIPTED = with_trait("filters", "searches")
"""Programs whose first word is no file, unless a flag has the pattern or the script."""

_MAX_FOLDERS = 8
"""Folders in which a file is looked for; with more, its path is unknown."""

_ALL_LINES = lazy_compile(
    r"\s*(?:(?:[01]\s*,\s*\$|/(?:\^|\$|\.|\.\*|\^\.\*\$?)/)?\s*d|s(\W)\^?\.[*+]\$?\1\1[gmsx]*)\s*;?\s*"
)
"""Scripts of sed that delete every line, or its content."""


def content_risk(
    redirect: Redirect, places: Sequence[CallContext], folders: Sequence[str | None]
) -> Risk | None:
    """Return the risk that a redirection loses the content of a file in each of these places.

    `folders` are all in which the redirection may be.
    """
    if redirect.operator not in _REPLACES or not places:
        return None
    item = Item(redirect.path, 0, redirect.hole)
    risks = [_replaced(redirect, item, place) for place in places]
    if risks[0] is None or None in risks:
        return None
    found = [paths(item, replace(places[0], cwd=folder)) for folder in folders[:_MAX_FOLDERS]]
    known = item.fixed and all(found) and len(folders) <= _MAX_FOLDERS
    files = tuple(dict.fromkeys(path for some in found for path in some)) if known else ()
    line = f"{redirect.operator} {redirect.path}"
    return replace(risks[0], files=files, command=line)


def _replaced(redirect: Redirect, item: Item, place: CallContext) -> Risk | None:
    reader = next((words for words in redirect.naming if _reads(words, redirect.path)), None)
    if reader is not None:
        return read_too_late(item, place, "" if reader[0] == INPUT else reader[0])
    if redirect.text is not None and not redirect.text.strip() and (risk := emptied(item, place)):
        return risk if risk.rule == "files.lose-data" else replace(risk, if_present=True)
    return overwritten_data(item, place)


def _reads(words: tuple[str, ...], path: str) -> bool:
    """Return whether a command reads a file that is among its words."""
    program = words[0].rpartition("/")[2]
    if program == INPUT:
        return True
    if program in _NO_READERS:
        return False
    operands = [word for word in words[1:] if word[:1] != "-"]
    if program in _SCRIPTED and operands[:1] == [path] and operands.count(path) == 1:
        return any(word in ("-e", "-f") for word in words)
    return program in _READERS or "." in path or "/" in path


def copied_over(sources: list[Item], targets: list[Item], call: CommandCall) -> Iterator[Risk]:
    """Yield the risks for the content of the files that a copy or a move replaces."""
    if len(sources) != 1:
        return
    nothing = sources[0].text in _SOURCES_OF_NOTHING
    judged = emptied if nothing else overwritten_data
    for target in targets:
        risk = judged(_inside(target, sources[0]), call.context)
        if risk is not None and not call.has(*_KEEPS):
            yield risk


_KEEPS = ("-n", "--no-clobber", "-b", "--backup", "-i", "-u", "--update")


def _inside(target: Item, source: Item) -> Item:
    """Return the file that a source becomes if its target is visibly a folder."""
    folder, name = target.text.rstrip("/"), source.text.rpartition("/")[2]
    if target.text[-1:] != "/" and folder.rpartition("/")[2] not in (".", ".."):
        return target
    return Item(f"{folder}/{name}", target.place, target.hole or source.hole)


def dumped(source: Item | None, target: Item, call: CommandCall) -> Risk | None:
    """Return the risk of dd for the content of its target."""
    nothing = source is not None and source.text[3:] in _SOURCES_OF_NOTHING
    return (emptied if nothing else overwritten_data)(target, call.context)


def emptied_by_script(
    scripts: Sequence[Item], files: Sequence[Item], call: CommandCall
) -> Iterator[Risk]:
    """Yield the risks of an edit in place whose script deletes, or does not print, every line."""
    texts = [item.text for item in scripts if not item.unknown]
    silent = bool(texts) and _prints_no_line(call, texts)
    if silent or any(_ALL_LINES.fullmatch(text) is not None for text in texts):
        listed = Item("", 0, UnknownText(0)) if call.command.wrappers else None
        for item in files or ((listed,) if listed else ()):
            if risk := emptied_file(item, call.context):
                yield risk


def _prints_no_line(call: CommandCall, scripts: list[str]) -> bool:
    """Return whether lines are printed by a command only, and the scripts have none."""
    letters = "".join(flag.partition("e")[0] for flag, _ in call.words.flags if flag[:2] != "--")
    quiet = "n" in letters and "p" not in letters
    if call.program == "perl":
        return quiet and not any(_PRINTS.search(text) for text in scripts)
    return quiet and all(_REPLACES_ONLY.fullmatch(text) for text in scripts)


_PRINTS = lazy_compile(r"\b(?:print|printf|say|syswrite|write|require|do|use)\b|`|\$_\s*\|")
_REPLACES_ONLY = lazy_compile(r"\s*s(\W)(?:(?!\1).)*\1(?:(?!\1).)*\1[gIi\d]*\s*")


def replaced_by_tee(call: CommandCall) -> Iterator[Risk]:
    """Yield the risks for the files that tee replaces; without a pipe its input may be empty."""
    if call.has("-a", "--append"):
        return
    fed = call.command.piped_input or call.command.stdin
    for item in call.items:
        if risk := (overwritten_data if fed else emptied)(item, call.context, "replaces"):
            yield risk


def read_beside_tee(calls: Iterable[CommandCall]) -> Iterator[Risk]:
    """Yield the files that tee empties while the command before it in the pipe reads them."""
    before: CommandCall | None = None
    for call in calls:
        if before is not None and call.program in TEES and call.command.piped_input:
            words = before.command.words
            for item in call.items:
                named = item.text in words[1:] and _reads(words, item.text)
                if named and (risk := read_too_late(item, call.context, words[0])):
                    yield replace(risk, command=call.text)
        before = call


TEES = frozenset({"tee", "gtee"})
