"""What a claim is to cover: words of a command or of AGENT_CLAIMS, resolved to patterns."""

import posixpath

from hookd.core.claims.holders import RESOURCE, short
from hookd.core.claims.patterns import WILD
from hookd.core.model.claim import ClaimKind, FilePlace
from hookd.core.model.claim_requests import PlaceOfFile
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts
from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile

MAX_WORDS = 50
"""Patterns of one request."""

_MAX_CHARS = 1_000
_MAX_WILD = 10
"""Wildcards of a glob: comparing two with many of them takes long."""
_BRACE_SET = frozenset("{,}")
_UNSUPPORTED = frozenset("{}\\")
_WILDCARD = lazy_compile(r"\*+|\?+|\[")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A pattern to claim: `pattern` is relative to `root`."""

    root: str
    kind: ClaimKind
    pattern: str


def agent_words(*texts: str | None) -> tuple[str, ...]:
    """Return the words of AGENT_CLAIMS and AGENT_TARGETED_CLAIMS, each once.

    >>> agent_words("src/api/**, docs/*.md", None)
    ('src/api/**', 'docs/*.md')
    """
    words = (word for text in texts if text for word in text.replace(",", " ").split())
    return tuple(dict.fromkeys(words))[:MAX_WORDS]


def patterns_wanted(
    words: tuple[str, ...], folder: str, facts: Facts, *, skip_unknown: bool = False
) -> tuple[Wanted, ...]:
    """Return what the words name, relative to `folder`. Raise MissingFacts.

    Raise DomainError (INVALID_CLAIM) that names a word that claims nothing. With `skip_unknown`
    such words are left out: the text of a person may have others than files.
    """
    words = tuple(word for word in words if not skip_unknown or _problem(word) is None)
    for word in words:
        if problem := _problem(word):
            raise DomainError("INVALID_CLAIM", problem)
    facts.require_all(
        PlaceOfFile(folder),
        *(PlaceOfFile(path) for word in words for path in _paths(word, folder)),
    )
    found: list[Wanted] = []
    for word in words:
        try:
            one = _wanted(word, folder, facts)
        except DomainError:
            if not skip_unknown:
                raise
            continue
        if not skip_unknown or _is_pattern(word, folder, facts):
            found.append(one)
    return tuple(dict.fromkeys(found))


def missing_files(words: tuple[str, ...], folder: str, facts: Facts) -> frozenset[Wanted]:
    """Return what words name that is no glob and does not exist yet. Raise MissingFacts."""
    plain = (word for word in words if not word.startswith(RESOURCE) and not WILD & set(word))
    gone = (one for one in plain if _place(_path(one, folder), facts).kind == "nothing")
    return frozenset(_wanted(one, folder, facts) for one in gone)


def unclaimed_words(words: tuple[str, ...], folder: str, facts: Facts) -> tuple[str, ...]:
    """Return the words that look like files, and claim nothing: their folder is not there."""
    return tuple(
        short(word)
        for word in words
        if (WILD | {"/"}) & set(word)
        and not patterns_wanted((word,), folder, facts, skip_unknown=True)
    )


def _is_pattern(word: str, folder: str, facts: Facts) -> bool:
    """Return whether a word is more than text for people: `docs/*.md`, or a file that is there."""
    if word.startswith(RESOURCE) or (WILD | {"/"}) & set(word):
        return True
    return _place(_path(word, folder), facts).kind != "nothing"


def _problem(word: str) -> str | None:
    """Return why a word claims nothing, None if it may claim something."""
    name = word.removeprefix(RESOURCE).strip()
    if name and len(word) <= _MAX_CHARS and word.isprintable():
        return None
    told = repr(short(word)) if name else "an empty text"
    return f"{told} claims nothing; name a file, a glob, or {RESOURCE}NAME"


def _paths(word: str, folder: str) -> tuple[str, ...]:
    """Return the paths whose places tell what a word is: its own, and the folder it is in."""
    if word.startswith(RESOURCE):
        return ()
    path = _path(word, folder)
    return path, _base(path)


def _path(word: str, folder: str) -> str:
    return "/" + posixpath.normpath(posixpath.join(folder, word)).lstrip("/")


def _base(path: str) -> str:
    """Return the folder of a path; of a glob, the one before its first wildcard."""
    names = path.split("/")
    wild = next((at for at, name in enumerate(names) if WILD & set(name)), len(names) - 1)
    return "/".join(names[:wild]) or "/"


def _wanted(word: str, folder: str, facts: Facts) -> Wanted:
    if word.startswith(RESOURCE):
        place = _place(folder, facts)
        return Wanted(place.root, "resource", word.removeprefix(RESOURCE).strip())
    path = _path(word, folder)
    place, base = _place(path, facts), _place(_base(path), facts)
    if (place.root, place.relative) == ("/", ""):
        raise DomainError(
            "INVALID_CLAIM", f"'{short(word)}' is the whole machine; name a part of it"
        )
    if place.kind == "folder" or (word.endswith("/") and place.kind == "nothing"):
        return Wanted(place.root, "path", f"{place.relative}/" if place.relative else "")
    if place.kind == "file":
        return Wanted(place.root, "path", place.relative)
    if base.kind != "folder":
        raise DomainError(
            "INVALID_CLAIM", f"'{short(word)}' claims nothing: there is no folder {_base(path)}"
        )
    rest = path[len(_base(path)) :].lstrip("/")
    if not WILD & set(path) and not _BRACE_SET.issubset(rest):
        return Wanted(place.root, "path", place.relative)
    if _UNSUPPORTED & set(rest):
        raise DomainError(
            "INVALID_CLAIM", f"invalid glob '{short(word)}': only *, **, ? and [] are wildcards"
        )
    if len(_WILDCARD.findall(rest)) > _MAX_WILD:
        raise DomainError(
            "INVALID_CLAIM", f"'{short(word)}' has more than {_MAX_WILD} wildcards; name a folder"
        )
    return Wanted(base.root, "glob", posixpath.join(base.relative, rest))


def _place(path: str, facts: Facts) -> FilePlace:
    return facts.require(PlaceOfFile(path)) or FilePlace(path, "/", path.lstrip("/"))
