"""Live: a daemon that ends by a fault, or is killed, leaves no process behind."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from support.bad_payloads import of
from support.home import Home, serving, until
from support.payloads import header

pytestmark = pytest.mark.gate

FAULTY = """
import asyncio
from hookd.daemon.fleet_publisher import FleetPublisher
from hookd.cli import main
from hookd.daemon.maintenance import MaintenanceLoop

look, seen = FleetPublisher.publish, asyncio.Event()

async def looks(board):
    await look(board)
    seen.set()

async def fails(rounds):
    await seen.wait()
    raise RuntimeError

FleetPublisher.publish, MaintenanceLoop.run = looks, fails
main(["serve"])
"""
"""A daemon with a fault in what it does beside its answers, once it has read its database."""


def test_a_fault_beside_the_answers_ends_the_whole_process(home: Home) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FAULTY], env=home.env, capture_output=True, timeout=20, check=False
    )
    assert done.returncode != 0
    assert home.logged("daemon failed") != []


HOOK = """
trap '' TERM
cat > /dev/null
sleep 300 &
echo $$ $! > "$HOME/began.new"
mv "$HOME/began.new" "$HOME/began"
wait
"""


@pytest.mark.parametrize("background", [False, True])
def test_a_hook_does_not_outlive_a_daemon_that_is_killed(home: Home, background: bool) -> None:
    entry = {"type": "command", "command": HOOK, "timeout": 200, "async": background}
    home.settings({"hooks": {"PreToolUse": [{"hooks": [entry]}]}})
    began = home.path / "began"
    with serving(home) as daemon, home.link() as link:
        link.sendall(header("PreToolUse") + json.dumps(of()).encode() + b"\x1e")
        until(began.exists)
        os.kill(daemon.pid, signal.SIGKILL)
        for pid in map(int, began.read_text().split()):
            until(lambda: gone(pid))  # noqa: B023


def gone(pid: int) -> bool:
    """Whether a process has ended, even if it is a zombie."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (ProcessLookupError, FileNotFoundError):
        return not Path("/proc/self").exists() or not Path(f"/proc/{pid}").exists()
