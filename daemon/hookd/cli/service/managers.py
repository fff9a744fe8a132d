"""The home of who runs services for the user: systemd or launchd, asked by their own programs."""

import hashlib
import os
import platform
import re
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from hookd import paths
from hookd.cli.service.units import Job, plist, unit

KINDS = ("systemd", "launchd")

_PATIENCE = 60
"""Seconds that a program may take: systemd lets a daemon end first, launchd too."""


class NotHeardError(Exception):
    """A program did not do what it was asked for; the message says why, without a full stop."""


@dataclass(frozen=True)
class Seen:
    """How a service is: begun at login or not, running, given up, and its process."""

    enabled: bool
    active: bool
    failed: bool
    pid: int | None


class Host(Protocol):
    """Runs a service. All but the properties raise NotHeardError where it does not obey."""

    @property
    def kind(self) -> str:
        """One of KINDS."""

    @property
    def name(self) -> str:
        """How the service is called there."""

    @property
    def file(self) -> Path:
        """Where its file stands."""

    @property
    def by_hand(self) -> tuple[str, str]:
        """What a person runs whose file was written, or removed, while nobody was there to ask."""

    @property
    def record(self) -> str:
        """The command line that shows why it did not start."""

    def render(self, job: Job) -> bytes:
        """Return what its file shall hold."""

    def look(self) -> Seen:
        """Return how it is."""

    def enable(self, *, renewed: bool) -> None:
        """Have it begun at login. `renewed` says that its file is not what it was."""

    def start(self, *, renewed: bool) -> None:
        """Start it, in the place of what runs of it."""

    def disable(self) -> None:
        """End it, and have it begun no more."""

    def forget(self) -> None:
        """Let go of what is known of its file, which has been removed."""


def host(kind: str | None = None) -> Host:
    """Return who runs services here; `kind` chooses another."""
    chosen = kind or ("launchd" if platform.system() == "Darwin" else "systemd")
    return Launchd(_name()) if chosen == "launchd" else Systemd(f"{_name()}.service")


def _name() -> str:
    """Return the service's name: a daemon that has a folder of its own has a service of its own."""
    home = paths.daemon_environment().get("HOOKD_HOME")
    return f"hookd-{hashlib.sha256(os.fsencode(home)).hexdigest()[:8]}" if home else "hookd"


@dataclass(frozen=True)
class Systemd:
    """The user's systemd."""

    name: str
    kind: str = "systemd"

    @property
    def file(self) -> Path:
        """Where the units of the user stand."""
        named = paths.variable("XDG_CONFIG_HOME") or ""
        config = Path(named) if named.startswith("/") else Path.home() / ".config"
        return config / "systemd" / "user" / self.name

    @property
    def by_hand(self) -> tuple[str, str]:
        """The commands for people."""
        enable = f"systemctl --user daemon-reload && systemctl --user enable --now {self.name}"
        return enable, f"systemctl --user stop {self.name}; systemctl --user daemon-reload"

    @property
    def record(self) -> str:
        """The journal."""
        return f"journalctl --user -u {self.name} -n 20"

    def render(self, job: Job) -> bytes:
        """Return the unit."""
        return unit(job)

    def look(self) -> Seen:
        """Ask for its properties."""
        wanted = [f"--property={one}" for one in ("UnitFileState", "ActiveState", "MainPID")]
        lines = _said("systemctl", "--user", "show", self.name, *wanted).splitlines()
        known = dict(line.split("=", 1) for line in lines if "=" in line)
        state, pid = known.get("ActiveState"), known.get("MainPID", "")
        number = int(pid) if pid.isdecimal() else 0
        enabled = known.get("UnitFileState") == "enabled"
        return Seen(enabled, state == "active", state == "failed", number or None)

    def enable(self, *, renewed: bool) -> None:
        """Link it to what is begun at login."""
        if renewed:
            self.forget()
        self._do("enable", self.name)

    def start(self, *, renewed: bool) -> None:
        """Start it anew, though it may have been given up before."""
        with suppress(NotHeardError):  # where it never ran
            self._do("reset-failed", self.name)
        self._do("restart", self.name)

    def disable(self) -> None:
        """End it and unlink it."""
        self._do("disable", "--now", self.name)

    def forget(self) -> None:
        """Have the units read again."""
        self._do("daemon-reload")

    def _do(self, *words: str) -> None:
        _said("systemctl", "--user", *words)


@dataclass(frozen=True)
class Launchd:
    """The launchd of the user's session on macOS."""

    name: str
    kind: str = "launchd"

    @property
    def file(self) -> Path:
        """Where the user's agents stand."""
        return Path.home() / "Library" / "LaunchAgents" / f"{self.name}.plist"

    @property
    def by_hand(self) -> tuple[str, str]:
        """The commands for people."""
        enable = f"launchctl bootstrap {self._domain} {self.file}"
        return enable, f"launchctl bootout {self._target}"

    @property
    def record(self) -> str:
        """What launchd knows of it; hookd itself says more."""
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

    def look(self) -> Seen:
        """Ask which services are switched off, and how this one is."""
        off = _said("launchctl", "print-disabled", self._domain)
        name = re.escape(self.name)
        loaded = self._loaded()
        enabled = bool(loaded) and not re.search(rf'"{name}" => (?:true|disabled)\b', off)
        state = re.search(r"(?m)^\s*state = (.*?)\s*$", loaded)
        pid = re.search(r"(?m)^\s*pid = ([0-9]+)\s*$", loaded)
        active = bool(state and state[1] == "running")
        return Seen(enabled, active, failed=False, pid=int(pid[1]) if pid else None)

    def enable(self, *, renewed: bool) -> None:
        """Load it, in the place of what was loaded before."""
        loaded = bool(self._loaded())
        if loaded and renewed:
            self.disable()
        _said("launchctl", "enable", self._target)
        if renewed or not loaded:
            _said("launchctl", "bootstrap", self._domain, str(self.file))

    def start(self, *, renewed: bool) -> None:
        """Start it anew, unless it was just loaded, which has started it."""
        if not (renewed and self.look().active):
            _said("launchctl", "kickstart", "-k", self._target)

    def disable(self) -> None:
        """Unload it, which ends it."""
        if self._loaded():
            _said("launchctl", "bootout", self._target)

    def forget(self) -> None:
        """Do nothing: launchd keeps no file in mind that is not loaded."""

    def _loaded(self) -> str:
        """Return what launchd knows of it, nothing where it is not loaded."""
        with suppress(NotHeardError):
            return _said("launchctl", "print", self._target)
        return ""


def _said(*command: str) -> str:
    """Return what a program prints. Raise NotHeardError with its own words where it fails."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PATIENCE,
            check=False,
            text=True,
            errors="replace",
        )
    except FileNotFoundError:
        raise NotHeardError(f"{command[0]} is not on the PATH") from None
    except subprocess.TimeoutExpired:
        raise NotHeardError(f"{command[0]} gave no answer within {_PATIENCE} seconds") from None
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        why = said[0].rstrip(".") if said else f"exit code {done.returncode}"
        asked = " ".join(word for word in command if not word.startswith("--"))
        raise NotHeardError(f"{asked}: {why}")
    return done.stdout
