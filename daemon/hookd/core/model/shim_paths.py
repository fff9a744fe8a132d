"""Names of hookd's shims, by which a hook entry or a command is known to run one.

A registered link is named after its event, in the folder of its scope: `.../shims/user/PreToolUse`.
The older form is a program named `hookd-hook`.
"""

from collections.abc import Iterator

from hookd.core.model.client_names import CLIENTS
from hookd.events.protocol import EVENTS
from hookd.lazy_pattern import lazy_compile

SHIM = "hookd-hook"
"""File name of the program that sends an event to the daemon."""

COLD, ALONE = "hookd-cold", "hookd-alone"
"""File names of what the shim sources: for what few events need, and without a daemon.

If what the shim and such a file expect of each other changes, the file gets a new name: during an
upgrade, an older shim must not read a newer file. The old name goes to `FORMER`.
"""

FORMER = ("hookd-start",)
"""File names of what older shims source: removed once `SHIM` has been replaced."""

NATIVE = "hookd-hook.native"
"""File name of the compiled shim beside them, which passes to the shim what it cannot answer."""

SOURCE = "native/hookd-hook.c"
"""Path of its source, from the package's shims."""

PREBUILT = "native/hookd-hook.native"
"""Path of the program that a package for one platform has, from the package's shims.

Beside it is its record, in the form of that of an installed program.
"""

_SCOPE = lazy_compile(
    rf"(?:(?P<client>{'|'.join(CLIENTS)})-)?(?P<kind>user|project|local|file|plugin)(?:-[0-9a-f]{{8}})?"
)
"""The folder of a scope: the kind of the settings file, and a hash of its path.

It begins with the client's name, except for Claude Code's. `plugin` is Claude Code's plugin, whose
hooks run the links without any settings.
"""

_LINK = lazy_compile(rf"(?:^|/)shims/{_SCOPE.pattern}/(?P<event>[A-Za-z]+)$")

_NAMED = lazy_compile(rf"{SHIM}|/shims/(?:hookd-|{_SCOPE.pattern}/)".encode())


def is_shim(path: str) -> bool:
    """Return whether a path is that of a shim, in either form, by its name."""
    return path.rsplit("/", 1)[-1] in (SHIM, NATIVE) or link_event(path) is not None


def link_event(path: str) -> str | None:
    """Return the event that a scope's link is named after; None for any other path."""
    found = _LINK.search(path)
    return found["event"] if found and found["event"] in EVENTS else None


def scope_parts(name: str) -> tuple[str, str] | None:
    """Return the client, "" for Claude Code, and the kind of a scope, by its folder's name.

    None if the folder is not that of a scope.

    >>> scope_parts("codex-user-0123abcd"), scope_parts("local-0123abcd"), scope_parts("other")
    (('codex', 'user'), ('', 'local'), None)
    """
    found = _SCOPE.fullmatch(name)
    return (found["client"] or "", found["kind"]) if found else None


def is_scope(name: str) -> bool:
    """Return whether a folder's name is that of a scope."""
    return scope_parts(name) is not None


def named_in(text: bytes) -> Iterator[int]:
    """Yield where a text names a shim: in the older form, or by the folder of a scope."""
    return (found.start() for found in _NAMED.finditer(text))
