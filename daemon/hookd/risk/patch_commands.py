"""Patches that a command line applies: `apply_patch <<'EOF'`, also within another command."""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from hookd.events.patch import looks_like_patch
from hookd.risk.execution import PATCHERS, Folders, PlacedCommand, placed_commands
from hookd.risk.model import CallContext
from hookd.risk.registry import effect_texts
from hookd.shell.commands import Shell, read

_AS_PROGRAM = "--codex-run-as-apply-patch"
"""The flag by which Codex's own program applies a patch."""

_MAX_TEXTS = 16
"""Maximum texts of inline code of one command line that are looked at."""

_EXPANDS = frozenset("$`")
_UNKNOWN = "the patch is not known from the text"
_EXPANDED = "the shell changes parts of the patch: quote the delimiter, as in <<'EOF'"


class AppliedPatch(NamedTuple):
    """A patch that a command applies, in one of `folders`; None is a folder that is unknown.

    `problem`: why the text is not all that is applied; then `text` may be empty.
    """

    text: str
    folders: Folders
    problem: str = ""


def applied_patches(shell: Shell, place: CallContext) -> Iterator[AppliedPatch]:
    """Yield the patches that a command line applies on this machine."""
    left = _MAX_TEXTS
    for placed in placed_commands(shell, place):
        if placed.where != "here":
            continue
        yield from _applied(placed)
        for text in islice(effect_texts(placed.command), left):
            left -= 1
            if "patch" in text:
                for folder in placed.folders:
                    within = CallContext(folder, place.project, place.home)
                    for one in placed_commands(read(text), within):
                        yield from _applied(one)


def _applied(placed: PlacedCommand) -> Iterator[AppliedPatch]:
    command = placed.command
    name = command.words[0].rpartition("/")[2] if command.words else ""
    words = command.words[1:]
    unknown = {hole.at for hole in command.holes}
    folders = tuple(dict.fromkeys((*placed.folders, *placed.fallback)))
    if 0 in unknown and name.lower() not in PATCHERS:
        texts = (*words, *command.stdin)  # the program may be any
        yield from (AppliedPatch(text, folders) for text in texts if looks_like_patch(text))
    elif name.lower() in PATCHERS or words[:1] == (_AS_PROGRAM,):
        given = words[1:] if words[:1] == (_AS_PROGRAM,) else words
        if given:
            holes = {at - len(command.words) + len(given) for at in unknown}
            yield from _of_arguments(given, holes, folders)
        else:
            yield from _of_input(placed, folders)


def _of_arguments(
    given: tuple[str, ...], holes: set[int], folders: Folders
) -> Iterator[AppliedPatch]:
    for at, text in enumerate(given):
        if at in holes:
            yield AppliedPatch(text if looks_like_patch(text) else "", folders, _UNKNOWN)
        elif looks_like_patch(text):
            yield AppliedPatch(text, folders)


def _of_input(placed: PlacedCommand, folders: Folders) -> Iterator[AppliedPatch]:
    command = placed.command
    texts = tuple(text for text in command.stdin if looks_like_patch(text))
    for text in texts:
        expands = command.piped_input and not placed.given and not _EXPANDS.isdisjoint(text)
        yield AppliedPatch(text, folders, _EXPANDED if expands else "")
    if not texts and (not command.stdin or command.piped_input):
        yield AppliedPatch("", folders, _UNKNOWN)
