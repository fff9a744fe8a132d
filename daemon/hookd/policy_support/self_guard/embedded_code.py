"""Code and text in a command that may use hookd, change protected files, or end hookd.

Programs in other languages: their plain file operations are judged like shell commands; here are
modules loaded by name, processes, sockets, and paths assembled from parts. Text: a command such as
`hookd stop`, or a setting that turns all hooks off, that something may run or read later, as in
`npm pkg set scripts.x='hookd stop'`. Text that is only printed, searched or recorded is ignored:
`git commit -m 'hookd stop: fix'`.
"""

import re
from collections.abc import Iterable, Iterator

from hookd.lazy_pattern import lazy_compile
from hookd.policy_support.self_guard.client_commands import SETS
from hookd.policy_support.self_guard.nested_commands import Text
from hookd.policy_support.self_guard.protected_files import HOLDERS, ProtectedFiles
from hookd.policy_support.self_guard.readers import is_reader, written_by
from hookd.policy_support.self_guard.unknown_targets import mentions
from hookd.programs.catalogue import with_trait
from hookd.risk.inline.source import language_of, programs
from hookd.risk.model import CommandCall
from hookd.risk.path_areas import area_of
from hookd.risk.written_files import PROGRAMS, TouchedFile
from hookd.shell.interpreters import SHELLS

_PARTS = lazy_compile(
    r"\b(?:import|from)\s+hookd\b|['\"]hookd(?:\.[\w.]+)?['\"]|hookd\.(?:sock|db|pid|lock|stopped)"
    r"|/hookd/(?:__main__|cli|shims|run)\b|hookd-hook"
)
_KILLS = lazy_compile(r"\bkill|\bSIG(?:STOP|KILL|TERM)\b|ptrace|setpriority|prlimit|setaffinity")
CHANGES = lazy_compile(
    r"""writ|dump\b|unlink|remove|rename|replace|\bmove|copy|mkdir|makedirs|symlink|\blink\b|chmod"""
    r"""|truncate|rmtree|\btouch|\brm\b|rmdir|\.save|appendFile|outputFile|sqlite3|\bconnect\b"""
    r"""|open\([^)]{0,300},\s*(?:mode\s*=\s*)?['"][rb]*[wax+]|>\s*['"]|extract|unpack|subprocess|system\("""
    r"""|createWriteStream|file_put_contents|fwrite|fputs|\bmv\b|\bcp\b|setxattr|utime|mkfifo|urlretrieve|download|inplace""",
    re.IGNORECASE,
)
_LISTS = lazy_compile(
    r"glob\b|listdir|scandir|os\.walk|iterdir|readdir|fileinput|\bargv\b|ARGV|stdin|\bFILENAME\b"
)
"""How a program gets at files whose names it does not hold."""

_REDIRECTS = lazy_compile(r"\bprintf?\b[^;\n]*>\s*[^\s\"=\d]")
"""How a program in awk writes a file whose name is not a text of its own."""

_FINDS = lazy_compile(r"pgrep|pidof|process_iter|['\"]/proc\b|/proc/")
_MEANT = lazy_compile(r"hookd|python|serve|detach|isdigit|cmdline")
_SETTING = lazy_compile(
    r"\.(?:claude|hookd)/settings(?:\.local)?\.json|hookd\.stopped|hookd-stopped|/shims/hookd"
)
"""Protected paths inside of a longer text."""

_CLIENTS = lazy_compile(r"claude[-_]agent[-_]sdk|claude[-_]code[-_]sdk|@anthropic-ai/claude-")
_CALLED = lazy_compile(r"['\"]claude(?:['\"]|\s)")
_FOLDER = lazy_compile(r"""['"](?:[^'"\n]*/)?\.(?:claude|hookd)/?['"]""")
_REPLACES = lazy_compile(
    r"copytree|rmtree|\brename|\breplace\(|symlink|\bmove|cpSync|rmSync|\brm\(|cp_r|rm_rf|unpack",
)
_SETTINGS = ("settings.json", "settings.local.json", "managed-settings", "rules.yaml")
_USES = "runs a program that uses hookd's internals"
_GETS = "runs a program that accesses the daemon's process"
_STARTS_CLIENT = "runs a program that starts Claude Code with its own settings"
_MAY = "runs a program that may change protected files"


def program_change(call: CommandCall, own: ProtectedFiles, pid: int) -> str:
    """Return what the programs on a command line may do to hookd, as a clause; "" if nothing."""
    for one in programs(call):
        if why := source_change(one.source, own, pid):
            return why
        writes = _REDIRECTS if one.language == "awk" else CHANGES
        if writes.search(one.source) and (one.language == "awk" or _LISTS.search(one.source)):
            given = " ".join((*call.command.words, *call.command.stdin))
            if mentions(given):
                return _MAY
    return ""


def text_change(call: CommandCall) -> str:
    """Return that a program is given a text that names a protected path, as a clause.

    It is for programs whose own language is not read: `vim -c`, `psql -c`, `tclsh`.
    """
    return _MAY if _holds_path(call) else ""


def _holds_path(call: CommandCall) -> bool:
    text = "\n".join((call.text, *call.command.stdin)) if call.command.stdin else call.text
    if not ("hookd" in text or "settings" in text) or not _SETTING.search(text):
        return False
    if call.program in PROGRAMS | SHELLS or is_reader(call) or call.program == "git":
        return False
    if language_of(call.command) in _READ:
        return False
    words = (*call.command.words[1:], *call.command.stdin)
    return any(re.search(r"[\s('\"]", one) and _SETTING.search(one) for one in words)


_READ = frozenset({"python", "js", "perl", "ruby", "php", "awk"})
"""Languages whose programs are read above."""


def source_change(source: str, own: ProtectedFiles, pid: int) -> str:
    """Return what a program may do to hookd, as a clause; "" if nothing."""
    if _PARTS.search(source):
        return _USES
    if _CLIENTS.search(source) or (_CALLED.search(source) and SETS.search(source)):
        return _STARTS_CLIENT
    if _KILLS.search(source) and _gets(source, pid):
        return _GETS
    low = source.lower()
    if _LISTS.search(source) and CHANGES.search(source) and mentions(source):
        return _MAY
    return _MAY if own.telling.search(low) and _held(source, low, own) else ""


def _gets(source: str, pid: int) -> bool:
    if pid and re.search(rf"(?<!\d){pid}(?!\d)", source):
        return True
    return _FINDS.search(source) is not None and _MEANT.search(source) is not None


def _held(source: str, low: str, own: ProtectedFiles) -> bool:
    if _FOLDER.search(low) and _REPLACES.search(source):
        return True
    settings = any(name in low for name in _SETTINGS) and any(name in low for name in HOLDERS)
    held = settings or any(f"{tree.lower()}/" in low for tree in own.trees)
    return held and CHANGES.search(source) is not None


_ENDS = lazy_compile(
    r"(?<![\w.-])hookd(?:[\s'\",\])}]{1,8}|\.cli\s{1,4})"
    r"(?:(?:daemon[\s'\",\])}]{1,8})?(?:stop|restart)|pause|uninstall"
    r"|policies\s+(?:disable|set)|guard\s+remove)(?![\w-])"
)
OFF = lazy_compile(r"disableAllHooks|allowManagedHooksOnly")
"""Settings that turn hooks off."""

_LATER = lazy_compile(
    r"<\(|\b(?:BASH_ENV|ENV|PROMPT_COMMAND|PATH|EDITOR|VISUAL|PAGER|LESSOPEN|GIT_[A-Z_0-9]+)="
)
"""What makes a program run the text that another one prints or writes."""

_QUOTES = lazy_compile(r"[\"'\\]")
_COMMENT = lazy_compile(r"(?m)^[ \t]*#[^\n]*")
_STARTS = with_trait("may-start")
"""Programs that print, search or change files, and may run what they are given."""


def ends_hookd(text: str, parts: Iterable[Text]) -> bool:
    """Return whether a call holds a command that ends hookd in a text that may be run."""
    if "hookd" not in text or not _ENDS.search(text):
        return False
    rest = _QUOTES.sub("", _COMMENT.sub("", text))
    if not _ENDS.search(rest):
        return False
    if _LATER.search(rest):
        return True
    for one in _printed(parts):
        rest = rest.replace(_QUOTES.sub("", one), " ")
    return _ENDS.search(rest) is not None


def turns_off(parts: Iterable[tuple[Text, list[TouchedFile]]]) -> bool:
    """Return whether commands that name a setting which turns hooks off may write a file.

    Files in scratch folders do not count: nothing reads settings there.
    """
    for part, files in parts:
        for file in files:
            scratch = file.paths and all(
                area_of(path, part.place) == "scratch" for path in file.paths
            )
            if not scratch:
                return True
        for one in part.runs:
            call = CommandCall(one.command, part.place)
            words = (*one.command.words, *one.command.stdin)
            sets = call.program not in PROGRAMS and not is_reader(call)
            if sets and any(map(OFF.search, words)) and written_by(call) != ():
                return True
            if any(_writes(one.source) for one in programs(call)):
                return True
    return False


def _writes(source: str) -> bool:
    return CHANGES.search(source) is not None


def _printed(parts: Iterable[Text]) -> Iterator[str]:
    """Yield the texts that commands of a call only print, search or record."""
    for part in parts:
        for one in part.runs:
            call = CommandCall(one.command, part.place)
            calm = is_reader(call) or call.program in PROGRAMS
            if calm and call.program not in _STARTS and call.verb != "config":
                found = (*one.command.words[1:], *one.command.stdin, one.command.line)
                yield from (text.strip() for text in found if _ENDS.search(text))
