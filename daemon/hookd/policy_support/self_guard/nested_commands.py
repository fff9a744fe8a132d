"""Commands that a text runs, with the texts that these are given to run, each at its place."""

import posixpath
import shlex
from collections.abc import Iterator
from dataclasses import replace

from hookd.lazy_dataclass import dataclass
from hookd.policy_support.self_guard.file_destinations import Landing, landings, may_land
from hookd.policy_support.self_guard.readers import written_by
from hookd.programs.catalogue import with_trait
from hookd.risk.execution import PlacedCommand, placed_commands
from hookd.risk.generated_files import GeneratedFiles, executed_generated_files, files_written_by
from hookd.risk.model import CallContext, CommandCall
from hookd.risk.registry import effect_texts
from hookd.shell.commands import Command, Shell, read
from hookd.shell.interpreters import SHELLS

_MAX_DEPTH = 4
_PRINTERS = with_trait("prints-file")
_OWN_PATCHES = frozenset({"diff", "show", "log", "format-patch", "stash"})


@dataclass(frozen=True)
class Text:
    """A text at its place, and the commands that it runs there."""

    text: str
    shell: Shell
    place: CallContext
    runs: tuple[PlacedCommand, ...]

    def at(self, folder: str | None) -> CallContext:
        """Return its place in one of the folders that a command may be run in."""
        return self.place if folder == self.place.cwd else replace(self.place, cwd=folder)

    @property
    def real(self) -> tuple[PlacedCommand, ...]:
        """The commands that are run on this machine, or by a shell on another."""
        return tuple(one for one in self.runs if one.where in ("here", "remote"))

    def landings(self) -> Iterator[Landing]:
        """Yield what its commands unpack, copy or fetch, and where that lands."""
        before: PlacedCommand | None = None
        for one in self.runs:
            if one.where == "here" and may_land(one.command):
                fed_by = self._input(one, before)
                for folder in one.folders:
                    call = CommandCall(one.command, self.at(folder))
                    for landing in landings(call, fed_by):
                        glob = "" if "dotglob" in self.text else landing.glob
                        source = self._at_hand(landing, one)
                        yield replace(landing, source=source, glob=glob)
            before = one

    def _input(self, one: PlacedCommand, before: PlacedCommand | None) -> str | None:
        """Return the file that a command reads as its input; "" where it is not known.

        None if it reads no file, or output of git about the project.
        """
        opened = [redirect for redirect in self.shell.redirects if redirect.operator == "<"]
        if one.command.piped_input and before is not None:
            call = CommandCall(before.command, self.at(before.folders[-1]))
            if call.program == "git" and call.verb in _OWN_PATCHES:
                return None
            if call.program in _PRINTERS and len(call.items) == 1 and not opened:
                return self._path(call.items[0].text, call.context)
        if one.command.stdin or not (opened or one.command.piped_input):
            return None
        known = len(opened) == 1 and opened[0].hole is None and not one.command.piped_input
        return self._path(opened[0].path, self.at(one.folders[-1])) if known else ""

    @staticmethod
    def _path(text: str, place: CallContext) -> str:
        whole = f"{place.home}{text[1:]}" if text[:2] == "~/" else text
        if whole[:1] != "/" and place.cwd is None:
            return ""
        return posixpath.normpath(posixpath.join(place.cwd or "/", whole))

    def _at_hand(self, landing: Landing, own: PlacedCommand) -> str:
        """Return the source of a landing; "" where another command of the text may make it."""
        name = posixpath.basename(landing.source)
        if not name:
            return ""
        others = (one.command for one in self.runs if one is not own)
        made = any(_may_make(command, name) for command in others)
        opened = any(one.writes and name in one.path for one in self.shell.redirects)
        return "" if made or opened else landing.source


def _may_make(command: Command, name: str) -> bool:
    """Return whether a command may have written a file or folder of a name."""
    if not any(name in word for word in command.words[1:]):
        return False
    return written_by(CommandCall(command, CallContext())) != ()


def texts_of(shell: Shell, place: CallContext, text: str, depth: int = 0) -> Iterator[Text]:
    """Yield a text with those that its commands are given to run, each at its place."""
    outer = Text(text, shell, place, placed_commands(shell, place))
    yield outer
    if depth >= _MAX_DEPTH:
        return
    made = files_written_by(shell)
    for one in outer.runs:
        where = outer.at(one.folders[-1])
        for inner in (*_given(one), *_made(one, where, made)):
            yield from texts_of(read(inner), where, inner, depth + 1)


def _given(one: PlacedCommand) -> tuple[str, ...]:
    name = one.command.argv.name
    if name == "spawn":  # of expect
        return (shlex.join(one.command.words[1:]),)
    return one.given if name in SHELLS else effect_texts(one.command)


def _made(one: PlacedCommand, place: CallContext, made: GeneratedFiles) -> Iterator[str]:
    """Yield the texts of files that the text itself writes, and this command runs."""
    for text in executed_generated_files(CommandCall(one.command, place), made) if made else ():
        if isinstance(text, str):
            yield text
        else:
            yield from effect_texts(text)
