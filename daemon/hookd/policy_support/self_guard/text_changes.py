"""What a shell text changes of hookd, as far as the text itself tells.

It is the same each time that a decision is repeated with more facts, or that a call is made again,
so it is kept. What depends on facts is returned as a question: files whose links are to be
followed, what lands where, packages that are installed from a folder.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest
from typing import NamedTuple

from hookd.policy_support.self_guard.client_commands import client_change
from hookd.policy_support.self_guard.embedded_code import (
    OFF,
    ends_hookd,
    program_change,
    text_change,
    turns_off,
)
from hookd.policy_support.self_guard.file_destinations import Landing
from hookd.policy_support.self_guard.hookd_commands import RunningDaemon, change, guessed
from hookd.policy_support.self_guard.nested_commands import Text, texts_of
from hookd.policy_support.self_guard.packages import installed_folders, package_change
from hookd.policy_support.self_guard.path_arguments import (
    ANYWHERE,
    exported,
    given_away,
    linked_above,
    mentioned,
    recorded,
    spoken_to,
)
from hookd.policy_support.self_guard.processes import process_change
from hookd.policy_support.self_guard.protected_files import ProtectedFiles
from hookd.policy_support.self_guard.readers import is_plain
from hookd.policy_support.self_guard.unknown_targets import changed_of_listed, unclear_change
from hookd.programs.catalogue import with_trait
from hookd.risk.execution import PlacedCommand
from hookd.risk.model import CallContext, CommandCall
from hookd.risk.registry import RULES
from hookd.risk.unknown_programs import argument_tails, may_run, nested_texts
from hookd.risk.written_files import TouchedFile, touched_files
from hookd.shell.commands import read
from hookd.shell.interpreters import SHELLS
from hookd.shell.text_cache import cached_by_text

_OPENS = with_trait("opens-own-file")
"""Programs that start another one, and open a file of their own."""

_MAX_GUESSED_COMMANDS = 32
_MAX_SHOWN_CHARS = 160
_NAMES = "names a protected path"


class Installation(NamedTuple):
    """A command that installs from folders: the clause if one has hookd's source, and if none."""

    folders: tuple[str, ...]
    of_hookd: str
    of_others: str


class TextChanges(NamedTuple):
    """What a text changes: clauses, and what facts are needed for.

    `commands` are the clauses about its commands, `hints` those about names in it. `folders` are
    those that it runs commands in.
    """

    commands: tuple[str | Installation, ...]
    landings: tuple[Landing, ...]
    files: tuple[TouchedFile, ...]
    folders: tuple[str, ...]
    hints: tuple[str, ...]


def text_changes(known: RunningDaemon, place: CallContext, own: ProtectedFiles) -> TextChanges:
    """Return what the text of `known` changes at a place; cached."""
    # A context is compared without its values, and they matter here.
    return _text_changes(known.text, known, place, tuple(place.values.items()), own)


@cached_by_text
def _text_changes(
    text: str,
    known: RunningDaemon,
    place: CallContext,
    _values: tuple[object, ...],
    own: ProtectedFiles,
) -> TextChanges:
    said: list[str | Installation] = []
    files: list[TouchedFile] = []
    landings: list[Landing] = []
    parts: list[tuple[Text, list[TouchedFile]]] = []
    folders = dict.fromkeys((place.cwd,))
    for one in texts_of(read(text), place, text):
        some = touched_files(one.shell, one.place, one.text, one.runs)
        changed = [each for each in some if each.how != "reads"]
        files += changed
        if path := changed_of_listed(one, changed, own):
            said.append(f"the call lists {short(path)}, which is protected, and may change it")
        folders |= dict.fromkeys(folder for each in one.runs for folder in each.folders)
        parts.append((one, changed))
        landings += one.landings()
        said += _commands(one, known, own)
    return TextChanges(
        tuple(said),
        tuple(landings),
        tuple(dict.fromkeys(files)),
        tuple(folder for folder in folders if folder),
        tuple(_hinted(text, parts, own)),
    )


def short(text: str) -> str:
    """Return a text as one line of bounded length, for people."""
    line = " ".join(text.split())
    return line if len(line) <= _MAX_SHOWN_CHARS else f"{line[: _MAX_SHOWN_CHARS - 1]}…"


def _hinted(
    text: str, parts: list[tuple[Text, list[TouchedFile]]], own: ProtectedFiles
) -> Iterator[str]:
    """Yield changes that a text may make by names in it, although no command shows them."""
    if path := unclear_change(text, parts, own):
        yield f"the call changes {short(path)}, whose path is unknown, and {_NAMES}"
    if "Hooks" in text and OFF.search(text) and turns_off(parts):
        yield "the call writes a setting that turns all hooks off"
    if ends_hookd(text, [one for one, _ in parts]):
        yield "the call contains a command that ends or changes hookd, and may run it"


def _commands(
    part: Text, known: RunningDaemon, own: ProtectedFiles
) -> Iterator[str | Installation]:
    named = own.telling.search(part.text.lower()) is not None
    near: dict[str | None, bool] = {None: named}
    real = part.real
    for one, after in zip_longest(real, real[1:]):
        starts = after is not None and len(after.command.wrappers) > len(one.command.wrappers)
        for folder in dict.fromkeys(one.folders):
            if folder not in near:
                near[folder] = named or (folder is not None and own.holds(folder))
            call = CommandCall(one.command, part.at(folder))
            why = _changes(call, known, own, starts=starts)
            folders = installed_folders(call)
            built = _changes(call, known, own, starts=starts, built=True) if folders else why
            depends = built != why
            if not why and (near[folder] or call.program in ANYWHERE):
                path = _mentioned(call, after if starts else None, own)
                why = f"may change {path}, which is protected" if path else ""
            clause = f"`{short(call.text)}` {why}" if why else ""
            if depends:
                yield Installation(folders, f"`{short(call.text)}` {built}", clause)
            elif clause:
                yield clause


def _mentioned(call: CommandCall, started: PlacedCommand | None, own: ProtectedFiles) -> str:
    """Return the protected path that a command may change, less what it only starts."""
    if started is None or call.program in _OPENS or call.program in SHELLS:
        return mentioned(call, own)
    words, inner = call.command.words, started.command.words
    start = len(words) - len(inner)
    first = words[: max(start, 1)] if words[start:] == inner else words[:1]
    holes = tuple(hole for hole in call.command.holes if hole.at < len(first))
    before = replace(call, command=replace(call.command, words=first, holes=holes))
    return mentioned(before, own) or recorded(call, own)


def _changes(
    call: CommandCall,
    known: RunningDaemon,
    own: ProtectedFiles,
    *,
    starts: bool,
    built: bool = False,
) -> str:
    """Return how a command changes hookd, as a clause.

    `starts`: it only starts another. `built`: a folder that it installs from has hookd's source.
    """
    if is_plain(call.program):
        return ""
    if path := exported(call, own):
        return f"writes {path}, which is outside the project"
    if path := linked_above(call, own):
        return f"makes a link to {path}, which contains protected files"
    if path := given_away(call, own):
        return f"lets a container change {path}, which contains protected files"
    if (not starts or call.program == "socat") and spoken_to(call, own):
        return "uses the daemon's socket or database directly"
    return (
        change(call, known)
        or process_change(call, known.pid, known.text)
        or package_change(call, own, known.text, built=built)
        or client_change(call, known.text)
        or program_change(call, own, known.pid)
        or ("" if starts else text_change(call))
        or _guessed(call, known)
    )


def _guessed(call: CommandCall, known: RunningDaemon) -> str:
    """Return the hookd command that an unknown program may run with its arguments."""
    text = call.text.lower()
    if "hookd" not in text or not may_run(call, known=call.program in RULES):
        return ""
    inner = [
        CommandCall(one, call.context) for said in nested_texts(call) for one in read(said).commands
    ]
    found = (guessed(one, known) for one in (*argument_tails(call), *inner[:_MAX_GUESSED_COMMANDS]))
    why = next((one for one in found if one), "")
    return f"may run a command of hookd that {why}" if why else ""
