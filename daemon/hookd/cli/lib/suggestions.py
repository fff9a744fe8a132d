"""Suggest commands for a name that is none: what people mean by it, or a name that is close."""

from collections.abc import Iterable, Mapping

INTENTS: Mapping[str, str] = {
    **dict.fromkeys(("ls", "list", "ps", "top", "who", "dashboard"), "fleet"),
    **dict.fromkeys(("show", "explain"), "why N, guard explain COMMAND"),
    **dict.fromkeys(("block", "forbid", "ban", "prevent", "ask"), "guard add"),
    **dict.fromkeys(("rules", "rule"), "guard list"),
    **dict.fromkeys(("add", "new", "create"), "guard add, hook add"),
    **dict.fromkeys(("remove", "rm", "delete", "del"), "guard remove, hook remove"),
    **dict.fromkeys(("test", "tests", "try"), "guard test, hook test"),
    **dict.fromkeys(("config", "configure", "options", "preferences"), "settings"),
    **dict.fromkeys(("enable", "on"), "policy enable"),
    **dict.fromkeys(("disable", "off"), "policy disable, pause"),
    "set": "policy set",
    "profile": "policy profile",
    **dict.fromkeys(("init", "setup", "register"), "install"),
    **dict.fromkeys(("unregister",), "uninstall"),
    **dict.fromkeys(("check", "diagnose", "health", "verify"), "doctor"),
    **dict.fromkeys(("state", "info", "ping"), "status"),
    **dict.fromkeys(("up", "launch"), "start"),
    **dict.fromkeys(("down", "kill", "quit", "exit", "shutdown"), "stop"),
    **dict.fromkeys(("reload",), "restart"),
    **dict.fromkeys(("update", "changelog", "news"), "upgrade"),
    **dict.fromkeys(("history", "tail", "watch", "follow"), "event --follow"),
    **dict.fromkeys(("undo", "permit", "approve"), "allow N"),
    **dict.fromkeys(("statistics", "costs", "cost", "usage"), "stats"),
    **dict.fromkeys(("sql", "select"), "query"),
    **dict.fromkeys(("backup", "size"), "db backup, db size"),
    **dict.fromkeys(("man", "manual", "docs", "usage"), "help"),
}
"""What people mean by a name that is no command: commands, separated by commas."""

OF_GROUPS: Mapping[str, str] = {
    **dict.fromkeys(("ls", "all"), "list"),
    **dict.fromkeys(("rm", "del", "delete", "uninstall", "forget"), "remove"),
    **dict.fromkeys(("new", "create", "register"), "add, start, save"),
    **dict.fromkeys(("get", "info", "view", "cat", "explain", "describe"), "show, explain"),
    **dict.fromkeys(("on", "activate"), "enable"),
    **dict.fromkeys(("off", "deactivate"), "disable"),
    **dict.fromkeys(("end", "done", "close", "stop", "abort"), "finish, cancel, stop"),
    **dict.fromkeys(("begin", "open", "run"), "start, run"),
    **dict.fromkeys(("check", "try", "verify"), "test, check"),
    **dict.fromkeys(("history", "runs", "tail", "logs"), "log, logs"),
    **dict.fromkeys(("print", "dump"), "export, show"),
    **dict.fromkeys(("vacuum", "shrink"), "compact"),
    **dict.fromkeys(("copy", "dump"), "backup"),
}
"""The same for subcommands; those that a group lacks are left out."""

_CLOSE = 0.75
"""Least ratio of `difflib` for a close name: one letter of four may be another."""

_SHORTEST_BEGINNING = 3


def suggestions(name: str, commands: Iterable[str], intents: Mapping[str, str]) -> list[str]:
    """Return what to suggest for `name`, at most three commands: what it means, or close names.

    >>> suggestions("statsu", ["start", "status"], {})
    ['status']
    """
    known, word = list(commands), name.lower()
    meant = [one for one in intents.get(word, "").split(", ") if one.split(" ")[0] in known]
    if meant:
        return meant
    from difflib import get_close_matches  # noqa: PLC0415 - only for a wrong name

    close = get_close_matches(word, known, cutoff=_CLOSE)
    begun = [one for one in known if len(word) >= _SHORTEST_BEGINNING and one.startswith(word)]
    return list(dict.fromkeys([*close, *begun]))[:3]
