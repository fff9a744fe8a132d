"""Rule files: instructions for the files that their front matter names by globs.

`globs`, `paths` and `applyTo` have a glob, several separated by commas, or a list. A glob matches
as in a gitignore, from the folder of the rules.
"""

import posixpath
from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import accumulate
from typing import Any

from hookd.core.context_window.front_matter import parse_front_matter, split_front_matter
from hookd.core.context_window.touched_paths import within
from hookd.lazy_dataclass import dataclass
from hookd.shell.globs import GlobRoots, path_fits

ALWAYS = ("copilot-instructions.md",)
"""Names of files that always apply."""

_KEYS = ("globs", "paths", "applyTo")
_MOST_GLOBS, _ROOM = 100, 3_000
"""Maximum globs of one rule, and their total characters: each is compiled."""

_LONGEST, _READ = 300, 4_000
"""Maximum characters of one glob, and of a front matter; longer ones are ignored."""


@dataclass(frozen=True, slots=True)
class RuleFile:
    """A rule file: its path, the folder that it applies to, and its globs.

    Without globs it always applies.
    """

    path: str
    base: str
    globs: tuple[str, ...] = ()

    def match_reason(self, file: str) -> str:
        """Return why the rule applies to a file, "" if it does not."""
        if not within(file, self.base):
            return ""
        if not self.globs:
            return "always applies"
        places = GlobRoots(cwd=self.base, project=self.base)
        met = (glob for glob in self.globs if path_fits(glob, file, places))
        return next((f"glob {glob}" for glob in met), "")


def parse_rule_file(path: str, base: str, text: str) -> RuleFile | None:
    """Return the rule in a file; None if it applies to no file automatically."""
    if posixpath.basename(path) in ALWAYS:
        return RuleFile(path, base)
    front, _ = split_front_matter(text)
    keys = parse_front_matter(front) if 0 < len(front) <= _READ else {}
    if keys.get("alwaysApply") in ("true", "True", "TRUE"):
        return RuleFile(path, base)
    globs = tuple(glob for key in _KEYS for glob in _globs(keys.get(key)))[:_MOST_GLOBS]
    lengths = accumulate(map(len, globs))
    few = tuple(glob for glob, length in zip(globs, lengths, strict=True) if length <= _ROOM)
    return RuleFile(path, base, few) if few else None


def _globs(said: Any) -> Iterator[str]:
    given = said if isinstance(said, list) else [said]
    for text in given[:_MOST_GLOBS]:
        if isinstance(text, str):
            yield from (glob for one in _parts(text) for glob in _unfolded(one) if glob)


def _parts(text: str) -> list[str]:
    """Return the parts between commas; commas inside braces do not separate.

    >>> _parts("**/*.{ts,tsx}, docs/*.md")
    ['**/*.{ts,tsx}', 'docs/*.md']
    """
    parts, depth = [""], 0
    for letter in text[:_READ]:
        depth = max(0, depth + {"{": 1, "}": -1}.get(letter, 0))
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [one.strip() for one in parts if one.strip() and len(one) <= _LONGEST]


def _unfolded(glob: str) -> list[str]:
    """Return a glob once for each choice of its braces; nested braces stay.

    >>> _unfolded("src/*.{ts,tsx}")
    ['src/*.ts', 'src/*.tsx']
    """
    found = [""]
    while glob and len(found) <= _MOST_GLOBS:
        head, _, rest = glob.partition("{")
        choices, closed, tail = rest.partition("}")
        if not closed:
            head, choices, tail = glob, "", ""
        found = [f"{one}{head}{choice}" for one in found for choice in choices.split(",")]
        glob = tail
    return found[:_MOST_GLOBS]


def matching_names(source: str, names: tuple[str, ...]) -> list[str]:
    """Return the names that match the last part of a source such as `.cursor/rules/*.mdc`."""
    return [name for name in names if fnmatchcase(name, posixpath.basename(source))]
