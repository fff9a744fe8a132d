"""Live: a session joins an effort of its own terminal or client, and no other one."""

import json
import os
import pty
import subprocess
import sys
import termios
from uuid import uuid4

import pytest

from support.home import HOOKD, SHIM, Home, Window, window_in
from support.payloads import payload

LEADER = f"""
import fcntl, os, sys
if os.fork():
    os._exit(0)
os.setsid()
fcntl.ioctl(0, {termios.TIOCSCTTY}, 0)
os.execv("/bin/bash", ["bash", "-c", sys.argv[1]])
"""
"""Becomes the leader of a session of its own at the terminal on stdin; it has no parent."""


TOOL = """
import subprocess, sys
subprocess.run(sys.argv[1:], start_new_session=True, stdin=subprocess.DEVNULL, check=True)
"""
"""Runs a command as the tool Bash does."""


class Scene:
    """A project, with a client whose program is bash."""

    def __init__(self, home: Home) -> None:
        self.window: Window = window_in(home)
        self.home = home
        (home.path / "claude").symlink_to("/bin/bash")
        (home.path / "tool.py").write_text(TOOL)
        names = {"HOOKD": str(HOOKD), "SHIM": str(SHIM), "CLIENT": f"{home.path}/claude"}
        self.env = home.env | names | {"CLAUDE_PROJECT_DIR": self.window.project}

    def starts(self, session: str) -> str:
        """Return the command by which a client tells that a session has started."""
        event = payload("SessionStart", session_id=session, cwd=self.window.project)
        file = self.home.path / f"{session}.json"
        file.write_text(json.dumps(event))
        return f'"$SHIM" --event SessionStart --socket "{self.home.socket}" < {file}'

    def client(self, *commands: str) -> str:
        """Return the command that runs a client, which runs these."""
        return f"\"$CLIENT\" -c '{' ; '.join(commands)} ; :'"

    def terminal(self, *commands: str) -> str:
        """Run commands in a new terminal; return its content when they have ended."""
        ours, theirs = pty.openpty()
        script = " ; ".join((*commands, ":"))
        subprocess.run(
            [sys.executable, "-S", "-E", "-c", LEADER, script],
            env=self.env,
            cwd=self.window.project,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            check=True,
            timeout=60,
        )
        os.close(theirs)
        said = b""
        with os.fdopen(ours, "rb", buffering=0) as screen:
            while chunk := _read(screen.fileno()):
                said += chunk
        return said.decode()

    def effort(self, session: str) -> int | None:
        """Return the effort of a session."""
        sql = "SELECT effort_id FROM sessions WHERE claude_session_id = ?"
        found: int | None = self.home.rows(sql, session)[-1][0]
        return found


def _read(screen: int) -> bytes:
    try:
        return os.read(screen, 4096)
    except OSError:  # Linux: the other end is closed
        return b""


@pytest.fixture
def scene(daemon: Home) -> Scene:
    return Scene(daemon)


def sessions(count: int) -> list[str]:
    return [str(uuid4()) for _ in range(count)]


def test_a_session_joins_an_effort_of_its_own_terminal_only(scene: Scene) -> None:
    own, other, later = sessions(3)
    start = '"$HOOKD" effort start tasks/pages implement'
    scene.terminal(start, scene.client(scene.starts(own)))
    scene.terminal(scene.client(scene.starts(other)))
    assert (scene.effort(own), scene.effort(other)) == (1, None)
    resume = '"$HOOKD" effort resume'  # how a person continues in another terminal
    scene.terminal(resume, scene.client(scene.starts(later)))
    assert (scene.effort(later), scene.effort(other)) == (1, 1)


def test_an_effort_that_a_client_began_is_of_its_sessions(scene: Scene) -> None:
    own, other, next_, stranger = sessions(4)
    scene.terminal(scene.client(scene.starts(other)))
    start = f'{sys.executable} {scene.home.path}/tool.py "$HOOKD" effort start tasks/p implement'
    scene.terminal(scene.client(scene.starts(own), start, scene.starts(next_)))
    scene.terminal(scene.client(scene.starts(stranger)))
    found = [scene.effort(one) for one in (own, next_, other, stranger)]
    assert found == [1, 1, None, None]
