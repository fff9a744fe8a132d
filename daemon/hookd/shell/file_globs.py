"""File globs of search tools: several in one text, with braces."""

from hookd.lazy_pattern import lazy_compile

_MAX_GLOBS = 64
_MAX_CHARS = 4096
_BRACES = lazy_compile(r"\{([^{}]*)\}")
_BETWEEN = lazy_compile(r"[,\s]+")


def globs(text: str) -> tuple[str, ...] | None:
    """Return the single globs of a text, without those that exclude files.

    None if there are too many of them.

    >>> globs("*.{pem,key}, !a.pem")
    ('*.key', '*.pem')
    """
    todo = [text]
    done: set[str] = set()
    while todo:
        current = todo.pop()
        if len(todo) + len(done) > _MAX_GLOBS or len(current) > _MAX_CHARS:
            return None
        if braces := _BRACES.search(current):
            rest = current[braces.end() :]
            todo += [f"{current[: braces.start()]}{each}{rest}" for each in braces[1].split(",")]
        else:
            done |= {each for each in _BETWEEN.split(current) if each and each[0] != "!"}
    return tuple(sorted(done))
