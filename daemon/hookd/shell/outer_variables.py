"""Variables of the environment in the text of another shell: `ssh host "cd $DIR && ls"`.

Whoever writes such a text gives the inner shell a value as an argument. The value is the user's own
if nothing in the text sets the variable.
"""

import re
from collections.abc import Sequence

from hookd.lazy_pattern import lazy_compile
from hookd.shell.model import CommandRun
from hookd.shell.words import Word

_USE = lazy_compile(r"\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?::?-[\w./:@-]*)?\})")
_OTHER = ("$", "`", "{}")
_MAX_NAMES = 16


def only_arguments(words: Sequence[Word], runs: Sequence[CommandRun], text: str) -> bool:
    """Return whether the unknown parts of a text are values of the environment, and no programs.

    `runs` are the commands of that text, `text` is the whole text of the call.
    """
    names: set[str] = set()
    for word in words:
        unknown = word.text[len(word.head) : len(word.text) - len(word.tail)]
        names.update(plain or braced for plain, braced in _USE.findall(unknown))
        rest = _USE.sub("\0", unknown)
        # What find or xargs inserts is unknown, too.
        if not rest.startswith("\0") or rest[-1] != "\0" or any(sign in rest for sign in _OTHER):
            return False
    known = bool(runs) and all(run.words and run.words[0].known for run in runs)
    return known and 0 < len(names) <= _MAX_NAMES and all(_is_read(name, text) for name in names)


def _is_read(name: str, text: str) -> bool:
    """Return whether a text reads a variable, and does nothing else with it."""
    found = len(re.findall(rf"\b{name}\b", text))
    return found == len(re.findall(rf"\$\{{?{name}\b", text))
