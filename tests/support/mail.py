"""Mail between agents: windows of one project, and the commands that they run."""

import json
from pathlib import Path
from typing import Any
from uuid import uuid4

from support.flows import has_run
from support.home import Home, Window
from support.payloads import context


def project(home: Home) -> str:
    """Return a new project, a folder of its own."""
    folder = home.path / f"project-{uuid4().hex[:8]}"
    folder.mkdir()
    return str(folder)


def agent(home: Home, folder: str, name: str = "", **env: str) -> Window:
    """Return a conversation that has started, of an agent if it has a name."""
    window = Window(home, folder, env=({"AGENT_ID": name} if name else {}) | env)
    window.says("SessionStart")
    return window


def runs(window: Window, *words: str, text: str = "", check: bool = True) -> Any:
    """Run `hookd` as a command that this conversation's model runs."""
    env = window.identity | {"CLAUDE_CODE_SESSION_ID": window.id}
    return window.home.hookd(*words, env=env, cwd=window.project, input=text, check=check)


def sends(window: Window, to: str, text: str, *more: str) -> int:
    """Send a mail from a conversation; return its number."""
    return int(json.loads(runs(window, "send", to, text, "--json", *more).stdout)["id"])


def gets(window: Window) -> str:
    """Let a tool have run; return the context that the model gets."""
    return context(has_run(window, "Bash", command="true"))


def of_person(home: Home, folder: str, *words: str, check: bool = True) -> Any:
    """Run `hookd` from outside of any conversation."""
    env = {"CLAUDE_PROJECT_DIR": folder}
    return home.hookd(*words, env=env, cwd=Path(folder), check=check)


def overview(home: Home, number: int) -> dict[str, Any]:
    """Return a mail as `hookd mail show` does."""
    shown: dict[str, Any] = json.loads(home.hookd("mail", "show", str(number), "--json").stdout)
    return shown
