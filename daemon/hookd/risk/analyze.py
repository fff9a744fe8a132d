"""Risk analysis of a text: all commands that it runs, by the rules of programs."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from hookd.risk.assigned_commands import run_from_values
from hookd.risk.containers_and_hosts import Where
from hookd.risk.execution import FOLDERS, PlacedCommand, Walk, program
from hookd.risk.generated_files import (
    GeneratedFiles,
    executed_generated_files,
    made_by,
    through_links,
)
from hookd.risk.model import CallContext, CommandCall, Risk, RiskKind
from hookd.risk.registry import RULES, may_mean, texts
from hookd.risk.rules.deletion import DELETERS, FINDERS, deleted_below, deleted_by_name
from hookd.risk.rules.processes import bombs
from hookd.risk.rules.remote_code import networked
from hookd.risk.rules.writes import redirected
from hookd.risk.secrets.analyze import assess_secrets
from hookd.risk.unknown_programs import argument_tails, downgraded, may_run, nameless
from hookd.risk.unknown_programs import texts as sayings
from hookd.shell.commands import Command, Redirect, Shell, read
from hookd.shell.interpreters import SHELLS, idle

_MOST = 4_000
"""Maximum words, counted in each folder that a command may run in; a longer line is asked about."""

_UNKNOWN, _MANY = 6, 32
"""Words that an unknown word counts as, and a variable with several known values."""

_KEPT = 16
"""Size of the cache: each guard assesses the same text, and again after a rewrite."""

_GUESS = 8
"""Texts that a guess counts as: it may not be shell text."""

_NESTED = 4
_WEIGHTS = ("deny", "ask")
_LOCAL: frozenset[RiskKind] = frozenset(
    {"deletes", "history", "disk", "permissions", "outside", "kills"}
)
"""Kinds of risk that harm only the machine that the command runs on."""

_INSTEAD = "Run plain commands, one by one."
_JOINED = "`cd DIR && ...` stops if the folder does not exist."
_LONG = Risk("unreadable", "ask", "contains too many commands to analyze", _INSTEAD)
_DEEP = (Risk("unreadable", "ask", "contains too many nested programs", _INSTEAD),)


@dataclass
class _Budget:
    """Limit of analysis: a count of words, not of time, so that results are reproducible."""

    left: int = _MOST

    def allows(self, command: Command, place: CallContext) -> bool:
        """Charge one more command; return whether it is within the limit."""
        words = (command.words[hole.at : hole.at + 1] for hole in command.holes)
        unknown = sum(_MANY if _valued(word, place) else _UNKNOWN for word in words)
        return self.spend(1 + len(command.words) + unknown)

    def spend(self, words: int) -> bool:
        """Charge so many words; return whether they are within the limit."""
        self.left -= words
        return self.left >= 0


def _valued(word: tuple[str, ...], place: CallContext) -> bool:
    """Return whether a variable of known value is in the text."""
    filled = (name for name, values in place.values.items() if values)
    named = (form for name in filled for form in (f"${name}", f"${{{name}"))
    return bool(word and place.values) and any(form in word[0] for form in named)


@lru_cache(maxsize=_KEPT)
def assess_text(text: str, place: CallContext) -> tuple[Risk, ...]:
    """Return the risks of a shell text, the strongest first; cached for several guards."""
    said = assess(read(text), place)
    if more := run_from_values(text):
        said = _strongest((*said, *(one for each in more for one in assess(read(each), place))))
    return said


def assess(shell: Shell, place: CallContext) -> tuple[Risk, ...]:
    """Return the risks of the commands of a text, the strongest first."""
    return _strongest(_dangers(shell, place, _Budget(), 0))


def _strongest(all_of_them: Iterable[Risk]) -> tuple[Risk, ...]:
    once = dict.fromkeys(all_of_them)
    return tuple(sorted(once, key=lambda danger: _WEIGHTS.index(danger.severity)))


def _dangers(shell: Shell, place: CallContext, work: _Budget, depth: int) -> Iterator[Risk]:
    walk = Walk(place)
    commands = tuple(walk.run(shell))
    places = _Places(place)
    made = made_by(shell)
    said = [danger for one in commands for danger in _judged(one, places, work, depth, made)]
    if any(command.argv.name in ("ln", "mount") for command in shell.commands):
        said += through_links(
            CommandCall(one.command, places.of(one, one.folders[0])) for one in commands
        )
    said += (*networked(shell, place), *(() if shell.side_effect_free else bombs(shell.commands)))
    yield from (danger for danger in said if danger.kind != "secrets")
    yield from assess_secrets(shell, place, said)
    opened = _opened(shell, commands)
    if not opened:
        pass
    elif work.spend(len(opened) * min(len(walk.seen), FOLDERS)):
        yield from redirected(opened, place, walk.seen)
    else:
        yield _LONG
    if shell.unreadable and all(danger.kind != "unreadable" for danger in said):
        why = f"cannot be analyzed: {shell.unreadable}"
        yield Risk("unreadable", "ask", why, _INSTEAD)


def _opened(shell: Shell, commands: Iterable[PlacedCommand]) -> tuple[Redirect, ...]:
    """Return the redirections of this machine's shell, without those of a container's shell."""
    away: list[Redirect] = []
    for one in commands:
        if one.where in ("container", "vanishing") and program(one.command) in SHELLS:
            scripts = CommandCall(one.command, CallContext()).values("-c")
            away += [more for script in scripts for more in read(script.text).redirects]
    kept = []
    for redirect in shell.redirects:
        if redirect in away:
            away.remove(redirect)
        else:
            kept.append(redirect)
    return tuple(kept)


def _judged(
    one: PlacedCommand, places: "_Places", work: _Budget, depth: int, made: GeneratedFiles
) -> Iterator[Risk]:
    if work.left < 0:
        return
    command = _own(one)
    inner = _inner(command, one.given)
    if inner and depth >= _NESTED:
        yield from _DEEP
        inner = []
    fallback = tuple(folder for folder in one.fallback if folder not in one.folders)
    for folder in (*one.folders, *fallback) if one.where == "here" else (None,):
        if not work.allows(command, places.place):
            yield _LONG
            return
        call = CommandCall(command, places.of(one, folder))
        ran = _ran(call, made, work, depth) if made and depth < _NESTED else ()
        for danger in (*_own_dangers(call, one), *_inner_dangers(call, inner, work, depth), *ran):
            said = _else(danger) if folder in fallback and folder is not None else danger
            yield from _there(said, one.where)
        if depth == 0:
            known = call.program in RULES
            tried = argument_tails(call) if may_run(call, known=known) else ()
            said_so = sayings(call) if may_run(call, known=known) else may_mean(command)
            yield from _guessed(call, work, tried, said_so)


def _else(danger: Risk) -> Risk:
    """Return the risk of a command that runs in another folder if a `cd` before it fails."""
    return replace(
        danger, reason=f"{danger.reason}, if the `cd` before it fails", alternative=_JOINED
    )


def _ran(call: CommandCall, made: GeneratedFiles, work: _Budget, depth: int) -> Iterator[Risk]:
    """Yield the risks of files that the text itself writes, and this call runs."""
    for one in executed_generated_files(call, made):
        if isinstance(one, str):
            yield from _inner_dangers(call, [read(one)], work, depth)
        else:
            program = replace(call, command=one)
            yield from (replace(danger, command=call.text) for danger in _ruled(program))
            yield from _inner_dangers(call, map(read, texts(one)), work, depth)


def _guessed(
    call: CommandCall, work: _Budget, tried: Iterable[CommandCall], said: Iterable[str]
) -> Iterator[Risk]:
    """Yield the risks of the words of an unknown program, or of code in another language."""
    found = [one for tail in tried for one in _denied(_ruled(tail))]
    for text in said:
        if not work.spend(_GUESS):
            break
        shell = read(text)
        found += _denied(_dangers(shell, call.context, work, _NESTED)) if shell.commands else []
    yield from (downgraded(one, call) for one in found[:1])


def _denied(found: Iterable[Risk]) -> list[Risk]:
    return [one for one in found if one.severity == "deny"]


def _ruled(call: CommandCall) -> Iterator[Risk]:
    for rule in RULES.get(call.program, ()) if call.program else (nameless,):
        for danger in rule(call):
            yield danger if danger.command else replace(danger, command=call.text)


def _own_dangers(call: CommandCall, one: PlacedCommand) -> Iterator[Risk]:
    if one.listed is not None and call.program in DELETERS:
        listed = CommandCall(one.listed, call.context)
        below = deleted_below if listed.program in FINDERS else deleted_by_name
        yield from (replace(each, command=listed.text) for each in below(listed))
    yield from _ruled(call)


def _inner(command: Command, given: tuple[str, ...]) -> list[Shell]:
    """Return the texts that a command runs and that the shell reader could not detect."""
    shell = command.argv.name in SHELLS
    own = given if shell and not idle(_letters(command)) else () if shell else texts(command)
    return [read(text) for text in own]


def _letters(command: Command) -> str:
    return "".join(flag for flag, _ in command.argv.flags if flag[:2] != "--")


def _inner_dangers(
    call: CommandCall, inner: Iterable[Shell], work: _Budget, depth: int
) -> Iterator[Risk]:
    for shell in inner:
        if work.left < 0:
            return
        yield from _dangers(shell, call.context, work, depth + 1)


def _there(danger: Risk, where: Where) -> Iterator[Risk]:
    """Yield a risk as it applies where the command runs: a container's own files are its own."""
    if where in ("here", "remote") or danger.kind not in _LOCAL:
        yield danger
    elif where == "container":
        yield replace(danger, severity="ask")


def _own(one: PlacedCommand) -> Command:
    """Return a command without the words that it receives by a pipe from find."""
    if one.listed is None:
        return one.command
    holes = tuple(hole for hole in one.command.holes if hole.at < len(one.command.words))
    if not one.command.words:
        return one.command  # the program itself is unknown: it is in the output of find
    return replace(one.command, holes=holes)


class _Places:
    """The contexts of one text: one for each folder, created once."""

    def __init__(self, place: CallContext) -> None:
        self.place = place
        self._away = replace(place, project=None, owned=())
        self._made: dict[tuple[str | None, bool, tuple[str, ...]], CallContext] = {}

    def of(self, one: PlacedCommand, folder: str | None) -> CallContext:
        """Return the context of a command in a folder that it may run in."""
        here = one.where == "here"
        made = self._made.get((folder, here, one.within))
        if made is None:
            base = self.place if here else self._away
            values = {**base.values, "{}": one.within} if one.within else base.values
            made = replace(base, cwd=folder, values=values)
            self._made[folder, here, one.within] = made
        return made
