"""File globs of search tools: several in one text, with braces."""

import re

_MOST = 64
_LONGEST = 4096
_BRACES = re.compile(r"\{([^{}]*)\}")
_BETWEEN = re.compile(r"[,\s]+")


def globs(text: str) -> tuple[str, ...] | None:
    """Return the single globs of a text, without those that exclude files.

    None if there are too many of them.

    >>> globs("*.{pem,key}, !a.pem")
    ('*.key', '*.pem')
    """
    todo = [text]
    made: set[str] = set()
    while todo:
        one = todo.pop()
        if len(todo) + len(made) > _MOST or len(one) > _LONGEST:
            return None
        if braces := _BRACES.search(one):
            rest = one[braces.end() :]
            todo += [f"{one[: braces.start()]}{each}{rest}" for each in braces[1].split(",")]
        else:
            made |= {each for each in _BETWEEN.split(one) if each and each[0] != "!"}
    return tuple(sorted(made))
