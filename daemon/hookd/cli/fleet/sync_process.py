"""Start and end the sync process of a host in a fleet, beside the daemon."""

import os
import signal
import subprocess
import sys
import time

from hookd import paths
from hookd.cli.lib.errors import Problem
from hookd.paths import Paths
from hookd.system import fleet_files

_TIMEOUT_S = 20
"""Limit for the process to begin, or to end."""


def start_sync(places: Paths) -> bool:
    """Start the sync process, if this host has a credential and none runs; return whether it did.

    In no fleet it ends at once. Its log is `hookd-sync.log` beside the daemon's.
    """
    if not places.credential.exists() or fleet_files.sync_process(places.sync_lock) is not None:
        return False
    number = os.open(places.sync_log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "hookd", "fleet", "sync", "--service"],
            cwd="/",
            env=paths.daemon_environment(),
            stdin=subprocess.DEVNULL,
            stdout=number,
            stderr=number,
            start_new_session=True,
        )
    finally:
        os.close(number)
    end = time.monotonic() + _TIMEOUT_S
    while fleet_files.sync_process(places.sync_lock) is None and process.poll() is None:
        if time.monotonic() > end:
            break
        time.sleep(0.02)
    process.returncode = 0  # it outlives this command, which must not wait for it
    return True


def end_sync(places: Paths) -> bool:
    """End the sync process, and wait for its end; return whether one ran. Raise Problem."""
    pid = fleet_files.sync_process(places.sync_lock)
    if not pid:
        return False
    os.kill(pid, signal.SIGTERM)
    end = time.monotonic() + _TIMEOUT_S
    while fleet_files.sync_process(places.sync_lock) is not None:
        if time.monotonic() > end:
            raise Problem(f"The sync process ({pid}) does not end.", f"kill -9 {pid}")
        time.sleep(0.02)
    return True
