"""Driver of one real client: a home with hookd installed, print mode, the client in tmux.

A scene has a home, a project and a mock of the Messages API of its own. A logging hook runs beside
hookd on every event, so that a scenario can compare what the client fired with what hookd recorded.
Every wait has an end, and leaving a scene ends every process that still lives in its home.
"""

import json
import os
import shlex
import shutil
import signal
import sqlite3
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

from clients.install import Programs
from clients.mock import Mock, Turn

T = TypeVar("T")
PATIENCE = 120
"""Seconds that one command or one run of the client may take."""
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
    "HTTP_PROXY": "http://127.0.0.1:9",  # a closed port: no request leaves the machine
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "NO_PROXY": "127.0.0.1",
}


def until(
    condition: Callable[[], T], what: str, seconds: float = 60, state: Callable[[], str] = str
) -> T:
    """Return the condition's value once it is true; fail with the state after `seconds`."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds:g} s: {what}\n{state()}".strip())
        time.sleep(0.05)
    return value


@dataclass
class Scene:
    """A home with hookd installed, a project in it, and a client of one version."""

    home: Path
    programs: Programs
    mock: Mock
    env: dict[str, str] = field(default_factory=dict)
    folder: str = "shop"
    patience: float = PATIENCE

    @property
    def project(self) -> Path:
        """Return the folder in which the client runs."""
        return self.home / self.folder

    @property
    def logs(self) -> Path:
        """Return the folder of what the logging hook receives."""
        return Path(self.env["FIRED"])

    @property
    def database(self) -> Path:
        """Return hookd's database."""
        return self.home / ".local/state/hookd/hookd.db"

    @property
    def daemon(self) -> int:
        """Return the process id of the daemon."""
        return int((self.database.parent / "run/hookd.pid").read_text())

    def run(self, *command: str, check: bool = True, **env: str) -> str:
        """Run a command in the project, bounded in time; return stdout."""
        process = subprocess.Popen(
            command,
            cwd=self.project,
            env=self.env | env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        try:
            out, err = process.communicate(timeout=self.patience)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            raise AssertionError(f"{command[0]} hangs: {out[-500:]} {err[-500:]}") from None
        assert process.returncode == 0 or not check, f"{shlex.join(command)}: {out[-500:]} {err}"
        return out

    def hookd(self, *args: str, check: bool = True, **env: str) -> str:
        """Run hookd as a person at a terminal of their own would; return stdout."""
        return self.run("hookd", *args, check=check, **env)

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

    def rows(self, sql: str, *values: Any) -> list[dict[str, Any]]:
        """Return rows of hookd's database."""
        address = f"file:{self.database}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, timeout=10)) as database:
            database.row_factory = sqlite3.Row
            return [dict(row) for row in database.execute(sql, values)]

    def recorded(self, event: str = "") -> list[dict[str, Any]]:
        """Return the rows of `events`, canaries of doctor excepted."""
        rows = self.rows("SELECT * FROM events WHERE kind = 'hook' ORDER BY id")
        return [row for row in rows if event in ("", row["event"])]

    def compare(self) -> str:
        """Return the difference between fired and recorded events; empty where there is none."""
        fired = Counter(map(identity, self.fired()))
        kept = Counter(identity(json.loads(row["payload"])) for row in self.recorded())
        lines = [f"fired {n}x, not recorded: {one}" for one, n in (fired - kept).items()]
        lines += [f"recorded {n}x, not fired: {one}" for one, n in (kept - fired).items()]
        return "\n".join(lines)

    def settle(self) -> None:
        """Wait until every fired event is recorded once; fail with the difference."""
        with suppress(AssertionError):
            until(lambda: not self.compare(), "settled", 30)
        assert not (difference := self.compare()), difference
        assert self.fired(), "the client fired no event"

    @contextmanager
    def terminal(self, *options: str, **env: str) -> Iterator["Terminal"]:
        """Run the client in tmux, on a socket in the home, until the block ends."""
        socket = self.home / f"tmux-{uuid4().hex[:4]}"
        one = Terminal(socket, self)
        line = shlex.join(["claude", *self.debug, *options])
        size = ("-x", "150", "-y", "50")
        one.tmux("new-session", "-d", *size, "-c", str(self.project), line, env=self.env | env)
        try:
            one.waits("❯")
            yield one
        finally:
            (self.logs / "screen.txt").write_text(one.screen())
            one.tmux("kill-server", check=False)


@dataclass
class Terminal:
    """The client in a tmux pane."""

    socket: Path
    scene: Scene

    def tmux(self, *args: str, check: bool = True, env: Mapping[str, str] | None = None) -> str:
        """Run one tmux command; return its output."""
        command = ("tmux", "-S", str(self.socket), "-f", "/dev/null", *args)
        done = subprocess.run(
            command,
            env=env or self.scene.env,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0 or not check, done.stderr
        return done.stdout

    def beside(self, command: str) -> None:
        """Run a command outside of the client, as a person in another terminal would."""
        self.tmux("run-shell", f"{command} >/dev/null 2>&1")

    def screen(self) -> str:
        """Return what the pane shows."""
        return self.tmux("capture-pane", "-p", check=False).strip()

    def waits(self, text: str, seconds: float = 60) -> str:
        """Wait until the pane shows a text, also across lines; return the screen."""

        def shown() -> str:
            screen = self.screen()
            return screen if text in " ".join(screen.split()) else ""

        return until(shown, text, seconds, self.screen)

    def keys(self, *keys: str) -> None:
        """Press keys by their tmux names; the client may have ended meanwhile."""
        self.tmux("send-keys", *keys, check=False)

    def answers(self, question: str, key: str) -> None:
        """Wait for a dialog and press a key until it has closed."""
        self.waits(question)

        def closed() -> bool:
            self.keys(key)
            time.sleep(0.5)  # a new dialog ignores keys for a moment
            return question not in self.screen()

        until(closed, f"dialog closed: {question}", state=self.screen)

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
        one = Scene(home, programs, mock, furnish(home, programs, "shop"))
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
    for folder in ("bin", "fired", ".claude", "tmp", *projects):
        (home / folder).mkdir()
    for program, target in (("claude", programs.claude), ("hookd", programs.hookd)):
        (home / "bin" / program).symlink_to(target)
    (home / ".gitconfig").write_text("[user]\n\tname = Ana\n\temail = ana@example.com\n")
    (home / ".claude/settings.json").write_text(json.dumps(_settings()))
    trust(home, *projects)
    return QUIET | {
        "PATH": f"{home}/bin:{os.environ['PATH']}",
        "HOME": str(home),
        "TMPDIR": str(home / "tmp"),
        "FIRED": str(home / "fired"),
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "ANTHROPIC_API_KEY": KEY,
    }


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


def send(home: Path, number: signal.Signals) -> int:
    """Send a signal to every process whose HOME is this folder or below it; return how many."""
    mark, count = b"\0HOME=" + os.fsencode(home), 0
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            lives = b"\0" + (folder / "environ").read_bytes()
            if mark + b"\0" in lives or mark + b"/" in lives:
                os.kill(int(folder.name), number)
                count += 1
    return count


def end(home: Path) -> None:
    """Kill every process whose HOME is this folder or below it."""
    send(home, signal.SIGKILL)
    if not Path("/proc/self/environ").exists():  # macOS: the daemon alone outlives its parent
        for file in home.glob(".local/state/hookd/run/hookd.pid"):
            with suppress(OSError, ValueError):
                os.kill(int(file.read_text()), signal.SIGKILL)
