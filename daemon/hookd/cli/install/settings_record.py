"""The home of how settings get hookd's entries and lose them, and of the record of what they were.

The record is what makes a way back byte for byte: it tells whether anybody else wrote since.
"""

import dataclasses
import stat
from dataclasses import asdict, dataclass
from pathlib import Path

from hookd.cli.install import settings_file
from hookd.cli.install.settings_file import MISSING, Document, contents, digest, replace
from hookd.clients.claude_code import permission_entries, registration, status_line_entry
from hookd.clients.claude_code.registration import Json, Shim
from hookd.clients.claude_code.status_line_entry import LineShim


@dataclass(frozen=True)
class Past:
    """What install knows of a file: the digest of what it wrote last, and what was there before.

    `original` is the digest of the backup, MISSING where there was no file, or None where the file
    from before hookd is not known. `bare` are the containers that stood empty then. `permissions`
    are the permission entries that install put in, None without a choice.
    """

    wrote: str = ""
    original: str | None = None
    bare: tuple[str, ...] = ()
    permissions: tuple[str, ...] | None = None


def registered(
    document: Document,
    shim: Shim,
    events: list[str],
    record: Path,
    line: LineShim | None = None,
) -> Json:
    """Return the settings with hookd's entries for `events` alone, ready for `rewritten`.

    Without `line` they have no status line of hookd's.
    """
    kept = recall(record, document.path).bare
    value = registration.register(document.value, shim, events, kept)
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


def save(
    document: Document,
    after: bytes | None,
    record: Path,
    permissions: tuple[str, ...] | None = None,
) -> None:
    """Write settings that hold hookd, with the backup and the record before them.

    The backup is the file as a person left it: what install itself wrote last is not kept.
    `permissions` are hookd's own permission entries in `after`, None if that did not change.
    """
    past = recall(record, document.path)
    permissions = past.permissions if permissions is None else permissions
    changes = after != document.raw
    if not changes and past != Past():
        if permissions != past.permissions:
            _remember(record, document.path, dataclasses.replace(past, permissions=permissions))
        return
    rest = _rest(document.value, past)
    original = past.original
    if past.wrote != digest(document.raw):
        original = digest(document.raw) if rest == document.value else None
        if changes:
            _back_up(document)
    bare = registration.bare(rest) + permission_entries.bare(rest)
    _remember(record, document.path, Past(digest(after), original, bare, permissions))
    if changes:
        replace(document.path, document.raw, after)


def without(document: Document, record: Path) -> tuple[bytes | None, bool]:
    """Return what the file holds without hookd, and whether that is the original, byte for byte.

    It is the original where nobody touched the file, and its backup, since install wrote them.
    """
    past = recall(record, document.path)
    if past.original is not None and past.wrote == digest(document.raw):
        saved = None if past.original == MISSING else contents(document.backup)
        if digest(saved) == past.original:
            return saved, True
    return document.rewritten(_rest(document.value, past)), False


def restore(document: Document, after: bytes | None, exact: bool, record: Path) -> None:
    """Write what `without` returned, and forget the file; an exact original needs no backup."""
    if after != document.raw:
        replace(document.path, document.raw, after)
    _remember(record, document.path, None)
    if exact and after is not None:
        document.backup.unlink(missing_ok=True)


def recall(record: Path, settings: Path) -> Past:
    """Return what the record at `record` knows of a settings file; nothing known is Past()."""
    found = settings_file.read(record).value.get(str(settings))
    if not isinstance(found, dict):
        return Past()
    entries = found.get("permissions")
    return Past(
        found.get("wrote", ""),
        found.get("original"),
        tuple(found.get("bare") or ()),
        None if entries is None else tuple(entries),
    )


def recorded(record: Path) -> list[Path]:
    """Return the settings files that the record knows."""
    return [Path(name) for name in settings_file.read(record).value]


def _rest(value: Json, past: Past) -> Json:
    """Return the settings without anything of hookd's."""
    value = permission_entries.remove(value, past.permissions or (), past.bare)
    return status_line_entry.unwrap(registration.unregister(value, past.bare))


def _back_up(document: Document) -> None:
    if document.raw is not None:
        mode = stat.S_IMODE(document.path.stat().st_mode)
        replace(document.backup, contents(document.backup), document.raw, mode)


def _remember(record: Path, settings: Path, past: Past | None) -> None:
    """Write down what is known of a settings file, or forget it: None. An empty record goes."""
    document = settings_file.read(record)
    value = {name: known for name, known in document.value.items() if name != str(settings)}
    if past is not None:
        value[str(settings)] = asdict(past)
    replace(document.path, document.raw, document.render(value) if value else None)
