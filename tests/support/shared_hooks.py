"""A project that shares user hooks, and the commands that show them."""

import json
import subprocess
from pathlib import Path
from typing import Any

from support.home import Window


def hook(command: str, **more: Any) -> dict[str, Any]:
    return {"type": "command", "command": command, **more}


def shares(window: Window, event: str, *entries: dict[str, Any], **group: Any) -> Path:
    """Let a window's project have hooks of its own, that are not trusted yet."""
    path = Path(window.project, ".hookd", "settings.json")
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"hooks": {event: [{**group, "hooks": list(entries)}]}}))
    return path


def hookd(window: Window, *args: str, **more: Any) -> subprocess.CompletedProcess[str]:
    return window.home.hookd(*args, cwd=window.project, **more)


def runs(window: Window, *args: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(hookd(window, "hooks", "log", *args, "--json").stdout)
    return found
