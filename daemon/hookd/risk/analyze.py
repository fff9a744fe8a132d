"""Risk analysis of a text: all commands that it runs, by the rules of programs."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache, partial

from hookd.lazy_dataclass import dataclass
from hookd.programs.catalogue import CHECKS
from hookd.programs.model import RiskKind
from hookd.risk.assigned_commands import given_texts, loaded_code, run_from_values
from hookd.risk.containers_and_hosts import Where
from hookd.risk.data_files import without_emptied_outputs, without_tested
from hookd.risk.execution import MAX_FOLDERS, PlacedCommand, program, walked
from hookd.risk.generated_files import (
    LINKERS,
    GeneratedFiles,
    executed_generated_files,
    files_written_by,
    through_links,
)
from hookd.risk.lookalike_names import lookalike_risks
from hookd.risk.model import WAYS, CallContext, CommandCall, Risk
from hookd.risk.moved_files import MOVERS, deletions_of_moved
from hookd.risk.other_languages import DOUBTS, translated
from hookd.risk.quoting import quoted_word
from hookd.risk.registry import RULES, effect_texts, possible_effect_texts
from hookd.risk.rules.deletion import DELETERS, FINDERS, find_risks, ls_risks
from hookd.risk.rules.file_contents import TEES, read_beside_tee
from hookd.risk.rules.processes import fork_bombs
from hookd.risk.rules.remote_code import remote_code_risks
from hookd.risk.rules.services import may_delete_at_service, service_risks
from hookd.risk.rules.writes import redirect_risks
from hookd.risk.secrets.analyze import assess_secrets
from hookd.risk.statement_files import with_written_statements
from hookd.risk.unknown_programs import (
    argument_tails,
    downgraded,
    may_run,
    nested_texts,
    unnamed_program_risks,
)
from hookd.risk.variable_values import ALL_ARGUMENTS, run_by_functions
from hookd.shell.commands import Command, Redirect, Shell, read
from hookd.shell.interpreters import SHELLS, only_checks_syntax

_MAX_WORDS = 4_000
"""Maximum words, counted in each folder that a command may run in; a longer line is asked about."""

_UNKNOWN, _MANY = 6, 32
"""Words that an unknown word counts as, and a variable with several known values."""

_CACHE_SIZE = 16
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
_LONG = Risk(
    "unreadable",
    "ask",
    "contains too many commands to analyze",
    _INSTEAD,
    rule="shell.too-long",
)
_DEEP = (replace(_LONG, reason="contains too many nested programs"),)


@dataclass
class _Budget:
    """Limit of analysis: a count of words, not of time, so that results are reproducible."""

    left: int = _MAX_WORDS

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


def assess_text(text: str, place: CallContext) -> tuple[Risk, ...]:
    """Return the risks of a shell text, the strongest first; cached for several guards."""
    # A context is compared without its values, and they matter here.
    return _assess_text(text, place, tuple(place.values.items()))


@lru_cache(maxsize=_CACHE_SIZE)
def _assess_text(text: str, place: CallContext, _values: tuple[object, ...]) -> tuple[Risk, ...]:
    risks = without_tested(without_emptied_outputs(assess(read(text), place), text), text)
    if (own := translated(text)) is not None:
        known = (risk for risk in risks if risk.rule not in DOUBTS)
        return _strongest((*known, *assess(read(own), place)))
    if called := run_by_functions(text):
        risks = tuple(risk for risk in risks if not _runs_arguments(risk))
        risks += tuple(risk for each in called for risk in assess(read(each), place))
        risks = _strongest(risks)
    more = [risk for each in run_from_values(text) for risk in assess(read(each), place)]
    more += loaded_code(text)
    if not more and not risks:
        more += _given(text, place)
    return _strongest((*risks, *more)) if more else risks


def _runs_arguments(risk: Risk) -> bool:
    """Return whether a risk says only that a function runs its arguments."""
    return risk.rule == "shell.unknown-program" and risk.command == ALL_ARGUMENTS


def _given(text: str, place: CallContext) -> Iterator[Risk]:
    """Yield that a program may run the value of a variable that it receives."""
    for each in given_texts(text):
        for risk in _denied(assess(read(each), place))[:1]:
            why = f"gives a program a value that it may run: {quoted_word(each)} {risk.reason}"
            yield replace(risk, severity="ask", reason=why, certain=False)


def assess(shell: Shell, place: CallContext) -> tuple[Risk, ...]:
    """Return the risks of the commands of a text, the strongest first."""
    return _strongest(_dangers(shell, place, _Budget(), 0))


def _strongest(all_of_them: Iterable[Risk]) -> tuple[Risk, ...]:
    once = dict.fromkeys(all_of_them)
    return tuple(sorted(once, key=lambda danger: _WEIGHTS.index(danger.severity)))


def _dangers(shell: Shell, place: CallContext, work: _Budget, depth: int) -> Iterator[Risk]:
    shell = with_written_statements(shell)
    commands, folders = walked(shell, place)
    places = _Places(place)
    generated = files_written_by(shell)
    risks = [
        danger for placed in commands for danger in _judged(placed, places, work, depth, generated)
    ]
    if shell.redirects:
        risks = [danger for danger in risks if not _deletes_own(danger, shell.redirects)]
    risks += _of_several(shell, commands, places)
    risks += (
        *remote_code_risks(shell, place),
        *lookalike_risks(CommandCall(command, place) for command in shell.commands),
        *(() if shell.side_effect_free else fork_bombs(shell.commands)),
    )
    yield from (danger for danger in risks if danger.kind != "secrets")
    yield from assess_secrets(shell, place, risks)
    opened = _opened(shell, commands)
    if not opened:
        pass
    elif work.spend(len(opened) * min(len(folders), MAX_FOLDERS)):
        yield from redirect_risks(opened, place, folders)
    else:
        yield _LONG
    if shell.unreadable and all(danger.kind != "unreadable" for danger in risks):
        why = f"cannot be analyzed: {shell.unreadable}"
        yield Risk("unreadable", "ask", why, _INSTEAD, rule="shell.unreadable")


def _deletes_own(danger: Risk, redirects: Iterable[Redirect]) -> bool:
    """Return whether a command deletes only a file that the text itself has written."""
    if danger.rule != "rm.file" or danger.severity != "ask" or "*" in danger.command:
        return False
    written = (redirect.path for redirect in redirects if redirect.operator in (">", ">|"))
    return any(danger.command in (f"rm {path}", f"rm -f {path}") for path in written if path)


def _of_several(
    shell: Shell, commands: tuple[PlacedCommand, ...], places: "_Places"
) -> Iterator[Risk]:
    """Yield the risks that several commands have together."""
    names = {command.argv.name for command in shell.commands}
    if len(names) < 2:
        return
    calls = partial(_calls, commands, places)
    if not names.isdisjoint(LINKERS):
        yield from through_links(calls())
    if not names.isdisjoint(MOVERS):
        yield from deletions_of_moved(calls())
    if not names.isdisjoint(TEES):
        yield from read_beside_tee(calls())


def _calls(commands: Iterable[PlacedCommand], places: "_Places") -> Iterator[CommandCall]:
    """Yield commands as calls, each in the first folder that it may run in."""
    for placed in commands:
        yield CommandCall(placed.command, places.of(placed, placed.folders[0]))


def _opened(shell: Shell, commands: Iterable[PlacedCommand]) -> tuple[Redirect, ...]:
    """Return the redirections of this machine's shell, without those of a container's shell."""
    away: list[Redirect] = []
    for placed in commands:
        if placed.where in ("container", "vanishing") and program(placed.command) in SHELLS:
            scripts = CommandCall(placed.command, CallContext()).values("-c")
            away += [more for script in scripts for more in read(script.text).redirects]
    outside = []
    for redirect in shell.redirects:
        if redirect in away:
            away.remove(redirect)
        else:
            outside.append(redirect)
    return tuple(outside)


def _judged(
    placed: PlacedCommand, places: "_Places", work: _Budget, depth: int, generated: GeneratedFiles
) -> Iterator[Risk]:
    if work.left < 0:
        return
    command = _own(placed)
    inner = _inner(command, placed.given)
    if inner and depth >= _NESTED:
        yield from _DEEP
        inner = []
    fallback = tuple(folder for folder in placed.fallback if folder not in placed.folders)
    for folder in (*placed.folders, *fallback) if placed.where == "here" else (None,):
        if not work.allows(command, places.place):
            yield _LONG
            return
        call = CommandCall(command, places.of(placed, folder))
        ran = _ran(call, generated, work, depth) if generated and depth < _NESTED else ()
        for danger in (
            *_own_dangers(call, placed),
            *_named(_inner_dangers(call, inner, work, depth), _part(call)),
            *ran,
        ):
            moved = _else(danger) if folder in fallback and folder is not None else danger
            yield from _there(moved, placed.where)
        if depth == 0:
            if may_run(call, known=call.program in RULES):
                yield from _guessed(call, work, argument_tails(call), nested_texts(call))
            elif texts := possible_effect_texts(command):
                yield from _guessed(call, work, (), texts)


def _else(danger: Risk) -> Risk:
    """Return the risk of a command that runs in another folder if a `cd` before it fails."""
    return replace(
        danger, reason=f"{danger.reason}, if the `cd` before it fails", alternative=_JOINED
    )


def _ran(call: CommandCall, generated: GeneratedFiles, work: _Budget, depth: int) -> Iterator[Risk]:
    """Yield the risks of files that the text itself writes, and this call runs."""
    for executed in executed_generated_files(call, generated):
        if isinstance(executed, str):
            inner = [read(executed)]
        else:
            program = replace(call, command=executed)
            yield from (replace(danger, command=call.text) for danger in _ruled(program))
            inner = [read(text) for text in effect_texts(executed)]
        for danger in _named(_inner_dangers(call, inner, work, depth), _WRITTEN):
            # A text that may be the content, and is no shell text, is not the content.
            if executed not in generated.guessed or danger.rule != "shell.unreadable":
                yield danger


def _guessed(
    call: CommandCall, work: _Budget, tried: Iterable[CommandCall], texts: Iterable[str]
) -> Iterator[Risk]:
    """Yield the risks of the words of an unknown program, or of code in another language."""
    risks = [risk for tail in tried for risk in _denied(_ruled(tail))]
    for text in texts:
        if not work.spend(_GUESS):
            break
        shell = read(text)
        risks += _denied(_dangers(shell, call.context, work, _NESTED)) if shell.commands else []
    yield from (downgraded(risk, call) for risk in risks[:1])


def _denied(risks: Iterable[Risk]) -> list[Risk]:
    return [risk for risk in risks if risk.severity == "deny"]


def _ruled(call: CommandCall) -> Iterator[Risk]:
    found = False
    for rule in RULES.get(call.program, ()) if call.program else (unnamed_program_risks,):
        for danger in rule(call):
            found = True
            id_ = danger.rule or CHECKS.get((call.program, danger.kind), "")
            way = danger.alternative or WAYS[danger.kind]
            yield replace(danger, command=danger.command or call.text, rule=id_, alternative=way)
    if not found and may_delete_at_service(call):
        yield from service_risks(call)


def _own_dangers(call: CommandCall, placed: PlacedCommand) -> Iterator[Risk]:
    if placed.listed is not None and call.program in DELETERS:
        listed = CommandCall(placed.listed, call.context)
        below = find_risks if listed.program in FINDERS else ls_risks
        yield from (replace(each, command=listed.text) for each in below(listed))
    yield from _ruled(call)


def _inner(command: Command, values: tuple[str, ...]) -> list[Shell]:
    """Return the texts that a command runs and that the shell reader could not detect."""
    shell = command.argv.name in SHELLS
    texts_of_own = (
        values
        if shell and not only_checks_syntax(_letters(command))
        else ()
        if shell
        else effect_texts(command)
    )
    return [read(text) for text in texts_of_own]


def _letters(command: Command) -> str:
    return "".join(flag for flag, _ in command.argv.flags if flag[:2] != "--")


def _inner_dangers(
    call: CommandCall, inner: Iterable[Shell], work: _Budget, depth: int
) -> Iterator[Risk]:
    for shell in inner:
        if work.left < 0:
            return
        yield from _dangers(shell, call.context, work, depth + 1)


_WRITTEN = "in a file that the text writes and runs"


def _part(call: CommandCall) -> str:
    """Return the part of a command that its inner texts are, as a phrase; empty for a shell's."""
    return "" if call.program in SHELLS else f"in the code of {call.program}"


def _named(dangers: Iterable[Risk], part: str) -> Iterator[Risk]:
    """Yield the risks with the part of the command that they are found in."""
    for danger in dangers:
        named = ", in the code of " in danger.reason or danger.reason.endswith(_WRITTEN)
        yield replace(danger, reason=f"{danger.reason}, {part}") if part and not named else danger


def _there(danger: Risk, where: Where) -> Iterator[Risk]:
    """Yield a risk as it applies where the command runs: a container's own files are its own."""
    if where in ("here", "remote") or danger.kind not in _LOCAL:
        yield danger
    elif where == "container":
        yield replace(danger, severity="ask")


def _own(placed: PlacedCommand) -> Command:
    """Return a command without the words that it receives by a pipe from find."""
    if placed.listed is None:
        return placed.command
    holes = tuple(hole for hole in placed.command.holes if hole.at < len(placed.command.words))
    if not placed.command.words:
        return placed.command  # the program itself is unknown: it is in the output of find
    return replace(placed.command, holes=holes)


class _Places:
    """The contexts of one text: one for each folder, created once."""

    def __init__(self, place: CallContext) -> None:
        self.place = place
        self._away = replace(place, project=None, owned=())
        self._made: dict[tuple[str | None, bool, tuple[str, ...]], CallContext] = {}

    def of(self, placed: PlacedCommand, folder: str | None) -> CallContext:
        """Return the context of a command in a folder that it may run in."""
        local = placed.where == "here"
        context = self._made.get((folder, local, placed.within))
        if context is None:
            base = self.place if local else self._away
            values = {**base.values, "{}": placed.within} if placed.within else base.values
            context = replace(base, cwd=folder, values=values)
            self._made[folder, local, placed.within] = context
        return context
