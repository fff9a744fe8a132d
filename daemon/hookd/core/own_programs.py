"""Programs in other languages, given on a command line, that use hookd or change protected files.

What they plainly do is said as a shell would and judged like any command; this is about the rest:
modules that are loaded by their names, processes, sockets, and paths that are put together.
"""

import re

from hookd.core.danger.entry import Call
from hookd.core.danger.given import programs
from hookd.core.own_clients import SETS
from hookd.core.own_files import HOLDERS, Ground

_PARTS = re.compile(
    r"\b(?:import|from)\s+hookd\b|['\"]hookd(?:\.[\w.]+)?['\"]|hookd\.(?:sock|db|pid|lock|stopped)"
    r"|/hookd/(?:__main__|cli|shims|run)\b|hookd-hook"
)
_KILLS = re.compile(r"\bkill|\bSIG(?:STOP|KILL|TERM)\b|ptrace|setpriority|prlimit|setaffinity")
_CHANGES = re.compile(
    r"""writ|dump\b|unlink|remove|rename|replace|\bmove|copy|mkdir|makedirs|symlink|\blink\b|chmod"""
    r"""|truncate|rmtree|\btouch|\brm\b|rmdir|\.save|appendFile|outputFile|sqlite3|\bconnect\b"""
    r"""|open\([^)]{0,300},\s*(?:mode\s*=\s*)?['"][rb]*[wax+]|>\s*['"]|extract|unpack|subprocess|system\("""
    r"""|createWriteStream|file_put_contents|fwrite|fputs|\bmv\b|\bcp\b|setxattr|utime|mkfifo|urlretrieve|download""",
    re.IGNORECASE,
)
_CLIENTS = re.compile(r"claude[-_]agent[-_]sdk|claude[-_]code[-_]sdk|@anthropic-ai/claude-")
_CALLED = re.compile(r"['\"]claude(?:['\"]|\s)")
_FOLDER = re.compile(r"""['"](?:[^'"\n]*/)?\.(?:claude|hookd)/?['"]""")
_REPLACES = re.compile(
    r"copytree|rmtree|\brename|\breplace\(|symlink|\bmove|cpSync|rmSync|\brm\(|cp_r|rm_rf|unpack",
)
_SETTINGS = ("settings.json", "settings.local.json", "managed-settings")
_USES = "runs a program that uses hookd's own parts"
_GETS = "runs a program that gets hold of the daemon's process"
_STARTS = "runs a program that starts Claude Code with settings of its own"
_MAY = "runs a program that may change protected files"


def program_change(call: Call, own: Ground, pid: int) -> str:
    """Return what the programs on a command line may do to hookd, as a clause; "" if nothing."""
    for one in programs(call):
        if why := source_change(one.source, own, pid):
            return why
    return ""


def source_change(source: str, own: Ground, pid: int) -> str:
    """Return what a program may do to hookd, as a clause; "" if nothing."""
    if _PARTS.search(source):
        return _USES
    if _CLIENTS.search(source) or (_CALLED.search(source) and SETS.search(source)):
        return _STARTS
    if pid and _KILLS.search(source) and re.search(rf"(?<!\d){pid}(?!\d)", source):
        return _GETS
    low = source.lower()
    if not own.telling.search(low):
        return ""
    settings = any(name in low for name in _SETTINGS) and any(name in low for name in HOLDERS)
    if _FOLDER.search(low) and _REPLACES.search(source):
        return _MAY
    held = settings or any(f"{tree.lower()}/" in low for tree in own.trees)
    return _MAY if held and _CHANGES.search(source) else ""
