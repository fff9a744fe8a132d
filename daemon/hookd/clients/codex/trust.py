"""Trust of hooks in Codex: which entries of a `hooks.json` its `config.toml` lets run.

Values in, values out. A person's decision is kept as a hash of the definition, under a key that
names file, event, group and handler by their places. hookd reads it and never writes it.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from hookd.clients.codex.registration import SHORT, SHORT_S
from hookd.clients.group_registration import shell_program
from hookd.clients.hook_groups import Json, shaped
from hookd.lazy_dataclass import dataclass

Trust = Literal["trusted", "untrusted", "changed", "moved", "disabled"]
"""`changed`: another definition was trusted at this place. `moved`: this definition was trusted,
but at another place. `disabled`: a person switched it off."""

_DEFAULT_S = 600
_UNMATCHED = ("UserPromptSubmit", "Stop", *SHORT, "PreModelRequest", "PostModelRequest")
"""Events whose matcher is no part of the definition."""


@dataclass(frozen=True)
class Trusted:
    """An entry of ours in Codex's eyes: its event, its key in `config.toml`, its trust."""

    event: str
    key: str
    trust: Trust


def switched_off(config: Mapping[str, Any]) -> bool:
    """Return whether `config.toml` switches all hooks off."""
    features = config.get("features")
    return isinstance(features, dict) and features.get("hooks") is False


def trusts_project(config: Mapping[str, Any], root: str) -> bool:
    """Return whether `config.toml` trusts a project; without that, Codex reads none of its hooks.

    `root` is the folder of its repository: trust of a folder above does not count.
    """
    projects = config.get("projects")
    known = projects.get(root) if isinstance(projects, dict) else None
    return isinstance(known, dict) and known.get("trust_level") == "trusted"


def in_config(config: Mapping[str, Any]) -> list[str]:
    """Return the events that have hooks in `config.toml` itself; trust is no hook."""
    hooks = config.get("hooks")
    found = hooks if isinstance(hooks, dict) else {}
    return [name for name, groups in found.items() if name != "state" and groups]


def entries(file: str, settings: Json, config: Mapping[str, Any]) -> Iterator[Trusted]:
    """Yield each entry of ours in a `hooks.json`, with its trust.

    `file` is the path of the file as Codex spells it: below its folder, links not followed.
    """
    state = _state(config)
    for event, group, key, handler in _ours(file, settings):
        digest = definition_hash(event, group, handler)
        yield Trusted(event, key, _trust(state, key, digest))


def definition_hash(event: str, group: Json, handler: Json) -> str:
    """Return the hash by which Codex knows a definition: that of its normalized form as JSON."""
    seconds = handler.get("timeout")
    if event in SHORT:
        seconds = min(max(1 if seconds is None else seconds, 1), SHORT_S)
    else:
        seconds = max(_DEFAULT_S if seconds is None else seconds, 1)
    command = {
        "type": "command",
        "command": handler.get("command"),
        "timeout": seconds,
        "async": handler.get("async", False),
    }
    command |= {key: handler[key] for key in ("statusMessage",) if key in handler}
    identity: Json = {"event_name": snake_case(event), "hooks": [command]}
    if group.get("matcher") is not None and event not in _UNMATCHED:
        identity["matcher"] = group["matcher"]
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()}"


def snake_case(event: str) -> str:
    """Return an event's name as it is in a key: `PreToolUse` is `pre_tool_use`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", event).lower()


def _trust(state: Mapping[str, Json], key: str, digest: str) -> Trust:
    at = state.get(key)
    if at is None:
        elsewhere = any(one.get("trusted_hash") == digest for one in state.values())
        return "moved" if elsewhere else "untrusted"
    if at.get("enabled") is False:
        return "disabled"
    if "trusted_hash" not in at:
        return "untrusted"
    return "trusted" if at["trusted_hash"] == digest else "changed"


def _state(config: Mapping[str, Any]) -> dict[str, Json]:
    hooks = config.get("hooks")
    state = hooks.get("state") if isinstance(hooks, dict) else None
    found = state if isinstance(state, dict) else {}
    return {key: value for key, value in found.items() if isinstance(value, dict)}


def _ours(file: str, settings: Json) -> Iterator[tuple[str, Json, str, Json]]:
    """Yield event, group, key and handler of each entry of ours."""
    for event, groups in shaped(settings.get("hooks", {}), dict, "hooks").items():
        for at, group in enumerate(groups if isinstance(groups, list) else ()):
            for which, handler in enumerate(group["hooks"]):
                if shell_program(handler):
                    yield event, group, f"{file}:{snake_case(event)}:{at}:{which}", handler
