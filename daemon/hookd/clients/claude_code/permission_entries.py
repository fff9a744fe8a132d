"""Permission entries in Claude Code's settings for the commands of hookd that agents run.

Values in, new values out. An entry is plain text that a user may have written, too, so hookd's own
are known by the record of `hookd install` alone. The suffix `:*` allows any arguments, or none; it
is understood by every supported client, unlike the newer ` *`.
"""

from collections.abc import Collection, Iterable
from typing import Any

from hookd.clients.hook_groups import Json, ShapeError

COMMANDS = (
    "hookd log",
    "hookd handover",
    "hookd send",
    "hookd inbox",
    "hookd wait",
    "hookd reply",
    "hookd claim",
    "hookd release",
    "hookd work",
)
"""What agents run, as the beginning of a command line. hookd itself refuses an agent the rest."""

ENTRIES = tuple(f"Bash({command}:*)" for command in COMMANDS)

_KEY = "permissions"
_LIST = "allow"
_PATH = f"{_KEY}.{_LIST}"


def present(settings: Json, entries: Iterable[str] = ENTRIES) -> tuple[str, ...]:
    """Return which of `entries` the settings allow, literally."""
    found = _allowed(settings)
    return tuple(entry for entry in entries if entry in found)


def put(
    settings: Json, own: Collection[str], wanted: Iterable[str], kept: Collection[str] = ()
) -> tuple[Json, tuple[str, ...]]:
    """Return settings that allow `wanted`, and which of these entries are hookd's own.

    `own` are the entries that hookd put in before: those that are not wanted are removed, as
    `remove` does. An entry that the user wrote is not added twice, and is not hookd's.
    Raise ShapeError if there is no list that an entry could be added to.
    """
    wanted = tuple(wanted)
    ours = present(settings, [entry for entry in own if entry in wanted])
    left = remove(settings, [entry for entry in own if entry not in wanted], kept)
    missing = [entry for entry in wanted if entry not in _allowed(left)]
    if not missing:
        return left, ours
    permissions = left.get(_KEY, {})
    if not isinstance(permissions, dict):
        raise ShapeError(f"{_KEY} must be an object")
    allowed = permissions.get(_LIST, [])
    if not isinstance(allowed, list):
        raise ShapeError(f"{_PATH} must be a list")
    changed = left | {_KEY: permissions | {_LIST: [*allowed, *missing]}}
    return changed, tuple(entry for entry in wanted if entry in (*ours, *missing))


def remove(settings: Json, own: Iterable[str], kept: Collection[str] = ()) -> Json:
    """Return settings without the entries `own`, each once, and without containers this empties.

    `kept` are key paths as `bare` returns them: containers that were empty before.
    """
    found = present(settings, own)
    if not found:
        return settings
    left = list(_allowed(settings))
    for entry in found:
        left.remove(entry)
    permissions = settings[_KEY] | {_LIST: left}
    if not left and _PATH not in kept:
        del permissions[_LIST]
    if not permissions and _KEY not in kept:
        return {key: value for key, value in settings.items() if key != _KEY}
    return settings | {_KEY: permissions}


def bare(settings: Json) -> tuple[str, ...]:
    """Return the key path of the empty container that an entry would be added to, if any."""
    permissions = settings.get(_KEY)
    if permissions == {}:
        return (_KEY,)
    return (_PATH,) if isinstance(permissions, dict) and permissions.get(_LIST) == [] else ()


def _allowed(settings: Json) -> list[Any]:
    permissions = settings.get(_KEY)
    found = permissions.get(_LIST) if isinstance(permissions, dict) else None
    return found if isinstance(found, list) else []
