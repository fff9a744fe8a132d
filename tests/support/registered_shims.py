"""Registered shims in a home of a test: links and a configuration, as `hookd install` has it."""

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hookd.clients.adapters import adapter_of
from hookd.core.model.fail_policy import CLOSABLE
from hookd.core.model.shim_config import CONFIG, EventRule, ShimConfig, render
from support.home import HOOKD, SHIM, Home
from support.programs import PYTHON

DENIED, SAFE = {"command": "rm -rf ~"}, {"command": "git status"}


@dataclass
class Scope:
    """A scope's folder. `program` is what starts a daemon; the rest is its configuration's.

    `client` is the client that the hooks are registered for, "" for Claude Code.
    """

    home: Home
    no_verdict: str = "judge"
    closed: bool = False
    deadline: int = 20
    program: str = str(HOOKD)
    python: str = sys.executable
    client: str = ""
    folder: Path = field(init=False)

    def __post_init__(self) -> None:
        shims = self.home.path / "shims"
        self.folder = shims / "user"
        self.folder.mkdir(parents=True)
        for one in SHIM.parent.glob("hookd-*"):
            shutil.copy(one, shims)
        template = adapter_of(self.client).capabilities.denial_template
        config = ShimConfig(
            client=self.client,
            denials={name: template(name) for name in CLOSABLE} if self.client else {},
            socket=str(self.home.socket),
            hookd=self.program,
            python=self.python,
            no_verdict=self.no_verdict,
            environment=tuple(f"{name}={self.home.env[name]}" for name in ("HOME", "HOOKD_HOME")),
            transports=(f"python3:{PYTHON}",),
            events={name: EventRule(self.deadline, self.closed) for name in CLOSABLE},
        )
        (self.folder / CONFIG).write_text(render(config))
        for name in CLOSABLE:
            (self.folder / name).symlink_to(f"../{SHIM.name}")

    def starts(
        self, event: dict[str, Any] | bytes, name: str = "PreToolUse", **env: str
    ) -> "subprocess.Popen[bytes]":
        """Start one hook as the client does, and give it the event."""
        process = subprocess.Popen(
            [str(self.folder / name)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.home.env | env,
        )
        assert process.stdin is not None
        process.stdin.write(event if isinstance(event, bytes) else json.dumps(event).encode())
        process.stdin.close()
        process.stdin = None
        return process

    def runs(
        self, event: dict[str, Any] | bytes, name: str = "PreToolUse", **env: str
    ) -> "subprocess.CompletedProcess[bytes]":
        """Run one hook to its end."""
        process = self.starts(event, name, **env)
        out, err = process.communicate(timeout=60)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)
