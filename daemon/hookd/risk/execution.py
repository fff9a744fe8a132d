"""Traversal of a text's commands: which ones run, where, and in which folders."""

import re
from collections.abc import Iterator
from dataclasses import field, replace
from functools import lru_cache
from typing import NamedTuple

from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile
from hookd.programs.catalogue import by_program, with_trait
from hookd.risk.containers_and_hosts import Where, runs
from hookd.risk.model import CallContext, CommandCall
from hookd.risk.path_areas import depends_on_tmpdir, paths
from hookd.risk.rules.deletion import DELETERS, FINDERS, start_folders
from hookd.risk.rules.process_names import names_many
from hookd.shell.argv import Item
from hookd.shell.commands import Command, Shell
from hookd.shell.success_dependencies import MOVING, Reach
from hookd.shell.text_cache import SIZE

MAX_FOLDERS = 8
"""Maximum folders that a command may run in; with more, the folder is unknown."""

PATCHERS = frozenset({"apply_patch", "applypatch"})
"""Codex's programs that apply a patch."""

_SENDING = by_program(lambda program: program.folder)
_ECHO = ("-e", "-n", "-E", "-ne", "-en", "--")
_LISTERS = with_trait("lists-processes")
_ERREXIT = lazy_compile(r"-[a-zA-Z]*e[a-zA-Z]*$")
_HERE = lazy_compile(r"(?:\./)*(?:\.|[*.?{},!\[\]]*[*?][*.?{},!\[\]]*)?/?")
"""Globs for the whole content of the current folder."""

Folders = tuple[str | None, ...]


@dataclass(frozen=True)
class PlacedCommand:
    """A command to assess: where it runs, and in which folders it may."""

    command: Command
    where: Where
    folders: Folders
    given: tuple[str, ...] = ()  # texts of its piped input
    within: tuple[str, ...] = ()  # folders below which find found its arguments
    listed: Command | None = None  # the find whose list is its input
    fallback: Folders = ()  # folders where it runs if a `cd` before it fails


class Walked(NamedTuple):
    """The result of a walk: the commands, and each group of folders that the text may be in."""

    commands: tuple[PlacedCommand, ...]
    folders: tuple[Folders, ...]


def placed_commands(shell: Shell, place: CallContext) -> tuple[PlacedCommand, ...]:
    """Return the commands that a text really runs, without wrong guesses of the shell reader."""
    return walked(shell, place).commands


def walked(shell: Shell, place: CallContext) -> Walked:
    """Return the commands that a text really runs, and its folders; cached for several guards."""
    # A context is compared without its values, and they matter here.
    return _walked(shell, place, tuple(place.values.items()))


@lru_cache(maxsize=SIZE)
def _walked(shell: Shell, place: CallContext, _values: tuple[object, ...]) -> Walked:
    walk = Walk(place)
    return Walked(tuple(walk.run(shell)), tuple(walk.seen))


def _piped(command: Command, before: Command | None) -> tuple[str, ...]:
    """Return the texts that `echo`, `printf` or `cat` passes to a command by a pipe."""
    if before is None or not command.piped_input or before.holes:
        return ()
    if before.words == ("cat",):
        return before.stdin
    if before.unconditional or program(before) not in ("echo", "printf"):
        return ()
    words = [word for word in before.words[1:] if word not in _ECHO]
    return (" ".join(words).replace("\\n", "\n").replace("%s", ""),)


def program(command: Command) -> str:
    """Return the name of a command's program as it is written, without its folder."""
    return command.words[0].rpartition("/")[2] if command.words else ""


def _may_be_empty(item: Item, place: CallContext) -> bool:
    """Return whether a folder is below TMPDIR, and elsewhere if that variable is not set."""
    bare = item.text in ("$TMPDIR", "${TMPDIR}") and "TMPDIR" not in place.values
    return depends_on_tmpdir(item, place) or bare


def _sweeps(command: Command) -> bool:
    """Return whether a command deletes the whole content of its working folder."""
    if program(command) in FINDERS:
        folders = start_folders(CommandCall(command, CallContext()))
        return any(_HERE.fullmatch(item.text) is not None for item in folders)
    return program(command) in DELETERS and any(
        _HERE.fullmatch(item.text) is not None for item in command.argv.items
    )


def _finds(placed: PlacedCommand) -> bool:
    return placed.listed is not None or program(placed.command) in FINDERS


class Move(NamedTuple):
    """A change of the working folder: its reach, and the folders before it."""

    reach: Reach
    before: Folders
    known: bool  # the folder exists, or the text ends if it does not
    may: bool  # it may not run at all


@dataclass
class Walk:
    """One traversal of the commands of a text, with the folders that it may be in."""

    place: CallContext
    seen: list[Folders] = field(default_factory=list)
    piped: bool = True
    moves: list[Move] = field(default_factory=list)
    stops: bool = False
    made: set[str] = field(default_factory=set)

    def run(self, shell: Shell) -> Iterator[PlacedCommand]:
        """Yield the commands that really run, in their order."""
        self.seen = [(self.place.cwd,)]
        self.piped = not any(redirect.operator.startswith("<") for redirect in shell.redirects)
        line: list[PlacedCommand | None] = []
        before: Command | None = None
        for command in shell.commands:
            del line[len(command.wrappers) :]
            if command.reach is not None:
                self._returned(command.reach)
            redirect = self._found(command, line, before)
            line += [redirect] * (len(command.wrappers) + 1 - len(line))
            if redirect is not None:
                yield redirect
                self._moved(redirect)
                before = redirect.command

    def _found(
        self, command: Command, line: list[PlacedCommand | None], before: Command | None
    ) -> PlacedCommand | None:
        texts = _piped(command, before)
        if texts:
            command = replace(command, stdin=(*command.stdin, *texts))
        if not command.wrappers or not line:
            return PlacedCommand(
                command,
                "here",
                self.seen[-1],
                texts,
                listed=self._lister(command, before),
                fallback=self._fallback(command),
            )
        parent = next((earlier for earlier in reversed(line) if earlier is not None), None)
        where = runs(parent.command, command) if parent is not None else None
        if parent is None or where is None:
            return None
        return PlacedCommand(
            command,
            parent.where if where == "here" else where,
            self._sent(parent, command) or self.seen[-1],
            texts,
            self._below(parent) if _finds(parent) else parent.within,
            parent.listed,
        )

    def _lister(self, command: Command, before: Command | None) -> Command | None:
        """Return the find whose list xargs receives by a pipe."""
        if before is None or not self.piped or program(command) not in ("xargs", "gxargs"):
            return None
        if "kill" in command.words:
            few = program(before) in _LISTERS and not names_many(f"$({before.line})")
            return before if few else None
        globs = program(before) == "ls" and all("*" in item.text for item in before.argv.items)
        lists = globs and before.argv.items
        return before if lists or program(before) in FINDERS else None

    def _below(self, parent: PlacedCommand) -> tuple[str, ...]:
        """Return the folders below which find searches, as far as they are known."""
        lister = parent.listed or parent.command
        call = CommandCall(lister, replace(self.place, cwd=parent.folders[-1]))
        return tuple(path for item in start_folders(call) for path in paths(item, call.context))

    def _sent(self, parent: PlacedCommand, command: Command) -> Folders:
        """Return the folders that a wrapper runs its command in: `env -C`, `sudo -D`, `git -C`."""
        flag = _SENDING.get(program(parent.command))
        if flag is None:
            return ()
        call = CommandCall(parent.command, replace(self.place, cwd=parent.folders[-1]))
        first_own = len(parent.command.words) - len(command.words) + 1
        items = [item for item in call.values(*flag.split(), "--chdir") if item.place < first_own]
        folders: Folders = ()
        for item in items if program(parent.command) == "git" else items[-1:]:
            folders = self._led(item, folders or parent.folders)
        return folders

    def _returned(self, reach: Reach) -> None:
        """Restore the folder from before an ended subshell, or from before an uncertain change."""
        while self.moves and self.moves[-1].reach.ends <= reach.starts:
            self.seen.append(self.moves.pop().before)
        last = self.moves[-1] if self.moves else None
        if last is not None and last.may and last.reach.sure <= reach.starts:
            self._now((*last.before, *self.seen[-1]))
            self.moves[-1] = last._replace(may=False)

    def _fallback(self, command: Command) -> Folders:
        """Return the folders of a sweeping deletion, or of a patch, if a `cd` before it failed."""
        at, last = command.reach, self.moves[-1] if self.moves else None
        if at is None or last is None or last.known or last.reach.sure > at.starts:
            return ()
        return last.before if program(command) in PATCHERS or _sweeps(command) else ()

    def _now(self, folders: Folders) -> None:
        once = tuple(dict.fromkeys(folders))
        self.seen.append(once if len(once) <= MAX_FOLDERS else (None,))

    def _noted(self, placed: PlacedCommand) -> None:
        """Record what makes a later `cd` certain: `set -e`, a folder that is created or tested."""
        name, words = program(placed.command), placed.command.words[1:]
        if name == "set" and placed.command.unconditional:
            self.stops |= "errexit" in words or any(map(_ERREXIT.match, words))
        elif name == "mkdir":
            self.made.update(word.rstrip("/") for word in words)

    def _moved(self, placed: PlacedCommand) -> None:
        if placed.where != "here":
            return
        if program(placed.command) not in MOVING:
            self._noted(placed)
            return
        call, now = CommandCall(placed.command, self.place), self.seen[-1]
        back = call.program == "popd" or [item.text for item in call.items[:1]] == ["-"]
        if call.program == "z":
            targets: Folders = (None,)
        elif back:
            targets = self.seen[-2] if len(self.seen) > 1 else now
        elif not call.items:
            targets = (self.place.home or None,)
        else:
            targets = self._led(call.items[0], now)
        reach, straight = placed.command.reach, placed.command.unconditional
        self._now(targets if straight or reach is not None else (*now, *targets))
        if reach is not None:
            certain = (
                self.stops or back or not call.items or self._exists(call.items[0], now, targets)
            )
            self.moves.append(Move(reach, now, certain, not straight))

    def _exists(self, item: Item, now: Folders, targets: Folders) -> bool:
        """Return whether a folder certainly exists."""
        usual = {*self.place.scratch, self.place.project, self.place.home, "/"}
        above = re.fullmatch(r"(?:\.{1,2}/?)+", item.text) is not None
        return (
            above
            or item.text.rstrip("/") in self.made
            or usual.issuperset(targets)
            or targets == now
        )

    def _led(self, item: Item, now: Folders) -> Folders:
        if _may_be_empty(item, self.place):
            return (None,)
        choices = [paths(item, replace(self.place, cwd=folder)) or (None,) for folder in now]
        return tuple(dict.fromkeys(path for some in choices for path in some))
