"""Entry on Stop that wakes an idle Claude Code for mail: `hookd mail wake`, with `asyncRewake`.

Values in, new values out. The client starts it in the background after a turn, and wakes its model
once it ends with exit code 2.
"""

import shlex
from collections.abc import Collection, Mapping

from hookd.clients import hook_groups
from hookd.clients.hook_groups import Form, Json
from hookd.events.protocol import EVENTS

EVENT = "Stop"

TIMEOUT_S = 86_400
"""Seconds that the client lets it wait: as long as it waits by default."""

_WORDS = ["mail", "wake"]


def register(
    settings: Json, program: str, environment: Mapping[str, str], kept: Collection[str] = ()
) -> Json:
    """Return settings with the entry. An entry that is there is renewed in its place.

    `kept` is as for `unregister`. Raise ShapeError if settings cannot be read.
    """
    places = [f"{name}={value}" for name, value in environment.items()]
    line = shlex.join([*(["env", *places] if places else []), program, *_WORDS])
    entry = {"type": "command", "command": line, "asyncRewake": True, "timeout": TIMEOUT_S}
    return hook_groups.register(settings, _FORM, {EVENT: {"hooks": [entry]}}, kept)


def unregister(settings: Json, kept: Collection[str] = ()) -> Json:
    """Return settings without the entry; `kept` are containers that were empty before."""
    return hook_groups.unregister(settings, _FORM, kept)


def entries(settings: Json) -> list[Json]:
    """Return the entries of settings. Raise ShapeError if these cannot be read."""
    return hook_groups.own(settings, _FORM).get(EVENT, [])


def program(hook: Json) -> str | None:
    """Return the hookd that an entry runs; None if the entry is another's.

    Ours has no more than variables before it: in any other spelling a shell may run more.
    """
    command = hook.get("command")
    if hook.get("type") != "command" or not isinstance(command, str):
        return None
    words = _words(command)
    if shlex.join(words) != command or words[-2:] != _WORDS:
        return None
    *before, name = words[:-2] or [""]
    plain = before[:1] in ([], ["env"]) and all("=" in word[1:] for word in before[1:])
    return name if plain and name.rpartition("/")[2] == "hookd" else None


def environment(hook: Json) -> dict[str, str]:
    """Return the variables that an entry of ours sets."""
    words = _words(str(hook.get("command")))[1:-3]
    return {name: value for name, _, value in (word.partition("=") for word in words)}


def wakes(hook: Json) -> bool:
    """Return whether the client wakes its model by an entry: a person may have changed it."""
    return hook.get("asyncRewake") is True


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return []


_FORM = Form(EVENTS, program)
