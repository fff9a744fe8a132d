"""Check settings files line by line, and generate their JSON Schema."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from hookd import paths
from hookd.cli.lib.client import call
from hookd.cli.lib.errors import Problem as Unanswered
from hookd.config.deprecated_keys import (
    DEPRECATED_SECTIONS,
    REMOVED_OPTIONS,
    current_settings,
)
from hookd.config.models import Policies, Settings
from hookd.core.hook_rules import json_schema
from hookd.core.hook_rules.layers import merge_layers
from hookd.core.hook_rules.parse import parse_hooks
from hookd.core.hook_rules.problems import Problem, did_you_mean, key_lines, line_of
from hookd.core.hook_rules.sources import HookFileLocation, dialect_of, hook_files
from hookd.lazy_dataclass import dataclass
from hookd.policies import POLICIES
from hookd.user_hooks import files as sheets

_HOOKS = ("$schema", "hooks", "disabled_hooks")
"""Keys of every file of hooks; others are read only in the user's settings."""

_OF_LAYERS = ("policies", "description")
"""Further keys of the files of other layers."""


@dataclass
class Found:
    """One problem of a file; `line` counts from 1."""

    path: str
    line: int
    key: str
    sentence: str
    fatal: bool


@dataclass(frozen=True)
class _Text:
    """A readable file, and its value."""

    place: HookFileLocation
    text: str
    value: Any


@dataclass(frozen=True)
class Checked:
    """A file and its problems."""

    path: str
    problems: tuple[Found, ...]


def whole_schema() -> dict[str, Any]:
    """Return the JSON Schema of hookd's settings: hooks, and all other keys."""
    hooks, whole = json_schema.schema(), Settings.model_json_schema()
    options = {policy.name: _of_policy(policy.options, whole) for policy in POLICIES}
    for name, removed in REMOVED_OPTIONS.items():
        options[name]["properties"] |= {key: {"deprecated": True} for key in removed}
    whole["$defs"]["Policies"]["properties"]["options"] |= {
        "additionalProperties": False,
        "properties": options,
    }
    own = {name: hooks["properties"][name] for name in (*_HOOKS, "disable")}
    own |= {name: {"type": "object", "deprecated": True} for name in DEPRECATED_SECTIONS}
    return {
        "$schema": hooks["$schema"],
        "title": "Settings of hookd",
        "description": "Reference: docs/reference/settings.md and docs/guides/user-hooks.md.",
        "type": "object",
        "additionalProperties": False,
        "properties": whole["properties"] | own,
        "$defs": whole["$defs"] | hooks["$defs"],
    }


def checked(named: tuple[Path, ...], root: str) -> list[Checked]:
    """Check the named files, or the existing ones of all layers."""
    home, config = str(Path.home()), str(paths.paths().config)
    extra = sheets.plugins(config)
    known = {place.path: place for place in hook_files(root, home, config, extra)}
    if named:
        places = [
            known.get(path) or HookFileLocation("user", path, dialect_of(path))
            for path in (str(one.absolute()) for one in named)
        ]
    else:
        # Claude Code reports its own files. Unreadable files are reported here, too.
        every = (*known.values(), *_named_at_start(root, known))
        places = [one for one in every if one.runs and os.path.lexists(one.path)]
    whole = {place.path: _read(place) for place in (*known.values(), *places)}
    among = _among(one for one in whole.values() if isinstance(one, _Text))
    return [
        Checked(place.path, tuple(_problems(whole[place.path], among, known))) for place in places
    ]


def _named_at_start(root: str, known: Mapping[str, HookFileLocation]) -> list[HookFileLocation]:
    """Return the files of hooks that the daemon was started with."""
    try:
        page = call("userHooks.list", {"root": root})
    except Unanswered:
        return []
    found = [one["path"] for one in (*page["hooks"], *page["problems"])]
    return [HookFileLocation("cli", path) for path in dict.fromkeys(found) if path not in known]


def _read(place: HookFileLocation) -> "_Text | Found":
    """Return the text and value of a file, or why it cannot be read."""
    sheet = sheets.read(place)
    if sheet.error:
        return Found(place.path, 1, "", sheet.error, fatal=True)
    try:
        text = (sheet.text or b"").decode("utf-8-sig")
        return _Text(place, text, json.loads(text or "{}"))
    except UnicodeDecodeError as error:
        return Found(place.path, 1, "", f"it is not UTF-8: see byte {error.start}", fatal=True)
    except json.JSONDecodeError as error:
        return Found(place.path, error.lineno, "", f"it is no JSON: {error.msg}", fatal=True)
    except RecursionError:
        return Found(place.path, 1, "", "it is nested too deeply", fatal=True)


def _among(texts: "Iterable[_Text]") -> list[Problem]:
    """Return the problems of the hooks of all files together, such as a duplicate id."""
    parts = [parse_hooks(one.value, one.place) for one in texts]
    own = {problem for part in parts for problem in part.problems}
    return [one for one in merge_layers(parts).problems if one not in own]


def _problems(
    read: "_Text | Found", among: Iterable[Problem], known: Mapping[str, HookFileLocation]
) -> Iterator[Found]:
    if isinstance(read, Found):
        yield read
        return
    place, value, at = read.place, read.value, key_lines(read.text)
    whole = _is_whole(place, known)
    of_all = (one for one in among if one.path == place.path)
    for one in (*parse_hooks(value, place).problems, *of_all):
        if whole or one.key not in DEPRECATED_SECTIONS:  # elsewhere they have no effect: see below
            yield Found(place.path, line_of(at, one.key), one.key, one.sentence, one.fatal)
    if not isinstance(value, dict) or place.dialect != "hookd":
        return
    current = current_settings(value, layer=not whole)
    for current_key, sentence, fatal in _rest(current.value, whole=whole):
        key = current.key_in_file(current_key)
        yield Found(place.path, line_of(at, key), key, sentence, fatal)


def _is_whole(place: HookFileLocation, known: Mapping[str, HookFileLocation]) -> bool:
    """Return whether a file may have all settings of hookd, not only hooks."""
    if place.path in known:
        return place.path == str(paths.paths().settings)
    return Path(place.path).name == "settings.json" and Path(place.path).parent.name != ".hookd"


def _rest(value: dict[str, Any], *, whole: bool) -> Iterator[tuple[str, str, bool]]:
    """Yield other problems than those of hooks: the key, the reason, and whether it is fatal."""
    if whole:
        yield from _refused(Settings, {**value, "hooks": {}, "disabled_hooks": []}, "")
    else:
        for name in value:
            if name not in (*_HOOKS, *_OF_LAYERS):
                yield name, _out_of_place(name), False
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
            yield (
                f"policies.options.{name}",
                f"there is no such policy{did_you_mean(name, known)}",
                True,
            )
    for key in ("enabled", "disabled"):
        names = value.get(key)
        for at, name in enumerate(names if isinstance(names, list) else ()):
            if isinstance(name, str) and name not in known:
                sentence = f"there is no such policy{did_you_mean(name, known)}"
                yield f"policies.{key}[{at}]", sentence, True


def _refused(model: type[BaseModel], value: Any, above: str) -> Iterator[tuple[str, str, bool]]:
    try:
        model.model_validate(value)
    except ValidationError as error:
        for one in error.errors(include_url=False, include_input=False, include_context=False):
            key = "".join(f"[{at}]" if isinstance(at, int) else f".{at}" for at in one["loc"])
            extra = one["type"] == "extra_forbidden"
            why = f"there is no such setting{_near(model, one['loc'])}" if extra else one["msg"]
            yield (above + key).lstrip("."), why.removeprefix("Value error, "), True


def _out_of_place(name: str) -> str:
    if name in Settings.model_fields or name in DEPRECATED_SECTIONS:
        return "is read in your own settings alone; it has no effect here"
    return f"there is no such setting{did_you_mean(name, (*_HOOKS, *_OF_LAYERS))}"


def _near(model: type[BaseModel], loc: tuple[int | str, ...]) -> str:
    """Return a hint at the most similar setting, for an unknown one."""
    for name in loc[:-1]:
        field = model.model_fields.get(str(name))
        inner = field.annotation if field else None
        if not (isinstance(inner, type) and issubclass(inner, BaseModel)):
            return ""
        model = inner
    names = (field.alias or name for name, field in model.model_fields.items())
    return did_you_mean(str(loc[-1]), names)


def _of_policy(model: type[BaseModel], whole: dict[str, Any]) -> dict[str, Any]:
    """Return a policy's schema; its definitions move to those of the whole."""
    schema = model.model_json_schema()
    whole["$defs"] |= schema.pop("$defs", {})
    return schema
