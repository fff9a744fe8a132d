"""Deadlines of the registered events: they grow with the user hooks that are trusted to run.

A hook whose timeout is longer than the shim's deadline would be cut, and its call would run.
`install` registers the deadlines that all hooks need; `hook add` and `trust` raise shorter ones.
"""

import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from hookd import paths
from hookd.cli.hooks import project_files
from hookd.cli.install import clients, scope_folder, settings_file, settings_record
from hookd.cli.install.scope import Target
from hookd.cli.lib import output
from hookd.cli.lib.errors import Problem
from hookd.clients.claude_code import registration
from hookd.clients.hook_groups import ShapeError
from hookd.core.model.deadlines import client_cutoff, hook_deadlines
from hookd.core.model.shim_config import ShimConfig
from hookd.events.protocol import EVENTS

if TYPE_CHECKING:
    from hookd.core.hook_rules.model import Hook


class Short(NamedTuple):
    """A registered event whose shim waits less than its hooks need; both in seconds.

    `settings` is the file that registers it.
    """

    event: str
    waits: int
    needs: int
    settings: str


def of(target: Target, root: str) -> dict[str, int]:
    """Return the seconds by event that the hooks need which run by the entries of a settings file.

    A project's settings are read by its sessions alone, others by those of all projects: `root`
    and the trusted ones.
    """
    return needed(_project(target.scope, target.path), root)


def needed(project: str | Path | None, root: str) -> dict[str, int]:
    """Return the seconds by event that hooks need: a project's own, else those of all projects."""
    if project:
        return wanted(str(project))
    longest = wanted(root)
    for place in (None, *_trusted()):
        if place is None or Path(place).is_dir():
            for event, seconds in wanted(place).items():
                longest[event] = max(seconds, longest.get(event, 0))
    return longest


def wanted(root: str | None) -> dict[str, int]:
    """Return the deadlines that the hooks of a project need; None is outside of any."""
    return hook_deadlines(project_files.effective(root, _trusted()).merged.hooks)


def _trusted() -> dict[str, str]:
    """Return the trusted digest of each project's hooks, without asking a daemon."""
    from hookd.store import facts  # noqa: PLC0415 - it imports the daemon's parts
    from hookd.store.recovery import run_read_only  # noqa: PLC0415

    return run_read_only(paths.paths().database, facts.trusted)


def _project(kind: str, settings: Path, client: str = "") -> str | None:
    """Return the project that a registration is for; None if it is for all of them."""
    if kind not in ("project", "local"):
        return None
    return str(clients.project_of(client, settings))


def _registrations() -> Iterator[tuple[Path, ShimConfig, str | None]]:
    """Yield the folder of each registration, its configuration, and the project that it is for."""
    for folder in scope_folder.every():
        config = scope_folder.read(folder)
        if config is None:
            continue
        kind = folder.name.removeprefix(f"{config.client}-").partition("-")[0]
        if kind != "plugin":  # its file is the plugin's own
            yield folder, config, _project(kind, Path(config.settings), config.client)


def _short(config: ShimConfig, needs: dict[str, int]) -> Iterator[Short]:
    for event, rule in config.events.items():
        if needs.get(event, 0) > rule.deadline:
            yield Short(event, rule.deadline, needs[event], config.settings)


def grow(root: str) -> None:
    """Raise the deadline of each registration to what the hooks need; print notes on stderr.

    The hooks are those of the user, and of the registration's project, else of `root`. If a
    registration cannot be changed, the note names the command to run.
    """
    known = dict[str, dict[str, int]]()
    for folder, config, project in _registrations():
        place = project or root
        if place not in known:
            known[place] = wanted(place)
        for note in _grown(folder, config, known[place]):
            click.echo(f"hookd: note: {note}", err=True)


def _grown(folder: Path, config: ShimConfig, needs: dict[str, int]) -> Iterator[str]:
    """Yield a note for each event of one registration that changed, or could not."""
    short = list(_short(config, needs))
    if not short:
        return
    if config.client:  # its file changes only when a person asks: Codex wants to be asked again
        step = f"hookd install --client {config.client} --settings {shlex.quote(config.settings)}"
        yield from (f"{_waits(event)}. Next: {step}" for event in short)
        return
    try:
        _write(folder, config, {event.event: event.needs for event in short})
    except (ShapeError, Problem, OSError, RecursionError) as error:
        why = error.message if isinstance(error, Problem) else str(error)
        step = f"hookd install --settings {shlex.quote(config.settings)}"
        for event in short:
            yield f"{_waits(event)}; that could not be changed ({output.cell(why)}). Next: {step}"
        return
    for event in short:
        shown = output.cell(event.settings)
        yield f"{event.event}: Claude Code now waits up to {event.needs} s for hookd ({shown})"


def _write(folder: Path, config: ShimConfig, deadlines: dict[str, int]) -> None:
    """Write the settings first: the client must never wait less than the shim."""
    document = settings_file.read(Path(config.settings))
    value = registration.waiting(document.value, deadlines)
    settings_record.save(document, document.rewritten(value), paths.paths().data / "install.json")
    events = {
        name: replace(rule, deadline=deadlines.get(name, rule.deadline))
        for name, rule in config.events.items()
    }
    scope_folder.write(folder, replace(config, events=events), line=False)


def _waits(short: Short) -> str:
    return f"{short.event}: the shim waits {short.waits} s, and a hook needs {short.needs} s"


def limits(hook: "Hook") -> Iterator[str]:
    """Yield a sentence if the client's own limit, or a missing registration, cuts a hook."""
    seconds = client_cutoff(hook)
    if seconds is not None:
        yield (
            f"{hook.event}: Claude Code waits no longer, so the hook is cut after {seconds:g} s;"
            " with --background it is not"
        )
        return
    if not any(hook.event in config.events for _, config, _ in _registrations()):
        usual = EVENTS[hook.event].deadline
        if hook_deadlines([hook]).get(hook.event, 0) > usual:
            yield (
                f"{hook.event}: there is no registration to change, so the hook is cut after"
                f" {usual - 0.5:g} s. Next: hookd install"
            )
