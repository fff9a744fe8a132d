"""Deadlines of the registered events: they grow with the user hooks that are trusted to run.

A hook that has more seconds than the shim waits would be cut, and its call would go on. `install`
registers what all hooks need; `hooks add` and `trust` let a registration that waits less grow.
"""

import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from hookd import paths
from hookd.cli.hooks import project_files
from hookd.cli.install import scope_folder, settings_file, settings_record
from hookd.cli.install.scope import Target
from hookd.cli.lib import output
from hookd.cli.lib.errors import Problem
from hookd.clients.claude_code import registration
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
    """Return the deadlines that the hooks need which run by the entries of a settings file.

    Settings of a project are read by its sessions alone, others by those of all projects: `root`
    and those that are trusted.
    """
    own = _project(target.scope, target.path)
    if own:
        return wanted(own)
    found = wanted(root)
    for place in (None, *_trusted()):
        if place is None or Path(place).is_dir():
            for event, seconds in wanted(place).items():
                found[event] = max(seconds, found.get(event, 0))
    return found


def wanted(root: str | None) -> dict[str, int]:
    """Return the deadlines that the hooks of a project need; None stands for outside of any."""
    return hook_deadlines(project_files.effective(root, _trusted()).merged.hooks)


def _trusted() -> dict[str, str]:
    """Return the digest that each project's hooks are trusted with, without asking a daemon."""
    from hookd.store import facts  # noqa: PLC0415 - it imports the daemon's parts
    from hookd.store.recovery import run_read_only  # noqa: PLC0415

    return run_read_only(paths.paths().database, facts.trusted)


def _project(kind: str, settings: Path) -> str | None:
    """Return the project that a registration is for; None if it is for all of them."""
    return str(settings.parent.parent) if kind in ("project", "local") else None


def _registrations() -> Iterator[tuple[Path, ShimConfig, str | None]]:
    """Yield the folder of each registration, its configuration, and the project that it is for."""
    for folder in scope_folder.every():
        config = scope_folder.read(folder)
        if config is not None:
            kind = folder.name.partition("-")[0]
            yield folder, config, _project(kind, Path(config.settings))


def _short(config: ShimConfig, needs: dict[str, int]) -> Iterator[Short]:
    for event, rule in config.events.items():
        if needs.get(event, 0) > rule.deadline:
            yield Short(event, rule.deadline, needs[event], config.settings)


def grow(root: str) -> None:
    """Let each registration wait as long as the hooks need; tell on stderr what changed.

    The hooks are those of the user, and of the project that a registration is for, else of `root`.
    Where that cannot be done, the note says what to run.
    """
    known = dict[str, dict[str, int]]()
    for folder, config, project in _registrations():
        place = project or root
        if place not in known:
            known[place] = wanted(place)
        for one in _grown(folder, config, known[place]):
            click.echo(f"hookd: note: {one}", err=True)


def _grown(folder: Path, config: ShimConfig, needs: dict[str, int]) -> Iterator[str]:
    """Yield what changed for each event of one registration, or why nothing could."""
    found = list(_short(config, needs))
    if not found:
        return
    try:
        _write(folder, config, {one.event: one.needs for one in found})
    except (registration.ShapeError, Problem, OSError, RecursionError) as error:
        why = error.message if isinstance(error, Problem) else str(error)
        step = f"hookd install --settings {shlex.quote(config.settings)}"
        for one in found:
            yield f"{_waits(one)}; that could not be changed ({output.cell(why)}). Next: {step}"
        return
    for one in found:
        shown = output.cell(one.settings)
        yield f"{one.event}: Claude Code now waits up to {one.needs} s for hookd ({shown})"


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


def _waits(one: Short) -> str:
    return f"{one.event}: the shim waits {one.waits} s, and a hook needs {one.needs} s"


def limits(hook: "Hook") -> Iterator[str]:
    """Yield a sentence if the client's own limit, or the missing registration, cuts a hook."""
    seconds = client_cutoff(hook)
    if seconds is not None:
        yield (
            f"{hook.event}: Claude Code waits no longer, so the hook is cut after {seconds:g} s;"
            " with --background it goes on"
        )
        return
    if not any(hook.event in config.events for _, config, _ in _registrations()):
        usual = EVENTS[hook.event].deadline
        if hook_deadlines([hook]).get(hook.event, 0) > usual:
            yield (
                f"{hook.event}: no registration that can grow is there, so the hook is cut after"
                f" {usual - 0.5:g} s. Next: hookd install"
            )
