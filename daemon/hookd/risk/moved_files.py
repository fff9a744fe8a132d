"""Files that a text moves to where deletion passes, and then deletes there.

`mv src /tmp/x && rm -rf /tmp/x` deletes sources, not temporary files. The places are temporary
folders and folders that a build recreates, for data any other name. Two texts are judged apart.
"""

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase

from hookd.risk.data_files import deleted_data
from hookd.risk.model import CommandCall, Risk
from hookd.risk.path_areas import PHRASES, area, paths
from hookd.risk.quoting import quoted_word
from hookd.risk.rules.deletion import DELETERS, FINDERS, deletion_risk, start_folders
from hookd.shell.argv import Item

MOVERS = frozenset({"mv", "gmv", "git", "rsync"})
_INTO = ("-t", "--target-directory")
_WILD = frozenset("*?[")
_PASSING = frozenset({"scratch", "rebuildable"})
_INSTEAD = "Commit it first: a move to a temporary folder does not keep it."
_SOURCE = tuple[Item, CommandCall]


def deletions_of_moved(calls: Iterable[CommandCall]) -> Iterator[Risk]:
    """Yield the deletions of what an earlier command of the same text has moved there."""
    moved: dict[str, _SOURCE] = {}
    for call in calls:
        if call.program in MOVERS:
            moved |= _moves(call)
        elif moved and call.program in DELETERS | FINDERS:
            deletes = call.program in DELETERS or call.has("-delete", "-exec", "-execdir")
            yield from _deleted(call, moved) if deletes else ()


def _moves(call: CommandCall) -> Mapping[str, _SOURCE]:
    """Return the sources of a move by the paths that they may have afterwards."""
    items = list(call.items)
    if call.program == "git":
        if call.verb != "mv":
            return {}
        items = items[1:]
    elif call.program == "rsync" and not call.has("--remove-source-files"):
        return {}
    into = call.values(*_INTO)
    target = into[-1] if into else items[-1] if items else None
    if target is None:
        return {}
    passes = area(target, call.context) in _PASSING
    found: dict[str, _SOURCE] = {}
    sources = [item for item in items if item.place != target.place]
    for source in sources:
        if not (passes or deleted_data(source, call.context, "deletes")):
            continue
        name = posixpath.basename(source.text.rstrip("/"))
        for path in paths(target, call.context):
            found[posixpath.join(path, name)] = source, call
            if len(sources) == 1:
                found[path] = source, call
    return found


def _deleted(call: CommandCall, moved: Mapping[str, _SOURCE]) -> Iterator[Risk]:
    finds = call.program in FINDERS
    told: set[str] = set()
    left = dict(moved)
    for item in start_folders(call) if finds else call.items:
        for path in paths(item, call.context):
            for place in [place for place in left if _covers(path, place)]:
                source, mover = left.pop(place)
                if source.text in told:
                    continue
                risk = deletion_risk(source, mover, "deletes", tree=True)
                if risk is not None:
                    told.add(source.text)
                    where = PHRASES[area(source, mover.context)]
                    why = (
                        f"deletes {quoted_word(source.text)} ({where}), which is moved there before"
                    )
                    rule = "files.delete-moved"
                    yield replace(
                        risk, reason=why, alternative=_INSTEAD, command=call.text, rule=rule
                    )


def _covers(path: str, place: str) -> bool:
    """Return whether the deletion of a path, which may be a glob, deletes a place or a part."""
    if place.startswith(path) and place[len(path) : len(path) + 1] in ("", "/"):
        return True
    if path.startswith(place) and path[len(place)] == "/":
        return True
    if _WILD.isdisjoint(path):
        return False  # many files are often moved, and fnmatch is slow
    return any(fnmatchcase(part, path) for part in (place, posixpath.dirname(place)))
