"""Codex CLI: `codex exec` with a provider of the Responses API."""

import json
from pathlib import Path

from clients.drivers.driver import Driver
from clients.install import platform_name
from clients.models.turn import Turn, call

CONFIG = """
model = "gpt-5.5"
model_provider = "mock"

[model_providers.mock]
name = "mock"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
request_max_retries = 0
stream_max_retries = 0

[projects."{project}"]
trust_level = "trusted"
"""


class Codex(Driver):
    """Codex: a single program; its edits are patches."""

    name = "codex"
    version = "0.169.0"
    packages = {
        "@openai/codex@0.169.0": {
            "@openai/codex": "sha512-KhzYlkKPxoNssR8CEm45IjqnFWn7UtlF4CiD3tOJPea51xBs7MaHy0UQG9GSbC"
            "qk6Lrjn5QdJDV0QD1/FgWlGw==",
            "@openai/codex-linux-x64": "sha512-o05NyAOCDygSPRo1yinzxvkRSdmsZyBD9E7mbpmjRanSfM8lypqW"
            "tQgEo4XfNkwhuCR2aFu8mlGOsQGFXVbVww==",
        }
    }
    # fmt: off
    events = (
        "SessionStart", "UserPromptSubmit", "PreToolUse", "PermissionRequest", "PostToolUse",
        "PreCompact", "PostCompact", "SubagentStart", "SubagentStop", "Stop", "SessionEnd",
    )
    # fmt: on
    ends = ("SessionEnd",)
    settings = (".codex",)
    server_file = ".codex/config.toml"
    own_tool = "mcp__hookd__{}"
    window = 258_400

    def furnish(self, home: Path, project: Path, url: str) -> dict[str, str]:
        """Write config.toml and hooks.json."""
        folder = home / ".codex"
        self.write(
            folder / "hooks.json",
            {
                "hooks": {
                    event: [{"hooks": [{"type": "command", "command": self.logging(event)}]}]
                    for event in self.events
                }
            },
        )
        (folder / "config.toml").write_text(CONFIG.format(url=url, project=project))
        return {"MOCK_KEY": "x", "CODEX_HOME": str(folder)}

    def line(self, prompt: str, *, resumed: bool = False) -> list[str]:
        """Return the line of `codex exec`; it runs hooks that no one has reviewed."""
        options = ("--skip-git-repo-check", "-s", "danger-full-access")
        trust = "--dangerously-bypass-hook-trust"
        last = ["resume", "--last"] if resumed else []
        return [self.program, "exec", "--json", *options, trust, *last, prompt]

    @property
    def program(self) -> str:
        """Return the path of the program."""
        (program,) = self.modules.glob(f"@openai/codex-{platform_name()}/vendor/*/bin/codex")
        return str(program)

    def shell(self, command: str) -> Turn:
        """Return a turn that runs a shell command."""
        return call("exec_command", cmd=command)

    def create(self, file: Path, content: str) -> Turn:
        """Return a turn that applies a patch with a new file."""
        return call("apply_patch", input=added(file, content))

    def replace(self, file: Path, old: str, new: str) -> Turn:
        """Return a turn that applies a patch to a line of a file."""
        return call("apply_patch", input=changed(file, old, new))

    def add_server(self, home: Path) -> None:
        """Register the server, and let the first turn wait for it."""
        super().add_server(home)
        file = home / self.server_file
        file.write_text(f"{file.read_text('utf-8')}required = true\n", "utf-8")

    def finds_tools(self) -> list[Turn]:
        """Return a turn that looks for the tools: Codex offers none of them at first."""
        return [call("tool_search", query="hookd work_add work_take claim log", limit=30)]

    def edits_by_shell(self, file: Path, old: str, new: str) -> list[Turn]:
        """Return a turn that applies a patch as a here-document of a shell command."""
        return [self.shell(f"apply_patch <<'EOF'\n{changed(file, old, new)}EOF")]


SCRIPTING = "gpt-6.1-sol"
"""A model that calls tools by a script."""


def scripted(command: str) -> Turn:
    """Return a turn of `SCRIPTING` that runs a shell command and reads its output or error."""
    run = f"const done = await tools.exec_command({json.dumps({'cmd': command})});"
    return call("exec", input=f"try {{ {run} text(done.output) }} catch (error) {{ text(error) }}")


def added(file: Path, content: str) -> str:
    """Return a patch that adds a file."""
    lines = "".join(f"+{line}\n" for line in content.splitlines())
    return f"*** Begin Patch\n*** Add File: {file}\n{lines}*** End Patch\n"


def changed(file: Path, old: str, new: str) -> str:
    """Return a patch that changes a line of a file."""
    lines = f"*** Update File: {file}\n@@\n-{old}\n+{new}\n"
    return f"*** Begin Patch\n{lines}*** End Patch\n"
