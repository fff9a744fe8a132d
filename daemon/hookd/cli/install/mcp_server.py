"""Registration of hookd's MCP server with Claude Code: `hookd install --mcp`.

The servers of a user are in `.claude.json`, those of a project in its `.mcp.json`. Neither file has
hooks, so a record of its own tells how they were before.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from hookd import paths
from hookd.cli.install import plan, plugin_scope, settings_file, settings_record
from hookd.cli.install.clients import EVERY
from hookd.cli.install.scope import Target
from hookd.cli.install.settings_file import Document
from hookd.cli.install.settings_record import Entries, Past
from hookd.cli.lib import extras, transport
from hookd.cli.lib.errors import Problem
from hookd.clients.claude_code import mcp_entry
from hookd.clients.hook_groups import Json
from hookd.core.model.client_names import CLAUDE_CODE
from hookd.lazy_dataclass import dataclass

LIBRARIES = {"mcp": "mcp"}
"""Package of the extra `mcp`, and the module by which it is found."""


def _rest(value: Json, past: Past) -> Json:
    return mcp_entry.unregister(value, past.bare)


_ENTRIES = Entries(_rest, mcp_entry.empty_containers, whole=True)


@dataclass(frozen=True)
class Registration:
    """A file of MCP servers, and what it becomes; `after` None removes it.

    `adds`: it has hookd's server then.
    """

    document: Document
    after: bytes | None
    adds: bool

    @property
    def changes(self) -> bool:
        """Whether the file changes."""
        return self.after != self.document.raw


@dataclass(frozen=True)
class Server:
    """A registered server: its file, what the client starts, and the options that renew it.

    `shared`: others write the file, too, so only hookd is run of it.
    """

    file: Path
    command: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str]
    options: str = ""
    shared: bool = False

    @property
    def is_strange(self) -> bool:
        """Whether another program than hookd is named by a file that others write."""
        return self.shared and self.command not in ("hookd", str(transport.hookd()))


def registered(project: Path) -> Iterator[Server]:
    """Yield hookd's servers of the user, of a project, and of the enabled plugin."""
    for file, options in (
        (paths.claude_state(), ""),
        (project / ".mcp.json", " --scope project"),
    ):
        with suppress(Problem, OSError, RecursionError):
            value = settings_file.read(file).value
            if mcp_entry.is_registered(value):
                entry = mcp_entry.entry_of(value)
                yield Server(file, *entry, options=options, shared=bool(options))
    config = plugin_scope.config()
    if config is not None and plugin_scope.enabled(plugin_scope.settings_here()):
        yield Server(plugin_scope.registry(), config.hookd, ("mcp",), {})


def planned(target: Target, *, wanted: bool | None) -> Registration | None:
    """Return the registration in a scope: with `wanted` None as before; None: there is none."""
    path = _file(target)
    if path is None:
        if wanted:
            sentence = "--mcp goes with --scope user or --scope project."
            raise Problem(sentence, "hookd install --mcp")
        return None
    known = str(_real(path)) in map(str, settings_record.recorded(_record()))
    if wanted is False:
        return _removal(path) if known else None
    if not (wanted or known):
        return None
    if wanted:
        extras.expect("hookd mcp", "mcp", LIBRARIES)
    with plan.plainly(EVERY[CLAUDE_CODE], path):
        document = settings_file.read(path)
        environment = paths.place_environment() if target.scope == "user" else {}
        command = str(transport.hookd()) if target.scope == "user" else "hookd"
        value = mcp_entry.register(document.value, command, environment)
        return Registration(document, document.rewritten(value), adds=True)


def write(registration: Registration) -> None:
    """Write what was planned."""
    document, after = registration.document, registration.after
    with plan.refusing(EVERY[CLAUDE_CODE], document.path):
        if registration.adds:
            settings_record.save(document, after, _record(), entries=_ENTRIES)
            return
        _, exact = settings_record.without(document, _record(), _ENTRIES)
        settings_record.restore(document, after, exact, _record())


def removals(targets: Iterable[Target], *, every: bool) -> list[Registration]:
    """Return what an uninstall removes: in these scopes, or in every file that is recorded."""
    recorded = {str(path) for path in settings_record.recorded(_record())}
    files = recorded if every else {str(_real(file)) for file in map(_file, targets) if file}
    found = (_removal(Path(path)) for path in sorted(files & recorded))
    return [one for one in found if one is not None]


def _removal(path: Path) -> Registration | None:
    with plan.plainly(EVERY[CLAUDE_CODE], path):
        document = settings_file.read(path)
        after, _ = settings_record.without(document, _record(), _ENTRIES)
        return Registration(document, after, adds=False)


def _file(target: Target) -> Path | None:
    """Return the file of MCP servers of a scope, None if the scope has none."""
    if target.scope == "user":
        return paths.claude_state()
    if target.scope == "project" and target.project is not None:
        return target.project / ".mcp.json"
    return None


def _real(path: Path) -> Path:
    return settings_file.read(path).path


def _record() -> Path:
    return paths.paths().data / "mcp.json"
