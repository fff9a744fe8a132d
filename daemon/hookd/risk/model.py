"""What a call may do that somebody will miss: the contract between the tables and those who ask.

A table says of one simple command which dangers are in it, by the program's own documentation. It
knows the command and the place where it is run, and nothing of what stands on the disk.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from hookd.shell.argv import Argv, Item
from hookd.shell.commands import Command

RiskKind = Literal[
    "deletes",  # files, recursively or by a pattern
    "history",  # discards or rewrites what version control keeps, or is about to keep
    "force-push",  # shared history
    "disk",  # devices, partitions, file systems
    "permissions",  # widely
    "network-shell",  # runs what comes from the network
    "secrets",  # reads or sends them
    "outside",  # writes outside of the project
    "kills",  # by name, or everything
    "database",  # drops or empties what is stored
    "publishes",  # what cannot be taken back
    "cloud",  # destroys resources
    "containers",  # with their data
    "unreadable",  # nobody can tell what it does
]
Severity = Literal["deny", "ask"]

_SCRATCH = ("/tmp", "/var/tmp", "/private/tmp", "/dev/shm", "/var/folders", "/private/var/folders")  # noqa: S108


@dataclass(frozen=True, slots=True)
class Risk:
    """One thing that a command does, or may do.

    `why` is a clause whose subject is the command: "deletes / and all that is below it". `instead`
    is a whole sentence with what can be done in its place, or empty. `sure` is False where it hangs
    on a word that is not known from the text. `command` is the simple command it was found in.
    """

    kind: RiskKind
    severity: Severity
    reason: str
    alternative: str = ""
    certain: bool = True
    command: str = ""


@dataclass(frozen=True, slots=True)
class CallContext:
    """Where a command is run: absolute paths. `cwd` is None where nobody can tell.

    `scratch` are folders whose content nobody will miss. `owned` are further folders that the agent
    works in, beside the project: those that its user has added. `more` and `less` are globs of
    files that are secrets, and that are none. `values` are the texts that a variable of the command
    may hold, where they are known; whoever compares places has the same command.
    """

    cwd: str | None = None
    project: str | None = None
    home: str = ""
    scratch: tuple[str, ...] = _SCRATCH
    owned: tuple[str, ...] = ()
    secret_globs: tuple[str, ...] = ()
    not_secret_globs: tuple[str, ...] = ()
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class CommandCall:
    """One simple command at its place, as the tables see it."""

    command: Command
    context: CallContext

    @property
    def words(self) -> Argv:
        """Its words, sorted into flags and others."""
        return self.command.argv

    @property
    def program(self) -> str:
        """The program's name in lower case, without its folder; empty where it is not known."""
        return self.command.argv.name

    @property
    def items(self) -> tuple[Item, ...]:
        """The words that are no flags; values of flags are among them."""
        return self.words.items

    @property
    def verb(self) -> str:
        """The first word that is no flag: the subcommand of git, npm, docker; empty if unknown."""
        return self.items[0].text if self.items and not self.items[0].unknown else ""

    @property
    def text(self) -> str:
        """The command as one line, for people."""
        return self.command.line

    def has(self, *flags: str) -> bool:
        """Whether one of these flags is sure to be given, in any spelling of it."""
        return any(self.words.has(flag) for flag in flags)

    def may_have(self, *flags: str) -> bool:
        """Whether one of these flags may be given: shortened, or by a word that is not known."""
        return any(self.words.may_have(flag) for flag in flags)

    def values(self, *flags: str) -> tuple[Item, ...]:
        """The values given to these flags: as words of their own, or glued to the flag."""
        return tuple(item for flag in flags for item in self._values(flag))

    def _values(self, flag: str) -> Iterator[Item]:
        holes = {hole.at: hole for hole in self.command.holes}
        long = flag.startswith("--")
        for given, place in self.words.flags:
            text = self.command.words[place] if place < len(self.command.words) else given
            glued = f"{flag}=" if long else flag
            short = not long and given[:2] != "--"
            if given == flag or (short and given[-1:] == flag[1:]):
                yield from (item for item in self.items if item.place == place + 1)
            elif given.startswith(glued):
                yield Item(text[len(glued) :], place, holes.get(place))

    def starts(self, *verbs: str) -> bool:
        """Whether the words that are no flags begin with these: `starts("stash", "drop")`."""
        return tuple(item.text for item in self.items[: len(verbs)]) == verbs


RiskRule = Callable[[CommandCall], Iterable[Risk]]
"""Yields the dangers of a call of the programs it stands for; none is silence."""
