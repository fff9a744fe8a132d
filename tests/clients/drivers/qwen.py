"""Qwen Code: headless mode, all calls approved, with a provider of Chat Completions."""

from pathlib import Path

from clients.drivers.driver import Driver
from clients.models.turn import Turn, call


class Qwen(Driver):
    """Qwen Code, a bundle that node runs."""

    name = "qwen"
    version = "0.24.4"
    packages = {
        "@qwen-code/qwen-code@0.24.4": {
            "@qwen-code/qwen-code": "sha512-pmexy/Nj+BKd3Un1ogqGQE8V4GJn5B6N9PQOrU1GH+lMR29kn6Bgf6Y"
            "dbZa8hNIoTmAKT1LTPK+P8TibZRPPVg=="
        }
    }
    # fmt: off
    events = (
        "SessionStart", "InstructionsLoaded", "UserPromptSubmit", "UserPromptExpansion",
        "PreToolUse", "PermissionRequest", "PermissionDenied",
        "PostToolUse", "PostToolUseFailure", "PostToolBatch",
        "SubagentStart", "SubagentStop", "Notification", "Stop", "StopFailure",
        "PreCompact", "PostCompact", "SessionEnd",
    )
    # fmt: on
    ends = ("SessionEnd",)
    settings = (".qwen",)
    server_file = ".qwen/settings.json"
    own_tool = "mcp__hookd__{}"
    window = 200_000
    window_at_stop = True
    rewrites = False
    asks = True
    tells_end = False  # not with -p

    def furnish(self, home: Path, project: Path, url: str) -> dict[str, str]:
        """Write settings.json."""
        del project  # headless runs ask no trust
        hooks = {
            event: [{"hooks": [{"type": "command", "command": self.logging(event)}]}]
            for event in self.events
        }
        settings = {
            "hooks": hooks,
            "security": {"auth": {"selectedType": "openai"}},
            "memory": {"enableManagedAutoMemory": False},  # a second conversation after each
        }
        self.write(home / ".qwen/settings.json", settings)
        return {"OPENAI_BASE_URL": f"{url}/v1", "OPENAI_API_KEY": "x", "OPENAI_MODEL": "mock"}

    def line(self, prompt: str, *, resumed: bool = False) -> list[str]:
        """Return the line of a headless run."""
        program = str(self.modules / "@qwen-code/qwen-code/cli-entry.js")
        options = ("--yolo", "--output-format", "json", *(["--continue"] if resumed else []))
        return ["node", program, *options, "-p", prompt]

    def shell(self, command: str) -> Turn:
        """Return a turn that runs a shell command."""
        return call("run_shell_command", command=command, is_background=False)

    def create(self, file: Path, content: str) -> Turn:
        """Return a turn that writes a file."""
        return call("write_file", file_path=str(file), content=content)

    def replace(self, file: Path, old: str, new: str) -> Turn:
        """Return a turn that changes a line of a file."""
        return call("edit", file_path=str(file), old_string=old, new_string=new)
