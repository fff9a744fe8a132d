"""Front matter of directive and rule files: split it from the text, and parse its keys."""

import re
from typing import Any

from hookd.core.efforts.skill_parser import SkillError, parse_keys
from hookd.lazy_pattern import lazy_compile

# Globs that begin with a star or a brace are common there, and are invalid YAML.
_BARE = lazy_compile(r"(?m)^([ \t]*(?:-|[A-Za-z]\w*:)[ \t]+)([*{!][^'\n]*)$")


def split_front_matter(text: str) -> tuple[str, str]:
    r"""Return the front matter, "" without one, and the text below it.

    >>> parted("---\nglobs: '*.py'\n---\nTabs.")
    ("globs: '*.py'", 'Tabs.')
    """
    lines = text.removeprefix("\ufeff").split("\n")
    if lines[0].rstrip() != "---":
        return "", text
    ends = (at for at, line in enumerate(lines) if at and line.rstrip() == "---")
    end = next(ends, 0)
    if not end:
        return "", text
    return "\n".join(lines[1:end]), "\n".join(lines[end + 1 :]).strip("\n")


def parse_front_matter(front: str) -> dict[str, Any]:
    """Return the keys of a front matter; empty if it is invalid."""
    try:
        return parse_keys(f"---\n{_BARE.sub(_quoted, front)}\n---\n")
    except SkillError:
        return {}


def _quoted(line: re.Match[str]) -> str:
    return f"{line[1]}'{line[2].rstrip()}'"
