"""Permissions: modes and owners of files, rights of programs, accounts."""

import re
from collections.abc import Iterator

from hookd.lazy_pattern import lazy_compile
from hookd.programs.model import Severity
from hookd.risk.model import CommandCall, Risk, RiskRule
from hookd.risk.path_areas import PHRASES, Area, area, means_everything
from hookd.risk.quoting import quoted_word
from hookd.shell.argv import Item

_FAR: frozenset[Area] = frozenset({"root", "system", "home", "above", "outside", "device"})
_WIDE: frozenset[Area] = frozenset({"root", "system", "home", "above", "device"})
_OPEN = lazy_compile(r"^0*[0-7]?[0-7]?[0-7][2367]$|(?:^|,)(?=[ugoa]*[+=][rwxXst]*w)[ug]*[oa]")
_SETUID = lazy_compile(r"^0*[4-7][0-7]{3}$|[+=][rwxXt]*s")
_CLOSED = lazy_compile(
    r"(?:^|,)(?:[go]*[ua][ugoa]*)?-[wxXst]*r|(?:^|,)[go]*[ua][ugoa]*=[wxXst]*(?:,|$)"
)
"""Modes in letters without the right of the owner to read."""

_INSTEAD = "Give single files the right that is needed: `chmod u+x FILE`."
_USERS = "Only the user should change this outside of the project."
_OTHERS = frozenset({"root", "0", "nobody"})
_FOLDERS = "`X` sets the right for folders only: `chmod -R u=rwX,go=rX`."
_NOTED = "Note the modes first: `git ls-files -s` has those of committed files."


def _tree(call: CommandCall) -> bool:
    return call.has("-R") or call.has("--recursive") or "find" in call.command.wrappers


def _modes(call: CommandCall) -> tuple[str, tuple[Item, ...]]:
    """Return the mode and the files; a mode may look like a flag: `-x`, `-rwx`."""
    minus = [flag for flag, _ in call.words.flags if re.fullmatch(r"-[rwxXst]+", flag)]
    has_reference = any(flag.startswith("--reference") for flag, _ in call.words.flags)
    if minus or has_reference or not call.items:
        return "".join(minus), call.items
    return call.items[0].text, call.items[1:]


def _chmod(call: CommandCall) -> Iterator[Risk]:
    mode, files = _modes(call)
    opens, tree = _OPEN.search(mode) is not None, _tree(call)
    closes, shuts = tree and _closes(mode), tree and _shuts(mode)
    for item in files:
        where = area(item, call.context)
        wide = tree or means_everything(item.text)
        if where in _WIDE or (where == "outside" and (tree or opens)):
            yield _changed("permissions", item, where, "deny" if tree or opens else "ask")
        elif opens and wide and where not in ("rebuildable", "scratch"):
            yield _changed("permissions", item, where, "ask")
        elif closes and where not in ("rebuildable", "scratch"):
            why = f"removes the right to read {quoted_word(item.text)} ({PHRASES[where]})"
            yield Risk("permissions", "ask", why, _NOTED, certain=item.fixed)
        elif shuts and where == "project":
            why = f"makes the folders of {quoted_word(item.text)} ({PHRASES[where]}) inaccessible"
            yield Risk("permissions", "ask", why, _FOLDERS, certain=item.fixed)
    if _SETUID.search(mode) and files and area(files[0], call.context) in _FAR:
        why = "lets all users run a program with its owner's rights"
        yield Risk("permissions", "deny", why, _INSTEAD, rule="chmod.setuid")


def _closes(mode: str) -> bool:
    """Return whether a mode removes the owner's right to read."""
    if mode.isdecimal():
        return set(mode) <= set("01234567") and not int(mode, 8) & 0o400
    return _CLOSED.search(mode) is not None


def _shuts(mode: str) -> bool:
    """Return whether a mode removes the right to enter folders."""
    if mode.isdecimal():
        return set(mode) <= set("01234567") and not int(mode, 8) & 0o100
    return mode in ("-x", "a-x", "u-x", "ugo-x")


def _changed(what: str, item: Item, where: Area, weight: Severity) -> Risk:
    why = f"changes the {what} of {quoted_word(item.text)} ({PHRASES[where]})"
    way = _USERS if where in _FAR else _INSTEAD
    return Risk("permissions", weight, why, way, certain=item.fixed)


def _chown(call: CommandCall) -> Iterator[Risk]:
    has_reference = any(flag.startswith("--reference") for flag, _ in call.words.flags)
    owner = call.items[0].text.partition(":")[0] if call.items else ""
    takes = _tree(call) and owner in _OTHERS and call.program in ("chown", "gchown")
    for item in call.items if has_reference else call.items[1:]:
        where = area(item, call.context)
        if where in _FAR:
            deny = _tree(call) or where != "outside"
            yield _changed("owner", item, where, "deny" if deny else "ask")
        elif takes and where == "project":
            yield _changed("owner", item, where, "ask")


def _setfacl(call: CommandCall) -> Iterator[Risk]:
    rights = call.values("-m", "--modify", "-x", "--remove", "-M", "--set", "-X")
    skipped = {item.place for item in rights}
    for item in call.items:
        where = area(item, call.context)
        if item.place not in skipped and (where in _FAR or (_tree(call) and where == "project")):
            yield _changed("permissions", item, where, "deny" if where in _FAR else "ask")


def _account(why: str, *, unless: tuple[str, ...] = ()) -> RiskRule:
    def rule(call: CommandCall) -> Iterator[Risk]:
        if not call.has("--help", "--version", *unless):
            yield Risk("permissions", "deny", why, _ACCOUNTS)

    return rule


def _protection(*shows: str) -> RiskRule:
    """Return the rule of a program that changes the protection of the system."""

    def rule(call: CommandCall) -> Iterator[Risk]:
        if not any(flag in (*shows, "--help", "--version") for flag, _ in call.words.flags):
            why = "changes the protection of the system"
            yield Risk("permissions", "deny", why, "Only the user should change it.")

    return rule


def _csrutil(call: CommandCall) -> Iterator[Risk]:
    if call.verb not in ("status", "report"):
        yield from _protection()(call)


def _dscl(call: CommandCall) -> Iterator[Risk]:
    """Yield the changes of a directory service; its other commands read and list."""
    words = [word.lstrip("-").lower() for word in call.command.words[1:]]
    done = next((_DIRECTORY[word] for word in words if word in _DIRECTORY), "")
    if done:
        yield Risk("permissions", "deny", f"{done} of a user or a group", _ACCOUNTS)


_ACCOUNTS = "Only the user should change accounts."
_DIRECTORY = {
    **dict.fromkeys(("read", "readall", "readpl", "readpli", "list", "search", "diff"), ""),
    **dict.fromkeys(("create", "createpl", "append", "merge"), "adds or sets an entry"),
    **dict.fromkeys(("change", "changei"), "changes an entry"),
    **dict.fromkeys(("delete", "deletepl", "deletepli"), "deletes an entry"),
    "passwd": "changes the password",
}
"""What the commands of dscl change; empty if nothing."""


def _attributes(call: CommandCall) -> Iterator[Risk]:
    for item in call.items:
        if (where := area(item, call.context)) in _FAR and "/" in item.text:
            yield _changed("attributes", item, where, "deny" if where in _WIDE else "ask")


def _capabilities(call: CommandCall) -> Iterator[Risk]:
    if call.items:
        yield Risk("permissions", "ask", "gives a program rights of the system", "")


RULES: dict[str, RiskRule] = {
    **dict.fromkeys(("chmod", "gchmod"), _chmod),
    **dict.fromkeys(("chown", "chgrp", "gchown", "gchgrp"), _chown),
    "setfacl": _setfacl,
    "chattr": _attributes,
    "setcap": _capabilities,
    "icacls": _attributes,
    "visudo": _account("changes who may act as another user", unless=("-c", "--check")),
    "passwd": _account("changes a password", unless=("-S", "--status")),
    "chpasswd": _account("changes passwords"),
    "usermod": _account("changes an account"),
    "userdel": _account("deletes an account"),
    "deluser": _account("deletes an account"),
    "useradd": _account("creates an account"),
    "adduser": _account("creates an account"),
    "groupmod": _account("changes a group"),
    "groupdel": _account("deletes a group"),
    "gpasswd": _account("changes a group"),
    "chsh": _account("changes a login shell"),
    "dscl": _dscl,
    "setenforce": _protection(),
    "spctl": _protection("--status", "--assess", "-a", "--list", "--test-devid-status"),
    "csrutil": _csrutil,
}
"""By the program's name."""
