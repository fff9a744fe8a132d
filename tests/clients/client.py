"""Driver of Claude Code: a home with hookd installed, print mode, the client in tmux.

A scene has a home, a project and a mock of the Messages API of its own. A logging hook runs beside
hookd on every event, so that a scenario can compare what the client fired with what hookd recorded.
Every wait has an end, and leaving a scene ends every process that still lives in its home.
"""

import json
import shutil
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

from clients.install import Programs
from clients.mock import Mock
from clients.models.turn import Turn
from clients.pane import Pane, started
from clients.place import Place, end, furnish_home, until

KEY = "sk-ant-test-dummy"
# fmt: off
EVENTS = (
    "SessionStart", "Setup", "InstructionsLoaded", "UserPromptSubmit", "UserPromptExpansion",
    "PreToolUse", "PermissionRequest", "PermissionDenied",
    "PostToolUse", "PostToolUseFailure", "PostToolBatch",
    "SubagentStart", "SubagentStop", "TaskCreated", "TaskCompleted", "TeammateIdle",
    "Stop", "StopFailure", "Notification", "PreCompact", "PostCompact", "SessionEnd",
    "PreModelSwitch", "PostModelSwitch", "Elicitation", "ElicitationResult",
    "ConfigChange", "CwdChanged", "FileChanged", "DirectoryAdded",
)
"""Events of the logging hook: all of the client's but the three that hookd does not register."""
IDENTITY = (
    "hook_event_name", "session_id", "agent_id", "tool_use_id", "prompt_id", "tool_name", "prompt",
    "source", "reason", "trigger", "notification_type", "command_name", "task_id", "file_path",
    "error",
)
# fmt: on
"""Fields of a payload that tell one event from another."""
QUIET = {
    "DISABLE_TELEMETRY": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "DISABLE_AUTOUPDATER": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION": "false",
    "IS_SANDBOX": "1",  # permits bypassPermissions to root
}


@dataclass
class Scene(Place):
    """A home with hookd installed, a project in it, and Claude Code of one version."""

    programs: Programs = field(kw_only=True)

    def asks(
        self,
        prompt: str,
        *turns: Turn | str,
        options: tuple[str, ...] = ("--permission-mode", "bypassPermissions"),
        check: bool = True,
        **env: str,
    ) -> dict[str, Any]:
        """Run the client in print mode with these turns of the model; return its result."""
        self.mock.script(*turns)
        line = ("claude", "-p", prompt, "--output-format", "json", *self.debug, *options)
        out = self.run(*line, check=check, **env)
        return json.loads(out) if out.startswith("{") else {"result": out}

    @property
    def debug(self) -> tuple[str, str]:
        """Return the options for the client's debug log."""
        return "--debug-file", str(self.logs / "debug.log")

    def fired(self, event: str = "") -> list[dict[str, Any]]:
        """Return the payloads that the logging hook received, oldest first."""
        files = list(self.logs.rglob("fired-*"))
        files.sort(key=lambda file: file.stat().st_mtime_ns)
        texts = [file.read_text("utf-8") for file in files]
        payloads = [json.loads(text) for text in texts if text.endswith("\n")]
        return [one for one in payloads if event in ("", one["hook_event_name"])]

    def compare(self) -> str:
        """Return the difference between fired and recorded events; empty where there is none."""
        fired = Counter(map(identity, self.fired()))
        kept = Counter(identity(json.loads(row["payload"])) for row in self.recorded())
        lines = [f"fired {n}x, not recorded: {one}" for one, n in (fired - kept).items()]
        lines += [f"recorded {n}x, not fired: {one}" for one, n in (kept - fired).items()]
        return "\n".join(lines)

    def fired_events(self) -> frozenset[str]:
        """Return the names of the events that the client fired."""
        return frozenset(one["hook_event_name"] for one in self.fired())

    @contextmanager
    def terminal(self, *options: str, **env: str) -> Iterator["Terminal"]:
        """Run the client in tmux, on a socket in the home, until the block ends."""
        with started(self, ["claude", *self.debug, *options], Terminal, env) as one:
            one.waits("❯")
            yield one


class Terminal(Pane):
    """Claude Code in a tmux pane."""

    scene: Scene

    def types(self, text: str) -> None:
        """Type a line and press Enter until the client has taken it."""
        self.tmux("send-keys", "-l", text)
        self.waits(text[:60])

        def submitted() -> bool:
            time.sleep(0.3)  # keys that arrive together are taken for pasted text
            self.keys("Enter")
            time.sleep(0.5)
            prompts = [one["prompt"] for one in self.scene.fired("UserPromptSubmit")]
            return text in prompts or text[:60] not in self.field()

        until(submitted, f"input taken: {text!r}", state=self.screen)

    def clears(self) -> None:
        """Empty the input field: a prompt that a hook refused comes back into it."""

        def empty() -> bool:
            self.keys("C-u")
            time.sleep(0.3)  # keys that arrive together are taken for pasted text
            return not self.field().partition("\n")[0].strip()

        until(empty, "input field empty", state=self.screen)

    def field(self) -> str:
        """Return the input field or dialog: what follows the last prompt mark."""
        return self.screen().rpartition("❯")[2]

    def asks(self, prompt: str, *turns: Turn | str) -> None:
        """Submit a prompt and wait until the model has given all scripted turns."""
        self.scene.mock.script(*turns)
        before = len(self.scene.fired("Stop"))
        self.types(prompt)
        self.waits_for("Stop", before + 1)

    def ends(self) -> None:
        """Leave the client by /exit and wait for SessionEnd."""
        before = len(self.scene.fired("SessionEnd"))
        self.types("/exit")
        self.waits_for("SessionEnd", before + 1)

    def waits_for(self, event: str, count: int = 1) -> dict[str, Any]:
        """Wait until the client has fired an event so often; return the last payload."""

        def fired() -> list[dict[str, Any]]:
            payloads = self.scene.fired(event)
            return payloads if len(payloads) >= count else []

        seconds = self.scene.patience / 2
        return until(fired, f"{count} x {event}", seconds, self.screen)[-1]


def identity(payload: Mapping[str, Any]) -> str:
    """Return the fields of a payload that tell one event from another."""
    return " ".join(f"{key}={payload[key]!s:.200}" for key in IDENTITY if payload.get(key))


@contextmanager
def scene(
    programs: Programs, homes: Path, install: tuple[str, ...] = (), name: str = ""
) -> Iterator[Scene]:
    """Make a home, install and start hookd in it as a user would; remove it at the end."""
    home = homes / (name or uuid4().hex[:8])
    home.mkdir(parents=True)
    with Mock() as mock:
        one = Scene(home, mock, furnish(home, programs, "shop"), programs=programs)
        one.env["ANTHROPIC_BASE_URL"] = mock.url
        try:
            one.run("git", "init", "--quiet", "--initial-branch", "main")
            one.hookd("install", *install)
            one.hookd("start")
            yield one
        finally:
            end(home)
    shutil.rmtree(home, ignore_errors=True)


def furnish(home: Path, programs: Programs, *projects: str) -> dict[str, str]:
    """Fill a home with programs, settings and empty projects; return its environment."""
    env = furnish_home(home, programs.hookd, *projects)
    (home / "bin/claude").symlink_to(programs.claude)
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").write_text(json.dumps(_settings()))
    trust(home, *projects)
    return env | QUIET | {"ANTHROPIC_API_KEY": KEY}


def _settings() -> dict[str, Any]:
    """Return the user's own settings: the logging hook on every event."""
    line = 'cat > "$(mktemp "$FIRED/fired-XXXXXXXX")"'
    entry = [{"hooks": [{"type": "command", "command": line, "timeout": 5}]}]
    return {"hooks": dict.fromkeys(EVENTS, entry)}


def trust(home: Path, *projects: str) -> None:
    """Write the client's own state after the first start: no question is left open."""
    trusted = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
    state = {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "bypassPermissionsModeAccepted": True,
        "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []},
        "projects": {str(home / project): trusted for project in projects},
    }
    (home / ".claude.json").write_text(json.dumps(state))
