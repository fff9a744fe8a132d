"""What the scenarios need of a client that is not Claude Code: settings, command line, calls."""

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from clients.install import install_packages
from clients.models.turn import Turn
from support.paths import ROOT

GUIDE = ROOT / "docs" / "guides" / "together.md"


def documented(file: str) -> str:
    """Return the block of the guide that belongs into a client's settings file."""
    _, _, rest = GUIDE.read_text("utf-8").partition(f"{file}:\n")
    return rest.split("```", 2)[1].partition("\n")[2]


class Driver(ABC):
    """One client, run without a person against the mock.

    `events` are the client's own names of the events that it fires here and that hookd has to
    record.
    """

    name: ClassVar[str]
    """As hookd stores it with a session."""
    version: ClassVar[str]
    packages: ClassVar[Mapping[str, Mapping[str, str]]]
    """npm package with its version -> folder in node_modules -> integrity."""
    events: ClassVar[tuple[str, ...]]
    ends: ClassVar[tuple[str, ...]]
    """Which of the events mean the end of a session."""
    settings: ClassVar[tuple[str, ...]]
    """Folders in the home in which the client reads settings."""
    rewrites: ClassVar[bool] = True
    """Whether it runs the input that a hook has changed."""
    asks: ClassVar[bool] = False
    """Whether it takes the answer "ask", and denies the call where no person can answer."""
    window: ClassVar[int | None]
    """Tokens of the model's context window, as the client reports it; None where it does not."""
    window_at_stop: ClassVar[bool] = False
    """Whether the size of the window and the tokens come at the end of a turn."""
    tells_end: ClassVar[bool] = True
    """Whether the end of a session without a person is an event."""

    server_file: ClassVar[str]
    """File in the home in which the client reads its MCP servers."""
    own_tool: ClassVar[str]
    """The client's name of a tool of hookd's MCP server, with `{}` for the tool."""

    def install(self) -> None:
        """Install the client unless it is in the cache."""
        self.modules = install_packages(f"{self.name}-{self.version}", self.packages)

    @property
    def title(self) -> str:
        """Return name and version."""
        return f"{self.name} {self.version}"

    @abstractmethod
    def furnish(self, home: Path, project: Path, url: str) -> dict[str, str]:
        """Write the client's settings for a model at `url`; return its environment.

        A logging hook is on every event of `events`; hookd is not registered.
        """

    @abstractmethod
    def line(self, prompt: str, *, resumed: bool = False) -> list[str]:
        """Return the command line that answers a prompt without a person.

        `resumed` continues the last session.
        """

    @abstractmethod
    def shell(self, command: str) -> Turn:
        """Return a turn that runs a shell command."""

    @abstractmethod
    def create(self, file: Path, content: str) -> Turn:
        """Return a turn that writes a file."""

    @abstractmethod
    def replace(self, file: Path, old: str, new: str) -> Turn:
        """Return a turn that changes a line of a file."""

    def edits_by_shell(self, file: Path, old: str, new: str) -> list[Turn]:
        """Return turns that change a line of a file by a shell command that is an edit."""
        del file, old, new
        return []

    def finds_tools(self) -> list[Turn]:
        """Return turns after which the model may call tools of MCP servers."""
        return []

    def add_server(self, home: Path) -> None:
        """Register hookd's MCP server by what docs/guides/together.md has for this client."""
        file, text = home / self.server_file, documented(f"`~/{self.server_file}`")
        if file.suffix == ".toml":
            file.write_text(f"{file.read_text('utf-8')}\n{text}", "utf-8")
        else:
            known = json.loads(file.read_text("utf-8")) if file.exists() else {}
            self.write(file, known | json.loads(text))

    def logging(self, event: str) -> str:
        """Return the shell command of the logging hook on an event."""
        return f'cat > "$(mktemp "$FIRED/{event}.XXXXXXXX")"'

    def write(self, file: Path, value: Any) -> None:
        """Write a JSON file of the client."""
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(value, indent=2) + "\n", "utf-8")
