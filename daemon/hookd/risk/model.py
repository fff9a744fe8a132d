"""Model of risks: Risk, the context of a call, and the type of rules.

A rule says which risks a simple command has, by the program's own documentation. It knows the
command and the folder it runs in, and nothing of the files on the disk.
"""

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field

from hookd.lazy_dataclass import dataclass
from hookd.programs.model import RiskKind, Severity
from hookd.shell.argv import Argv, Item
from hookd.shell.commands import Command

SCRATCH = ("/tmp", "/var/tmp", "/private/tmp", "/dev/shm", "/var/folders", "/private/var/folders")  # noqa: S108
"""Folders of temporary files of all programs."""


@dataclass(frozen=True, slots=True)
class Risk:
    """One thing that a command does, or may do.

    `reason` is a clause whose subject is the command: "deletes / and everything below it".
    `alternative` is a whole sentence with a safe way, or empty. `certain` is False if it depends on
    an unknown word. `command` is the simple command that has the risk, `rule` the id of the rule
    that found it.

    `files` are the absolute paths whose content it loses: there is no risk if git has a copy of all
    of them, nor, with `if_present`, if none of them exists.
    """

    kind: RiskKind
    severity: Severity
    reason: str
    alternative: str = ""
    certain: bool = True
    command: str = ""
    rule: str = field(default="", compare=False)
    files: tuple[str, ...] = ()
    if_present: bool = False


@dataclass(frozen=True, slots=True)
class CallContext:
    """The context of a command: absolute paths. `cwd` is None if it is unknown.

    `scratch` are folders of temporary files. `owned` are folders that the user has added to the
    project. `more` and `less` are globs of files that are secrets, and that are none. `values` are
    the texts that a variable of the command may contain, where they are known; it is not compared,
    since equal contexts are compared for the same command only. `statements` are the paths and
    texts of files that the command runs as statements for a database; a text is None if it cannot
    be read.
    """

    cwd: str | None = None
    project: str | None = None
    home: str = ""
    scratch: tuple[str, ...] = SCRATCH
    owned: tuple[str, ...] = ()
    secret_globs: tuple[str, ...] = ()
    not_secret_globs: tuple[str, ...] = ()
    statements: tuple[tuple[str, str | None], ...] = ()
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False)

    def located(self, path: str) -> str | None:
        """Return a path made absolute, with `~` as the home folder; None if it is unknown."""
        whole = f"{self.home}{path[1:]}" if path[:2] == "~/" and self.home else path
        if whole[:1] == "/":
            return whole
        return posixpath.join(self.cwd, whole) if whole and self.cwd else None


@dataclass(frozen=True, slots=True)
class CommandCall:
    """One simple command in its context, as rules see it."""

    command: Command
    context: CallContext

    @property
    def words(self) -> Argv:
        """Its words, classified as flags and others."""
        return self.command.argv

    @property
    def program(self) -> str:
        """The program's name in lower case, without its folder; empty if it is unknown."""
        return self.command.argv.name

    @property
    def items(self) -> tuple[Item, ...]:
        """The words that are no flags, values of flags included."""
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
        """Return whether one of these flags is certainly given, in any spelling of it."""
        return self.words.has_any(flags)

    def may_have(self, *flags: str) -> bool:
        """Return whether one of these flags may be given: abbreviated, or by an unknown word."""
        return any(self.words.may_have(flag) for flag in flags)

    def values(self, *flags: str) -> tuple[Item, ...]:
        """Return the values of these flags, be they separate words or joined to the flag."""
        if not self.words.flags:
            return ()
        return tuple(item for flag in flags for item in self._values(flag))

    def _values(self, flag: str) -> Iterator[Item]:
        holes = {hole.at: hole for hole in self.command.holes}
        long = flag.startswith("--")
        for flag_given, place in self.words.flags:
            text = self.command.words[place] if place < len(self.command.words) else flag_given
            glued = f"{flag}=" if long else flag
            short = not long and flag_given[:2] != "--"
            if flag_given == flag or (short and flag_given[-1:] == flag[1:]):
                yield from (item for item in self.items if item.place == place + 1)
            elif flag_given.startswith(glued):
                yield Item(text[len(glued) :], place, holes.get(place))

    def starts(self, *verbs: str) -> bool:
        """Return whether the operands begin with these words: `starts("stash", "drop")`."""
        return tuple(item.text for item in self.items[: len(verbs)]) == verbs


WAYS: Mapping[RiskKind, str] = {
    "deletes": "Commit what matters in it first; the user can run it.",
    "history": "Save a copy first: a commit, a stash or another branch.",
    "force-push": "Push to a new branch, which overwrites nothing.",
    "disk": "The user can run it, after a look at what is on the device.",
    "permissions": "Name only the files, and the rights, that are needed.",
    "network-shell": "Save it to a file, read the file, then run it.",
    "secrets": "",
    "outside": "The user can run it: it changes the machine, not only the project.",
    "kills": "Name a process that this session started, or let the user run it.",
    "database": "Make a backup of the data first; the user can run it.",
    "publishes": "The user can run it, after a look at what would be published.",
    "cloud": "A list or a plan of the same program shows its effect; the user can run it.",
    "containers": "A list command of the same program shows what it affects.",
    "unreadable": "Write plain commands, whose words are known from the text.",
}
"""A safe way for each kind of risk, where a rule names none of its own."""

RiskRule = Callable[[CommandCall], Iterable[Risk]]
"""Yields the risks of a call of its programs."""
