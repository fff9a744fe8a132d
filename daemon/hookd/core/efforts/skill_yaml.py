"""YAML of a SKILL.md's front matter: plain values only, no anchors or aliases."""

import re
from collections.abc import Iterator
from typing import Any

import yaml

from hookd.core.efforts.skill_parser import MAX_LEVELS, BareWord, SkillError
from hookd.lazy_pattern import lazy_compile

_BARE = lazy_compile(r"(?m)^(?P<key>[A-Za-z][\w-]*):[ \t]+(?P<text>[^\s'\"|>].*)$")
_NULLS = {"", "~", "null", "Null", "NULL"}
_STRUCTURED = {"phases", "modes", "templates", "commands", "directives"}
_BROKEN = (yaml.YAMLError, ValueError, OverflowError)
"""Errors of PyYAML; the last two are for escapes beyond Unicode."""


def front(text: str) -> dict[str, Any]:
    """Return the keys of the front matter, unquoted words as BareWords. Raise SkillError."""
    try:
        return _mapping(text)
    except SkillError:
        raise
    except _BROKEN as error:
        problem = _skill_error(error)
    # Claude Code accepts `argument-hint: [file] [--all]` and `description: Use it: now`, which are
    # invalid YAML: read such lines as texts.
    try:
        return _mapping(_BARE.sub(_quoted, text))
    except _BROKEN:
        raise problem from None


def _quoted(line: re.Match[str]) -> str:
    if line["key"] in _STRUCTURED:
        return line[0]
    text = line["text"].replace("'", "''")
    return f"{line['key']}: '{text}'"


def _skill_error(error: Exception) -> SkillError:
    mark = getattr(error, "problem_mark", None)
    if mark is None:
        return SkillError("the front matter contains a character that YAML does not allow")
    problem = getattr(error, "problem", None) or "it cannot be read"
    return SkillError(f"line {mark.line + 2}: the front matter is invalid YAML: {problem}")


def _mapping(text: str) -> dict[str, Any]:
    events = yaml.parse(text, Loader=yaml.SafeLoader)
    found = [
        _node(next(events), events, 0)
        for event in events
        if isinstance(event, yaml.DocumentStartEvent)
    ]
    if len(found) > 1:
        raise SkillError("the front matter contains more than one YAML document")
    keys = found[0] if found else None
    if keys is not None and not isinstance(keys, dict):
        raise SkillError("the front matter has no keys; write lines such as `version: 2`")
    return keys or {}


def _node(event: yaml.Event, events: Iterator[yaml.Event], depth: int) -> Any:
    """Return the value that begins with `event`; anchors are rejected, so it cannot expand."""
    line = _line(event)
    if getattr(event, "anchor", None):
        raise SkillError(
            f"line {line}: anchors and aliases (& and *) are not allowed; quote the text"
        )
    if depth > MAX_LEVELS:
        raise SkillError(f"line {line}: the front matter is nested deeper than {MAX_LEVELS} levels")
    if isinstance(event, yaml.SequenceStartEvent):
        return _items(events, depth + 1)
    if isinstance(event, yaml.MappingStartEvent):
        return _pairs(events, depth + 1)
    return _word(event)


def _items(events: Iterator[yaml.Event], depth: int) -> list[Any]:
    items = []
    while not isinstance(event := next(events), yaml.SequenceEndEvent):
        items.append(_node(event, events, depth))
    return items


def _pairs(events: Iterator[yaml.Event], depth: int) -> dict[str, Any]:
    pairs: dict[str, Any] = {}
    while not isinstance(event := next(events), yaml.MappingEndEvent):
        line = _line(event)
        if not isinstance(event, yaml.ScalarEvent):
            raise SkillError(f"line {line}: a key must be text, not a list or an object")
        if event.value in pairs:
            raise SkillError(f"line {line}: the key {event.value!r} is used twice")
        _node(event, events, depth)  # rejects an anchor
        pairs[event.value] = _node(next(events), events, depth)
    return pairs


def _line(event: yaml.Event) -> int:
    return (event.start_mark.line if event.start_mark else 0) + 2


def _word(event: Any) -> str | None:
    if not event.implicit[0]:
        return str(event.value)
    return None if event.value in _NULLS else BareWord(event.value)
