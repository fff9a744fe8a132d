"""opencode: `opencode run` with a provider of Chat Completions; its logging hook is a plugin."""

import json
from pathlib import Path

from clients.drivers.driver import Driver
from clients.install import install_packages, platform_name
from clients.models.turn import Turn, call

PLUGIN = """import fs from "node:fs"

const wanted = %s
let count = 0
const log = (name, input, output) => {
  if (!wanted.includes(name)) return
  const number = String(count++).padStart(4, "0")
  const text = JSON.stringify({ input, output }) + "\\n"
  fs.writeFileSync(`${process.env.FIRED}/${name}.${process.pid}-${number}`, text)
}
export const Log = async () => ({
  "chat.message": async (input, output) => log("chat.message", input, output),
  "tool.execute.before": async (input, output) => log("tool.execute.before", input, output),
  "tool.execute.after": async (input, output) => log("tool.execute.after", input, output),
  event: async ({ event }) => log(event.type, event),
  dispose: async () => log("dispose"),
})
"""


class Opencode(Driver):
    """opencode, a single program; at its start it wants a package beside its configuration."""

    name = "opencode"
    version = "1.18.33"
    packages = {
        "opencode-ai@1.18.33": {
            "opencode-ai": "sha512-58P1ffLRXiAY4QeoABqUjqf6DEzm1ihpovvn9Ad+oOLbLiwK/rf88wruT9IATJ7A"
            "tNjmi8iA7pC8tN4o5y799Q==",
            "opencode-linux-x64": "sha512-q/t/3p2CTxOT9y2kvjesb/LZab2+1eqlhhWA02Be6mjTtmYtNBcBsrI5"
            "yDo4Fw7ZSPBW2oyMIGMNRqiKQjiAWw==",
        }
    }
    plugin = {
        "@opencode-ai/plugin@1.18.33": {
            "@opencode-ai/plugin": "sha512-fmhqCBJvNt+Vfbx6ckKP19S3xwMBhUXLCBQaK92R4wnv3wsWTZYkJQwY"
            "f2egiWfJNOl47jhs3vP7uQkl0mvHQw=="
        }
    }
    # fmt: off
    events = (
        "session.created", "chat.message", "tool.execute.before", "tool.execute.after",
        "session.idle", "session.error", "permission.asked", "permission.replied", "dispose",
    )
    # fmt: on
    ends = ("dispose",)
    settings = (".config/opencode/plugins",)
    server_file = ".config/opencode/opencode.json"
    own_tool = "hookd_{}"
    window = 200_000
    window_at_stop = True

    def install(self) -> None:
        """Install the client and the package that it wants beside its configuration."""
        super().install()
        self.plugin_modules = install_packages(f"{self.name}-plugin-{self.version}", self.plugin)

    def furnish(self, home: Path, project: Path, url: str) -> dict[str, str]:
        """Write opencode.json and the logging plugin."""
        del project  # it asks no trust
        folder = home / ".config/opencode"
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "name": "Mock",
            "options": {"baseURL": f"{url}/v1", "apiKey": "x"},
            "models": {"mock": {"name": "Mock", "limit": {"context": 200_000, "output": 8_000}}},
        }
        models = {"model": "mock/mock", "small_model": "mock/mock"}
        settings = models | {"share": "disabled", "provider": {"mock": provider}}
        self.write(folder / "opencode.json", settings)
        self.write(folder / "package.json", {"dependencies": {"@opencode-ai/plugin": self.version}})
        (folder / "node_modules").symlink_to(self.plugin_modules)
        (folder / "plugins").mkdir()
        (folder / "plugins/log.js").write_text(PLUGIN % json.dumps(self.events))
        return {
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "npm_config_offline": "true",
        }

    def line(self, prompt: str, *, resumed: bool = False) -> list[str]:
        """Return the line of a run without a person."""
        program = self.modules / f"opencode-{platform_name()}/bin/opencode"
        last = ["--continue"] if resumed else []
        return [str(program), "run", "--format", "json", *last, prompt]

    def shell(self, command: str) -> Turn:
        """Return a turn that runs a shell command."""
        return call("bash", command=command, description="Run a command")

    def create(self, file: Path, content: str) -> Turn:
        """Return a turn that writes a file."""
        return call("write", filePath=str(file), content=content)

    def replace(self, file: Path, old: str, new: str) -> Turn:
        """Return a turn that changes a line of a file."""
        return call("edit", filePath=str(file), oldString=old, newString=new)
