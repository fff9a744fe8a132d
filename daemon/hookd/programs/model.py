"""Model of the catalogue: programs with their traits, flags and rules. Data without behaviour."""

from typing import Literal, NamedTuple

RiskKind = Literal[
    "deletes",  # files, recursively or by a pattern
    "history",  # discards or rewrites committed or uncommitted work
    "force-push",  # shared history
    "disk",  # devices, partitions, file systems
    "permissions",  # widely
    "network-shell",  # runs a program from the network
    "secrets",  # reads or sends them
    "outside",  # writes outside of the project
    "kills",  # by name, or all of them
    "database",  # drops or empties databases
    "publishes",  # irreversibly
    "cloud",  # destroys resources
    "containers",  # with their data
    "unreadable",  # cannot be analyzed
]
Severity = Literal["deny", "ask"]

DRY_RUN_FLAGS = ("--dry-run", "--dry-run=true", "--help")
"""Flags with which most programs only print what they would do."""

SIMULATION_FLAGS = (
    *DRY_RUN_FLAGS,
    "-s",
    "--simulate",
    "--just-print",
    "--assume-no",
    "--assumeno",
    "-n",
    "-p",
)
"""Those of package managers and of programs that administer the system."""


class Rule(NamedTuple):
    """One harmful subcommand.

    `words` are the words that the operands begin with: each a glob, `a|b` for either, `**` for any
    number of words. `flags` are those of which one must be given, `unless` those with which it is
    harmless. An empty `kind` means that of the table.
    """

    id: str
    words: str
    severity: Severity
    reason: str
    alternative: str = ""
    flags: str = ""
    unless: str = ""
    kind: RiskKind | None = None


class Table(NamedTuple):
    """Rules of one kind, in order: the first that matches a call applies.

    With one of the flags in `harmless`, none applies.
    """

    kind: RiskKind
    rules: tuple[Rule, ...]
    harmless: tuple[str, ...] = DRY_RUN_FLAGS


class Check(NamedTuple):
    """A rule that needs code: a function of `risk` names it in the risks that it yields."""

    id: str
    kind: RiskKind
    reason: str


class Options(NamedTuple):
    """A program's syntax before the nested command: letters of flags with and without value.

    `names` are the long flags that take the next word. `operands` words precede the command.
    """

    values: str = ""
    flags: str = ""
    names: str = ""
    operands: int = 0
    assigns: bool = False
    lenient: bool = False


class Launch(NamedTuple):
    """The subcommands that another program follows, and the flags with a value."""

    verbs: str
    valued: str = ""


class Host(NamedTuple):
    """The words before a command: the subcommand, flags with a value, words with a name.

    `text` are flags whose value is the command itself. `away`: another shell reads the words.
    """

    verb: str
    valued: str = ""
    operands: int = 0
    text: str = ""
    away: bool = True


class Program(NamedTuple):
    """Programs of equal behaviour, by their names.

    `traits` are words of `TRAITS`. These fields list flags: `values` are followed by a value that
    is no file, `saves` by a file that is written, `opens` by a file or socket that is written or
    used, `runs` by a command, `statements` by SQL or a script, `scripts` by a file of those,
    `mounts` by a folder that a container gets, `folder` by the folder that a nested command runs
    in. `wraps`, `launch` and `hosts` describe the words before a nested command, `language` is that
    of inline code, and `uploads` are the subcommands that send files.
    """

    names: str
    traits: str = ""
    tables: tuple[Table, ...] = ()
    checks: tuple[Check, ...] = ()
    values: str = ""
    saves: str = ""
    opens: str = ""
    runs: str = ""
    statements: str = ""
    scripts: str = ""
    mounts: str = ""
    folder: str = ""
    wraps: Options | None = None
    launch: Launch | None = None
    hosts: tuple[Host, ...] = ()
    language: str = ""
    uploads: tuple[str, ...] = ()


TRAITS = {
    # What it does with files and text.
    "shows": "Prints the content of its files.",
    "filters": "Prints the parts of its files that its first word, or a flag, selects.",
    "searches": "Selects lines by a pattern; flags make it print only names or counts.",
    "searches-folders": "Searches whole folders without a flag.",
    "quotes-files": "Its first word is code that may name further files.",
    "repeats": "Prints its input, changed or not.",
    "prints-words": "Prints its words.",
    "prints-file": "Prints a file as it is.",
    "prints-nothing": "Prints nothing of the content of its files.",
    "prints-names": "Prints names of files that are among its words.",
    "prints-variables": "Is a builtin that prints variables or the history.",
    "narrows": "Prints a part of its input in a pipe.",
    "keeps-input": "Keeps its input without printing it.",
    "queries-json": "Runs queries on JSON, which may read the environment.",
    "copies": "Copies, moves or links files.",
    "copies-files": "Copies files.",
    "links": "Puts something else in the place of a folder, or gives it a second name.",
    "deletes": "Deletes its arguments.",
    "replaces": "Deletes or replaces its arguments.",
    "renames": "Renames or removes whatever its words match.",
    "finds": "Finds files below folders.",
    "makes-folders": "Creates folders.",
    "sets-modes": "Changes permissions of files.",
    "changes-in-place": "Changes its words, not their content.",
    "changes-tree": "Changes a folder with its content.",
    "mounts": "Mounts a file system over a folder.",
    "edits": "Is an editor that saves by a command.",
    "writes-nothing": "Writes none of its words.",
    "plain": "Writes none of its words, and affects no process.",
    "archives": "Packs and unpacks archives in tar's syntax.",
    # What it runs.
    "shell": "Runs a shell script: a text, its input or a file.",
    "evaluates": "Runs its words or a file in the current shell.",
    "wraps": "Runs a command that may begin at any of its words.",
    "passes-words": "Passes words unchanged: no shell reads them, unless one is named there.",
    "runs-input": "Runs its input if no command is given.",
    "runs-listed": "Runs a command for files that it finds, or that its input lists.",
    "starts-programs": "Starts programs by their name: `python -m`, `php artisan`.",
    "may-run": "Runs, in some form, its arguments, although it has rules.",
    "may-start": "May run its words or input, although it only prints, searches or edits.",
    "runs-statements": "Runs statements for a database: from its input, or from a file.",
    "takes-text": "Its words are text, names or patterns; it runs none of them.",
    "narrow-wrapper": "Runs the command that follows its flags.",
    "runs-first-word": "Runs its first word that is no flag.",
    "runs-after-verb": "Runs the words after `run`, `exec` and the like.",
    "has-no-verbs": "Has no subcommands.",
    "container": "Runs commands in a container.",
    "new-machine": "Runs commands on a machine that is deleted afterwards.",
    "other-machine": "Runs commands on a machine of its own.",
    "remote": "Runs commands on another host.",
    "opens-own-file": "Runs a command, and opens a file of its own.",
    "isolates": "Runs a command as another user, or with another file system.",
    "runs-ex-commands": "Runs commands of the editor ex by `-c` and `+`.",
    "runs-code": "Runs code of its own language by `--eval`, although it edits files.",
    # What it does with the shell, the network and processes.
    "prefix": "Is a word before a command.",
    "sets-variables": "Is a builtin that changes variables.",
    "sets-names": "Is a builtin that may change the meaning of names.",
    "assigns": "Passes its words to variables of the environment.",
    "changes-folder": "Changes the working folder.",
    "fetches": "Fetches from the network.",
    "decodes": "Decodes a text.",
    "sends": "May send its input to another host.",
    "requests": "Sends a request with flags for its body and headers.",
    "method-first": "Takes the request's method as its first word.",
    "looks-up": "Sends its words to a name server, or to the host that they name.",
    "lists-processes": "Prints process ids.",
    "installs": "Installs and removes programs.",
    "installs-by-flag": "Installs and removes programs by flags.",
    "sets-preferences": "Changes preferences of programs.",
    "client": "Is a client that runs hookd's hooks.",
    "service": "Is a client of a service: a verb of deletion that no rule names is asked about.",
    "local-tool": "Deletes only what belongs to this machine and can be installed or set again.",
    # How its words are read.
    "single-dash": "Its long flags begin with a single dash.",
    "is-subcommand": "Its name is more often a subcommand of another program.",
}
"""Each trait, and what it says of a program."""
