"""Where a SKILL.md says what hookd reads: in its front matter, or in a fenced block of JSON."""

import json
import re
from collections.abc import Iterator
from typing import Any

import yaml

MOST_BYTES = 64 * 1024
"""Of the front matter, and of the block of JSON."""
MOST_LEVELS = 20
LONGEST_ERROR = 300

_FENCE = re.compile(r"[ \t]*(?P<mark>`{3,}|~{3,})[ \t]*(?P<kind>[^\s`]*+)[^`]*+")
_BARE = re.compile(r"(?m)^(?P<key>[A-Za-z][\w-]*):[ \t]+(?P<text>[^\s'\"|>].*)$")
_NULLS = {"", "~", "null", "Null", "NULL"}
_STRUCTURED = {"phases", "modes", "templates", "commands", "directives"}
_BROKEN = (yaml.YAMLError, ValueError, OverflowError)
"""What PyYAML raises; the last two are for escapes that lie beyond Unicode."""


class SkillError(ValueError):
    """A SKILL.md that cannot be used; its text names the key or the line, for people."""

    def __init__(self, message: str) -> None:
        shown = (letter if letter.isprintable() else "?" for letter in message)
        super().__init__("".join(shown)[:LONGEST_ERROR])


class Word(str):
    """A bare word or number as it is written: the label 1.10 is not 1.1, a date is no date."""

    __slots__ = ()


def keys_in(text: str) -> dict[str, Any]:
    """Return what the front matter says, and below it what the first block with `phases` says.

    A block is not looked for where the front matter has `phases`. Bare words and numbers are Words.
    """
    lines = re.sub(r"\r\n?", "\n", text.removeprefix("\ufeff")).split("\n")
    end = _end(lines)
    front = {key: value for key, value in _front(lines[1:end]).items() if value is not None}
    return front if "phases" in front else _block(lines, end) | front


def _end(lines: list[str]) -> int:
    """Return the index of the line that ends the front matter, 0 where there is none."""
    if lines[0].rstrip() != "---":
        return 0
    ends = (number for number, line in enumerate(lines) if number and line.rstrip() == "---")
    end = next(ends, 0)
    if not end:
        raise SkillError("line 1: the front matter has no end; a line --- ends it")
    return end


def _front(lines: list[str]) -> dict[str, Any]:
    text = "\n".join(lines)
    _bounded(text, "the front matter")
    try:
        return _mapping(text)
    except SkillError:
        raise
    except _BROKEN as error:
        told = _told(error)
    # Claude Code takes `argument-hint: [file] [--all]` and `description: Use it: now`, which are no
    # YAML. The lines of such keys are texts, then.
    try:
        return _mapping(_BARE.sub(_quoted, text))
    except _BROKEN:
        raise told from None


def _quoted(line: re.Match[str]) -> str:
    if line["key"] in _STRUCTURED:
        return line[0]
    text = line["text"].replace("'", "''")
    return f"{line['key']}: '{text}'"


def _told(error: Exception) -> SkillError:
    mark = getattr(error, "problem_mark", None)
    if mark is None:
        return SkillError("the front matter holds a character that YAML does not take")
    problem = getattr(error, "problem", None) or "it cannot be read"
    return SkillError(f"line {mark.line + 2}: the front matter is no YAML: {problem}")


def _mapping(text: str) -> dict[str, Any]:
    events = yaml.parse(text, Loader=yaml.SafeLoader)
    found = [
        _node(next(events), events, 0)
        for event in events
        if isinstance(event, yaml.DocumentStartEvent)
    ]
    if len(found) > 1:
        raise SkillError("the front matter holds more than one YAML document")
    keys = found[0] if found else None
    if keys is not None and not isinstance(keys, dict):
        raise SkillError("the front matter says no keys; a line of it looks like `version: 2`")
    return keys or {}


def _node(event: yaml.Event, events: Iterator[yaml.Event], depth: int) -> Any:
    """Return the value that begins with `event`. It is built here, so nothing can unfold."""
    line = _line(event)
    if getattr(event, "anchor", None):
        raise SkillError(
            f"line {line}: anchors and aliases (& and *) are not taken; put a text in quotes"
        )
    if depth > MOST_LEVELS:
        raise SkillError(f"line {line}: the front matter goes deeper than {MOST_LEVELS} levels")
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
            raise SkillError(f"line {line}: a key is a word, not a list or an object")
        if event.value in pairs:
            raise SkillError(f"line {line}: the key {event.value!r} stands twice")
        _node(event, events, depth)  # refuses an anchor
        pairs[event.value] = _node(next(events), events, depth)
    return pairs


def _line(event: yaml.Event) -> int:
    return (event.start_mark.line if event.start_mark else 0) + 2


def _word(event: Any) -> str | None:
    if not event.implicit[0]:
        return str(event.value)
    return None if event.value in _NULLS else Word(event.value)


def _block(lines: list[str], start: int) -> dict[str, Any]:
    for line, text in _blocks(lines, start):
        if '"phases"' in text:
            keys = _json(text, line)
            if isinstance(keys, dict) and "phases" in keys:
                return keys
    return {}


def _blocks(lines: list[str], start: int) -> Iterator[tuple[int, str]]:
    """Yield every fenced block of JSON, with the number of the line that opens it.

    A block that stands within another, as in an example of Markdown, is none.
    """
    opened: re.Match[str] | None = None
    first = start
    for number in range(start, len(lines)):
        found = _FENCE.fullmatch(lines[number])
        if opened is None:
            opened, first = found, number + 1
        elif found and not found["kind"] and found["mark"].startswith(opened["mark"]):
            if opened["kind"].lower() == "json":
                yield first, "\n".join(lines[first:number])
            opened = None
    if opened is not None and opened["kind"].lower() == "json":
        yield first, "\n".join(lines[first:])


def _json(text: str, line: int) -> Any:
    _bounded(text, f"line {line}: the block of JSON")
    try:
        return json.loads(text, parse_int=Word, parse_float=Word, parse_constant=_refuse)
    except RecursionError as error:
        raise SkillError(f"line {line}: the block of JSON goes too deep") from error
    except json.JSONDecodeError as error:
        raise SkillError(f"line {line + error.lineno}: this is no JSON: {error.msg}") from error
    except ValueError as error:
        raise SkillError(f"line {line}: the block holds {error}, which is no JSON") from error


def _refuse(name: str) -> Any:
    raise ValueError(name)


def _bounded(text: str, what: str) -> None:
    if len(text.encode("utf-8", "replace")) > MOST_BYTES:
        raise SkillError(f"{what} is longer than {MOST_BYTES // 1024} kB")
