"""Install for one client: wanted options, the plan of what is written, facts to show."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, field
from pathlib import Path

from hookd import paths
from hookd.cli.install import (
    clients,
    native_build,
    options,
    scope,
    scope_folder,
    settings_file,
    settings_record,
    used_version,
)
from hookd.cli.install import shims as installed_shims
from hookd.cli.install.clients import Client
from hookd.cli.install.native_build import Prepared
from hookd.cli.install.report import Facts, Result
from hookd.cli.install.scope import Target
from hookd.cli.install.settings_file import Document
from hookd.cli.lib import installation, transport
from hookd.cli.lib.client import State, probe
from hookd.cli.lib.errors import Problem
from hookd.clients.hook_groups import Json, ShapeError, Shim
from hookd.core.model import shim_config
from hookd.core.model.shim_config import AUTO, BASH, ShimConfig
from hookd.lazy_dataclass import dataclass

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True)
class Wanted:
    """Values of the options of install; None: unchanged."""

    events: tuple[str, ...]
    closed: set[str] | None
    forward_env: tuple[str, ...]
    no_forward_env: bool
    no_verdict: str | None
    shim: str | None


@contextmanager
def plainly(client: Client, path: Path) -> Iterator[Document]:
    """Read the settings of a client; raise Problem for what they or the system refuse meanwhile."""
    with refusing(client, path):
        yield client.read(path)


@contextmanager
def refusing(client: Client, path: Path) -> Iterator[None]:
    """Raise Problem for what a settings file or the system refuses meanwhile."""
    try:
        yield
    except ShapeError as error:
        sentence = f"{path} is not as {client.title} reads it: {error}."
        raise Problem(sentence, settings_file.MEND) from None
    except RecursionError:
        raise Problem(f"{path} is nested too deeply.", settings_file.MEND) from None
    except OSError as error:
        sentence = f"{error.filename or path}: {error.strerror or error}."
        step = "See that the file and its folder are yours to write, then run the command again."
        raise Problem(sentence, step) from None


@dataclass(frozen=True)
class Plan:
    """Everything that an install writes for one client, computed before it writes.

    `loosens` is how it weakens the registration, "" if it does not. `step` is the next one after
    the install. `own`: the settings file is the user's alone. `files` are the texts of further
    files of the scope's folder, by name. `line`: the folder has a link for the status line.
    `permissions` are hookd's permission entries, None without a choice. `facts` and
    `preview_notes` are shown, too.
    """

    client: Client
    document: Document
    target: Target
    folder: Path
    config: ShimConfig
    events: list[str]
    value: Json
    after: bytes | None
    notes: list[str]
    loosens: str
    step: str
    own: bool
    shipped: list[Path]
    files: Mapping[str, str] = field(default_factory=dict)
    line: bool = False
    permissions: tuple[str, ...] | None = None
    facts: Facts = field(default_factory=dict)
    preview_notes: list[str] = field(default_factory=list)

    @property
    def warning(self) -> str | None:
        """A warning for people, before anything else."""
        return clients.warning(self.client, self.target)

    def preview(self) -> Result:
        """Return what `write` would change."""
        facts = self._shown()
        facts["notes"] += self.preview_notes
        changes = self.client.registration.changes(self.document.value, self.value)
        facts["changes"] = asdict(changes)
        shims = scope_folder.diff(self.folder, self.config)
        facts["changed"] = facts["changed"] or bool(shims)
        title = f"hookd would be registered with {self.client.title}; nothing is written."
        return Result(title, facts, diff=self.document.diff(self.after) + shims)

    def expect_writable(self) -> None:
        """Raise Problem if the settings change, and their file is read-only."""
        if self.after != self.document.raw:
            settings_file.expect_writable(self.document.path)

    def write(self) -> Result:
        """Write the shims, the scope's folder, and last the settings, which name them."""
        renewed, prepared = self._write()
        facts = self._shown()
        facts["shim"] |= prepared.facts
        return _installed(self, facts, renewed=renewed)

    def _shown(self) -> Facts:
        document, target = self.document, self.target
        notes = self.notes + scope.unignored(target, private(document, own=self.own))
        found = facts(document, target, self.after, self.events) | {
            "client": self.client.name,
            "fail_closed": list(self.config.closed),
            "no_verdict": self.config.no_verdict,
            "shim": {"wanted": self.config.shim or AUTO},
        }
        return found | self.facts | {"notes": notes}

    @installed_shims.alone(makes=True)
    def _write(self) -> tuple[bool, Prepared]:
        """Return whether shims or configuration changed, and the shim that is registered."""
        document, folder, config = self.document, self.folder, self.config
        installed_shims.sweep()
        renewed = installed_shims.copy(self.shipped)
        prepared = native_build.prepare(config.shim or AUTO)
        written = scope_folder.write(folder, config, line=self.line, shim=prepared.shim)
        for name, text in self.files.items():
            old = settings_file.contents(folder / name)
            settings_file.replace(folder / name, old, text.encode(), 0o600)
        programs = self.client.registration.programs(document.value)
        known = scope_folder.folders(document.path, (path for _, path in programs))
        older = [one for one in known if not one.samefile(folder)]
        entries = self.client.entries
        settings_record.save(document, self.after, record(), self.permissions, entries)
        scope_folder.prune(folder, config, line=self.line, kept=self.files)
        for one in older:
            scope_folder.remove(one)
        native_build.unneeded()
        native_build.expect_usable()
        used_version.begin()
        return written or prepared.changed or renewed, prepared


def record() -> Path:
    """Return the file that records what was registered."""
    return paths.paths().data / "install.json"


def forwarded(wanted: Wanted, known: Sequence[str]) -> tuple[str, ...]:
    """Return the variables to forward: the wanted ones, else those `known` from before."""
    for name in wanted.forward_env:
        if not _VARIABLE.fullmatch(name):
            sentence = f'"{name}" is not the name of an environment variable.'
            raise Problem(sentence, "Give the name alone: the value is read when a hook runs.")
    if wanted.forward_env and wanted.no_forward_env:
        sentence = "--forward-env and --no-forward-env exclude each other."
        raise Problem(sentence, "Give one of them.")
    if wanted.forward_env or wanted.no_forward_env:
        known = ()
    return tuple(dict.fromkeys((*wanted.forward_env, *filter(_VARIABLE.fullmatch, known))))


def config(
    settings: Path, events: Sequence[str], shim: Shim, program: str, no_verdict: str
) -> ShimConfig:
    """Return a scope's configuration; `program` is the value of --shim, "" for `auto`."""
    return ShimConfig(
        shim=program,
        no_verdict=no_verdict,
        socket=str(paths.paths().socket),
        hookd=str(transport.hookd()),
        python=installation.interpreter(),
        settings=str(settings),
        environment=tuple(f"{name}={value}" for name, value in paths.place_environment().items()),
        transports=transport.find(),
        events=shim_config.event_rules(events, shim.closed, shim.deadlines),
    )


def next_step(then: str) -> str:
    """Return what a person does after an install: start the daemon if none answers, then `then`.

    A daemon that runs needs no restart: it reads the policies' settings, and shims their
    configuration, when these change.
    """
    running = probe(paths.paths().socket) is State.LISTENING
    return ", then ".join(filter(None, ("" if running else "hookd start", then)))


def weakening(
    before: Sequence[str], events: Sequence[str], shim: Shim, no_verdict: tuple[str, str]
) -> list[str]:
    """Return how a registration weakens the one before; `no_verdict` is before and after."""
    found = [
        "opens events that fail closed" if set(shim.closed_before) - set(shim.closed) else "",
        options.no_verdict_weakening(*no_verdict),
        "registers fewer events" if set(before) - set(events) else "",
    ]
    return [one for one in found if one]


def facts(document: Document, target: Target, after: bytes | None, events: list[str]) -> Facts:
    """Return what is registered in a settings file that becomes `after`."""
    return {
        "changed": after != document.raw,
        "settings": str(document.path),
        "scope": target.scope,
        "events": events,
        "backup": str(document.backup) if document.backup.exists() else None,
    }


def private(document: Document, *, own: bool) -> list[Path]:
    """Return the files of this run that are private: a repository would carry them.

    `own`: a settings file that this run makes is the user's alone.
    """
    made = document.raw is None and own
    backup = [document.backup] if document.backup.exists() else []
    return [document.path] * made + backup


def _installed(made: Plan, facts: Facts, *, renewed: bool) -> Result:
    """Return the result of an install.

    `renewed` is whether a shim or the configuration changed. The transport is measured.
    """
    title, config = made.client.title, made.config
    said = f"Nothing changed: hookd is registered with {title} already."
    if facts["changed"]:
        said = f"hookd is registered with {title}."
    elif renewed:
        said = f"The registration with {title} is unchanged; shims or configuration were updated."
    first = config.transports[0]
    kind, _, program = first.partition(":")
    taken = transport.measured(kind, program)
    shown = first if taken is None else f"{first}, {taken:.1f} ms for a round trip"
    facts = facts | {"changed": facts["changed"] or renewed, "shims": str(made.folder)}
    facts |= {"transport": first, "transport_ms": taken and round(taken, 1), "hookd": config.hookd}
    if facts["shim"]["used"] == BASH:  # the native shim needs no transport
        facts["notes"] = facts["notes"] + transport.notes(kind, taken)
    return Result(said, facts, step=made.step, people={"transport": shown})


def linked(made: ShimConfig) -> str:
    """Return the command that puts hookd on the PATH."""
    return f"ln -s {made.hookd} ~/.local/bin/hookd, or another folder of your PATH"
