"""Status line of hookd in Claude Code's settings: adding it around the user's, removing it.

Values in, new values out. There is one status line, so the user's own command becomes an argument
of ours, and is restored from there. A command is ours if it is spelled as we spell it and its
program is named `hookd-statusline`. The older form also has socket and transport as arguments.
"""

import shlex
from typing import Any

from hookd.clients.hook_groups import Json, ShapeError
from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile

LINE_SHIM = "hookd-statusline"
"""The file name that makes a command ours."""

_KEY = "statusLine"
_OPTION = "--own"
_NAMED = lazy_compile(rf"(?:^|[\s/'\"]){LINE_SHIM}(?:$|[\s'\"])")
"""Our shim in a command line, as its program or not."""


@dataclass(frozen=True)
class LineShim:
    """Registered program: the absolute path of the link in the scope's folder."""

    path: str


@dataclass(frozen=True)
class Wrapped:
    """A status line of ours: its words, and the user's command in it. None: there was none."""

    words: tuple[str, ...]
    own: str | None


def wrap(settings: Json, shim: LineShim) -> Json:
    """Return `settings` with our status line, which runs the user's own command.

    Ours is renewed in its place; other keys of the object are kept.
    Raise ShapeError if ours cannot run the present status line.
    """
    found = parse(settings)
    own = found.own if found else _own(settings)
    words = [shim.path] if own is None else [shim.path, _OPTION, own]
    old = settings.get(_KEY, {"type": "command"})
    return settings | {_KEY: old | {"command": shlex.join(words)}}


def unwrap(settings: Json) -> Json:
    """Return `settings` with the user's own command in the place of ours, or without the key."""
    found = parse(settings)
    if found is None:
        return settings
    if found.own is None:
        return {key: value for key, value in settings.items() if key != _KEY}
    return settings | {_KEY: settings[_KEY] | {"command": found.own}}


def parse(settings: Json) -> Wrapped | None:
    """Return our status line; None where there is none, or where it is another's."""
    line = settings.get(_KEY)
    if not isinstance(line, dict) or line.get("type") != "command":
        return None
    command = line.get("command")
    if not isinstance(command, str):
        return None
    words = _words(command)
    named = bool(words) and words[0].rsplit("/", 1)[-1] == LINE_SHIM
    # In any other spelling a shell may see more than our words: a pipe, a second command.
    if not named or shlex.join(words) != command:
        return None
    options = dict(zip(words[1::2], words[2::2], strict=False))
    paired = len(words) % 2 == 1 and all(word.startswith("--") for word in words[1::2])
    return Wrapped(tuple(words), options.get(_OPTION)) if paired else None


def notes(settings: Json) -> list[str]:
    """Return what a person should know whose settings hold our status line, a sentence each."""
    if parse(settings) and settings.get("disableAllHooks") is True:
        switch = "disableAllHooks is true in these settings"
        return [f"{switch}: Claude Code shows no status line of a command"]
    return []


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return []


def _own(settings: Json) -> str | None:
    """Return the user's command. Raise ShapeError where it is none that ours could run."""
    if _KEY not in settings:
        return None
    line: Any = settings[_KEY]
    if not isinstance(line, dict):
        raise ShapeError(f"{_KEY} must be an object")
    if line.get("type") != "command":
        raise ShapeError(f'{_KEY}.type must be "command"')
    command = line.get("command")
    if not isinstance(command, str):
        raise ShapeError(f"{_KEY}.command must be text")
    if _NAMED.search(command):
        raise ShapeError(f"{_KEY}.command names {LINE_SHIM} within another command line")
    return command
