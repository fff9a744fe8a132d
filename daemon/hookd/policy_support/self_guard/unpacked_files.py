"""Files that land where protected files are: what to look at first, and what is asked about."""

import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fnmatch import fnmatchcase

from hookd.core.model.fact_requests import ArchiveMembers, ExistingPaths, FactRequest
from hookd.core.model.facts import Facts
from hookd.policy_support.self_guard.file_destinations import Landing
from hookd.policy_support.self_guard.patch_files import changed_in
from hookd.policy_support.self_guard.protected_files import ProtectedFiles
from hookd.risk.model import CallContext
from hookd.risk.path_areas import area_of

_MAX_LANDINGS = 32
"""Landings of one call that are looked at; more are asked about."""


_UNLISTED = "puts files that cannot be listed, and may be settings, into {into} (use a new folder)"
_MISSING = (
    "puts files from {source}, which does not exist or cannot be listed, and which may be settings,"
    " into {into} (use a new folder)"
)


def landed(
    landings: Iterable[Landing], own: ProtectedFiles, facts: Facts, place: CallContext
) -> Iterator[str]:
    """Yield what lands in a protected place, as clauses. Raise MissingFacts for its sources."""
    here = (_settling(one, own, place) for one in dict.fromkeys(landings))
    near = [one for one in here if _matters(one, own)]
    if len(near) > _MAX_LANDINGS:
        yield "the call unpacks or copies too many files to check"
        return
    facts.require_all(*dict.fromkeys(want for one in near for want in _wants(one, own)))
    for one in near:
        if name := _lands(one, own, facts):
            yield f"`{_short(one.text)}` {name}"


def _settling(one: Landing, own: ProtectedFiles, place: CallContext) -> Landing:
    """Leave out the folders in which nothing lasts, so that no settings hold there."""
    into = (to for to in one.into if own.spans(to) or area_of(to, place) != "scratch")
    return replace(one, into=tuple(into))


def _matters(one: Landing, own: ProtectedFiles) -> bool:
    """Return whether protected files may lie in, or right below, a folder that something lands in.

    An archive that exists may also contain names of folders above.
    """
    if one.names is not None:
        return bool(one.into)
    return any(map(own.reaches, one.into))


def _wants(one: Landing, own: ProtectedFiles) -> Iterator[FactRequest]:
    if one.names is not None or not one.source or one.clears:
        return
    for into in one.into:
        if one.kind == "folder":
            if paths := _copied(one, into, own):
                yield ExistingPaths(one.source, paths)
        elif own.reaches(into):
            yield ArchiveMembers(one.source, one.kind, own.telling.pattern)


def _copied(one: Landing, into: str, own: ProtectedFiles) -> tuple[str, ...]:
    """Return the protected paths that a copy of a folder may bring, relative to it."""
    return tuple(path for path in own.under(into) if not one.glob or _fits(path, one.glob))


def _fits(path: str, glob: str) -> bool:
    first = path.split("/", maxsplit=1)[0]
    return fnmatchcase(first, glob) and (first[:1] != "." or glob[:1] in (".", "["))


def _lands(one: Landing, own: ProtectedFiles, facts: Facts) -> str:
    """Return what lands, as a clause; "" where nothing does."""
    if one.names is not None:
        return _named(one.names, one, own)
    if one.clears and any(map(own.reaches, one.into)):
        return "removes protected files"
    if one.flat:
        here = next((into for into in one.into if own.direct(into)), "")
        return f"puts a file with an unknown name into {here}" if here else ""
    unknown = next((into for into in one.into if own.root(into)), "")
    if not one.source:
        return _UNLISTED.format(into=unknown) if unknown else ""
    for into in one.into:
        if said := _of_source(one, into, own, facts):
            return said
    return ""


def _of_source(one: Landing, into: str, own: ProtectedFiles, facts: Facts) -> str:
    if one.kind == "folder":
        paths = _copied(one, into, own)
        there = facts.require(ExistingPaths(one.source, paths)) if paths else ()
        if there:
            return f"puts {there[0]} into {into}, which is protected"
    elif own.reaches(into):
        there = facts.require(ArchiveMembers(one.source, one.kind, own.telling.pattern))
        if there and one.kind == "patch":
            return _named(tuple(changed_in(there)), one, own)
        if there:
            return _named(tuple(_stripped(there, one.strip)), one, own)
    else:
        there = ()
    if there is None and one.only is not None:
        return _named(one.only, one, own)
    if there is None and own.root(into):
        return _MISSING.format(into=into, source=_short(one.source))
    return ""


def _stripped(names: Iterable[str], strip: int) -> Iterator[str]:
    for name in names:
        rest = name.split("/")[strip:]
        if any(rest):
            yield "/".join(rest)


def _named(names: Iterable[str], one: Landing, own: ProtectedFiles) -> str:
    for name in names:
        folder = name.endswith("/")
        for into in one.into:
            path = posixpath.join(into, name.lstrip("/") or "")
            whole = name.startswith("/") and own.has(name)
            replaced = one.kind != "patch" and not folder and name != "" and own.holder(path)
            if whole or own.has(path) or replaced:
                said = _short(name or posixpath.basename(into))
                return f"puts {said} into {into}, which is protected"
    return ""


def _short(text: str) -> str:
    line = re.sub(r"\s+", " ", text)
    return line if len(line) <= 120 else f"{line[:119]}…"
