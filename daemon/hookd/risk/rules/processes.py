"""Processes, services, agents, the machine and its firewall: what ends or opens them."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from hookd.lazy_pattern import lazy_compile
from hookd.programs.model import RiskKind, Severity
from hookd.risk.model import CommandCall, Risk, RiskRule
from hookd.risk.rules.process_names import is_broad, names_many
from hookd.risk.subcommands import rules_of
from hookd.risk.variable_values import with_values
from hookd.shell.commands import Command

_SIGNAL = lazy_compile(r"-(?:[0-9]+|[fxen]|[A-Z]{2,}\d?|s|-signal|-full|-exact|fx|9f|f9)(?:=\w+)?")
_SIGNALS = ("-s", "-n", "--signal")
_PROBES = frozenset({"0", "-0"})
_INSTEAD = "kill with the number of a process that this session started is allowed."


def _ends(weight: Severity, why: str, instead: str = "", kind: RiskKind = "kills") -> Risk:
    return Risk(kind, weight, why, instead)


def _kill(call: CommandCall) -> Iterator[Risk]:
    words = call.command.words[1:]
    signals = {item.text for item in call.values(*_SIGNALS)}
    if words[:1] in (("-l",), ("-L",), ("--list",), ("-0",)) or _PROBES & signals:
        return
    # The first word with a dash is the signal, a later one a group of processes.
    if "-1" in words[1:]:
        yield replace(_ends("deny", "ends every process that it can", _INSTEAD), rule="kill.all")
    elif words == ("1",) or words[-1:] == ("1",):
        first = _ends("deny", "ends the first process of the system", _INSTEAD)
        yield replace(first, rule="kill.all")
    for item in call.items:
        texts = with_values(item.text, call.context.values) if item.unknown else [item.text]
        if "0" in texts or item.text.strip("${}") == "PPID":
            yield _ends("ask", "ends the group of processes that it runs in", _INSTEAD)
        if (item.unknown and any(map(names_many, texts))) or (item.many and "$" not in item.text):
            yield _ends("ask", "ends the processes that another program lists", _INSTEAD)


def _by_name(call: CommandCall) -> Iterator[Risk]:
    if call.has("--help", "--version", "-V", "-l", "--list") and not call.items:
        return
    flags = {flag for flag, _ in call.words.flags}
    if _PROBES & flags or _names_few(call, flags) or _ends_own(call, flags):
        return
    named = call.items[-1].text if call.items else "all that match"
    yield _ends("ask", f"ends processes by name ({named})", _INSTEAD)


def _names_few(call: CommandCall, flags: set[str]) -> bool:
    """Return whether `pkill` or `killall` has one name that identifies a program."""
    if call.program not in ("pkill", "killall") or call.command.holes:
        return False
    if any(not _SIGNAL.fullmatch(flag) for flag in flags):
        return False
    signals = {item.place for item in call.values(*_SIGNALS)}
    names = [item.text for item in call.items if item.place not in signals]
    return bool(names) and not any(map(is_broad, names))


def _ends_own(call: CommandCall, flags: set[str]) -> bool:
    """Return whether `pkill` ends only children of the shell itself: `pkill -P $$`."""
    parents = [item.text for item in call.values("-P", "--parent")]
    of_shell = bool(parents) and all(text in _SHELL for text in parents)
    others = {flag for flag in flags if not flag.startswith(("-P", "--parent"))}
    return call.program == "pkill" and of_shell and all(map(_SIGNAL.fullmatch, others))


_SHELL = ("$$", "$BASHPID", "${BASHPID}")
_STOPPING = lazy_compile(
    r"stop|disable|mask|kill|isolate|emergency|rescue|poweroff|reboot|halt|kexec|suspend|hibernate"
    r"|set-default|revert|exit|switch-root|hybrid-sleep|soft-reboot|clean"
)
_MACHINE = frozenset(
    {"poweroff", "reboot", "halt", "kexec", "emergency", "rescue", "isolate", "exit"}
    | {"suspend", "hibernate", "soft-reboot", "switch-root"}
)


def _systemctl(call: CommandCall) -> Iterator[Risk]:
    if _STOPPING.fullmatch(call.verb):
        weight: Severity = "deny" if call.verb in _MACHINE else "ask"
        units = " ".join(item.text for item in call.items[1:]) or "the machine"
        of_user = " of the user" if call.has("--user") else ""
        why = f"stops or changes {units}{of_user} (systemctl {call.verb})"
        yield _ends(weight, why, "`systemctl status` shows it.")


def _service(call: CommandCall) -> Iterator[Risk]:
    verbs = {"stop", "disable", "force-stop"}
    if verbs & set(call.command.words[2:]):
        yield _ends("ask", f"stops the service {call.verb}", "service NAME status shows it.")


def _subcommand(pattern: str, weight: Severity, why: str, kind: RiskKind = "kills") -> RiskRule:
    dangerous = lazy_compile(pattern)

    def rule(call: CommandCall) -> Iterator[Risk]:
        if dangerous.match(" ".join(call.command.words[1:])):
            yield _ends(weight, why, kind=kind)

    return rule


def _machine(call: CommandCall) -> Iterator[Risk]:
    if not call.has("--help", "-c", "--show", "-k"):
        yield _ends("deny", "ends or restarts the machine")


def _init(call: CommandCall) -> Iterator[Risk]:
    if call.verb in ("0", "1", "6", "s", "S"):
        yield _ends("deny", "ends or restarts the machine")


def _crontab(call: CommandCall) -> Iterator[Risk]:
    if call.has("-r"):
        why = "deletes all jobs of the user's crontab"
        yield Risk("deletes", "deny", why, "crontab -l > FILE makes a copy.")
    elif not call.has("-l", "-V"):
        yield Risk("outside", "ask", "replaces the user's crontab", "crontab -l shows it.")


_FLUSHING = ("-F", "--flush", "-X", "--delete-chain", "-D", "--delete", "-P", "--policy", "-Z")


def _iptables(call: CommandCall) -> Iterator[Risk]:
    if call.has(*_FLUSHING):
        yield _ends(
            "deny", "deletes or replaces rules of the firewall", "`-L` lists them.", "outside"
        )
    elif call.has("-A", "--append", "-I", "--insert", "-R", "--replace"):
        yield _ends("ask", "changes the firewall", "`-L` lists the rules.", "outside")


def fork_bombs(commands: tuple[Command, ...]) -> Iterator[Risk]:
    """Yield a fork bomb: a function that only starts itself: `f(){ f|f& };f`."""
    alone = [command for command in commands if len(command.words) == 1]
    again = Counter(command.words[0] for command in alone if not command.unconditional)
    fed = {command.words[0] for command in alone if command.piped_input}
    for command in alone:
        name = command.words[0]
        if command.unconditional and again[name] > 1 and name in fed:
            why = "starts itself until the machine has no more processes"
            yield Risk("kills", "deny", why, command=name, rule="shell.fork-bomb")


RULES: dict[str, RiskRule] = {
    **rules_of("permissions"),
    "kill": _kill,
    **dict.fromkeys(("pkill", "killall", "killall5", "skill", "xkill", "slay", "fkill"), _by_name),
    "taskkill": _by_name,
    "stop-process": _by_name,
    "systemctl": _systemctl,
    "service": _service,
    "rc-service": _service,
    "launchctl": _subcommand(
        r"(?:bootout|unload|remove|disable|kill|stop|reboot)\b", "ask", "stops a service"
    ),
    "initctl": _subcommand(r"stop\b", "ask", "stops a service"),
    "supervisorctl": _subcommand(r"(?:stop|shutdown|remove)\b", "ask", "stops a service"),
    "brew": _subcommand(r"services (?:stop|kill)\b", "ask", "stops a service"),
    "update-rc.d": _subcommand(r".*\b(?:remove|disable)\b", "ask", "stops a service"),
    "chkconfig": _subcommand(r".*\b(?:off|--del)\b", "ask", "stops a service"),
    "pm2": _subcommand(r"(?:kill|delete|stop) ?(?:all\b|$)", "ask", "stops all its services"),
    "tmux": _subcommand(r".*\bkill-server\b", "ask", "ends all windows of tmux"),
    "loginctl": _subcommand(
        r"(?:terminate|kill)-|(?:poweroff|reboot|halt|suspend)\b", "ask", "ends a login"
    ),
    **dict.fromkeys(("shutdown", "reboot", "halt", "poweroff"), _machine),
    **dict.fromkeys(("init", "telinit"), _init),
    "crontab": _crontab,
    **dict.fromkeys(("iptables", "ip6tables", "ebtables", "arptables"), _iptables),
    "iptables-restore": _subcommand("", "ask", "replaces the firewall", "outside"),
    "nft": _subcommand(
        r".*\b(?:flush|delete|destroy)\b", "deny", "empties the firewall", "outside"
    ),
    "ufw": _subcommand(
        r"(?:--force )?(?:disable|reset|delete)\b", "deny", "opens the firewall", "outside"
    ),
    "pfctl": _subcommand(r".*-(?:d|F)\b", "deny", "opens the firewall", "outside"),
    "firewall-cmd": _subcommand(
        r".*--(?:remove|panic|complete-reload|delete|set-default)",
        "ask",
        "changes the firewall",
        "outside",
    ),
    "ip": _subcommand(
        r".*\b(?:link set \S+ down|(?:route|addr|address|link|rule) (?:flush|del\w*))\b",
        "ask",
        "closes connections",
        "outside",
    ),
    "swapoff": _subcommand(r"(?:-a|--all)\b", "ask", "takes swap memory offline"),
    "sysctl": _subcommand(r".*(?:-w|--write|=|-p|--load)", "ask", "changes the kernel", "outside"),
    "modprobe": _subcommand(r".*(?:-r|--remove)\b", "ask", "changes the kernel", "outside"),
    "rmmod": _subcommand(r".", "ask", "changes the kernel", "outside"),
    "insmod": _subcommand(r".", "ask", "changes the kernel", "outside"),
}
"""By the program's name."""
