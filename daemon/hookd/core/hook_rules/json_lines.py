"""The home of where in a JSON text a key stands: its line, as people count."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from hookd.core.hook_rules.problems import shown

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\]:,]|[^\s{}\[\]:,"]+', re.DOTALL)


@dataclass
class _Open:
    """An object or a list that has begun: its key, and what of it comes next."""

    key: str
    is_list: bool
    at: int = 0
    name: str | None = None

    @property
    def child(self) -> str:
        if self.is_list:
            return f"{self.key}[{self.at}]"
        return f"{self.key}.{self.name}" if self.key else f"{self.name}"


def lines(text: str) -> Mapping[str, int]:
    """Return the line of every key in a valid JSON text: `hooks.Stop[0].hooks[1]`."""
    found = {"": 1}
    opened: list[_Open] = []
    line, before = 1, 0
    for token in _TOKEN.finditer(text):
        line, before = line + text.count("\n", before, token.start()), token.start()
        mark, top = token[0], opened[-1] if opened else None
        if mark in ("}", "]"):
            del opened[-1:]
        elif top is not None and mark == ",":
            top.at, top.name = top.at + 1, None
        elif top is not None and not top.is_list and top.name is None:
            top.name = json.loads(mark, strict=False)
            found.setdefault(top.child, line)
            # What nobody knows is named in quotes where something is wrong with it.
            found.setdefault(f"{top.key}.{shown(top.name or '')}", line)
        elif mark != ":":
            key = top.child if top else ""
            found.setdefault(key, line)
            if mark in ("{", "["):
                opened.append(_Open(key, is_list=mark == "["))
    return found


def line_of(found: Mapping[str, int], key: str) -> int:
    """Return the line of a key, or that of the nearest one above it which is there."""
    while key not in found:
        key = key[: max(key.rfind("."), key.rfind("["), 0)]
    return found[key]
