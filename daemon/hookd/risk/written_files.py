"""Files that a command line visibly changes: by redirections, and by arguments.

It knows the programs that change the files in their arguments, and the paths that git is given to
move, remove, restore or clean. The files that a script, an interpreter, a merge, an archive or a
build writes are not in the text.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Literal

from hookd.lazy_dataclass import dataclass
from hookd.programs.catalogue import with_trait
from hookd.risk.execution import PlacedCommand, placed_commands
from hookd.risk.model import CallContext, CommandCall
from hookd.risk.path_areas import is_stream, paths
from hookd.risk.rules.deletion import FINDERS, start_folders
from hookd.shell.argv import Item
from hookd.shell.commands import Redirect, Shell
from hookd.shell.quoting import names

How = Literal["writes", "may write", "removes", "reads"]
"""`may write`: if the name before it is that of a folder; `removes`: with everything in it."""


@dataclass(frozen=True, slots=True)
class TouchedFile:
    """A file that a command touches, as its text names it, and each absolute path that it may be.

    The paths still have their dots and links; none at all if the text does not say. `named` are
    globs of names: of the content of a folder that is removed, only files that match. `wild` are
    the paths of a word with wildcards, `rm *.log`, for which there are no `paths`.
    """

    text: str
    how: How
    paths: tuple[str, ...]
    named: tuple[str, ...] = ()
    wild: tuple[str, ...] = ()


_MOVERS = with_trait("changes-folder")
_REPLACERS = with_trait("replaces")
"""Programs that remove or replace the name itself, and do not write into the file."""

_NO_FILES = ("/dev/tcp/", "/dev/udp/", "<(", ">(", "=(")
_WILD = frozenset("*?[{")
_JOINS = names("-o -or ! -not , ( )")
"""Operators of find, which make a single test insufficient."""


Files = Iterator[tuple[Item, How]]


def touched_files(
    shell: Shell, place: CallContext, command: str, runs: Iterable[PlacedCommand] | None = None
) -> Iterator[TouchedFile]:
    """Yield the files that a text touches on this machine; `command` is the text itself.

    `runs` are the commands that it runs, if they are known already.
    """
    local = tuple(
        placed for placed in runs or placed_commands(shell, place) if placed.where == "here"
    )
    for placed in local:
        if placed.command.argv.name not in _TABLE:
            continue
        call = CommandCall(placed.command, replace(place, cwd=placed.folders[-1]))
        for item, how in _TABLE[call.program](call):
            possible = _led(item, placed.folders, place)
            if call.program in _REPLACERS or not _streams(possible):
                wild = () if possible else _wild(item, placed.folders, place)
                yield TouchedFile(item.text, how, possible, _named(call), wild)
    folders = _folders(local, place, command)
    for opened in filter(_is_file, shell.redirects):
        how = "writes" if opened.writes else "reads"
        item = Item(opened.path, 0, opened.hole)
        possible = _led(item, folders, place)
        if not _streams(possible):
            wild = () if possible else _wild(item, folders, place)
            yield TouchedFile(opened.path, how, possible, wild=wild)


def _streams(possible: tuple[str, ...]) -> bool:
    """Return whether all possible paths are devices such as /dev/null, and no files."""
    return bool(possible) and all(map(is_stream, possible))


def _is_file(opened: Redirect) -> bool:
    opens = opened.writes or opened.operator == "<"
    return opens and opened.path != "-" and not opened.path.startswith(_NO_FILES)


def _folders(
    local: tuple[PlacedCommand, ...], place: CallContext, command: str
) -> tuple[str | None, ...]:
    """Return the folders in which a text may open files: those in which it runs anything.

    A `cd` opens none in its target, unless its own output is redirected.
    """
    others = [placed for placed in local if placed.command.argv.name not in _MOVERS]
    if len(others) == len(local):
        return (place.cwd, *(folder for placed in local for folder in placed.folders))
    running = local if _redirects_a_move(command) else others
    folders = tuple(folder for placed in running for folder in placed.folders)
    return folders if others and not _redirects_nothing(command) else (*folders, None)


def _redirects_a_move(command: str) -> bool:
    return any(set(part.split()) & _MOVERS for part in _redirected(command))


def _redirects_nothing(command: str) -> bool:
    """Return whether a file is opened without a command, in whichever folder the text is in."""
    return any(part.lstrip().startswith(">") for part in _redirected(command))


def _redirected(command: str) -> list[str]:
    for sign in "|&\n":
        command = command.replace(sign, ";")
    return [part for part in command.split(";") if ">" in part]


def _led(item: Item, folders: Iterable[str | None], place: CallContext) -> tuple[str, ...]:
    """Return the paths of an item from each of the folders; nothing if one is unknown."""
    each = [_paths(item, replace(place, cwd=folder)) for folder in dict.fromkeys(folders)]
    return tuple(dict.fromkeys(path for some in each for path in some)) if all(each) else ()


def _wild(item: Item, folders: Iterable[str | None], place: CallContext) -> tuple[str, ...]:
    """Return the paths of a word with wildcards, from each of the folders; nothing if unknown."""
    if not item.unknown:
        return ()
    each = [paths(item, replace(place, cwd=folder)) for folder in dict.fromkeys(folders)]
    return tuple(dict.fromkeys(path for some in each for path in some)) if all(each) else ()


def _paths(item: Item, place: CallContext) -> tuple[str, ...]:
    if not item.unknown and item.text[:1] == "/":
        return (item.text,)
    if place.cwd is None:
        return ()
    if not item.unknown:
        return (f"{place.cwd}/{item.text}",)
    possible = () if ".." in item.text.split("/") else paths(item, place)
    return () if any(_WILD & set(path) for path in possible) else possible


def _operands(call: CommandCall, flags: str) -> list[Item]:
    """Return the words that are neither flags nor the values of these."""
    skipped = {item.place for item in call.values(*flags.split())}
    return [item for item in call.items if item.place not in skipped]


def _writes(flags: str = "") -> Callable[[CommandCall], Files]:
    return lambda call: ((item, "writes") for item in _operands(call, flags))


def _saves(flags: str) -> Callable[[CommandCall], Files]:
    names_of = flags.split()
    return lambda call: ((item, "writes") for item in call.values(*names_of) if item.text != "-")


def _removes(call: CommandCall) -> Files:
    return ((item, "removes") for item in call.items)


def _sources(call: CommandCall) -> list[Item]:
    items = _operands(call, _COPY_FLAGS.get(call.program, _ANY_COPY))
    return items if call.values(*_INTO) or len(items) == 1 else items[:-1]


_INTO = ("-t", "--target-directory")
_ANY_COPY = "-t --target-directory -S --suffix"
_COPY_FLAGS = {
    "install": f"{_ANY_COPY} -m --mode -o --owner -g --group",
    "rsync": "-e --rsh --exclude --include --filter -f --exclude-from --files-from --log-file",
    "scp": "-i -P -F -o -c -l -S -J",
}


def _copies(call: CommandCall) -> Files:
    """Yield the target of a copy: its last word, or a file in the folder of that name."""
    if call.program == "install" and call.has("-d", "--directory"):
        yield from ((item, "writes") for item in _operands(call, _COPY_FLAGS["install"]))
        return
    sources, into = _sources(call), call.values(*_INTO)
    if not sources:
        return
    place = sources[-1].place
    last = next((item for item in call.items if item.place > place), Item(".", 0))
    target = into[-1] if into else last
    if call.program in ("rsync", "scp") and ":" in target.text.partition("/")[0]:
        return
    folder = bool(into) or len(sources) > 1 or target.text.endswith("/")
    folder = folder or target.text.rpartition("/")[2] in (".", "..")
    if not folder:
        yield target, "writes"
    for source in sources:
        yield _joined(target, source), "writes" if folder else "may write"


def _joined(folder: Item, source: Item) -> Item:
    """Return the item that a source becomes in a folder."""
    name = source.text.rstrip("/").rpartition("/")[2]
    hole = folder.hole or source.hole
    return Item(f"{folder.text.rstrip('/')}/{name}", folder.place, hole)


def _moves(call: CommandCall) -> Files:
    yield from ((item, "removes") for item in _sources(call))
    yield from _copies(call)


def _edits(call: CommandCall) -> Files:
    """Yield the files that are edited in place; the script is none."""
    short = [flag.partition("e")[0] for flag, _ in call.words.flags if flag[:2] != "--"]
    if not (any("i" in flag for flag in short) or call.has("--in-place")):
        return
    scripts = call.values("-e", "--expression", "-f", "--file")
    skipped = {item.place for item in scripts}
    items = [item for item in call.items if item.place not in skipped]
    yield from ((item, "writes") for item in (items if scripts else items[1:]))


def _packs(call: CommandCall) -> Files:
    """Yield the files that are deleted once they are packed."""
    keeps = call.has(
        "-c", "--stdout", "--to-stdout", "-k", "--keep", "-l", "--list", "-t", "--test"
    )
    yield from () if keeps else _removes(call)


def _patches(call: CommandCall) -> Files:
    """Yield the file argument of patch; the files named in the patch are unknown."""
    flags = "-i --input -p --strip -d --directory -B --prefix -z --suffix -F --fuzz -r -V -D -Y -g"
    yield from ((item, "writes") for item in _operands(call, flags)[:1])
    yield from _saves("-o --output")(call)


def _dumps(call: CommandCall) -> Files:
    outputs = (item for item in call.items if item.text.startswith("of="))
    return ((Item(item.text[3:], item.place, item.hole), "writes") for item in outputs)


def _named(call: CommandCall) -> tuple[str, ...]:
    """Return the names that find tests before it deletes; none if it may delete others."""
    words = call.command.words
    if call.program not in FINDERS or not _JOINS.isdisjoint(words) or "-delete" not in words:
        return ()
    items = call.values("-name", "-iname")
    sure = all(not item.unknown and item.place < words.index("-delete") for item in items)
    return tuple(item.text for item in items) if sure else ()


def _deletes(call: CommandCall) -> Files:
    places = start_folders(call) if call.has("-delete") else ()
    return ((item, "removes") for item in places)


def _git(call: CommandCall) -> Files:
    """Yield the paths that git is given to move, remove, restore or clean."""
    skipped = {item.place for item in call.values(*_GIT_VALUES)}
    rest = [item for item in call.items[1:] if item.place not in skipped]
    words = call.command.words
    paths_from = words.index("--") if "--" in words else 0
    match call.verb:
        case "mv":
            yield from _git_moves(rest)
        case "rm" | "clean":
            yield from ((item, "removes") for item in rest if not call.has("-n", "--dry-run"))
        case "restore":
            staged = call.has("--staged", "-S") and not call.has("--worktree", "-W")
            yield from ((item, "removes") for item in rest if not staged)
        case "checkout":  # without `--` the first word is rather a branch
            for at, item in enumerate(rest):
                if item.place > paths_from:
                    yield item, "removes" if at or paths_from else "may write"
        case "stash":
            yield from ((item, "removes") for item in rest if 0 < paths_from < item.place)
        case _:
            return


def _git_moves(items: list[Item]) -> Files:
    if len(items) < 2:
        return
    *sources, target = items
    yield from ((item, "removes") for item in sources)
    if len(sources) == 1:
        yield target, "writes"
    yield from ((_joined(target, item), "may write") for item in sources)


_GIT_VALUES = ("-b", "-B", "--orphan", "-s", "--source", "--conflict", "--pathspec-from-file")

_TABLE: dict[str, Callable[[CommandCall], Files]] = {
    **dict.fromkeys(names("rm unlink srm rimraf shred"), _removes),
    **dict.fromkeys(names("tee gtee sponge"), _writes()),
    **dict.fromkeys(names("gzip gunzip bzip2 bunzip2 xz unxz"), _packs),
    **dict.fromkeys(names("ed ex"), _writes("-c -p --prompt")),
    "git": _git,
    "patch": _patches,
    "touch": _writes("-d --date -r --reference -t"),
    "truncate": _writes("-s --size -r --reference"),
    **dict.fromkeys(names("cp gcp install ln gln link rsync scp"), _copies),
    **dict.fromkeys(names("mv gmv"), _moves),
    **dict.fromkeys(names("sed gsed perl"), _edits),
    **dict.fromkeys(names("find gfind"), _deletes),
    "dd": _dumps,
    "sort": _saves("-o --output"),
    "curl": _saves("-o --output -D --dump-header"),
    "wget": _saves("-O --output-document -o --output-file"),
}
"""By the program's name."""

PROGRAMS = frozenset(_TABLE) - {"git"}
"""Programs whose changed files are all known; most subcommands of git change others, too."""
