"""Where archives, copies, patches and downloads put files, and what tells their names.

Of each command: the folders that files land in, and the source that tells which ones. A source is
a file or a folder on this machine that can be looked into; where there is none, any name may land.
"""

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Literal
from urllib.parse import unquote

from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile
from hookd.policy_support.self_guard.patch_files import changed_in
from hookd.programs.catalogue import with_trait
from hookd.risk.inline.source import language_of, programs
from hookd.risk.model import CommandCall
from hookd.risk.path_areas import paths
from hookd.shell.argv import Item
from hookd.shell.commands import Command
from hookd.shell.quoting import names

_WILD = lazy_compile(r"[*?\[{]")

Kind = Literal["archive", "patch", "folder"]


@dataclass(frozen=True, slots=True)
class Landing:
    """Files that a command puts into a folder.

    `into` are the absolute folders that it may be; none: it is not known. `names` are the files
    that land, relative to it, as far as the text tells. Where it does not, `source` tells them: an
    archive, a patch, or a folder. With neither, they may have any name. `flat`: they land in the
    folder itself, not below it. `strip` folders are left out of each name of an archive. Of a
    folder, only what `glob` names is copied. `clears`: what is not in the source is removed.
    `only` are the names that an archive is asked for.
    """

    text: str
    into: tuple[str, ...]
    names: tuple[str, ...] | None = None
    source: str = ""
    kind: Kind = "archive"
    flat: bool = False
    strip: int = 0
    glob: str = ""
    clears: bool = False
    only: tuple[str, ...] | None = None


Found = Iterator[Landing]


def may_land(command: Command) -> bool:
    """Return whether a program may put files into folders."""
    return command.argv.name in _TABLE or language_of(command) == "python"


def landings(call: CommandCall, fed_by: str | None = None) -> Found:
    """Yield what a command puts where.

    `fed_by` is the file that it reads as its input, "" where that is not known; None: no file.
    """
    rule = _TABLE.get(call.program)
    if rule is not None:
        yield from rule(call, fed_by)
    elif language_of(call.command) == "python":
        yield from _module(call)


def _led(item: Item | None, call: CommandCall) -> tuple[str, ...]:
    """Return where an item leads; the folder of the command where there is no item."""
    if item is None:
        return (call.context.cwd,) if call.context.cwd else ()
    return paths(item, call.context)


def _one(item: Item | None, call: CommandCall) -> str:
    """Return the one file that an item is; "" where it may be several, or is not known."""
    led = _led(item, call) if item is not None else ()
    return led[0] if len(led) == 1 and not _WILD.search(led[0]) else ""


def _last(call: CommandCall, *flags: str) -> Item | None:
    found = call.values(*flags)
    return found[-1] if found else None


def _tar(call: CommandCall, fed_by: str | None) -> Found:
    words = call.command.words
    bundled = words[1] if len(words) > 1 and words[1][:1] != "-" else ""
    letters = bundled + "".join(f for f, _ in call.words.flags if f[:2] != "--")
    if "x" not in letters and not call.has("--extract", "--get"):
        return
    folder = _last(call, "-C", "--directory", "--cd", "--one-top-level")
    file = _last(call, "-f", "--file")
    skipped = {item.place for item in call.values(*_TAR_VALUES)}
    rest = [item for item in call.items if item.place not in skipped and item.text != bundled]
    if file is None and "f" in bundled:
        file, rest = (rest[0] if rest else None), rest[1:]
    if file is None and "f" in letters and rest and not bundled:
        file, rest = rest[0], rest[1:]
    source = (fed_by or "") if file is None or file.text == "-" else _one(file, call)
    into, strip = _led(folder, call), _number(_last(call, "--strip-components", "--strip"))
    if call.has(*_TAR_RENAMES) or "i" in bundled:
        yield Landing(call.text, into)
        return
    only = _members(rest, strip)
    yield Landing(call.text, into, None if source else only, source, strip=strip, only=only)


_TAR_VALUES = (
    *("-C", "--directory", "--cd", "-f", "--file", "--strip-components", "--strip", "-X", "-T"),
    *("--exclude", "--exclude-from", "--files-from", "-I", "--use-compress-program", "--owner"),
    *("--transform", "--xform", "-s", "--one-top-level", "--group", "--mode", "-b", "-H"),
)
_TAR_RENAMES = ("--transform", "--xform", "-s", "-T", "--files-from", "-i", "--ignore-zeros", "-P")


def _number(item: Item | None) -> int:
    return int(item.text) if item is not None and item.text.isdigit() else 0


def _members(items: list[Item], strip: int) -> tuple[str, ...] | None:
    """Return the names that are unpacked where they are given; None: any.

    Of a glob it is the folder before it.
    """
    if not items or any(item.unknown and not _WILD.search(item.text) for item in items):
        return None
    whole = (_before_glob(item.text) for item in items)
    steps = [[step for step in one.split("/") if step not in ("", ".")][strip:] for one in whole]
    return tuple("/".join(one) for one in steps) if all(steps) else None


def _before_glob(text: str) -> str:
    found = _WILD.search(text)
    return text[: found.start()].rpartition("/")[0] if found else text


def _unzip(call: CommandCall, _fed_by: str | None) -> Found:
    if call.has("-l", "-t", "-p", "-Z", "-v", "-z"):
        return
    skipped = {item.place for item in call.values("-d", "-x", "-P")}
    rest = [item for item in call.items if item.place not in skipped]
    source = _one(rest[0], call) if rest else ""
    only, into = _members(rest[1:], 0), _led(_last(call, "-d"), call)
    yield Landing(call.text, into, None if source else only, source, only=only)


def _into(*flags: str, verbs: str = "") -> "Rule":
    """Return the rule of an unpacker whose archive cannot be listed, into a flag's folder."""

    def rule(call: CommandCall, _fed_by: str | None) -> Found:
        if not verbs or call.verb in verbs.split():
            yield Landing(call.text, _led(_last(call, *flags), call))

    return rule


def _cpio(call: CommandCall, _fed_by: str | None) -> Found:
    if call.has("-i", "--extract", "-p", "--pass-through"):
        yield Landing(call.text, _led(_last(call, "-D", "--directory"), call))


def _module(call: CommandCall) -> Found:
    """Yield what `python3 -m zipfile -e FILE DIR` and `-m tarfile -e FILE DIR` unpack."""
    module = [item.text for item in call.values("-m")]
    for one in programs(call):
        yield from _extracted(one.source, call)
    files = [item for item in call.items if item.text not in module]
    if module and module[0] in ("zipfile", "tarfile") and call.has("-e", "--extract") and files:
        into = _led(files[1] if len(files) > 1 else None, call)
        yield Landing(call.text, into, None, _one(files[0], call))


_EXTRACTS = lazy_compile(
    r"(?P<name>unpack_archive|extractall)\((?P<given>[^()]{0,400})\)", re.IGNORECASE
)
_QUOTED = lazy_compile(r"['\"]([^'\"\n]+)['\"]")


def _extracted(source: str, call: CommandCall) -> Found:
    """Yield what a program in Python unpacks: into the folder that it names, or here."""
    archives = [text for text in _QUOTED.findall(source) if _PACKED.search(text)]
    file = _one(Item(archives[0], 0), call) if len(archives) == 1 else ""
    for found in _EXTRACTS.finditer(source):
        named = [text for text in _QUOTED.findall(found["given"]) if text not in archives]
        folder = Item(named[0], 0) if named else None
        yield Landing(call.text, _led(folder, call), None, file)


_PACKED = lazy_compile(r"(?i)\.(?:zip|tar|tgz|tbz2?|txz|whl|jar|(?:tar\.)?(?:gz|bz2|xz))$")


def _copy(call: CommandCall, _fed_by: str | None) -> Found:
    whole = call.has("-r", "-R", "-a", "--recursive", "--archive") or call.program == "ditto"
    exact = call.has("-T", "--no-target-directory") or call.program == "ditto"
    sources, target = _operands(call)
    if whole and target is not None:
        for source in sources:
            yield from _copied(call, source, target, contents=exact)


def _move(call: CommandCall, _fed_by: str | None) -> Found:
    """Yield files that a glob moves; files moved by name are in path_arguments.py."""
    sources, target = _operands(call)
    for source in sources if target is not None else ():
        if _WILD.search(posixpath.basename(source.text)) and target is not None:
            yield from _copied(call, source, target, contents=False)


def _operands(call: CommandCall) -> tuple[list[Item], Item | None]:
    skipped = {item.place for item in call.values("-t", "--target-directory", "-S", "--suffix")}
    items = [item for item in call.items if item.place not in skipped]
    if (folder := _last(call, "-t", "--target-directory")) is not None:
        return items, folder
    return (items[:-1], items[-1]) if len(items) > 1 else ([], None)


def _copied(call: CommandCall, source: Item, target: Item, *, contents: bool) -> Found:
    """Yield that a folder lands in another, or what is in it: `SOURCE/.`, a glob, or with -T."""
    text, into = source.text.rstrip("/") or "/", _led(target, call)
    above, name = posixpath.split(text)
    if _WILD.search(name):
        yield Landing(
            call.text, into, None, _place(source, above or ".", call), "folder", glob=name
        )
        return
    place = _place(source, text, call)
    if contents or name in ("", ".", ".."):
        yield Landing(call.text, into, None, place, "folder")
        return
    yield Landing(call.text, into, (name,))
    below = tuple(f"{one.rstrip('/')}/{name}" for one in into)
    yield Landing(call.text, below, None, place, "folder")
    if not _is_there(target, call):  # the folder becomes the target itself
        yield Landing(call.text, into, None, place, "folder")


def _is_there(target: Item, call: CommandCall) -> bool:
    """Return whether a target is sure to be a folder, so that what lands is a name in it."""
    if target.text.endswith("/") or posixpath.basename(target.text) in (".", ".."):
        return True
    return bool({*_led(target, call)} & {call.context.home, call.context.project, call.context.cwd})


def _place(item: Item, text: str, call: CommandCall) -> str:
    """Return the one folder that a part of an item is; "" where it is not known."""
    whole = bool(re.search(r"[$`]", text)) or text[:1] == "~"
    return _one(replace(item, text=text, hole=item.hole if whole else None), call)


def _rsync(call: CommandCall, _fed_by: str | None) -> Found:
    skipped = {item.place for item in call.values(*_RSYNC_VALUES)}
    items = [item for item in call.items if item.place not in skipped]
    whole = call.has("-r", "-a", "--recursive", "--archive", "-d", "--files-from")
    if len(items) < 2 or not whole or call.has("-n", "--dry-run") or _remote(items[-1]):
        return
    clears = any(flag.startswith("--del") for flag, _ in call.words.flags)
    target = items[-1]
    for source in items[:-1]:
        name = posixpath.basename(source.text.rstrip("/"))
        within = source.text.endswith("/") or name in (".", "..")
        if _remote(source):
            landed = None if within else (name,)
            yield Landing(call.text, _led(target, call), landed, clears=clears and within)
        elif within:
            place = _one(replace(source, text=source.text.rstrip("/") or "/"), call)
            yield Landing(call.text, _led(target, call), None, place, "folder", clears=clears)
        else:
            yield from _copied(
                call, source, Item(f"{target.text}/", 0, target.hole), contents=False
            )


_RSYNC_VALUES = (
    *("-e", "--rsh", "--exclude", "--include", "--filter", "-f", "--exclude-from", "--port"),
    *("--bwlimit", "--timeout", "--log-file", "--files-from", "--backup-dir", "--rsync-path"),
)


def _remote(item: Item) -> bool:
    return ":" in item.text.partition("/")[0]


def _scp(call: CommandCall, _fed_by: str | None) -> Found:
    skipped = {item.place for item in call.values("-i", "-P", "-F", "-o", "-c", "-l", "-S", "-J")}
    items = [item for item in call.items if item.place not in skipped]
    if len(items) < 2 or _remote(items[-1]):
        return
    for source in filter(_remote, items[:-1]):
        yield from _fetched_folder(call, source.text.partition(":")[2], items[-1])


def _fetched_folder(call: CommandCall, path: str, target: Item) -> Found:
    """Yield that a file or folder of another machine lands in a folder of this one."""
    name, into = posixpath.basename(path.rstrip("/")), _led(target, call)
    if name in ("", ".", "..") or path.endswith("/") or re.search(r"[*?\[$`]", name):
        yield Landing(call.text, into)
        return
    yield Landing(call.text, into, (name, ""))
    if "." not in name and not _is_there(target, call):  # a folder may become the target
        yield Landing(call.text, into)


def _between(*verbs: str) -> "Rule":
    """Return the rule of a program that copies `there:PATH` here: `docker cp web:/x .`."""

    def rule(call: CommandCall, _fed_by: str | None) -> Found:
        items = call.items
        verb = next((item for item in items[:4] if item.text in verbs), None)
        source = next((item for item in items if _remote(item)), None)
        if verb is None or source is None or _remote(items[-1]) or items[-1] is verb:
            return
        whole = verb.text != "cp" or call.has("--recursive") or source.text[-1:] == ":"
        path = source.text.partition("://")[2] or source.text.partition(":")[2]
        yield from _fetched_folder(call, "" if whole else path, items[-1])

    return rule


def _git(call: CommandCall, fed_by: str | None) -> Found:
    if call.verb in ("apply", "am") and not call.has(*_SHOWS):
        yield from _applied(call, fed_by)
    elif call.verb == "clone" or call.starts("submodule", "add"):
        yield from _cloned(call)
    elif call.verb in _TREES and (call.has("--git-dir") or call.has("--work-tree")):
        yield Landing(call.text, _led(_last(call, "--work-tree"), call))


_TREES = names("checkout reset restore read-tree switch pull merge stash checkout-index")
_SHOWS = (
    "--check",
    "--stat",
    "--numstat",
    "--summary",
    "--abort",
    "--quit",
    "--skip",
    "--continue",
)
_APPLY_VALUES = (
    "-p",
    "-C",
    "--exclude",
    "--include",
    "--directory",
    "--whitespace",
    "--build-fake",
)


def _applied(call: CommandCall, fed_by: str | None) -> Found:
    strip = _number(_last(call, "-p"))
    below = _last(call, "--directory")
    into = [*_led(below, call), *((call.context.project,) if call.context.project else ())]
    skipped = {item.place for item in call.values(*_APPLY_VALUES)}
    files = [item for item in call.items[1:] if item.place not in skipped]
    yield from _patched(call, tuple(dict.fromkeys(into)), files, fed_by, strip or None)


def _patched(
    call: CommandCall,
    into: tuple[str, ...],
    files: list[Item],
    fed_by: str | None,
    strip: int | None,
) -> Found:
    """Yield what patches change: files of patches, else the input, in the text or in a file."""
    for file in files:
        yield Landing(call.text, into, None, _one(file, call), "patch")
    if files:
        return
    if fed_by is not None:
        yield Landing(call.text, into, None, fed_by, "patch")
    lines = (line for text in call.command.stdin for line in text.split("\n"))
    if landed := tuple(changed_in(lines, strip)):
        yield Landing(call.text, into, landed, kind="patch")


def _patch(call: CommandCall, fed_by: str | None) -> Found:
    if call.has("--dry-run", "--version", "--help"):
        return
    files = list(call.values("-i", "--input"))
    skipped = {item.place for item in (*files, *call.values(*_PATCH_VALUES))}
    operands = [item for item in call.items if item.place not in skipped]
    files = files or operands[1:2]
    into = _led(_last(call, "-d", "--directory"), call)
    yield from _patched(call, into, files, fed_by, None)


_PATCH_VALUES = ("-p", "--strip", "-d", "--directory", "-B", "-z", "-F", "-r", "-V", "-D", "-Y")


def _cloned(call: CommandCall) -> Found:
    """Yield the folder into which a repository with unknown files is cloned."""
    start = 2 if call.verb == "submodule" else 1
    skipped = {item.place for item in call.values(*_CLONE_VALUES)}
    operands = [item for item in call.items[start:] if item.place not in skipped]
    if len(operands) > 1:
        yield Landing(call.text, _led(operands[1], call))


_CLONE_VALUES = ("-b", "--branch", "--depth", "-o", "--origin", "--reference", "-j", "--jobs", "-c")


def _gh(call: CommandCall, _fed_by: str | None) -> Found:
    if call.starts("repo", "clone") or call.starts("gist", "clone"):
        operands = call.items[2:4]
        if len(operands) > 1:
            yield Landing(call.text, _led(operands[1], call))
    elif call.starts("release", "download") or call.starts("run", "download"):
        yield Landing(call.text, _led(_last(call, "-D", "--dir"), call), flat=True)


def _second(call: CommandCall, _fed_by: str | None) -> Found:
    """Yield what `degit REPOSITORY DIR` fetches."""
    if call.items:
        yield Landing(call.text, _led(call.items[1] if len(call.items) > 1 else None, call))


def _checkout(call: CommandCall, _fed_by: str | None) -> Found:
    if call.verb in ("clone", "co", "checkout", "export") and len(call.items) > 2:
        yield Landing(call.text, _led(call.items[2], call))


def _curl(call: CommandCall, _fed_by: str | None) -> Found:
    letters = "".join(flag for flag, _ in call.words.flags if flag[:2] != "--")
    if "O" not in letters and not call.has("--remote-name", "--remote-name-all"):
        return
    told = "J" not in letters and not call.has("--remote-header-name")
    yield _downloaded(call, _last(call, "--output-dir"), told=told)


def _wget(call: CommandCall, _fed_by: str | None) -> Found:
    if call.values("-O", "--output-document") or call.has("--spider"):
        return
    mirrors = call.has("-r", "--recursive", "-m", "--mirror", "-i", "--input-file", "-x")
    told = not mirrors and not call.has("--content-disposition", "--trust-server-names")
    landing = _downloaded(call, _last(call, "-P", "--directory-prefix"), told=told)
    yield replace(landing, flat=not mirrors)


def _aria2(call: CommandCall, _fed_by: str | None) -> Found:
    yield _downloaded(call, _last(call, "-d", "--dir"), told=not call.has("-o", "--out", "-i"))


def _downloaded(call: CommandCall, folder: Item | None, *, told: bool) -> Landing:
    """Return what lands of a download: the last names of its addresses, where they tell."""
    addresses = [item for item in call.items if "://" in item.text or "." in item.text]
    named = [_name(item.text) for item in addresses if item is not folder]
    sure = told and named and all(named) and not any(item.unknown for item in addresses)
    landed = tuple(named) if sure else None
    return Landing(call.text, _led(folder, call), landed, flat=True)


def _name(address: str) -> str:
    path = re.split(r"[?#]", address.partition("://")[2] or address)[0]
    return unquote(posixpath.basename(path))


Rule = Callable[[CommandCall, str | None], Found]

_TABLE: Mapping[str, Rule] = {
    **dict.fromkeys(with_trait("archives"), _tar),
    "unzip": _unzip,
    **dict.fromkeys(names("7z 7za 7zz"), _into("-o", verbs="x e")),
    **dict.fromkeys(names("unrar rar"), _into("-op", verbs="x e")),
    "unar": _into("-o", "-output-directory"),
    "unsquashfs": _into("-d", "-dest"),
    **dict.fromkeys(names("aunpack dtrx ouch patool bsdcpio pax"), _into("-D")),
    "jar": _into("-C", verbs="x xf xvf"),
    "cpio": _cpio,
    **dict.fromkeys(names("cp gcp ditto"), _copy),
    **dict.fromkeys(names("mv gmv"), _move),
    "rsync": _rsync,
    **dict.fromkeys(names("scp sftp"), _scp),
    **dict.fromkeys(names("docker podman nerdctl kubectl oc"), _between("cp")),
    **dict.fromkeys(
        names("aws gsutil gcloud rclone"), _between("cp", "sync", "mv", "rsync", "copy")
    ),
    "git": _git,
    "patch": _patch,
    "gh": _gh,
    **dict.fromkeys(names("degit tiged giget"), _second),
    **dict.fromkeys(names("svn hg"), _checkout),
    "curl": _curl,
    **dict.fromkeys(names("wget wget2"), _wget),
    "aria2c": _aria2,
}
"""By the program's name."""
