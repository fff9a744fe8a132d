"""Registrations with other clients that are not in force: what the client does not run, and why.

Only files are read, so that `hookd status` can do it, too.
"""

import os
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hookd.cli.install import clients, codex_config, settings_file, settings_record
from hookd.cli.install.clients import OTHER_CLIENTS, Client
from hookd.cli.install.plan import record
from hookd.cli.install.settings_file import Document
from hookd.cli.lib.errors import Problem
from hookd.clients.codex import registration as codex
from hookd.clients.codex import trust
from hookd.clients.codex.trust import Trusted
from hookd.clients.hook_groups import ShapeError
from hookd.clients.opencode import registration as opencode
from hookd.lazy_dataclass import dataclass

_TRUST = {
    "untrusted": "is not trusted yet",
    "changed": "changed since it was trusted",
    "moved": "moved since it was trusted",
    "disabled": "was switched off",
}
_TRUST_STEP = "open Codex, type /hooks and press t"


@dataclass(frozen=True)
class Trouble:
    """Why a client does not run hooks of a file, and the next step."""

    what: str
    step: str


def recorded() -> list[tuple[Client, Path]]:
    """Return the files of other clients that hookd registered in, by its record.

    An empty list if the record is damaged: see `damaged_record`.
    """
    try:
        found = settings_record.recorded(record())
    except (Problem, OSError, RecursionError):
        return []
    return [(OTHER_CLIENTS[name], path) for path, name in found.items() if name in OTHER_CLIENTS]


def damaged_record() -> Trouble | None:
    """Return that the record of installs cannot be read, None if it can."""
    try:
        settings_record.recorded(record())
    except (Problem, OSError, RecursionError) as error:
        why = error.message if isinstance(error, Problem) else f"{record()}: {error}."
        step = f"move {record()} away, then run hookd install for each client again"
        return Trouble(f"The record of installs cannot be read: {why}", step)
    return None


def everywhere() -> Iterator[tuple[Client, Path, Trouble]]:
    """Yield what is wrong with each recorded file."""
    for client, path in recorded():
        for trouble in troubles(client, path):
            yield client, path, trouble


def troubles(client: Client, path: Path) -> Iterator[Trouble]:
    """Yield why a client does not run the hooks of a file that hookd registered in."""
    renew = command(client, path)
    try:
        document = client.read(path)
        events = client.registration.registered(document.value)
    except Problem as problem:
        yield _refused_file(problem, renew)
        return
    except (ShapeError, RecursionError, OSError) as error:
        yield Trouble(f"{path} cannot be read: {error}.", f"fix the file, then {renew}")
        return
    if not events:
        yield Trouble(f"{path} has no entry of hookd.", renew)
        return
    yield from _refused(client, document, renew)
    yield from _dangling(client, document, renew)
    if off := client.switched_off(document.value):
        yield Trouble(f"{off} ({path}).", f"change that setting in {path}")
    if client.trusts:
        yield from _untrusted(client, document)


def _refused_file(problem: Problem, then: str) -> Trouble:
    """Return why a file cannot be read, with the command `then` that follows once it can."""
    step = f"fix the file, then {then}" if problem.step == settings_file.MEND else problem.step
    return Trouble(problem.message, step or then)


def command(client: Client, path: Path, verb: str = "install") -> str:
    """Return the command that registers hookd in a file again, or with `uninstall` removes it."""
    file = [] if _is_users(client, Path(os.path.realpath(path))) else ["--settings", str(path)]
    return shlex.join(["hookd", verb, "--client", client.name, *file])


def _refused(client: Client, document: Document, renew: str) -> Iterator[Trouble]:
    if reason := client.refusal(document.value):
        what = f"{client.title} runs nothing of {document.path}: {reason}."
        yield Trouble(what, f"fix the file, then {renew}")


def _dangling(client: Client, document: Document, renew: str) -> Iterator[Trouble]:
    """Yield what is registered but does not exist."""
    named = [path for _, path in client.registration.programs(document.value)]
    if client.starts == "plugin":
        named = [str(document.value[opencode.KEY])]
    gone = dict.fromkeys(path for path in named if not usable(client, path))
    if not gone:
        return
    first, more = next(iter(gone)), len(gone) - 1
    others = f" and {more} more" if more else ""
    effect = "denies every tool call" if client.blocks else "runs calls without a judgement"
    what = f"{document.path} names {first}{others}, which is not there: {client.title} {effect}."
    yield Trouble(what, f"{renew}, or: {command(client, document.path, 'uninstall')}")


def usable(client: Client, path: str) -> bool:
    """Return whether what is registered can be run, or read by the plugin."""
    mode = os.R_OK if client.starts == "plugin" else os.X_OK
    return Path(path).is_file() and os.access(path, mode)


def _untrusted(client: Client, document: Document) -> Iterator[Trouble]:
    """Yield what keeps Codex from running the entries of a file."""
    folder = client.folder
    try:
        config = codex_config.read(folder)
    except Problem as problem:
        yield _refused_file(problem, f"hookd doctor --client {client.name}")
        return
    if trust.switched_off(config):
        file = folder / codex_config.FILE
        yield Trouble(f"features.hooks is false in {file}: Codex runs no hooks.", f"edit {file}")
    yield from _untrusted_project(client, document.path, config)
    found = dict[str, list[str]]()
    for entry in _entries(client, document, config):
        if entry.trust != "trusted":
            found.setdefault(_TRUST[entry.trust], []).append(entry.event)
    every = codex.registered(document.value)
    for why, events in found.items():
        names = "any event" if len(events) == len(every) else ", ".join(events)
        what = f"Codex does not run hookd at {names}: the entry in {document.path} {why}."
        yield Trouble(what, _TRUST_STEP)


def _entries(client: Client, document: Document, config: Mapping[str, Any]) -> Iterator[Trusted]:
    """Yield each entry of hookd in a file, with its trust."""
    key = str(document.path)
    if _is_users(client, document.path):
        # Codex resolves links of the folder, not one of the file.
        key = f"{os.path.realpath(client.folder)}/{document.path.name}"
    yield from trust.entries(key, document.value, config)


def awaits_trust(client: Client, document: Document) -> bool:
    """Return whether a person has still to trust an entry of a file, or the file's project.

    An entry that a person has switched off awaits nothing. Raise Problem for a broken config.toml.
    """
    config = codex_config.read(client.folder)
    entries = _entries(client, document, config)
    if any(one.trust not in ("trusted", "disabled") for one in entries):
        return True
    return any(True for _ in _untrusted_project(client, document.path, config))


def _is_users(client: Client, path: Path) -> bool:
    return os.path.realpath(client.user_file) == str(path)


def _untrusted_project(client: Client, path: Path, config: Mapping[str, Any]) -> Iterator[Trouble]:
    """Yield that Codex does not trust the project that a file is in.

    For a working tree that git added, Codex asks about another folder: nothing is said then.
    """
    if _is_users(client, path):
        return
    root = clients.project_of(client.name, path)
    project = path == root / codex.PROJECT_FILE and not (root / ".git").is_file()
    if project and not trust.trusts_project(config, str(root)):
        what = f"Codex reads no hooks of {root}: this project is not trusted."
        yield Trouble(what, f"start codex in {root}, and trust it")
