"""Changed files with unknown names in a call that names or lists protected paths.

`S=$(hookd status | awk '/socket/{print $2}'); echo x > ${S%.sock}.stopped`: the file is unknown,
but the text names what it may be. `grep -l x .claude/* | xargs sed -i s/x/y/`: the changed names
may be those that are listed. Such calls are asked about. An unknown name counts only if it can be a
protected path: not below a folder without any, and not if it ends in the name of another file.
"""

import posixpath
from collections.abc import Iterable, Sequence

from hookd.lazy_pattern import lazy_compile
from hookd.policy_support.self_guard.nested_commands import Text
from hookd.policy_support.self_guard.path_arguments import is_own
from hookd.policy_support.self_guard.protected_files import HOLDERS, ProtectedFiles
from hookd.policy_support.self_guard.readers import is_reader, written_by
from hookd.programs.catalogue import with_trait
from hookd.risk.model import CallContext, CommandCall
from hookd.risk.path_areas import paths
from hookd.risk.rules.deletion import FINDERS, start_folders
from hookd.risk.variable_values import with_values
from hookd.risk.written_files import PROGRAMS, TouchedFile
from hookd.shell.interpreters import SHELLS

_CHANGERS = with_trait("changes-in-place")
"""Programs that change their words, and are not in risk/written_files.py."""

_OTHERS = r"skills|commands|agents|worktrees|projects|plans|todos|rules|output-styles|memory"
MENTIONS = lazy_compile(
    rf"\.claude(?![\w-])(?!/(?:{_OTHERS})\b)|\.cl\w*[*?\[]|\.hookd\b"
    r"|hookd[.-](?:sock|stopped|hook|db)"
    r"|(?:which|command -v|type -p)\s+hookd|hookd\s[^;&\n]*\b(?:status|paths|doctor|settings)\b"
    r"|/hookd\b|\.stopped\b|\bshims?/"
    r"|(?<!\.vscode/)\bsettings(?:\.local)?(?:\.json|\*)|\.local/(?:state|share)(?![\w-])"
    r"|disableallhooks|allowmanagedhooksonly|pretooluse"
)
"""Names of protected paths, in lower case and without quotes."""

_QUOTES = lazy_compile(r"[\"'\\]")
_UNKNOWN = lazy_compile(r"[$`]|\{\}")
_TAIL = lazy_compile(r"(?<=[\w})`\"]/)[\w.@+-]+$|^[\w.@+-]+$")
_HEAD = lazy_compile(r"[^$`*?\[{]*/")


def mentions(text: str) -> bool:
    """Return whether a text names a protected path, also in parts that quotes separate."""
    return MENTIONS.search(_QUOTES.sub("", text.lower())) is not None


def unclear_change(
    text: str, parts: Sequence[tuple[Text, list[TouchedFile]]], own: ProtectedFiles
) -> str:
    """Return the word of a call that may be a protected path; "" where there is none.

    `parts` are the texts that the call runs, with the files that each changes.
    """
    if "CDPATH=" not in text and not any(map(_has_unknown, parts)):
        return ""
    if not mentions(text):
        return ""
    return next((one for part, files in parts for one in _words(part, files, own, text)), "")


def _has_unknown(part: tuple[Text, list[TouchedFile]]) -> bool:
    """Return whether a text changes files whose paths it does not tell."""
    text, files = part
    if not all(file.paths for file in files):
        return True
    return any(one.command.holes and one.command.argv.name in _CHANGERS for one in text.runs)


def _words(part: Text, files: list[TouchedFile], own: ProtectedFiles, text: str) -> Iterable[str]:
    moved = "CDPATH=" in text
    for file in files:
        if (moved or not file.paths) and _is_unclear(file.text, part.place, own, moved=moved):
            yield file.text
    for one in part.runs:
        if one.where == "here" and one.command.holes:
            call = CommandCall(one.command, part.place)
            for item in call.items if call.program in _CHANGERS else ():
                if item.unknown and _is_unclear(item.text, part.place, own):
                    yield item.text


def _is_unclear(text: str, place: CallContext, own: ProtectedFiles, *, moved: bool = False) -> bool:
    """Return whether a word that leads to no known path may be a protected one."""
    for one in with_values(text, place.values):
        if not _UNKNOWN.search(one):
            relative = one[:1] not in ("/", "~")
            if _WILD.search(one):
                if own.may_hold(one, (place.cwd,) if place.cwd else (), place.home):
                    return True
            elif relative and (moved or place.cwd is None or one == text) and _may_end(one, own):
                return True
        elif _may_end(one, own) and _may_begin(one, place, own):
            return True
    return False


_WILD = lazy_compile(r"[*?\[{]")


def _may_end(text: str, own: ProtectedFiles) -> bool:
    tail = _TAIL.search(text)
    if tail is None or text.count("(") != text.count(")") or tail[0].endswith("}"):
        return True
    name = tail[0].lower()
    return name in own.names or name in HOLDERS or "hookd" in name


def _may_begin(text: str, place: CallContext, own: ProtectedFiles) -> bool:
    head = _HEAD.match(text)
    if head is None or "/.." in text:
        return True
    folder = f"{place.home}{head[0][1:]}" if head[0][:2] == "~/" else head[0]
    if folder[:1] != "/" and place.cwd is None:
        return True
    return own.reaches(posixpath.normpath(posixpath.join(place.cwd or "/", folder)))


_VARIABLE = lazy_compile(r"\$\{?\w+\}?|\S*\{\}\S*|")
_RUN_BY_LISTS = with_trait("runs-listed")


def changed_of_listed(text: Text, files: Iterable[TouchedFile], own: ProtectedFiles) -> str:
    """Return the protected path that a text lists and may change; "" where there is none."""
    unknown = any(not file.paths and _VARIABLE.fullmatch(file.text) for file in files)
    if not unknown and not any(_changes_listed(text, number) for number in range(len(text.runs))):
        return ""
    found = (_listed(CommandCall(one.command, text.at(one.folders[-1])), own) for one in text.runs)
    return next((one for one in found if one), "")


def _changes_listed(text: Text, number: int) -> bool:
    """Return whether a command is run with words that another one lists, and may change them."""
    one = text.runs[number]
    if _RUN_BY_LISTS.isdisjoint(one.command.wrappers):
        return False
    call = CommandCall(one.command, text.place)
    if call.program in PROGRAMS:
        return bool(one.within or one.listed)
    return call.program in SHELLS or (not is_reader(call) and written_by(call) != ())


def _listed(call: CommandCall, own: ProtectedFiles) -> str:
    if call.program in FINDERS:
        return _found(call, own)
    return next((item.text for item in call.items if is_own(item, call, own)), "")


def _found(call: CommandCall, own: ProtectedFiles) -> str:
    """Return where find looks, if it may find a protected path there by the names it asks for."""
    names = [item.text for item in call.values("-name", "-iname")]
    for start in start_folders(call):
        for path in paths(start, call.context):
            near = own.below(path, names) if names else own.holder(path) or own.above(path)
            if near:
                return f"{start.text}/{names[0]}" if names else start.text
    return ""
