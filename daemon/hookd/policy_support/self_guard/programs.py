"""Programs in other languages, given on a command line, that use hookd or change protected files.

What they plainly do is said as a shell would and judged like any command; this is about the rest:
modules that are loaded by their names, processes, sockets, and paths that are put together.
"""

import re

from hookd.policy_support.self_guard.clients import SETS
from hookd.policy_support.self_guard.files import HOLDERS, ProtectedFiles
from hookd.policy_support.self_guard.readers import is_reader
from hookd.policy_support.self_guard.unclear_targets import mentions
from hookd.risk.inline.source import language_of, programs
from hookd.risk.model import CommandCall
from hookd.risk.written_files import PROGRAMS
from hookd.shell.interpreters import SHELLS

_PARTS = re.compile(
    r"\b(?:import|from)\s+hookd\b|['\"]hookd(?:\.[\w.]+)?['\"]|hookd\.(?:sock|db|pid|lock|stopped)"
    r"|/hookd/(?:__main__|cli|shims|run)\b|hookd-hook"
)
_KILLS = re.compile(r"\bkill|\bSIG(?:STOP|KILL|TERM)\b|ptrace|setpriority|prlimit|setaffinity")
CHANGES = re.compile(
    r"""writ|dump\b|unlink|remove|rename|replace|\bmove|copy|mkdir|makedirs|symlink|\blink\b|chmod"""
    r"""|truncate|rmtree|\btouch|\brm\b|rmdir|\.save|appendFile|outputFile|sqlite3|\bconnect\b"""
    r"""|open\([^)]{0,300},\s*(?:mode\s*=\s*)?['"][rb]*[wax+]|>\s*['"]|extract|unpack|subprocess|system\("""
    r"""|createWriteStream|file_put_contents|fwrite|fputs|\bmv\b|\bcp\b|setxattr|utime|mkfifo|urlretrieve|download|inplace""",
    re.IGNORECASE,
)
_LISTS = re.compile(
    r"glob\b|listdir|scandir|os\.walk|iterdir|readdir|fileinput|\bargv\b|ARGV|stdin|\bFILENAME\b"
)
"""How a program gets at files whose names it does not hold."""

_REDIRECTS = re.compile(r"\bprintf?\b[^;\n]*>\s*[^\s\"=\d]")
"""How a program in awk writes a file whose name is not a text of its own."""

_FINDS = re.compile(r"pgrep|pidof|process_iter|['\"]/proc\b|/proc/")
_MEANT = re.compile(r"hookd|python|serve|detach|isdigit|cmdline")
_SETTING = re.compile(
    r"\.(?:claude|hookd)/settings(?:\.local)?\.json|hookd\.stopped|hookd-stopped|/shims/hookd"
)
"""Protected paths inside of a longer text."""

_CLIENTS = re.compile(r"claude[-_]agent[-_]sdk|claude[-_]code[-_]sdk|@anthropic-ai/claude-")
_CALLED = re.compile(r"['\"]claude(?:['\"]|\s)")
_FOLDER = re.compile(r"""['"](?:[^'"\n]*/)?\.(?:claude|hookd)/?['"]""")
_REPLACES = re.compile(
    r"copytree|rmtree|\brename|\breplace\(|symlink|\bmove|cpSync|rmSync|\brm\(|cp_r|rm_rf|unpack",
)
_SETTINGS = ("settings.json", "settings.local.json", "managed-settings")
_USES = "runs a program that uses hookd's internals"
_GETS = "runs a program that accesses the daemon's process"
_STARTS = "runs a program that starts Claude Code with its own settings"
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
        return _STARTS
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
