"""Record of the settings before hookd: its entries are added and removed with it.

With the record an uninstall restores the file byte for byte: it shows whether the file changed.
"""

import dataclasses
import stat
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

from hookd.cli.install import settings_file
from hookd.cli.install.settings_file import MISSING, Document, contents, digest, replace
from hookd.clients.claude_code import (
    permission_entries,
    registration,
    status_line_entry,
    wake_entry,
)
from hookd.clients.claude_code.status_line_entry import LineShim
from hookd.clients.hook_groups import Json, Shim
from hookd.lazy_dataclass import dataclass


@dataclass(frozen=True)
class Past:
    """Record of one settings file: the digest of the last written content, and the state before.

    `original` is the digest of the backup, MISSING if there was no file, or None if the file before
    hookd is unknown. `bare` are the containers that were empty then. `permissions` are the
    permission entries that install added, None without a choice. `client` is the file's client, ""
    for Claude Code. `folders` are those that did not exist then, the outermost first.
    """

    wrote: str = ""
    original: str | None = None
    bare: tuple[str, ...] = ()
    permissions: tuple[str, ...] | None = None
    client: str = ""
    folders: tuple[str, ...] = ()


class Entries(NamedTuple):
    """What hookd has in a client's settings.

    `rest` returns settings without it, `bare` the empty containers that it is put into. `whole`:
    the file has nothing else, so it goes if nothing is left. `client` is as in `Past`.
    """

    rest: Callable[[Json, Past], Json]
    bare: Callable[[Json], tuple[str, ...]]
    whole: bool = False
    client: str = ""


def registered(
    document: Document,
    shim: Shim,
    events: list[str],
    record: Path,
    line: LineShim | None = None,
) -> Json:
    """Return the settings with hookd's entries for exactly `events`, ready for `rewritten`.

    Without `line` they have no status line of hookd.
    """
    bare = recall(record, document.path).bare
    value = registration.register(document.value, shim, events, bare)
    return status_line_entry.wrap(value, line) if line else status_line_entry.unwrap(value)


def permitted(
    value: Json, wanted: tuple[str, ...] | None, past: Past
) -> tuple[Json, tuple[str, ...] | None]:
    """Return settings with the permission entries `wanted`, and which are hookd's, for `save`.

    Without a choice, None, the settings stay as they are.
    """
    if wanted is None:
        return value, past.permissions
    return permission_entries.put(value, past.permissions or (), wanted, past.bare)


def _claude_code_rest(value: Json, past: Past) -> Json:
    value = permission_entries.remove(value, past.permissions or (), past.bare)
    value = wake_entry.unregister(value, past.bare)
    return status_line_entry.unwrap(registration.unregister(value, past.bare))


def _claude_code_bare(value: Json) -> tuple[str, ...]:
    return registration.bare(value) + permission_entries.bare(value)


CLAUDE_CODE = Entries(_claude_code_rest, _claude_code_bare)
"""Hooks, the status line, and permission entries."""


def save(
    document: Document,
    after: bytes | None,
    record: Path,
    permissions: tuple[str, ...] | None = None,
    entries: Entries = CLAUDE_CODE,
) -> None:
    """Write settings with hookd's entries, after the backup and the record.

    The backup is the file as a person left it, never the text that install wrote.
    `permissions` are hookd's own permission entries in `after`, None if that did not change.
    """
    past = recall(record, document.path)
    permissions = past.permissions if permissions is None else permissions
    changes = after != document.raw
    if not changes and past != Past():
        if permissions != past.permissions:
            _remember(record, document.path, dataclasses.replace(past, permissions=permissions))
        return
    rest = entries.rest(document.value, past)
    original, folders = past.original, past.folders
    if past.wrote != digest(document.raw):
        original = digest(document.raw) if rest == document.value else None
        folders = _missing_folders(document.path)
        if changes:
            _back_up(document)
    now = Past(digest(after), original, entries.bare(rest), permissions, entries.client, folders)
    _remember(record, document.path, now)
    if changes:
        replace(document.path, document.raw, after)


def without(
    document: Document, record: Path, entries: Entries = CLAUDE_CODE
) -> tuple[bytes | None, bool]:
    """Return the file's content without hookd, and whether that is the original, byte for byte.

    It is the original if neither the file nor its backup changed since install wrote them. None is
    no file.
    """
    past = recall(record, document.path)
    if past.original is not None and past.wrote == digest(document.raw):
        saved = None if past.original == MISSING else contents(document.backup)
        if digest(saved) == past.original:
            return saved, True
    rest = entries.rest(document.value, past)
    gone = entries.whole and not rest and bool(document.value)
    return None if gone else document.rewritten(rest), False


def restore(document: Document, after: bytes | None, exact: bool, record: Path) -> None:
    """Write the content that `without` returned; remove the record, and the backup if exact.

    Folders that install made go with a file that goes, if they are empty.
    """
    folders = recall(record, document.path).folders
    if after != document.raw:
        replace(document.path, document.raw, after)
    _remember(record, document.path, None)
    for folder in reversed(folders if after is None else ()):
        with suppress(OSError):
            Path(folder).rmdir()
    if exact and after is not None:
        document.backup.unlink(missing_ok=True)


def recall(record: Path, settings: Path) -> Past:
    """Return the record of a settings file; Past() if there is none."""
    found = settings_file.read(record).value.get(str(settings))
    if not isinstance(found, dict):
        return Past()
    entries = found.get("permissions")
    return Past(
        found.get("wrote", ""),
        found.get("original"),
        tuple(found.get("bare") or ()),
        None if entries is None else tuple(entries),
        found.get("client") or "",
        tuple(found.get("folders") or ()),
    )


def recorded(record: Path) -> dict[Path, str]:
    """Return the settings files that are recorded, with the client of each: "" is Claude Code."""
    found = settings_file.read(record).value
    return {Path(name): recall(record, Path(name)).client for name in found}


def _missing_folders(path: Path) -> tuple[str, ...]:
    """Return the folders above a file that do not exist, the outermost first."""
    return tuple(str(one) for one in reversed(path.parents) if not one.exists())


def _back_up(document: Document) -> None:
    if document.raw is not None:
        mode = stat.S_IMODE(document.path.stat().st_mode)
        replace(document.backup, contents(document.backup), document.raw, mode)


def _remember(record: Path, settings: Path, past: Past | None) -> None:
    """Record a settings file, or forget it: None. An empty record file is removed."""
    document = settings_file.read(record)
    value = {name: known for name, known in document.value.items() if name != str(settings)}
    if past is not None:
        value[str(settings)] = asdict(past)
    replace(document.path, document.raw, document.render(value) if value else None)
