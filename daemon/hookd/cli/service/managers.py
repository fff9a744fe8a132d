"""Service managers of the user: systemd and launchd, by systemctl and launchctl."""

import hashlib
import os
import platform
import re
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from hookd import paths
from hookd.cli.service.units import Job, plist, unit
from hookd.lazy_dataclass import dataclass

KINDS = ("systemd", "launchd")

_TIMEOUT_S = 60
"""Limit of one command: systemd and launchd wait until a daemon ends."""


class ManagerError(Exception):
    """A service manager refused a command; the message is the reason, without a full stop."""


@dataclass(frozen=True)
class ServiceState:
    """State of a service: started at login, running, failed, and its process."""

    enabled: bool
    active: bool
    failed: bool
    pid: int | None


class Host(Protocol):
    """Manager of one service. Its methods raise ManagerError if a command fails."""

    @property
    def kind(self) -> str:
        """One of KINDS."""

    @property
    def name(self) -> str:
        """Name of the service."""

    @property
    def file(self) -> Path:
        """Path of the service's file."""

    @property
    def manual_commands(self) -> tuple[str, str]:
        """Commands for a person after the file was written, or removed, without the manager."""

    @property
    def record(self) -> str:
        """Command that shows why the service did not start."""

    def render(self, job: Job) -> bytes:
        """Return the content of its file."""

    def look(self) -> ServiceState:
        """Return its state."""

    def enable(self, *, renewed: bool) -> None:
        """Start it at login from now on. `renewed` is whether its file changed."""

    def start(self, *, renewed: bool) -> None:
        """Start it, or restart it."""

    def disable(self) -> None:
        """End it, and do not start it at login."""

    def forget(self) -> None:
        """Forget its file, which was removed."""


def host(kind: str | None = None, base: str = "hookd") -> Host:
    """Return the service manager of this system, or the one of `kind`, for one service."""
    chosen = kind or ("launchd" if platform.system() == "Darwin" else "systemd")
    return Launchd(_name(base)) if chosen == "launchd" else Systemd(f"{_name(base)}.service")


def _name(base: str) -> str:
    """Return the service's name: a daemon with HOOKD_HOME has a separate service."""
    home = paths.daemon_environment().get("HOOKD_HOME")
    return f"{base}-{hashlib.sha256(os.fsencode(home)).hexdigest()[:8]}" if home else base


@dataclass(frozen=True)
class Systemd:
    """The user's systemd."""

    name: str
    kind: str = "systemd"

    @property
    def file(self) -> Path:
        """Path among the user's units."""
        named = paths.variable("XDG_CONFIG_HOME") or ""
        config = Path(named) if named.startswith("/") else Path.home() / ".config"
        return config / "systemd" / "user" / self.name

    @property
    def manual_commands(self) -> tuple[str, str]:
        """Commands of systemctl or launchctl."""
        enable = f"systemctl --user daemon-reload && systemctl --user enable --now {self.name}"
        return enable, f"systemctl --user stop {self.name}; systemctl --user daemon-reload"

    @property
    def record(self) -> str:
        """The journal."""
        return f"journalctl --user -u {self.name} -n 20"

    def render(self, job: Job) -> bytes:
        """Return the unit."""
        return unit(job)

    def look(self) -> ServiceState:
        """Return the state by its properties."""
        wanted = [f"--property={one}" for one in ("UnitFileState", "ActiveState", "MainPID")]
        lines = _run("systemctl", "--user", "show", self.name, *wanted).splitlines()
        known = dict(line.split("=", 1) for line in lines if "=" in line)
        state, pid = known.get("ActiveState"), known.get("MainPID", "")
        number = int(pid) if pid.isdecimal() else 0
        enabled = known.get("UnitFileState") == "enabled"
        return ServiceState(enabled, state == "active", state == "failed", number or None)

    def enable(self, *, renewed: bool) -> None:
        """Link it to the units that start at login."""
        if renewed:
            self.forget()
        self._do("enable", self.name)

    def start(self, *, renewed: bool) -> None:
        """Restart it, also after too many failures."""
        with suppress(ManagerError):  # it never ran
            self._do("reset-failed", self.name)
        self._do("restart", self.name)

    def disable(self) -> None:
        """End it and unlink it."""
        self._do("disable", "--now", self.name)

    def forget(self) -> None:
        """Reload the units."""
        self._do("daemon-reload")

    def _do(self, *words: str) -> None:
        _run("systemctl", "--user", *words)


@dataclass(frozen=True)
class Launchd:
    """The launchd of the user's session on macOS."""

    name: str
    kind: str = "launchd"

    @property
    def file(self) -> Path:
        """Path among the user's agents."""
        return Path.home() / "Library" / "LaunchAgents" / f"{self.name}.plist"

    @property
    def manual_commands(self) -> tuple[str, str]:
        """Commands of systemctl or launchctl."""
        enable = f"launchctl bootstrap {self._domain} {self.file}"
        return enable, f"launchctl bootout {self._target}"

    @property
    def record(self) -> str:
        """Command of hookd and launchd."""
        return f"hookd service run, which says why it fails; launchctl print {self._target}"

    @property
    def _domain(self) -> str:
        return f"gui/{os.getuid()}"

    @property
    def _target(self) -> str:
        return f"{self._domain}/{self.name}"

    def render(self, job: Job) -> bytes:
        """Return the property list."""
        return plist(self.name, job)

    def look(self) -> ServiceState:
        """Return the state by the list of disabled services and its own entry."""
        off = _run("launchctl", "print-disabled", self._domain)
        name = re.escape(self.name)
        loaded = self._loaded()
        enabled = bool(loaded) and not re.search(rf'"{name}" => (?:true|disabled)\b', off)
        state = re.search(r"(?m)^\s*state = (.*?)\s*$", loaded)
        pid = re.search(r"(?m)^\s*pid = ([0-9]+)\s*$", loaded)
        active = bool(state and state[1] == "running")
        return ServiceState(enabled, active, failed=False, pid=int(pid[1]) if pid else None)

    def enable(self, *, renewed: bool) -> None:
        """Load it; unload the former file first."""
        loaded = bool(self._loaded())
        if loaded and renewed:
            self.disable()
        _run("launchctl", "enable", self._target)
        if renewed or not loaded:
            _run("launchctl", "bootstrap", self._domain, str(self.file))

    def start(self, *, renewed: bool) -> None:
        """Restart it, unless loading has just started it."""
        if not (renewed and self.look().active):
            _run("launchctl", "kickstart", "-k", self._target)

    def disable(self) -> None:
        """Unload it, which ends it."""
        if self._loaded():
            _run("launchctl", "bootout", self._target)

    def forget(self) -> None:
        """Do nothing: launchd knows only loaded files."""

    def _loaded(self) -> str:
        """Return launchd's description of it; "" if it is not loaded."""
        with suppress(ManagerError):
            return _run("launchctl", "print", self._target)
        return ""


def _run(*command: str) -> str:
    """Return the output of a command. Raise ManagerError with its error if it fails."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_TIMEOUT_S,
            check=False,
            text=True,
            errors="replace",
        )
    except FileNotFoundError:
        raise ManagerError(f"{command[0]} is not on the PATH") from None
    except subprocess.TimeoutExpired:
        raise ManagerError(f"{command[0]} did not answer within {_TIMEOUT_S} seconds") from None
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines()
        why = lines[0].rstrip(".") if lines else f"exit code {done.returncode}"
        asked = " ".join(word for word in command if not word.startswith("--"))
        raise ManagerError(f"{asked}: {why}")
    return done.stdout
