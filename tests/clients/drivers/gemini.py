"""Gemini CLI: headless mode, all calls approved, with an API key."""

from pathlib import Path

from clients.drivers.driver import Driver
from clients.models.turn import Turn, call


class Gemini(Driver):
    """Gemini CLI, a bundle that node runs."""

    name = "gemini"
    version = "0.61.0"
    packages = {
        "@google/gemini-cli@0.61.0": {
            "@google/gemini-cli": "sha512-dbQ9A0qBtFJNi6XBkHvfZ6Azpn6PNgH/P8h2MZ67RLlX8hSAVjup39CRW"
            "qdRxZv7YXIuhrFaytr8y0jKnkoxnQ=="
        }
    }
    # fmt: off
    events = (
        "SessionStart", "BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent",
        "Notification", "SessionEnd",
    )
    # fmt: on
    ends = ("SessionEnd",)
    settings = (".gemini",)
    server_file = ".gemini/settings.json"
    own_tool = "mcp_hookd_{}"
    window = 1_048_576

    def furnish(self, home: Path, project: Path, url: str) -> dict[str, str]:
        """Write settings.json."""
        del project  # GEMINI_CLI_TRUST_WORKSPACE trusts it
        hooks = {
            event: [{"hooks": [{"type": "command", "name": "log", "command": self.logging(event)}]}]
            for event in self.events
        }
        chosen = {"auth": {"selectedType": "gemini-api-key"}}
        self.write(home / ".gemini/settings.json", {"hooks": hooks, "security": chosen})
        return {
            "GOOGLE_GEMINI_BASE_URL": url,
            "GEMINI_API_KEY": "x",
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
            "NO_BROWSER": "1",
        }

    def line(self, prompt: str, *, resumed: bool = False) -> list[str]:
        """Return the line of a headless run; without --yolo the model gets no shell."""
        program = str(self.modules / "@google/gemini-cli/bundle/gemini.js")
        options = ("--yolo", "-m", "gemini-2.5-flash", "--output-format", "json")
        last = ["--resume", "latest"] if resumed else []
        return ["node", program, *options, *last, "-p", prompt]

    def shell(self, command: str) -> Turn:
        """Return a turn that runs a shell command."""
        return call("run_shell_command", command=command, description="Run a command")

    def create(self, file: Path, content: str) -> Turn:
        """Return a turn that writes a file, by a relative path as this client's models do."""
        return call("write_file", file_path=file.name, content=content)

    def replace(self, file: Path, old: str, new: str) -> Turn:
        """Return a turn that changes a line of a file, by a relative path."""
        texts = {"old_string": old, "new_string": new, "instruction": "Change it."}
        return call("replace", file_path=file.name, **texts)
