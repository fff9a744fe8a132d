"""A project with hooks of its own, and the terminal in it."""

import json
import subprocess
from pathlib import Path
from typing import Any

from support.home import Window

ENTRY = {"type": "command", "command": "echo no >&2; exit 2"}


def holding(*entries: dict[str, Any], event: str = "PreToolUse", **more: Any) -> dict[str, Any]:
    return {"hooks": {event: [{"hooks": list(entries)}]}, **more}


def file_of(window: Window, name: str = "settings.json") -> Path:
    path = Path(window.project, ".hookd", name)
    path.parent.mkdir(exist_ok=True)
    return path


def written(window: Window, value: Any, name: str = "settings.json") -> Path:
    path = file_of(window, name)
    path.write_text(json.dumps(value))
    return path


def run(window: Window, *args: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    return window.home.hookd(*args, cwd=window.project, check=check)


def refused(window: Window, *args: str, code: int = 1) -> str:
    done = run(window, *args, check=False)
    assert (done.returncode, done.stdout) == (code, ""), done
    assert "Traceback" not in done.stderr
    return done.stderr
