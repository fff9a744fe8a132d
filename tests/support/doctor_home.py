"""What the tests of `hookd doctor` share: a home of their own, with settings of every layer."""

import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from click.testing import CliRunner

from hookd import paths
from hookd.cli import main
from hookd.cli.doctor.checks.result import Finding
from hookd.cli.install import scope_folder
from hookd.clients.claude_code.registration import register
from hookd.clients.hook_groups import Shim
from hookd.core.model.shim_config import ShimConfig, event_rules
from hookd.events.protocol import EVENTS
from support.home import HOOKD, Home

doctor = import_module("hookd.cli.doctor.doctor")  # its package exports nothing

EVERY = [spec.name for spec in EVENTS.values() if spec.registered]
DEAR = {
    "check_hook_program": {"shim", "hook time", "status line"},
    "check_canary": {"canary"},
    "check_mcp_servers": {"mcp"},
    "check_without_daemon": {"no daemon"},
    "check_user_hooks": {"own hooks", "others"},
}
"""The checks that start programs, by function, with the names of their findings."""

OTHER: dict[str, Any] = {"type": "command", "command": "/opt/lint.sh"}


@dataclass
class Scene:
    """A home folder with a project in it, and a folder for an administrator's settings."""

    home: Home
    project: Path
    managed: Path

    @property
    def files(self) -> dict[str, Path]:
        """Where each layer's settings stand."""
        return {
            "user": self.home.path / ".claude" / "settings.json",
            "project": self.project / ".claude" / "settings.json",
            "local": self.project / ".claude" / "settings.local.json",
            "managed": self.managed / "managed-settings.json",
        }

    def write(self, layer: str, value: object) -> Path:
        """Write the settings of a layer; a text is written as it is."""
        file = self.files[layer]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(value if isinstance(value, str) else json.dumps(value))
        return file

    def entries(
        self, *events: str, scope: str = "user", closed: tuple[str, ...] = (), **more: Any
    ) -> dict[str, Any]:
        """Return settings that register hookd for some events, or for all of the default.

        The folder of the scope is made; `more` are other values of its configuration.
        """
        known: dict[str, Any] = {
            "socket": str(self.home.socket),
            "hookd": str(HOOKD),
            "python": sys.executable,
            "no_verdict": "open",  # to judge without the daemon takes its time
            "transports": (f"python3:{sys.executable}",),
            "events": event_rules(events or EVERY, closed),
        }
        folder = self.home.path / "shims" / scope
        scope_folder.write(folder, ShimConfig(**(known | more)), line=False)
        return register({}, Shim(str(folder), closed), events or EVERY)

    def older(self, *events: str, **more: str) -> dict[str, Any]:
        """Return settings of the older form, which has the shim's options as arguments."""
        named = {
            "socket": str(self.home.socket),
            "transport": f"python3:{sys.executable}",
            "hookd": str(HOOKD),
        } | more
        path = named.pop("path", str(self.home.path / "shims" / "hookd-hook"))
        words = [word for name, value in named.items() for word in (f"--{name}", value)]
        return {
            "hooks": {
                name: [
                    {
                        "matcher": "*",
                        "hooks": [
                            {
                                "type": "command",
                                "command": path,
                                "args": ["--event", name, "--deadline", "13", *words],
                                "timeout": 15,
                            }
                        ],
                    }
                ]
                for name in events
            }
        }

    def changed(self, change: Callable[[dict[str, Any]], object], *events: str) -> dict[str, Any]:
        """Return such settings after `change` was made to the first group of each event."""
        settings = self.entries(*events)
        for groups in settings["hooks"].values():
            change(groups[0])
        return settings

    def findings(self, *checks: str) -> list[Finding]:
        """Return what doctor finds here, of all checks or of some.

        Of the checks that start programs, only those run whose findings are returned.
        """
        with ExitStack() as left_out:
            for check, names in DEAR.items():
                if checks and not names & set(checks):
                    left_out.enter_context(patch.object(doctor, check, lambda *_: ()))
            if checks and "no daemon" not in checks:
                left_out.enter_context(patch.object(doctor, "trial", lambda _: nullcontext()))
            found = list(doctor.examine(self.project, self.managed))
        return [one for one in found if not checks or one.check in checks]

    def found(self, *checks: str) -> list[tuple[str, str]]:
        """Return state and sentence of what doctor finds, of all checks or of some."""
        return [(str(one.state), one.what) for one in self.findings(*checks)]

    def bad(self, *checks: str) -> list[tuple[str, str]]:
        """Return what is not ok, without warnings of a slow machine: those give milliseconds."""
        found = [(state, what) for state, what in self.found(*checks) if state != "ok"]
        return [(state, what) for state, what in found if not re.search(r"\d ms", what)]

    def program(self, name: str, text: str) -> Path:
        """Write a program that is first on the PATH."""
        path = self.home.path / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
        return path

    def doctor(self, *args: str) -> tuple[int, str]:
        """Run the command in this process; return its exit code, and what it printed."""
        ran = CliRunner().invoke(main, ["doctor", *args])
        assert ran.exception is None or isinstance(ran.exception, SystemExit), ran.exc_info
        return ran.exit_code, ran.stdout


def scene_in(home: Home, monkeypatch: pytest.MonkeyPatch) -> Scene:
    """Return a scene whose home, project and PATH are those of this process."""
    project = home.path / "project"
    (project / ".git").mkdir(parents=True)
    home.env["PATH"] = f"{home.path}/bin:{home.env['PATH']}"
    for name, value in home.env.items():
        monkeypatch.setenv(name, value)
    for name in (*paths.IDENTITY, "CLAUDE_CONFIG_DIR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(project)
    (home.path / "bin").mkdir()
    (home.path / "bin" / "hookd").symlink_to(HOOKD)
    return Scene(home, project, home.path / "etc")


@contextmanager
def guarded(
    home: Home, monkeypatch: pytest.MonkeyPatch, no_verdict: str = "open", shim: str = "bash"
) -> Iterator[Scene]:
    """A scene in which hookd is installed, and its daemon runs.

    Each run of doctor tries the judge where it is registered, which takes half a second.
    """
    scene = scene_in(home, monkeypatch)
    scene.program("claude", "#!/bin/sh\necho '2.1.329 (Claude Code)'\n")
    home.hookd("install", "--no-verdict", no_verdict, "--shim", shim)
    home.serves()
    yield scene
    # A shim whose transport fails takes the daemon for dead, and its pid file away.
    home.hookd("stop", "--yes", cwd=home.path)
