"""Command line check: shim, configuration, transport, hookd's program, socket."""

import os
import shlex
import shutil
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from hookd import paths
from hookd.cli.doctor.checks import own_programs as own
from hookd.cli.doctor.checks.hook_entries import Hook
from hookd.cli.doctor.checks.hook_program import check_bash, check_native
from hookd.cli.doctor.checks.result import Finding, fail, ok, warn
from hookd.cli.doctor.checks.settings_layers import install
from hookd.cli.lib import transport
from hookd.core.model.shim_config import CONFIG
from hookd.core.model.shim_paths import NATIVE

_KINDS = ("nc", "socat", "perl", "python3")


def check_wiring(ours: Sequence[Hook], project: Path) -> Iterator[Finding]:
    """Report whether the programs and files that entries name exist, each once."""
    yield from _each(ours, _place, _shim)
    linked = [hook for hook in ours if hook.linked]
    lost = [hook for hook in linked if hook.config is None]
    yield from _each(lost, lambda hook: str(Path(hook.words[0]).parent), _lost)
    rest = [hook for hook in ours if hook not in lost]
    yield from _each(
        rest, lambda hook: "\n".join(hook.transports) or None, partial(_transport, project)
    )
    yield from _each(rest, lambda hook: hook.option("--hookd"), _hookd)
    yield from _clones(rest)
    yield from _each(rest, lambda hook: hook.option("--socket"), _socket)


def speaks_to_us(hook: Hook) -> bool:
    """Return whether an entry's socket is that of this hookd; its folder may be a link.

    The socket itself may not: the shim keeps files beside the name that it was given.
    """
    (folder, name), own = os.path.split(hook.option("--socket") or ""), paths.paths().socket
    return name == own.name and os.path.realpath(folder) == os.path.realpath(own.parent)


def transport_trouble(transport: str) -> str:
    """Return why a transport, as `KIND:/path`, cannot be used; "" if it can."""
    kind, _, program = transport.partition(":")
    return _unusable(program) if kind in _KINDS else f"is none of {', '.join(_KINDS)}"


def without_transport(hook: Hook) -> bool:
    """Return whether none of the transports that an entry names can be used."""
    return bool(hook.transports) and all(map(transport_trouble, hook.transports))


def _each(
    ours: Sequence[Hook],
    value: Callable[[Hook], str | None],
    check: Callable[[Hook, str | None], Finding],
) -> Iterator[Finding]:
    """Check each value of entries once, by the first entry that has it."""
    first = dict[str | None, Hook]()
    for hook in ours:
        first.setdefault(value(hook), hook)
    yield from (check(hook, named) for named, hook in first.items())


def _place(hook: Hook) -> str:
    """Return the file that an entry starts; for a broken link, its folder."""
    real = os.path.realpath(hook.words[0])
    return str(Path(real).parent) if hook.linked and not Path(real).exists() else real


def _shim(hook: Hook, _: str | None) -> Finding:
    program = Path(os.path.realpath(hook.words[0]) if hook.linked else hook.words[0])
    if trouble := _unusable(str(program)):
        what = f"The shim {program}, which {hook.file} names, {trouble}."
        return fail("shim", what, install(hook.layer))
    place = shutil.which(program, path=paths.search_path()) or program
    if hook.linked and program.name == NATIVE:
        return check_native(program, hook)
    if differs := check_bash(Path(place), install(hook.layer)):
        return differs
    return ok("shim", f"{place} is there, executable, and the one of this hookd.")


def _lost(hook: Hook, folder: str | None) -> Finding:
    what = f"The shim's configuration {folder}/{CONFIG} is not there, or not a file of yours: "
    return fail("shim", f"{what}calls are asked about, other events pass.", install(hook.layer))


def _transport(project: Path, hook: Hook, _: str | None) -> Finding:
    if not hook.transports:
        what = f"{hook.file} names no transport: the shim looks for one at every event."
        return warn("transport", what, install(hook.layer))
    gone = [one for one in hook.transports if transport_trouble(one)]
    left = [one for one in hook.transports if one not in gone]
    which = ", ".join(f"{one} {transport_trouble(one)}" for one in gone)
    if not left:
        what = f"No transport that {hook.file} names can be used: {which}."
        return fail("transport", what, install(hook.layer))
    if gone and hook.transports.index(gone[0]) < hook.transports.index(left[0]):
        what = f"{which}: the shim uses {left[0]}, and says so at every event."
        return warn("transport", what, install(hook.layer))
    return _timed(hook, left[0], project)


def _timed(hook: Hook, named: str, project: Path) -> Finding:
    """Measure a transport, unless it is a program that only Claude Code may run."""
    if not own.is_chosen(named, project):
        return ok("transport", f"{named} is there, and executable.")
    kind, _, program = named.partition(":")
    taken = transport.measured(kind, program)
    if taken is None:
        what = f"{named} does not bring bytes to a Unix socket and an answer back."
        return fail("transport", what, install(hook.layer))
    told = f"{named} takes {taken:.1f} ms for a round trip"
    if os.path.realpath(hook.words[0]).endswith(f"/{NATIVE}"):
        return ok("transport", f"{told}; hooks need it only if the native shim cannot answer.")
    if transport.notes(kind, taken):
        step = f"{transport.FASTER}, then {install(hook.layer)}"
        return warn("transport", f"{told}, which every hook pays.", step)
    return ok("transport", f"{told}.")


def _hookd(hook: Hook, named: str | None) -> Finding:
    trouble = _unusable(named) if named else "is not named"
    if trouble:
        what = f"The program hookd{f' {named}' if named else ''} {trouble} in {hook.file}: "
        return fail("program", f"{what}no hook can start the daemon.", install(hook.layer))
    if gone := transport.off_path():
        return warn("program", f"{gone}.", f"ln -s {named} ~/.local/bin/hookd")
    return ok("program", f"{named} is there, and executable.")


def _clones(ours: Sequence[Hook]) -> Iterator[Finding]:
    """Report entries that start or judge with the programs of another clone than this one."""
    told = set[tuple[str, str]]()
    for hook in ours:
        hookd, python = hook.option("--hookd") or "", hook.config.python if hook.config else ""
        pairs = (
            (hookd, own.other_hookd(hookd) if hookd and not _unusable(hookd) else ""),
            (python, own.other_python(python) if python else ""),
        )
        named, mine = next(((named, mine) for named, mine in pairs if mine), ("", ""))
        if mine and (str(hook.file), named) not in told:
            told.add((str(hook.file), named))
            what = f"The hooks in {hook.file} run another hookd, {named}; this one is {mine}."
            yield warn("program", what, f"{install(hook.layer)}, to have them run this one")


def _socket(hook: Hook, named: str | None) -> Finding:
    if speaks_to_us(hook):
        return ok("socket", f"The hooks ask on {named}, the socket of this hookd.")
    here = paths.paths().socket
    what = f"The hooks in {hook.file} ask on {named or 'no socket'}, but this hookd is on {here}."
    program = hook.option("--hookd")
    environment = hook.config.environment if hook.config else ()
    there = shlex.join(["env", *environment, program, "doctor"]) if program else ""
    step = install(hook.layer)
    if there:
        step = f"{step}, to have them ask this one; or, to check the other one: {there}"
    return fail("socket", what, step)


def _unusable(program: str) -> str:
    """Return why a program cannot be started, "" if it can."""
    if shutil.which(program, path=paths.search_path()):
        return ""
    return "is not executable" if program and Path(program).exists() else "is not there"
