"""Files whose content may exist only on the disk: databases, `.env`, key stores, unsaved work.

A file is identified by its name alone. Whether git has a copy of it is a question for the disk: the
risks here name the files that are lost (`Risk.files`), and the guard looks.
"""

import posixpath
import re
from dataclasses import replace

from hookd.lazy_pattern import lazy_compile
from hookd.risk.model import CallContext, Risk
from hookd.risk.path_areas import PHRASES, Area, area, is_recreated_file, paths
from hookd.risk.quoting import quoted_word
from hookd.shell.argv import Item

_DATA = lazy_compile(
    r".*\.(?:db|db3|sqlite\d?|sqlitedb|s3db|sl3|duckdb|mdb|accdb|fdb|rdb|aof|realm|dbf|mdf|ldf|ibd"
    r"|kdbx|keystore|jks|tfstate|tfstate\.backup)(?:-wal|-journal)?\*?"
    r"|.*\.env(?:rc)?|\.env[.*].*"
)
_BACKUP = lazy_compile(
    r".*\.(?:dump|bacpac)|.*\.sql\.(?:gz|xz|zst|bz2|zip)"
    r"|(?:.*[._-])?(?:backup|dump)s?(?:[._-].*)?\.(?:sql|tar|tgz|gz|xz|zst|bz2|zip|7z)"
)
"""Copies of data, which programs write again: only their deletion is a loss."""

_KEPT = lazy_compile(r"(?:.*/)?(?:uploads|backups?)/.*", re.IGNORECASE)
"""Folders with files of users."""

_SAMPLE = lazy_compile(r".*\.(?:example|sample|template|tmpl|dist|defaults?|schema|test|ci)")
_THROWAWAY = lazy_compile(
    r"(?:.*[._-])?(?:tests?|te?mp|cache|examples?|samples?|dummy|fixtures?|mock|scratch|bench)"
    r"\d*(?:[._*-].*)"
)
_SOURCE = lazy_compile(
    r".+\.(?:pyi?|[cm]?jsx?|[cm]?tsx?|rb|go|rs|java|kts?|scala|swift|c|cc|cpp|cxx|h|hh|hpp|cs|fs|php"
    r"|exs?|erl|hs|mli?|clj|lua|r|jl|dart|vue|svelte|html?|s?css|less|sql|tf|proto|graphql|sh|bash"
    r"|zsh|ipynb|csv|tsv|xml|ini|cfg|conf|properties|json|ya?ml|toml|md|rst|tex)"
)
_EMPTY_PACKAGE = "__init__.py"
_NEAR: frozenset[Area] = frozenset({"project", "inside", "unknown"})
_NEW_FILE = "Write to a new file, then rename it: `... > FILE.new && mv FILE.new FILE`."
_COPY = "Copy it to a new name first, or commit it, so that it can be restored."


def is_data_file(name: str) -> bool:
    """Return whether a file of this name, or a glob, is data that only the disk has.

    Databases and settings of tests, samples and caches are none.
    """
    low = name.lower()
    return (
        _DATA.fullmatch(low) is not None
        and _SAMPLE.fullmatch(low) is None
        and _THROWAWAY.fullmatch(low) is None
    )


def is_backup(name: str) -> bool:
    """Return whether a file of this name is a backup, or the dump of a database."""
    low = name.lower()
    return _BACKUP.fullmatch(low) is not None and _THROWAWAY.fullmatch(low) is None


def is_source_file(name: str) -> bool:
    """Return whether a file of this name is written by people: code, settings, documents."""
    low = name.lower()
    return low != _EMPTY_PACKAGE and _SOURCE.fullmatch(low) is not None


def deleted_data(item: Item, place: CallContext, verb: str) -> Risk | None:
    """Return the risk of deleting a data file of the project, or an uploaded file."""
    texts = {item.text, *(paths(item, place) if item.unknown else ())}
    kept = any(map(_is_kept, texts))
    return _lost(item, place, verb) if kept else None


def _is_kept(path: str) -> bool:
    name = path.rpartition("/")[2]
    return is_data_file(name) or is_backup(name) or _KEPT.fullmatch(path) is not None


def overwritten_data(item: Item, place: CallContext, verb: str = "overwrites") -> Risk | None:
    """Return the risk of replacing the content of a data file of the project, if it exists."""
    risk = _lost(item, place, verb) if is_data_file(_name(item)) else None
    return replace(risk, if_present=True) if risk else None


def emptied(item: Item, place: CallContext, verb: str = "empties") -> Risk | None:
    """Return the risk of emptying a data file, or a file that people write."""
    if risk := deleted_data(item, place, verb):
        return risk
    return emptied_file(item, place, verb) if is_source_file(_name(item)) else None


def emptied_file(item: Item, place: CallContext, verb: str = "empties") -> Risk | None:
    """Return the risk of losing the content of any file of the project.

    It may not exist yet: the same text may write it before.
    """
    if is_recreated_file(_name(item)):
        return None
    risk = _lost(item, place, verb)
    return replace(risk, rule="files.empty") if risk else None


def read_too_late(item: Item, place: CallContext, reader: str) -> Risk | None:
    """Return the risk of emptying a file before a program reads it."""
    if is_recreated_file(_name(item)):
        return None
    before = f" before `{reader}` reads it" if reader else " before it is read"
    risk = _lost(item, place, "empties", before)
    return replace(risk, alternative=_NEW_FILE, rule="files.read-emptied") if risk else None


def _lost(item: Item, place: CallContext, verb: str, when: str = "") -> Risk | None:
    where = area(item, place)
    if where not in _NEAR:
        return None
    what = f"{quoted_word(item.text)} ({PHRASES[where]})" if item.text else "what is listed"
    why = f"{verb} {what}{when}, and git has no known copy of it"
    fixed, files = item.fixed, paths(item, place) if item.fixed else ()
    return Risk("deletes", "ask", why, _COPY, fixed, rule="files.lose-data", files=files)


def _name(item: Item) -> str:
    """Return the last part of a path."""
    return item.text.rpartition("/")[2]


_TESTED = lazy_compile(
    r"(?:\[\[?|\btest)\s++(?P<not>!\s++)?-[efs]\s++(?P<quote>[\"']?)(?P<path>[\w./@-]++)(?P=quote)"
    r"\s*+(?:\]\]?\s*+)?(?P<then>\|\||&&|(?:;\s*+)?then\b)"
)


_RECREATED = lazy_compile(
    r"\brm\s+-[rRf]{1,3}\s+(?P<path>(?:\./)?(?:[\w.-]+/){0,4}(?:site|public|outputs?|reports?|results"
    r"|artifacts|generated|gen|release|packages?-out))/?\s*(?:;|&&|\n)\s*mkdir\s+(?:-p\s+)?(?P=path)/?"
    r"\s*(?:$|[;\n&])"
)
"""A folder of outputs that is emptied: deleted, and made again at once."""


def without_emptied_outputs(risks: tuple[Risk, ...], text: str) -> tuple[Risk, ...]:
    """Return the risks without the deletion of a folder of outputs that is made again at once."""
    if "mkdir" not in text or not risks:
        return risks
    emptied = {match["path"] for match in _RECREATED.finditer(text)}
    return tuple(
        risk
        for risk in risks
        if not (
            risk.rule == "rm.recursive"
            and risk.severity == "ask"
            and risk.command.split()[2:] != []
            and all(word.rstrip("/") in emptied for word in risk.command.split()[2:])
        )
    )


def without_tested(risks: tuple[Risk, ...], text: str) -> tuple[Risk, ...]:
    """Return the risks without those of data files that the text replaces only if they are absent.

    `[ -f .env ] || cp .env.example .env`. Of a file outside, the guard knows whether it exists.
    """
    if not any(risk.if_present and risk.kind == "deletes" for risk in risks):
        return risks
    absent = [
        posixpath.normpath(f"/{match['path']}")
        for match in _TESTED.finditer(text)
        if (match["not"] is None) == (match["then"] == "||")
    ]
    return tuple(
        risk
        for risk in risks
        if not (
            risk.if_present
            and risk.kind == "deletes"
            and risk.files
            and _all_end(risk.files, tuple(absent))
        )
    )


def _all_end(files: tuple[str, ...], ends: tuple[str, ...]) -> bool:
    return all(path.endswith(ends) for path in files)
