"""Checks of the clients besides Claude Code: program, registration, whether it is in force."""

import os
from collections.abc import Iterator
from pathlib import Path

from hookd.cli.doctor.checks import client_canary
from hookd.cli.doctor.checks.result import Finding, fail, ok, warn
from hookd.cli.install import in_force, scope_folder, settings_record
from hookd.cli.install.clients import OTHER_CLIENTS, Client
from hookd.cli.install.plan import record
from hookd.cli.install.settings_file import Document
from hookd.cli.lib import client_program
from hookd.cli.lib.errors import Problem
from hookd.clients.hook_groups import ShapeError, Shim


def registered_here(project: Path) -> list[Client]:
    """Return the clients that name hookd in a file of the user or of this project."""
    known = {client.name for client, _ in in_force.recorded()}
    return [
        client
        for client in OTHER_CLIENTS.values()
        if client.name in known or any(_named(client, path) for path in _files(client, project))
    ]


def check_record() -> Iterator[Finding]:
    """Report a record of installs that cannot be read: an uninstall could not restore files."""
    if trouble := in_force.damaged_record():
        yield fail("record", trouble.what, trouble.step)


def check_other_client(client: Client, project: Path, *, listening: bool) -> Iterator[Finding]:
    """Report on one client: what is registered for it, and whether that is in force.

    `listening` is whether the daemon answers: without it, no registered command is tried.
    """
    yield from _program(client)
    files = [path for path in _files(client, project) if _named(client, path)]
    for path in files:
        yield from _file(client, path)
    yield from _twice(client, files)
    yield from _recorded_elsewhere(client, project)
    if not files:
        what = f"hookd is registered in no file that {client.title} reads here."
        yield fail(client.name, what, f"hookd install --client {client.name}")
    elif listening:
        for path in files:
            yield from client_canary.check(client, path, project)
    else:
        what = "No hook was tried, since no daemon answers."
        yield warn(client.name, what, f"hookd start, then hookd doctor --client {client.name}")


def _files(client: Client, project: Path) -> list[Path]:
    """Return the user's file and that of the project, each once."""
    places = (client.user_file, project / client.registration.PROJECT_FILE)
    return [Path(one) for one in dict.fromkeys(map(os.path.realpath, places))]


def _named(client: Client, path: Path) -> bool:
    """Return whether a file names hookd, or hookd registered in it."""
    if path in (known for _, known in in_force.recorded()):
        return True
    try:
        return bool(client.registration.registered(client.read(path).value))
    except (Problem, ShapeError, RecursionError, OSError):
        return path.exists()


def _program(client: Client) -> Iterator[Finding]:
    program = client_program.read(client.program)
    tested = f"hookd was tested with {client.tested}"
    if not program.path:
        step = f"put it on your PATH: {client.program} --version"
        yield warn(client.name, f"{client.program} is not on the PATH.", step)
    elif program.version is None:
        what = f"{program.path} --version printed no version; {tested}."
        yield warn(client.name, what, f"look at it: {program.path} --version")
    elif program.version < tuple(map(int, client.tested.split("."))):
        what = f"{client.title} {program.text} is on the PATH; {tested}."
        yield warn(client.name, what, f"upgrade {client.title}, or look at hookd's own tests of it")
    else:
        yield ok(client.name, f"{client.title} {program.text} is on the PATH; {tested}.")


def _file(client: Client, path: Path) -> Iterator[Finding]:
    """Report on one file."""
    troubles = list(in_force.troubles(client, path))
    for one in troubles:
        yield fail(client.name, one.what, one.step)
    try:
        document = client.read(path)
        events = client.registration.registered(document.value)
    except (Problem, ShapeError, RecursionError, OSError):
        return
    if not events:
        return
    every = client.registration.NAMES
    missing = [name for name in every if name not in events]
    renew = in_force.command(client, path)
    if missing:
        again = f"{renew} --events default, unless it is intended"
        what = f"{len(missing)} of {len(every)} events are not registered: {', '.join(missing)}."
        say = fail if "PreToolUse" in missing else warn
        yield say(client.name, what, again)
    for note in client.registration.notes(document.value):
        if not any(note in one.what for one in troubles):
            yield warn(client.name, f"{note} ({path}).", "unless it is intended, change the file")
    if _outdated(client, document, events):
        what = f"{path} differs from what this version of hookd registers."
        yield warn(client.name, what, renew)
    yield ok(client.name, f"{path}: {len(events)} of {len(every)} events.")


def _twice(client: Client, files: list[Path]) -> Iterator[Finding]:
    """Report that two files that the client reads here have entries: it runs both."""
    if len(files) > 1:
        where = " and ".join(map(str, files))
        what = f"hookd is registered in {where}: {client.title} runs it twice for each event."
        yield warn(client.name, what, in_force.command(client, files[-1], "uninstall"))


def _outdated(client: Client, document: Document, events: list[str]) -> bool:
    """Return whether registering the same events again would change a file."""
    programs = client.registration.programs(document.value)
    folder = next((str(Path(path).parent) for _, path in programs), "")
    config = scope_folder.read(Path(folder)) if folder else None
    if config is None:
        return False  # the check of what is missing tells
    deadlines = {name: rule.deadline for name, rule in config.events.items()}
    shim = Shim(folder, config.closed, config.closed, deadlines)
    try:
        bare = settings_record.recall(record(), document.path).bare
        value = client.registration.register(document.value, shim, events, bare)
        return client.rewritten(document, value) != document.raw
    except (ShapeError, Problem):
        return False


def _recorded_elsewhere(client: Client, project: Path) -> Iterator[Finding]:
    """Report what is not in force in files of other projects."""
    here = _files(client, project)
    for other, path in in_force.recorded():
        if other is client and path not in here:
            for one in in_force.troubles(client, path):
                yield warn(client.name, one.what, one.step)
