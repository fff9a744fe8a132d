"""The home of what is wrong with a file of settings, line by line, and of the whole schema."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from hookd import paths
from hookd.core.commands import schema as of_hooks
from hookd.core.commands.findings import nearest
from hookd.core.commands.lines import line_of, lines
from hookd.core.commands.parse import parse_hooks
from hookd.core.commands.places import Place, dialect_of, files
from hookd.core.options import Policies, Settings
from hookd.files import hooks as sheets
from hookd.policies import POLICIES

_HOOKS = ("$schema", "hooks", "disable")
"""Keys that every file of hooks has; the others are read in the user's settings alone."""


@dataclass
class Found:
    """One thing that is wrong; `line` counts from 1."""

    path: str
    line: int
    key: str
    sentence: str
    fatal: bool


@dataclass(frozen=True)
class Checked:
    """A file and what is wrong with it."""

    path: str
    problems: tuple[Found, ...]


def whole_schema() -> dict[str, Any]:
    """Return the JSON Schema of hookd's settings: hooks, and all other keys."""
    hooks, whole = of_hooks.schema(), Settings.model_json_schema()
    options = {policy.name: _of_policy(policy.options, whole) for policy in POLICIES}
    whole["$defs"]["Policies"]["properties"]["options"] |= {
        "additionalProperties": False,
        "properties": options,
    }
    own = {name: hooks["properties"][name] for name in _HOOKS}
    return {
        "$schema": hooks["$schema"],
        "title": "Settings of hookd",
        "description": "docs/config.md and docs/commands.md tell of every key.",
        "type": "object",
        "additionalProperties": False,
        "properties": whole["properties"] | own,
        "$defs": whole["$defs"] | hooks["$defs"],
    }


def checked(named: tuple[Path, ...], root: str) -> list[Checked]:
    """Check the files that are named, or those of all layers that are there."""
    home, config = str(Path.home()), str(paths.paths().config)
    extra = sheets.plugins(config)
    known = {place.path: place for place in files(root, home, config, extra)}
    if named:
        places = [
            known.get(path) or Place("user", path, dialect_of(path))
            for path in (str(one.absolute()) for one in named)
        ]
    else:
        # Claude Code's own are told by Claude Code. What cannot be read is told of, too.
        places = [one for one in known.values() if one.runs and os.path.lexists(one.path)]
    return [Checked(place.path, tuple(_problems(place, known))) for place in places]


def _problems(place: Place, known: dict[str, Place]) -> Iterator[Found]:
    sheet = sheets.read(place)
    if sheet.fault:
        yield Found(place.path, 1, "", sheet.fault, fatal=True)
        return
    try:
        text = (sheet.text or b"").decode("utf-8-sig")
        value = json.loads(text or "{}")
    except UnicodeDecodeError as error:
        yield Found(place.path, 1, "", f"it is not UTF-8: see byte {error.start}", fatal=True)
        return
    except json.JSONDecodeError as error:
        yield Found(place.path, error.lineno, "", f"it is no JSON: {error.msg}", fatal=True)
        return
    except RecursionError:
        yield Found(place.path, 1, "", "it is nested too deeply", fatal=True)
        return
    at = lines(text)
    for one in parse_hooks(value, place).problems:
        yield Found(place.path, line_of(at, one.key), one.key, one.sentence, one.fatal)
    if not isinstance(value, dict) or place.dialect != "hookd":
        return
    for key, sentence, fatal in _rest(value, whole=_is_whole(place, known)):
        yield Found(place.path, line_of(at, key), key, sentence, fatal)


def _is_whole(place: Place, known: dict[str, Place]) -> bool:
    """Whether a file holds all of hookd's settings, and not its hooks alone."""
    if place.path in known:
        return place.path == str(paths.paths().settings)
    return Path(place.path).name == "settings.json" and Path(place.path).parent.name != ".hookd"


def _rest(value: dict[str, Any], *, whole: bool) -> Iterator[tuple[str, str, bool]]:
    """Yield what is wrong beside the hooks: the key, why, and whether it keeps it from holding."""
    if whole:
        yield from _refused(Settings, {**value, "hooks": {}, "disable": []}, "")
    else:
        for name in value:
            if name not in (*_HOOKS, "policies", "description"):
                yield name, "is read in your own settings alone; it has no effect here", False
        yield from _refused(Policies, value.get("policies", {}), "policies")
    if isinstance(policies := value.get("policies"), dict):
        yield from _of_policies(policies)


def _of_policies(value: dict[str, Any]) -> Iterator[tuple[str, str, bool]]:
    known = {policy.name: policy for policy in POLICIES}
    options = value.get("options")
    for name, own in options.items() if isinstance(options, dict) else ():
        if name in known and isinstance(own, dict):
            yield from _refused(known[name].options, own, f"policies.options.{name}")
        elif name not in known:
            yield f"policies.options.{name}", f"there is no such policy{nearest(name, known)}", True
    for key in ("enabled", "disabled"):
        names = value.get(key)
        for at, name in enumerate(names if isinstance(names, list) else ()):
            if isinstance(name, str) and name not in known:
                sentence = f"there is no such policy{nearest(name, known)}"
                yield f"policies.{key}[{at}]", sentence, True


def _refused(model: type[BaseModel], value: Any, above: str) -> Iterator[tuple[str, str, bool]]:
    try:
        model.model_validate(value)
    except ValidationError as error:
        for one in error.errors(include_url=False, include_input=False, include_context=False):
            key = "".join(f"[{at}]" if isinstance(at, int) else f".{at}" for at in one["loc"])
            why = "there is no such setting" if one["type"] == "extra_forbidden" else one["msg"]
            yield (above + key).lstrip("."), why.removeprefix("Value error, "), True


def _of_policy(model: type[BaseModel], whole: dict[str, Any]) -> dict[str, Any]:
    """Return a policy's schema; what it refers to moves to the definitions of the whole."""
    schema = model.model_json_schema()
    whole["$defs"] |= schema.pop("$defs", {})
    return schema
