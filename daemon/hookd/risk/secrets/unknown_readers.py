"""Secrets as arguments of unknown programs, which may print them.

No list of programs that print files is complete. So any program with a secret is asked about,
unless it is known to print nothing, or a flag gives it the path of its own key or configuration.
"""

from collections.abc import Collection, Iterator
from dataclasses import replace

from hookd.programs.catalogue import by_program, with_trait
from hookd.risk.execution import PlacedCommand, placed_commands
from hookd.risk.model import CallContext, CommandCall, Risk
from hookd.risk.secrets.paths import HOME, Secret, contained_secret
from hookd.risk.secrets.printers import ASK_USER
from hookd.risk.secrets.readers import QUIET, hands_over
from hookd.shell.argv import Item
from hookd.shell.commands import Shell
from hookd.shell.interpreters import SHELLS

_MOVING = with_trait("changes-folder") | by_program(lambda program: program.folder).keys()
_MAX_WORDS = 4_000
"""Maximum words of a text; a longer text is not analyzed, and is asked about."""

_SPEAKING = frozenset(" \t\n;|&\"'(){}<>=,")
"""Signs that are more frequent in scripts and sentences than in the path of a secret."""


def unknown_reader_risks(
    shell: Shell, place: CallContext, known: Collection[str]
) -> Iterator[Risk]:
    """Yield the secrets that are arguments of programs in no table; `known` are those in one."""
    launching = {name for command in shell.commands for name in command.wrappers}
    quiet = QUIET | launching
    calls = tuple(CommandCall(command, place) for command in shell.commands)
    unknown = [call for call in calls if call.program not in known and call.program not in quiet]
    if sum(len(call.items) + len(call.words.flags) for call in unknown) > _MAX_WORDS:
        return
    moved = any(call.program in _MOVING for call in calls)
    if any(_may_be(call, moved=moved) for call in unknown):
        words = {call.command.words for call in unknown}
        for placed in placed_commands(shell, place):
            if placed.command.words in words:
                yield from _given(placed, place)


def _may_be(call: CommandCall, *, moved: bool) -> bool:
    """Return whether a secret may be among a program's words; in another folder, any may be one."""
    return any(moved or _secret(item, call.context) for item in _words(call))


def _secret(item: Item, place: CallContext) -> Secret | None:
    """Return the secret of an argument; the home alone is an argument of many that read little."""
    match = contained_secret(item, place)
    return match if match and match.description != HOME else None


def _given(placed: PlacedCommand, place: CallContext) -> Iterator[Risk]:
    local = placed.where == "here"
    base = place if local else replace(place, project=None, owned=())
    for folder in placed.folders if local else (None,):
        call = CommandCall(placed.command, replace(base, cwd=folder))
        if secret := next(
            filter(None, (_secret(item, call.context) for item in _words(call))), None
        ):
            yield _danger(call, secret)
            return


def _danger(call: CommandCall, secret: Secret) -> Risk:
    runs = call.program in SHELLS
    why = "runs, and may print," if runs else "is given"
    return Risk(
        "secrets",
        "ask",
        f"{why} {secret.phrase}",
        ASK_USER,
        command=call.text,
        rule="secrets.argument",
    )


def _words(call: CommandCall) -> Iterator[Item]:
    """Yield the words that may be files, without those that a flag marks as the program's own."""
    words = call.command.words
    holes = {hole.at: hole for hole in call.command.holes}
    for item in call.items:
        before = words[item.place - 1] if 0 < item.place <= len(words) else ""
        if not (before[:1] == "-" and hands_over(before)) and _speaks_not(item.text):
            yield item
    for _, at in call.words.flags:
        flag, equals, value = words[at].partition("=") if at < len(words) else ("", "", "")
        if equals and value and not hands_over(flag) and _speaks_not(value):
            yield Item(value, at, holes.get(at))


def _speaks_not(text: str) -> bool:
    """Return whether the text is no script and no sentence; paths are neither."""
    if _SPEAKING.isdisjoint(text) or text[:1] == "$":
        return True
    return text.startswith(("/", "~/", "./", "../")) and "\n" not in text and ";" not in text
