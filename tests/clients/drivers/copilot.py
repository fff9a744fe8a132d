"""GitHub Copilot CLI: one prompt, all tools allowed, with a provider of its own and no login."""

from pathlib import Path

from clients.drivers.driver import Driver
from clients.install import platform_name
from clients.models.turn import Turn, call


class Copilot(Driver):
    """Copilot CLI, a single program."""

    name = "copilot"
    version = "1.0.102"
    packages = {
        "@github/copilot@1.0.102": {
            "@github/copilot": "sha512-mv6cTWMhMILxg5ZDgqJ6UsnpPuySCPWOPbZVaO8lL0dpmjY3VD9ZhJr6DFcG"
            "7fhUXZv6OmvLdcRCa5MJ6hBI+Q==",
            "@github/copilot-linux-x64": "sha512-eGHPbsP0p2QgfVZCjtbGBFZPBOJQ0DN7xIbBRAo7oG8b1zfLi"
            "rQIdfI4h8Iy68Dv2cKJGJZg2/EO7W7KpIMJOw==",
        }
    }
    # fmt: off
    events = (
        "sessionStart", "userPromptSubmitted", "preToolUse", "permissionRequest", "postToolUse",
        "postToolUseFailure", "agentStop", "sessionEnd", "subagentStart", "subagentStop",
        "preCompact", "errorOccurred", "notification",
    )
    # fmt: on
    ends = ("sessionEnd",)
    settings = (".copilot",)
    server_file = ".copilot/mcp-config.json"
    own_tool = "hookd-{}"
    window = None  # of a provider of one's own
    asks = True

    def furnish(self, home: Path, project: Path, url: str) -> dict[str, str]:
        """Write a file of hooks."""
        folder = home / ".copilot"
        hooks = {event: [{"type": "command", "bash": self.logging(event)}] for event in self.events}
        self.write(folder / "hooks/log.json", {"version": 1, "hooks": hooks})
        self.write(folder / "config.json", {"trusted_folders": [str(project)]})
        return {
            "COPILOT_HOME": str(folder),
            "COPILOT_OFFLINE": "true",
            "COPILOT_AUTO_UPDATE": "false",
            "COPILOT_PROVIDER_BASE_URL": f"{url}/v1",
            "COPILOT_PROVIDER_API_KEY": "x",
            "COPILOT_MODEL": "mock",
        }

    def line(self, prompt: str, *, resumed: bool = False) -> list[str]:
        """Return the line of a run without a person."""
        program = self.modules / f"@github/copilot-{platform_name()}/copilot"
        last = ["--continue"] if resumed else []
        options = ("--output-format", "json", "--allow-all-tools")
        return [str(program), *options, *last, "-p", prompt]

    def shell(self, command: str) -> Turn:
        """Return a turn that runs a shell command."""
        return call("bash", command=command, description="Run a command")

    def create(self, file: Path, content: str) -> Turn:
        """Return a turn that writes a file."""
        return call("create", path=str(file), file_text=content)

    def replace(self, file: Path, old: str, new: str) -> Turn:
        """Return a turn that changes a line of a file."""
        return call("edit", path=str(file), old_str=old, new_str=new)
