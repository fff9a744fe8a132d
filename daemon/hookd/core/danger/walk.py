"""The home of the walk over what a text runs: every command at its place, judged by its table."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from hookd.core.danger.dispatch import Where, runs
from hookd.core.danger.entry import Call, Danger, Kind, Place
from hookd.core.danger.files import DELETERS, FINDERS, deleted_below, starts
from hookd.core.danger.nameless import nameless
from hookd.core.danger.network import networked
from hookd.core.danger.paths import paths
from hookd.core.danger.processes import bombs
from hookd.core.danger.secrets import settled
from hookd.core.danger.tables import RULES, texts
from hookd.core.danger.transfers import redirected
from hookd.core.shell import Command, Redirect, Shell, read
from hookd.core.shell.flags import Item
from hookd.core.shell.runners import SHELLS

_FOLDERS = 8
"""Folders that a command may be run in, before nobody can tell."""

_NESTED = 4
_ECHO = ("-e", "-n", "-E", "-ne", "-en", "--")
_WEIGHTS = ("deny", "ask")
_LOCAL: frozenset[Kind] = frozenset(
    {"deletes", "history", "disk", "permissions", "outside", "kills"}
)
"""What harms the machine that it is done on, and nobody else."""

_INSTEAD = "Plain commands, one by one, can be judged."
_DEEP = (Danger("unreadable", "ask", "holds programs within programs, too many", _INSTEAD),)

Folders = tuple[str | None, ...]


@dataclass(frozen=True)
class Found:
    """A command as it is judged: where it runs, and in which folders it may."""

    command: Command
    where: Where
    folders: Folders
    within: tuple[str, ...] = ()  # the places below which find found what it is run on
    listed: Command | None = None  # the find whose list it is given by a pipe


def dangers(shell: Shell, place: Place) -> tuple[Danger, ...]:
    """Return what the commands of a text may do, the strongest first."""
    return _strongest(_dangers(shell, place, 0))


def found(shell: Shell, place: Place) -> tuple[Found, ...]:
    """Return the commands that a text really runs, less what the reader only guessed."""
    return tuple(_Walk(place).run(shell))


def _strongest(all_of_them: Iterable[Danger]) -> tuple[Danger, ...]:
    once = dict.fromkeys(all_of_them)
    return tuple(sorted(once, key=lambda danger: _WEIGHTS.index(danger.weight)))


def _dangers(shell: Shell, place: Place, depth: int) -> Iterator[Danger]:
    walk = _Walk(place)
    commands = tuple(walk.run(shell))
    judged = [danger for one in commands for danger in _judged(one, place, depth)]
    judged += (*networked(shell, place), *(() if shell.plain else bombs(shell.commands)))
    yield from (danger for danger in judged if danger.kind != "secrets")
    yield from settled(shell, place, judged)
    yield from redirected(_opened(shell, commands), place, walk.seen)
    if shell.unreadable and all(danger.kind != "unreadable" for danger in judged):
        why = f"cannot be judged: {shell.unreadable}"
        yield Danger("unreadable", "ask", why, _INSTEAD)


def _opened(shell: Shell, commands: Iterable[Found]) -> tuple[Redirect, ...]:
    """Return the redirections of this machine's shell, less those of a shell in a container."""
    away: list[Redirect] = []
    for one in commands:
        if one.where in ("container", "vanishing") and _program(one.command) in SHELLS:
            scripts = Call(one.command, Place()).values("-c")
            away += [more for script in scripts for more in read(script.text).redirects]
    kept = []
    for redirect in shell.redirects:
        if redirect in away:
            away.remove(redirect)
        else:
            kept.append(redirect)
    return tuple(kept)


def _judged(one: Found, place: Place, depth: int) -> Iterator[Danger]:
    here = place if one.where == "here" else replace(place, project=None, owned=())
    folders = one.folders if one.where == "here" else (None,)
    for folder in folders:
        call = Call(_own(one), replace(here, cwd=folder, values=_values(one, here)))
        if one.listed is not None and call.program in DELETERS:
            listed = Call(one.listed, call.place)
            yield from (replace(d, command=listed.text) for d in deleted_below(listed))
        for rule in RULES.get(call.program, ()):
            for danger in rule(call):
                yield from _there(replace(danger, command=danger.command or call.text), one.where)
        if not call.program:
            yield from nameless(call)
        said = call.command.stdin if call.program in SHELLS and call.command.fed else ()
        for text in (*texts(call), *said):
            for danger in _dangers(read(text), call.place, depth + 1) if depth < _NESTED else _DEEP:
                yield from _there(danger, one.where)


def _there(danger: Danger, where: Where) -> Iterator[Danger]:
    """Yield a danger as it weighs where the command runs: a container's own files are its own."""
    if where in ("here", "remote") or danger.kind not in _LOCAL:
        yield danger
    elif where == "container":
        yield replace(danger, weight="ask")


def _fed(command: Command, before: Command | None) -> Command:
    """Return a command with what `echo`, `printf` or `cat` gives it by a pipe as its input."""
    if before is None or not command.fed or before.holes:
        return command
    if before.words == ("cat",):
        return replace(command, stdin=(*command.stdin, *before.stdin))
    if before.straight or _program(before) not in ("echo", "printf"):
        return command
    words = [word for word in before.words[1:] if word not in _ECHO]
    text = " ".join(words).replace("\\n", "\n").replace("%s", "")
    return replace(command, stdin=(*command.stdin, text))


def _program(command: Command) -> str:
    return command.words[0].rpartition("/")[2] if command.words else ""


def _finds(one: Found) -> bool:
    return one.listed is not None or _program(one.command) in FINDERS


def _own(one: Found) -> Command:
    """Return a command less the words that it is given by a pipe from find."""
    given = one.listed is not None
    holes = tuple(hole for hole in one.command.holes if hole.at < len(one.command.words))
    return replace(one.command, holes=holes) if given else one.command


def _values(one: Found, place: Place) -> Mapping[str, tuple[str, ...]]:
    return {**place.values, "{}": one.within} if one.within else place.values


@dataclass
class _Walk:
    """One walk over the commands of a text: in which folders it may be by now."""

    place: Place
    seen: list[Folders] = field(default_factory=list)
    piped: bool = True

    def run(self, shell: Shell) -> Iterator[Found]:
        """Yield the commands that are really run, in their order."""
        self.seen = [(self.place.cwd,)]
        self.piped = not any(one.operator.startswith("<") for one in shell.redirects)
        line: list[Found | None] = []
        before: Command | None = None
        for command in shell.commands:
            del line[len(command.through) :]
            one = self._found(_fed(command, before), line, before)
            line += [one] * (len(command.through) + 1 - len(line))
            if one is not None:
                yield one
                self._moved(one)
                before = one.command

    def _found(
        self, command: Command, line: list[Found | None], before: Command | None
    ) -> Found | None:
        finds = before is not None and self.piped and _program(before) in FINDERS
        piped = before if finds and _program(command) in ("xargs", "gxargs") else None
        if not command.through or not line:
            return Found(command, "here", self.seen[-1], listed=piped)
        parent = next((one for one in reversed(line) if one is not None), None)
        where = runs(parent.command, command) if parent is not None else None
        if parent is None or where is None:
            return None
        if where == "here":
            where = parent.where
        found = Found(
            command, where, self._sent(parent) or self.seen[-1], parent.within, parent.listed
        )
        return replace(found, within=self._below(parent)) if _finds(parent) else found

    def _below(self, parent: Found) -> tuple[str, ...]:
        """Return the places below which find looks, as far as they are known."""
        lister = parent.listed or parent.command
        call = Call(lister, replace(self.place, cwd=parent.folders[-1]))
        return tuple(one for item in starts(call) for one in paths(item, call.place))

    def _sent(self, parent: Found) -> Folders:
        """Return the folders that a wrapper sends its command to: `env -C`, `sudo -D`."""
        call = Call(parent.command, replace(self.place, cwd=parent.folders[-1]))
        flag = {"env": "-C", "sudo": "-D", "genv": "-C"}.get(call.program)
        if flag is None:
            return ()
        given = call.values(flag, "--chdir")
        return self._led(given[-1], parent.folders) if given else ()

    def _moved(self, one: Found) -> None:
        call = Call(one.command, replace(self.place, cwd=self.seen[-1][-1]))
        if one.where != "here" or call.program not in ("cd", "chdir", "pushd", "popd", "z"):
            return
        now = self.seen[-1]
        back = call.program == "popd" or [item.text for item in call.items[:1]] == ["-"]
        if call.program == "z":
            led: Folders = (None,)
        elif back:
            led = self.seen[-2] if len(self.seen) > 1 else now
        elif not call.items:
            led = (self.place.home or None,)
        else:
            led = self._led(call.items[0], now)
        both = led if one.command.straight else (*now, *led)
        once = tuple(dict.fromkeys(both))
        self.seen.append(once if len(once) <= _FOLDERS else (None,))

    def _led(self, item: Item, now: Folders) -> Folders:
        known = [paths(item, replace(self.place, cwd=folder)) or (None,) for folder in now]
        return tuple(dict.fromkeys(one for some in known for one in some))
