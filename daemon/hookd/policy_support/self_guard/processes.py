"""Commands that end, halt or get hold of the daemon's process, or change whether it is started."""

import re
from collections.abc import Callable, Iterable, Mapping

from hookd.lazy_pattern import lazy_compile
from hookd.risk.model import CommandCall
from hookd.shell.argv import Item
from hookd.shell.quoting import names

ENDS = "ends the daemon that judges calls"
STOPS = "suspends or resumes the daemon that judges calls"
_HALTS = lazy_compile(
    r"(?:^|[\s=-])(?:SIG)?(?:STOP|TSTP|TTIN|TTOU|CONT)\b|(?:^|\s)-(?:s\s*)?(?:18|19|20|21|22)\b"
)
_HOLDS = "accesses the daemon's process"
_RUNS = "changes whether hookd runs"

_NAMES = ("hookd", "python", "python3", "python3.")
"""Names of the daemon's process; the last one matches all versions."""

_LINE = "/usr/bin/python3 -I -m hookd.cli bin/hookd serve --detach"
"""A command line that holds what those of daemons hold."""

_LISTS = lazy_compile(
    r"pgrep|pidof|\bps\b|lsof|fuser|systemctl|\.pid\b|\bhead\b|\bcat\b|\bjq\b|\bss\b|<"
)
_MEANT = lazy_compile(r"hookd|serve --detach")
_PARTS = lazy_compile(r"[\n;&]")
"""Between the parts of a text of which one may look for the daemon's process id."""

_NAMED = lazy_compile(r"(?<![\w/.-])hookd(?![\w/.-])|hookd\.(?:pid|sock|lock|db)\b|/hookd/run\b")
"""How a text names the daemon; a project of that name is none."""

_BRACKETS = lazy_compile(r"[\[\]'\"\\]")
_CHILD = lazy_compile(r"\$!|%\S*|-\S+")
"""Words for processes that the text itself started."""

_EVERYBODY = lazy_compile(
    r"\bps\s+(?:-e|-A|a?x)\w*(?:\s+-?o?\s*pid=?)?\s*[)`]|\bls\s+/proc\b|/proc/\[|\bss\s+-\w*x"
    r"|\blsof\s[^|;)]*(?:-U\b|-c\s*python|\s/\s*[)`]|~/\.local)"
)
"""How a text lists all processes, or those that have sockets of files."""

_BY_NAME = lazy_compile(
    r"\b(?:grep|awk)((?:\s+-[a-zA-Z]+)*)\s+(?:\"([^\"|]+)\"|'([^'|]+)'|([\w.\[\]-]+))"
)
_PS = lazy_compile(r"\bps\s")
_SPAN = lazy_compile(r"\bseq\s+(\d{1,9})\s+(\d{1,9})|\{(\d{1,9})\.\.(\d{1,9})\}")
"""A range of process ids."""

_LOOKED_UP = lazy_compile(r"\b(?:pgrep|pidof)((?:\s+-[a-zA-Z]+)*)\s+['\"]?([\w .*-]{2,40})")
"""How a text looks for a process by its name."""

_LOOKS = names(
    "status show cat print list is-active is-enabled is-failed list-units list-unit-files blame"
    " show-environment help get-default list-timers list-sockets list-jobs list-dependencies"
)
_OWN_SHELL = frozenset({"$$", "$BASHPID", "${BASHPID}"})
_SESSION = names("exit isolate emergency rescue default poweroff reboot halt kexec")
_LOGINS = names("terminate-user terminate-session kill-user kill-session")
_PATTERN = lazy_compile(r"[^\w\s/@:=-]+")


def process_change(call: CommandCall, pid: int, text: str) -> str:
    """Return what a command does to the daemon's process, as a clause; "" where nothing."""
    rule = _TABLE.get(call.program)
    return rule(call, pid, text) if rule is not None else ""


def _says_hookd(items: Iterable[Item]) -> bool:
    return any("hookd" in item.text.lower() for item in items)


def _names_pid(call: CommandCall, pid: int) -> bool:
    if not pid:
        return False
    number = re.compile(rf"(?<!\d){pid}(?!\d)")
    return any(number.search(word) for word in call.command.words[1:])


def _is_listed(call: CommandCall, text: str) -> bool:
    """Return whether a process id that is not known may be the daemon's, by what the text lists."""
    unknown = any(item.unknown for item in call.items) or "xargs" in call.command.wrappers
    if not unknown:
        return False
    if _EVERYBODY.search(text) or (_PS.search(text) and _finds(text)):
        return True
    low = _BRACKETS.sub("", text.lower())
    if _NAMED.search(low) and not all(_CHILD.fullmatch(item.text) for item in call.items):
        return True
    if any(_fits(found[2], whole="f" in found[1]) for found in _LOOKED_UP.finditer(text)):
        return True
    return any(_MEANT.search(part) and _LISTS.search(part) for part in _PARTS.split(low))


def _kill(call: CommandCall, pid: int, text: str) -> str:
    words = call.command.words[1:]
    if words[:1] in (("-0",), ("-l",), ("-L",), ("--list",)) or words[:2] == ("-s", "0"):
        return ""
    everybody = "-1" in words[1:] or words[-2:] == ("--", "-1")
    meant = _names_pid(call, pid) or _says_hookd(call.items) or _is_listed(call, text)
    meant = meant or _spans(text, pid)
    return _ends(words) if everybody or meant else ""


def _finds(text: str) -> bool:
    """Return whether a text searches a list of processes for a part of the daemon's line."""
    for found in _BY_NAME.finditer(text):
        pattern = found[2] or found[3] or found[4]
        if re.fullmatch(r"-\w*v\w*", found[1].strip()):
            continue
        pattern = pattern.partition("{")[0].strip("/ ") if "{" in pattern else pattern
        if re.search(r"[a-z]{3}", pattern) and _fits(pattern, whole=True):
            return True
    return False


def _spans(text: str, pid: int) -> bool:
    """Return whether a text holds a range of numbers with the daemon's process id in it."""
    found = ((one[1] or one[3], one[2] or one[4]) for one in _SPAN.finditer(text))
    return any(int(first) <= pid <= int(last) for first, last in found)


def _ends(words: tuple[str, ...]) -> str:
    """Return what a signal does to the daemon, by the words behind `kill`."""
    given = " ".join(words[:2]).upper()
    return STOPS if _HALTS.search(given) else ENDS


def _kill_by_name(call: CommandCall, pid: int, text: str) -> str:
    if call.command.words[1:2] in (("-0",), ("-l",), ("--list",), ("--help",), ("--version",)):
        return ""
    valued = (
        *("-s", "--signal", "-u", "--euid", "-U", "--uid", "-g", "-G", "-t", "-P"),
        *("-F", "--pidfile", "-y", "--younger-than", "--older-than", "-Z", "--context", "-r"),
    )
    skipped = {item.place for item in call.values(*valued) if not item.optional or _signal(item)}
    ends = _ends(call.command.words[1:])
    named = [item for item in call.items if item.place not in skipped]
    whole = call.may_have("-f", "--full")
    parents = {item.text for item in call.values("-P", "--parent")}
    if parents and parents <= _OWN_SHELL and not _NAMED.search(text):
        return ""  # the children of the shell itself
    if not named:
        return ends if call.items or call.words.flags else ""  # all of a user, of a terminal
    meant = any(_fits(item.text, whole=whole) for item in named)
    return ends if meant or _says_hookd(call.items) or _is_listed(call, text) else ""


def _signal(item: Item) -> bool:
    return re.fullmatch(r"(?:SIG)?[A-Z]{2,6}\d?|\d+|[a-z_][\w-]*", item.text) is not None


def _fits(pattern: str, *, whole: bool) -> bool:
    """Return whether a pattern may match the daemon: each of its literal parts is there."""
    parts = [part.lower() for part in _PATTERN.sub("\0", pattern.strip("^$")).split("\0")]
    literal = [part.strip() for part in parts if part.strip()]
    if whole:
        return all(part in _LINE for part in literal)
    return any(all(part in name for part in literal) for name in _NAMES)


def _attached(call: CommandCall, pid: int, text: str) -> str:
    meant = _names_pid(call, pid) or _is_listed(call, text) or _names_file(call)
    return _HOLDS if meant else ""


def _names_file(call: CommandCall) -> bool:
    return any("hookd.pid" in word for word in call.command.words)


def _sockets(call: CommandCall, pid: int, _text: str) -> str:
    kills = call.has("-k", "--kill", "-K")
    return ENDS if kills and (_says_hookd(call.items) or _names_pid(call, pid)) else ""


def _service(call: CommandCall, _pid: int, _text: str) -> str:
    verb = call.verb if call.program != "service" else ""
    if verb in _LOOKS or (call.program == "service" and "status" in call.command.words):
        return ""
    if verb in _SESSION or verb in _LOGINS:
        return ENDS
    globs = any(re.search(r"[*?\[]", item.text) for item in call.items[1:])
    return _RUNS if _says_hookd(call.items) or (globs and _globbed(call)) else ""


def _globbed(call: CommandCall) -> bool:
    heads = (re.split(r"[*?\[]", item.text)[0] for item in call.items[1:])
    return any("hookd.service".startswith(head) for head in heads)


Rule = Callable[[CommandCall, int, str], str]

_TABLE: Mapping[str, Rule] = {
    "kill": _kill,
    **dict.fromkeys(names("pkill killall skill snice killall5 slay"), _kill_by_name),
    **dict.fromkeys(
        names(
            "gdb lldb strace ltrace dtrace dtruss prlimit renice taskset chrt ionice cpulimit"
            " nsenter criu reptyr uftrace bpftrace perf rr schedtool choom numactl migratepages"
            " pyrasite py-spy austin injcode pidstat gcore"
            " start-stop-daemon"
        ),
        _attached,
    ),
    "fuser": _sockets,
    "ss": _sockets,
    **dict.fromkeys(
        names("systemctl service launchctl supervisorctl rc-service loginctl"), _service
    ),
}
"""By the program's name."""
