"""The home of which commands are given a file that hookd goes by, and may change it.

Of the programs that change files by their names, core/written.py knows which. Others may do
anything with a file, but for those that are known to read only.
"""

from hookd.core.danger.entry import Call
from hookd.core.danger.given import language_of
from hookd.core.danger.paths import area, paths
from hookd.core.own_files import Ground
from hookd.core.shell.escapes import names
from hookd.core.shell.flags import Item
from hookd.core.written import PROGRAMS

_READERS = names(
    "cat bat head tail less more nl tac jq grep egrep fgrep rg ag ls ll eza stat file wc diff cmp"
    " test [ [[ echo printf realpath readlink dirname basename md5sum sha1sum sha256sum shasum"
    " cksum du tree cd pushd popd xxd hexdump od strings cut column uniq true : type which command"
    " lsof fuser gh hookd claude mkdir"
)
_GIT_CHANGES = names("checkout restore rm mv clean reset apply stash")
_WHOLE = names("git chmod chown chgrp chattr setfacl mount umount")
"""Programs that change a folder with what lies in it."""

_SOCKETS = ("--unix-socket", "--abstract-unix-socket")
_EXPORTS = {"dialogue": ("-o", "--output"), "demo": ("--svg", "--home")}
_OWN_PLACES = frozenset({"project", "inside", "rebuildable", "scratch"})


def mentioned(call: Call, own: Ground) -> str:
    """Return the file that hookd goes by and that a command may change; "" where there is none."""
    if call.program in _READERS or (call.program == "git" and call.verb not in _GIT_CHANGES):
        return ""
    if call.program in PROGRAMS:
        given = call.values(*_SOCKETS) if call.program == "curl" else ()
        return next((item.text for item in given if _is_own(item, call, own)), "")
    words = (*call.command.words, *(call.command.stdin if _runs(call) else ()))
    if any(path in word.lower() for path in own.reached for word in words):
        return "the daemon's socket or database"
    named = (item for item in call.items if _is_own(item, call, own))
    return next((item.text for item in named if not _prints(call)), "")


def exported(call: Call, own: Ground) -> str:
    """Return the file that hookd itself would write, and that is none of the project's."""
    if call.program != "hookd":
        return ""
    items = call.values(*_EXPORTS[call.verb]) if call.verb in _EXPORTS else ()
    items = call.items[2:] if call.starts("db", "backup") else items
    return next((item.text for item in items if not _is_the_projects(item, call, own)), "")


def _is_the_projects(item: Item, call: Call, own: Ground) -> bool:
    led = paths(item, call.place)
    return area(item, call.place) in _OWN_PLACES and not any(map(own.has, led))


def _is_own(item: Item, call: Call, own: Ground) -> bool:
    name = item.text.lower().rstrip("/").rpartition("/")[2]
    if name not in own.names:
        return False
    holds = own.holds if call.program in _WHOLE else own.has
    return any(map(holds, paths(item, call.place)))


def _runs(call: Call) -> bool:
    return language_of(call.command) != ""


def _prints(call: Call) -> bool:
    """Whether a file is only printed: `python3 -m json.tool FILE`, `sqlite3 -readonly FILE`."""
    if call.program == "sqlite3":
        return call.has("-readonly")
    tool = [item.text for item in call.values("-m")]
    return _runs(call) and tool == ["json.tool"] and len(call.items) <= len(tool) + 1
