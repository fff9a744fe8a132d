"""A `systemctl` and a `launchctl` that run services, read from their real files, without either.

They stand on the PATH of a test, note what they are asked, refuse the words in the file `refused`,
and keep one service: begun with the environment of its file alone, and again when it fails, three
times at most.
"""

import json
import os
import plistlib
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ELSEWHERE = {"PATH": "/usr/bin:/bin", "HOOKD_HOME": "/nowhere", "XDG_RUNTIME_DIR": "/nowhere"}
"""What the environment of a host holds by itself, and no service of hookd's is to have."""


def furnish(home: Path) -> dict[str, str]:
    """Put both programs into a folder; return the PATH that finds them first."""
    folder = home / "host"
    folder.mkdir()
    (folder / "refused").touch()
    for name in ("systemctl", "launchctl"):
        program = folder / name
        words = [sys.executable, "-S", "-E", __file__, name, str(folder)]
        program.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
        program.chmod(0o755)
    return {"PATH": f"{folder}:{os.environ['PATH']}"}


def asked(home: Path) -> list[str]:
    """Return what the programs were asked to do, all but looking."""
    log = home / "host" / "asked"
    lines = log.read_text().splitlines() if log.exists() else []
    return [line for line in lines if " show " not in line and " print" not in line]


def read_unit(text: str) -> tuple[list[str], dict[str, str]]:
    """Return the command of a unit and the environment that it has under systemd."""
    pairs = [line.partition("=") for line in text.splitlines() if line[:1] not in ("#", "[", "")]
    words = {
        key: _words(value) for key, _, value in pairs if key in ("ExecStart", "UnsetEnvironment")
    }
    given = [word for key, _, value in pairs if key == "Environment" for word in _words(value)]
    env = ELSEWHERE | dict(word.split("=", 1) for word in given)
    for name in words.get("UnsetEnvironment", []):
        env.pop(name, None)
    return words["ExecStart"], env


def _words(value: str) -> list[str]:
    """Return the words of a setting: in double quotes, \\ escapes; %% is a percent sign."""
    return [word.replace("%%", "%") for word in shlex.split(value)]


class Host:
    """What the programs know between two calls, in files of one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pid, self.ending = folder / "pid", folder / "ending"
        self.failed, self.loaded = folder / "failed", folder / "loaded"

    def process(self) -> int:
        return int(self.pid.read_text() or 0) if self.pid.exists() else 0

    def begin(self, command: list[str], env: dict[str, str]) -> None:
        self.failed.unlink(missing_ok=True)
        with (self.folder / "journal").open("ab") as journal:
            words = [sys.executable, "-S", "-E", __file__, "watch", str(self.folder)]
            watch = [*words, json.dumps([command, env])]
            null = subprocess.DEVNULL
            subprocess.Popen(watch, start_new_session=True, stdin=null, stdout=null, stderr=journal)
        _until(lambda: self.process() or self.failed.exists())

    def watch(self, command: list[str], env: dict[str, str]) -> None:
        for _ in range(3):
            with subprocess.Popen(command, env=env, cwd="/") as service:
                self.pid.write_text(str(service.pid))
                code = service.wait()
                if code == 0 or self.ending.exists():
                    break
        else:
            self.failed.touch()
        self.pid.unlink()

    def end(self) -> None:
        self.ending.touch()
        if number := self.process():
            os.kill(number, signal.SIGTERM)
            _until(lambda: not self.pid.exists())
        self.ending.unlink()


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def _until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + 30
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)


def _systemctl(host: Host, _user: str, verb: str, *words: str) -> int:
    name = next((word for word in words if word.endswith(".service")), "")
    unit = Path.home() / ".config" / "systemd" / "user" / name
    link = unit.parent / "default.target.wants" / name
    if verb == "show":
        state = "active" if host.process() else "failed" if host.failed.exists() else "inactive"
        _tell(f"MainPID={host.process()}\nActiveState={state}")
        _tell(f"UnitFileState={'enabled' if link.is_symlink() else 'disabled'}")
    elif verb == "enable":
        link.parent.mkdir(exist_ok=True)
        link.unlink(missing_ok=True)
        link.symlink_to(unit)
    elif verb == "disable":
        link.unlink(missing_ok=True)
        link.parent.rmdir()
        host.end()
    elif verb in ("start", "restart"):
        if verb == "restart":
            host.end()
        if not host.process():
            host.begin(*read_unit(unit.read_text()))
    return 0


def _launchctl(host: Host, verb: str, *words: str) -> int:
    if verb == "print-disabled":
        _tell('\tdisabled services = {\n\t\t"com.example" => disabled\n\t}')
    elif verb == "print":
        if not host.loaded.exists():
            sys.stderr.write(f'Could not find service "{words[0]}"' + "\n")
            return 113
        running = host.process()
        _tell(f"{words[0]} = {{\n\tstate = {'running' if running else 'not running'}")
        _tell(f"\tpid = {running}\n}}" if running else "}")
    elif verb in ("bootstrap", "kickstart"):
        if verb == "bootstrap":
            host.loaded.write_text(words[1])
        host.end()
        value = plistlib.loads(Path(host.loaded.read_text()).read_bytes())
        host.begin(value["ProgramArguments"], value["EnvironmentVariables"])
    elif verb == "bootout":
        host.end()
        host.loaded.unlink()
    return 0


def _main(name: str, folder: str, *words: str) -> int:
    host = Host(Path(folder))
    if name == "watch":
        host.watch(*json.loads(words[0]))
        return 0
    with (host.folder / "asked").open("a") as log:
        log.write(f"{name} {' '.join(words)}\n")
    if set(words) & set((host.folder / "refused").read_text().split()):
        sys.stderr.write("Failed: the unit is masked.\n")
        return 1
    if (host.folder / "deaf").exists():
        sys.stderr.write("Failed to connect to bus: No medium found" + "\n")
        return 1
    return {"systemctl": _systemctl, "launchctl": _launchctl}[name](host, *words)


if __name__ == "__main__":
    sys.exit(_main(*sys.argv[1:]))
