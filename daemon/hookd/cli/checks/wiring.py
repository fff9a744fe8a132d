"""The home of what a registered command line needs: the shim, its transport, hookd, the socket."""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from hookd import paths
from hookd.cli import transport
from hookd.cli.checks import own
from hookd.cli.checks.entries import Hook
from hookd.cli.checks.finding import Finding, fail, ok, warn
from hookd.cli.checks.layers import install

_KINDS = ("nc", "socat", "python3")


def check_wiring(ours: Sequence[Hook]) -> Iterator[Finding]:
    """Tell whether what the entries name is there, each thing once."""
    yield from _each(ours, lambda hook: hook.words[0], _shim)
    yield from _each(ours, lambda hook: hook.option("--transport"), _transport)
    yield from _each(ours, lambda hook: hook.option("--hookd"), _hookd)
    yield from _each(ours, lambda hook: hook.option("--socket"), _socket)


def speaks_to_us(hook: Hook) -> bool:
    """Say whether an entry's socket is that of this hookd; its folder may be named by a link.

    The socket itself may not: the shim keeps files beside the name that it was given.
    """
    (folder, name), own = os.path.split(hook.option("--socket") or ""), paths.paths().socket
    return name == own.name and os.path.realpath(folder) == os.path.realpath(own.parent)


def transport_trouble(hook: Hook) -> str:
    """Return why an entry's transport cannot be used, or nothing; without one the shim looks."""
    kind, colon, program = (hook.option("--transport") or "").partition(":")
    if kind and kind not in _KINDS:
        return f"is none of {', '.join(_KINDS)}"
    return _unusable(program) if kind or colon else ""


def _each(
    ours: Sequence[Hook],
    value: Callable[[Hook], str | None],
    check: Callable[[Hook, str | None], Finding],
) -> Iterator[Finding]:
    """Check each value that entries hold once, by the first entry that holds it."""
    first = dict[str | None, Hook]()
    for hook in ours:
        first.setdefault(value(hook), hook)
    yield from (check(hook, named) for named, hook in first.items())


def _shim(hook: Hook, named: str | None) -> Finding:
    program = Path(named or "")
    if trouble := _unusable(str(program)):
        what = f"The shim {program}, which {hook.file} names, {trouble}."
        return fail("shim", what, install(hook.layer))
    place = shutil.which(program, path=paths.search_path()) or program
    try:
        same = own.is_packaged(str(place))
    except OSError as error:
        return fail("shim", f"{error.filename}: {error.strerror}.", install(hook.layer))
    if not same:
        what = f"The shim {place} is not the one of this hookd, but an older or changed one."
        return warn("shim", what, install(hook.layer))
    return ok("shim", f"{place} is there, executable, and the one of this hookd.")


def _transport(hook: Hook, named: str | None) -> Finding:
    if named is None:
        what = f"{hook.file} names no transport: the shim looks for one at every event."
        return warn("transport", what, install(hook.layer))
    trouble = transport_trouble(hook)
    if trouble:
        what = f"The transport {named}, which {hook.file} names, {trouble}."
        return fail("transport", what, install(hook.layer))
    return ok("transport", f"{named} is there, and executable.")


def _hookd(hook: Hook, named: str | None) -> Finding:
    trouble = _unusable(named) if named else "is not named"
    if trouble:
        what = f"The program hookd{f' {named}' if named else ''} {trouble} in {hook.file}: "
        return fail("program", f"{what}no hook can start the daemon.", install(hook.layer))
    if gone := transport.off_path():
        return warn("program", f"{gone}.", f"ln -s {named} ~/.local/bin/hookd")
    return ok("program", f"{named} is there, and executable.")


def _socket(hook: Hook, named: str | None) -> Finding:
    if speaks_to_us(hook):
        return ok("socket", f"The hooks ask on {named}, the socket of this hookd.")
    here = paths.paths().socket
    what = f"The hooks in {hook.file} ask on {named or 'no socket'}, but this hookd is on {here}."
    return fail("socket", what, install(hook.layer))


def _unusable(program: str) -> str:
    """Return why a program cannot be started, or nothing."""
    if shutil.which(program, path=paths.search_path()):
        return ""
    return "is not executable" if program and Path(program).exists() else "is not there"
