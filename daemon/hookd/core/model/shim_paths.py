"""Names of hookd's shims, by which a hook entry or a command is known to run one.

A registered link is named after its event, in the folder of its scope: `.../shims/user/PreToolUse`.
The older form is a program named `hookd-hook`.
"""

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
    r"(?:(?:codex|gemini|qwen|copilot|opencode)-)?(?:user|project|local|file|plugin)(?:-[0-9a-f]{8})?"
)
"""The folder of a scope: the kind of the settings file, and a hash of its path.

It begins with the client's name, except for Claude Code's. `plugin` is Claude Code's plugin, whose
hooks run the links without any settings.
"""

_LINK = lazy_compile(rf"(?:^|/)shims/{_SCOPE.pattern}/([A-Za-z]+)$")


def is_shim(path: str) -> bool:
    """Return whether a path is that of a shim, in either form, by its name."""
    return path.rsplit("/", 1)[-1] in (SHIM, NATIVE) or link_event(path) is not None


def link_event(path: str) -> str | None:
    """Return the event that a scope's link is named after; None for any other path."""
    found = _LINK.search(path)
    return found[1] if found and found[1] in EVENTS else None


def is_scope(name: str) -> bool:
    """Return whether a folder's name is that of a scope."""
    return bool(_SCOPE.fullmatch(name))
