"""The front matter of files that are given to a model: what it says, and the text below it."""

import re
from typing import Any

from hookd.core.efforts.skill_parser import SkillError, parse_keys

# What people write there is often no YAML: globs that begin with a star, or with a brace.
_BARE = re.compile(r"(?m)^([ \t]*(?:-|[A-Za-z]\w*:)[ \t]+)([*{!][^'\n]*)$")


def split_front_matter(text: str) -> tuple[str, str]:
    r"""Return the front matter, "" where there is none, and the text below it.

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
    """Return what a front matter says; nothing where it cannot be read."""
    try:
        return parse_keys(f"---\n{_BARE.sub(_quoted, front)}\n---\n")
    except SkillError:
        return {}


def _quoted(line: re.Match[str]) -> str:
    return f"{line[1]}'{line[2].rstrip()}'"
