"""Names of the files that a patch changes, by its headers."""

from collections.abc import Iterable, Iterator

from hookd.lazy_pattern import lazy_compile

_HEADER = lazy_compile(
    r"(?:\+\+\+|---) (?P<file>\"[^\"\n]*\"|[^\t\n]+)"
    r"|diff --git (?P<both>[^\n]+)"
    r"|(?:rename|copy) (?:from|to) (?P<moved>\"[^\"\n]*\"|[^\n]+)"
    r"|(?:\*\*\*) (?P<old>[^\t\n]+)\t"
    r"|Index: (?P<index>[^\n]+)"
)
_NOWHERE = "/dev/null"


def changed_in(lines: Iterable[str], strip: int | None = None) -> Iterator[str]:
    """Yield the names that the headers of a patch give, without their first `strip` folders.

    Where `strip` is None, with and without the first: git leaves it out, patch leaves it.
    """
    for line in lines:
        found = _HEADER.match(line)
        if found is None:
            continue
        if both := found["both"]:
            named = [part for part in both.replace('"', "").split(" ") if part]
        else:
            named = [(found["file"] or found["moved"] or found["old"] or found["index"]).strip('"')]
        for name in named:
            bare = name.strip()
            if bare and bare != _NOWHERE:
                yield from _stripped(bare, strip)


def _stripped(name: str, strip: int | None) -> Iterator[str]:
    steps = name.split("/")
    if strip is not None:
        yield "/".join(steps[strip:]) or steps[-1]
        return
    yield name
    if len(steps) > 1:
        yield "/".join(steps[1:])
