"""Scope folder: the links that are registered for one settings file, with their configuration.

`<data>/shims/<scope>/<Event>` is a link to `../hookd-hook` or `../hookd-hook.native`; `config`
beside it has everything else that the shim needs. `install` writes the folder before the settings
name it.
"""

import difflib
import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from hookd import paths
from hookd.cli.install import settings_file
from hookd.cli.install.scope import Scope
from hookd.cli.lib.errors import Problem
from hookd.clients.claude_code import registration
from hookd.clients.claude_code.status_line_entry import LINE_SHIM
from hookd.clients.hook_groups import Json
from hookd.core.model import shim_config
from hookd.core.model.fail_policy import CLOSABLE
from hookd.core.model.shim_config import CONFIG, ShimConfig
from hookd.core.model.shim_paths import NATIVE, SHIM, is_scope, link_event
from hookd.system import native_shim

_SHORT = 8


def shims() -> str:
    """Return the shims' folder as it is registered: the real path if only that is plain.

    Raise Problem if the path is not UTF-8, which settings cannot hold.
    """
    place = str(paths.paths().shims)
    real = os.path.realpath(place)
    found = real if registration.plain(real) and not registration.plain(place) else place
    try:
        found.encode()
    except UnicodeEncodeError:
        sentence = f"The path of the shims, {os.fsencode(place)!r}, is not UTF-8."
        raise Problem(sentence, "set HOOKD_HOME or XDG_DATA_HOME to a path that is") from None
    return found


def name(scope: Scope, settings: Path, client: str = "") -> str:
    """Return the name of a scope's folder; `settings` is the real path of its file.

    Only the settings of the usual place are `user`: another client folder has its own policies.
    `client` is the name of another client than Claude Code.
    """
    digest = hashlib.sha256(os.fsencode(settings)).hexdigest()[:_SHORT]
    if client:
        return f"{client}-{scope}-{digest}"
    usual = os.path.realpath(Path.home() / ".claude" / "settings.json")
    if scope == "user" and str(settings) == usual:
        return "user"
    return f"{scope}-{digest}"


def write(folder: Path, config: ShimConfig, *, line: bool, shim: str = SHIM) -> bool:
    """Write the configuration and the links, with one of the status line; return if any changed.

    `shim` is the file name of the shim that events lead to; the native one shows the line, too.
    Links of other events stay until `prune`: settings may name them still. Raise Problem if a value
    cannot be written, OSError if the folder cannot.
    """
    content = _rendered(config).encode("utf-8", "surrogateescape")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)
    file = folder / CONFIG
    old = None if file.is_symlink() else settings_file.contents(file)
    changed = old != content or file.stat().st_mode & 0o777 != 0o600
    if changed:
        if file.is_symlink():
            file.unlink()
        settings_file.replace(file, old, content, 0o600)
    for link, target in _links(config.events, line=line, shim=shim):
        changed = native_shim.link(folder / link, f"../{target}") or changed
    return changed


def diff(folder: Path, config: ShimConfig) -> list[str]:
    """Return the lines of a unified diff between the folder's configuration and another one."""
    file, old = str(folder / CONFIG), read(folder)
    before = _rendered(old).splitlines() if old else []
    after = _rendered(config).splitlines()
    return list(difflib.unified_diff(before, after, file, file, lineterm=""))


def prune(folder: Path, config: ShimConfig, *, line: bool, kept: Iterable[str] = ()) -> None:
    """Remove the links that the configuration has no event for; `kept` are further files."""
    wanted = {CONFIG, *kept, *(link for link, _ in _links(config.events, line=line))}
    for one in folder.iterdir():
        if one.name not in wanted and (one.is_symlink() or one.is_file()):
            one.unlink()


def read(folder: Path) -> ShimConfig | None:
    """Return the configuration of a folder; None if it has none that the shim would read."""
    file = folder / CONFIG
    try:
        owned = file.lstat().st_uid == os.geteuid() and not file.is_symlink() and file.is_file()
        text = file.read_bytes().decode("utf-8", "surrogateescape") if owned else None
    except OSError:
        return None
    return None if text is None else shim_config.parse(text)


def closed(settings: Json) -> list[str]:
    """Return the events that fail closed by the entries of `settings`, of either form.

    If a configuration is missing, an entry's `onFailure` counts: a choice for safety is not lost.
    """
    found, blocked = registration.closed(settings), registration.blocked(settings)
    for event, path in registration.programs(settings):
        if link_event(path):
            config = read(Path(path).parent)
            rule = config.events.get(event) if config else None
            found += [event] * (rule.closed if rule else event in blocked and event in CLOSABLE)
    return list(dict.fromkeys(found))


def no_verdict(settings: Path, value: Json) -> str:
    """Return the registered value of --no-verdict, "" if there is none."""
    configs = (read(folder) for folder in of(settings, value))
    return next((config.no_verdict for config in configs if config), "")


def shim(settings: Path, value: Json) -> str:
    """Return the registered value of --shim, "" if there is none."""
    configs = (read(folder) for folder in of(settings, value))
    return next((config.shim for config in configs if config), "")


def sent(settings: Path, value: Json) -> tuple[str, ...]:
    """Return the variables that are registered to be forwarded, besides the usual ones."""
    configs = (read(folder) for folder in of(settings, value))
    known = next((config.variables for config in configs if config), None)
    return tuple(registration.sent(value)) if known is None else known


def of(settings: Path, value: Json) -> list[Path]:
    """Return the scope folders of a settings file, given by its real path and its content.

    A folder's configuration names its file; if it is missing, the file's entries are used.
    """
    return folders(settings, (path for _, path in registration.programs(value)))


def folders(settings: Path, programs: Iterable[str]) -> list[Path]:
    """Return the scope folders of a settings file, whose entries run these programs."""
    named = {os.path.realpath(Path(path).parent) for path in programs if link_event(path)}
    found = []
    for folder in every():
        config = read(folder)
        if config.settings == str(settings) if config else os.path.realpath(folder) in named:
            found.append(folder)
    return found


def every() -> Iterator[Path]:
    """Yield every scope folder."""
    with suppress(OSError):
        for folder in sorted(paths.paths().shims.iterdir()):
            if is_scope(folder.name) and folder.is_dir() and not folder.is_symlink():
                yield folder


def remove(folder: Path) -> None:
    """Remove a scope folder with its links and its configuration, but no other file."""
    for one in folder.iterdir():
        if one.is_symlink() or one.is_file():
            one.unlink()
    with suppress(OSError):
        folder.rmdir()


def _rendered(config: ShimConfig) -> str:
    try:
        return shim_config.render(config)
    except ValueError as error:
        sentence = f"A path with a line break cannot be registered: {error}."
        raise Problem(sentence, "rename it, then run the command again") from None


def _links(events: Iterable[str], *, line: bool, shim: str = SHIM) -> list[tuple[str, str]]:
    """Return each link with the program it leads to; one program does both if it is compiled."""
    found = [(event, shim) for event in events]
    if line:
        found.append((LINE_SHIM, shim if shim == NATIVE and found else LINE_SHIM))
    return found
