"""Clients that hookd registers with: their files, and what they want of people.

How each is registered is its `registration` module's; here is where, and with what a person helps.
"""

import os
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import Literal, Protocol

from hookd import paths
from hookd.cli.install import options, scope, settings_file, settings_record
from hookd.cli.install.scope import Target
from hookd.cli.install.settings_file import Document
from hookd.cli.install.settings_record import Entries, Past
from hookd.cli.lib.errors import Problem
from hookd.clients.claude_code import registration as claude_code
from hookd.clients.codex import registration as codex
from hookd.clients.copilot import registration as copilot
from hookd.clients.gemini import registration as gemini
from hookd.clients.hook_groups import Changes, Json, ShapeError, Shim
from hookd.clients.opencode import registration as opencode
from hookd.clients.qwen import registration as qwen
from hookd.core.model import client_names
from hookd.core.model.client_names import CLAUDE_CODE
from hookd.lazy_dataclass import dataclass

_PLUGIN = Path(__file__).parents[2] / "clients" / "opencode" / opencode.PLUGIN


class Registration(Protocol):
    """A client's registration, as its module has it: settings in, settings out."""

    USER_FILE: str
    PROJECT_FILE: str
    NAMES: Mapping[str, str]

    def register(
        self, settings: Json, shim: Shim, events: Iterable[str], kept: Collection[str] = ()
    ) -> Json:
        """Return the settings with our entries for these events. Raise ShapeError."""

    def unregister(self, settings: Json, kept: Collection[str] = ()) -> Json:
        """Return the settings without our entries."""

    def bare(self, settings: Json) -> tuple[str, ...]:
        """Return the containers that are empty."""

    def registered(self, settings: Json) -> list[str]:
        """Return hookd's names of the events that have an entry."""

    def programs(self, settings: Json) -> Iterator[tuple[str, str]]:
        """Yield event and program of each entry."""

    def changes(self, before: Json, after: Json) -> Changes:
        """Return whose entries differ."""

    def notes(self, settings: Json) -> list[str]:
        """Return what a person should know, a sentence each."""

    def trial_call(self, session: str, command: str, folder: str) -> Json:
        """Return a shell call that is about to run, as the client sends it."""


Start = Literal["bash", "shell", "program", "plugin"]
"""How a client starts an entry: by bash, by the user's shell, or directly as a program.

`plugin`: it has no entries, but loads a file of JavaScript, which starts them.
"""


def _nothing(_settings: Json) -> str:
    return ""


@dataclass(frozen=True)
class Client:
    """A client by its name, with the name of its `program`.

    `tested` is the version that hookd was tested with, "" for Claude Code: `claude_version` has the
    range of its versions. `comments`: its settings may have comments.
    `whole`: its file has nothing but hookd. `blocks`: it denies every tool call if what is
    registered is missing. `trusts`: it runs an entry only after a person has trusted it.
    `refusal` returns why it runs nothing of a file, `switched_off` which setting of a file turns
    hooks off, each "" for nothing. `steps` are what a person does after an install by the kind of
    file, "" for nothing.
    """

    name: str
    program: str
    tested: str
    registration: Registration
    comments: bool = False
    whole: bool = False
    blocks: bool = False
    trusts: bool = False
    starts: Start = "bash"
    refusal: Callable[[Json], str] = _nothing
    switched_off: Callable[[Json], str] = _nothing
    steps: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """Its name for people."""
        return client_names.CLIENTS[self.name]

    @property
    def folder(self) -> Path:
        """The folder of its configuration."""
        return paths.client_folder(self.name)

    @property
    def user_file(self) -> Path:
        """The file that registers hooks for all projects."""
        return self.folder / self.registration.USER_FILE

    @property
    def entries(self) -> Entries:
        """What hookd has in a file of this client."""
        if self.name == CLAUDE_CODE:
            return settings_record.CLAUDE_CODE
        registration = self.registration

        def rest(settings: Json, past: Past) -> Json:
            return registration.unregister(settings, past.bare)

        return Entries(rest, registration.bare, self.whole, self.name)

    @property
    def found(self) -> bool:
        """Whether it seems to be installed: a program on the PATH, or a folder of its own."""
        return self.on_path or self.folder.is_dir()

    @property
    def on_path(self) -> bool:
        """Whether its program is on the PATH."""
        return shutil.which(self.program, path=paths.search_path()) is not None

    def read(self, path: Path) -> Document:
        """Return a settings file. Raise Problem if it cannot be parsed."""
        if self.starts == "plugin":
            return _plugin(path)
        return settings_file.read(path, comments=self.comments)

    def rewritten(self, document: Document, value: Json) -> bytes | None:
        """Return the bytes of the file with the value, unchanged if it has that value."""
        if self.starts != "plugin":
            return document.rewritten(value)
        before = None if document.raw is None else document.raw.decode("utf-8", "replace")
        return opencode.text_of(before, _packaged_plugin(), value).encode()


_CODEX_STEP = (
    'open Codex once and choose "Trust all and continue", or type /hooks and press t: Codex runs no'
    " hook before you have trusted it"
)
_TRUSTED = "trust the project's folder in {}, which else runs none of its hooks"

OTHER_CLIENTS: Mapping[str, Client] = {
    client.name: client
    for client in (
        Client(
            "codex",
            "codex",
            "0.169.0",
            codex,
            trusts=True,
            starts="shell",
            refusal=codex.refusal,
            steps={
                "user": _CODEX_STEP,
                "project": f"{_CODEX_STEP}, and none of a project that you do not trust",
                "file": _CODEX_STEP,
            },
        ),
        Client(
            "gemini",
            "gemini",
            "0.61.0",
            gemini,
            comments=True,
            blocks=True,
            switched_off=gemini.switched_off,
            steps={"project": _TRUSTED.format("Gemini CLI")},
        ),
        Client(
            "qwen",
            "qwen",
            "0.24.4",
            qwen,
            comments=True,
            switched_off=qwen.switched_off,
            steps={"project": _TRUSTED.format("Qwen Code")},
        ),
        Client(
            "copilot",
            "copilot",
            "1.0.102",
            copilot,
            whole=True,
            blocks=True,
            starts="program",
            steps={"project": _TRUSTED.format("Copilot CLI")},
        ),
        Client(
            "opencode",
            "opencode",
            "1.18.33",
            opencode,
            whole=True,
            blocks=True,
            starts="plugin",
            steps=dict.fromkeys(
                ("user", "project", "file"),
                "start opencode again: it gets @opencode-ai/plugin from npm, once",
            ),
        ),
    )
}
"""The clients besides Claude Code, by name."""

EVERY: Mapping[str, Client] = {
    CLAUDE_CODE: Client(CLAUDE_CODE, "claude", "", claude_code),
    **OTHER_CLIENTS,
}
"""Every client, by name."""

NAMES = tuple(EVERY)


def found() -> list[str]:
    """Return the clients that seem to be installed here, Claude Code among them."""
    return [client.name for client in EVERY.values() if client.found]


def project_of(name: str, settings: Path) -> Path:
    """Return the root of the project that a project's settings file of a client is in."""
    client = EVERY.get(name, EVERY[CLAUDE_CODE])
    return settings.parents[client.registration.PROJECT_FILE.count("/")]


def is_registered(client: Client, file: Path | None = None) -> bool:
    """Return whether a file of a client has entries of hookd, or cannot be read.

    Without `file` it is the user's.
    """
    try:
        return bool(client.registration.registered(client.read(file or client.user_file).value))
    except (Problem, ShapeError, RecursionError, OSError):
        return True


def named(texts: Iterable[str]) -> list[str]:
    """Return the clients that --client names, each once. Raise Problem for an unknown one."""
    words = [word for text in texts for word in text.replace(",", " ").split()]
    for word in words:
        if word not in NAMES:
            hint = options.suggestion(word, NAMES)
            raise Problem(f'"{word}" is not a client of hookd.{hint}', f"One of {', '.join(NAMES)}")
    return [name for name in NAMES if name in words]


def target(client: Client, settings: Path | None, kind: str | None, folder: Path | None) -> Target:
    """Return the file that the options choose. Raise Problem for a kind that the client has not."""
    chosen = scope.chosen(settings, kind, folder)
    if client.name == CLAUDE_CODE:
        return chosen
    if chosen.scope == "local":
        sentence = f"{client.title} has no settings of a project that are yours alone."
        raise Problem(sentence, "--scope user, or --scope project")
    if chosen.scope == "file":
        return chosen
    if chosen.project is None:
        return Target(client.user_file, "user")
    path = chosen.project / client.registration.PROJECT_FILE
    return Target(path, "user" if path == client.user_file else "project", chosen.project)


def warning(client: Client, chosen: Target) -> str | None:
    """Return a warning if the file is shared with other users."""
    if client.name == CLAUDE_CODE:
        return scope.warning(chosen)
    if chosen.scope != "project":
        return None
    shared = (
        "this file is shared with others, but hookd's entries name programs in your own folders"
    )
    if client.blocks:
        return f"{shared}: without them, {client.title} denies every tool call"
    return shared


def _plugin(path: Path) -> Document:
    path = Path(os.path.realpath(path))
    raw = settings_file.contents(path)
    return Document(path, raw, opencode.settings_of((raw or b"").decode("utf-8", "replace")))


def _packaged_plugin() -> str:
    try:
        return _PLUGIN.read_text("utf-8")
    except FileNotFoundError:
        sentence = f"The package hookd has no {_PLUGIN.name} for opencode."
        step = "Install the package again: pip install --force-reinstall hookd"
        raise Problem(sentence, step) from None
