"""SKILL.md parser: the keys in the front matter, or in a fenced block of JSON."""

import json
import re
from collections.abc import Iterator
from typing import Any

from hookd.lazy_pattern import lazy_compile

MAX_BYTES = 64 * 1024
"""Maximum bytes of the front matter, and of the block of JSON."""
MAX_LEVELS = 20
MAX_ERROR_CHARS = 300

_FENCE = lazy_compile(r"[ \t]*(?P<mark>`{3,}|~{3,})[ \t]*(?P<kind>[^\s`]*+)[^`]*+")


class SkillError(ValueError):
    """An invalid SKILL.md; the text names the key or the line."""

    def __init__(self, message: str) -> None:
        shown = (letter if letter.isprintable() else "?" for letter in message)
        super().__init__("".join(shown)[:MAX_ERROR_CHARS])


class BareWord(str):
    """An unquoted word or number as text: the label 1.10 is not 1.1, and dates stay text."""

    __slots__ = ()


def parse_keys(text: str) -> dict[str, Any]:
    """Return the keys of the front matter, and those of the first block with `phases`.

    The front matter overrides the block. Unquoted words and numbers are BareWords.
    """
    lines = re.sub(r"\r\n?", "\n", text.removeprefix("\ufeff")).split("\n")
    end = _end(lines)
    front = {key: value for key, value in _front(lines[1:end]).items() if value is not None}
    return front if "phases" in front else _block(lines, end) | front


def _end(lines: list[str]) -> int:
    """Return the index of the line that ends the front matter, 0 without one."""
    if lines[0].rstrip() != "---":
        return 0
    ends = (number for number, line in enumerate(lines) if number and line.rstrip() == "---")
    end = next(ends, 0)
    if not end:
        raise SkillError("line 1: the front matter has no end; end it with a line ---")
    return end


def _front(lines: list[str]) -> dict[str, Any]:
    text = "\n".join(lines)
    _bounded(text, "the front matter")
    if not text.strip():
        return {}
    from hookd.core.efforts.skill_yaml import front  # noqa: PLC0415 - PyYAML is slow to import

    return front(text)


def _block(lines: list[str], start: int) -> dict[str, Any]:
    for line, text in _blocks(lines, start):
        if '"phases"' in text:
            keys = _json(text, line)
            if isinstance(keys, dict) and "phases" in keys:
                return keys
    return {}


def _blocks(lines: list[str], start: int) -> Iterator[tuple[int, str]]:
    """Yield every fenced block of JSON, with the number of the line that opens it.

    A block inside another, such as an example of Markdown, is skipped.
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
        return json.loads(text, parse_int=BareWord, parse_float=BareWord, parse_constant=_refuse)
    except RecursionError as error:
        raise SkillError(f"line {line}: the block of JSON is nested too deeply") from error
    except json.JSONDecodeError as error:
        raise SkillError(f"line {line + error.lineno}: invalid JSON: {error.msg}") from error
    except ValueError as error:
        raise SkillError(f"line {line}: the block contains {error}, which is not JSON") from error


def _refuse(name: str) -> Any:
    raise ValueError(name)


def _bounded(text: str, what: str) -> None:
    if len(text.encode("utf-8", "replace")) > MAX_BYTES:
        raise SkillError(f"{what} is longer than {MAX_BYTES // 1024} kB")
