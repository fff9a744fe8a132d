"""A `systemctl` and a `launchctl` that run services, read from their real files, without either.

They are on the PATH of a test, and call a thread of it. That records the calls, refuses the
words in the file `refused`, and keeps one service: begun with the environment of its file alone,
and again when it fails, three times at most.
"""

import os
import plistlib
import shlex
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingUnixStreamServer
from threading import Thread

from support import forkserver
from support.home import HOOKD
from support.programs import PYTHON

ELSEWHERE = {"PATH": "/usr/bin:/bin", "HOOKD_HOME": "/nowhere", "XDG_RUNTIME_DIR": "/nowhere"}
"""What the environment of a host holds by itself, and no service of hookd's is to have."""

PROGRAM = """\
#!{python} -SEI
# Sends its arguments in one line; gets an exit code, then the text to print.
import os, socket, sys
link = socket.socket(socket.AF_UNIX)
link.connect({socket!r})
link.sendall("\\37".join([{name!r}, *sys.argv[1:], "\\n"]).encode())
code, _, text = link.makefile().read().partition("\\n")
print(text, end="\\n" * bool(text), file=sys.stderr if int(code) else sys.stdout)
sys.exit(int(code))
"""


@contextmanager
def furnished(home: Path) -> Iterator[dict[str, str]]:
    """Put both programs into a folder, and listen to them; yield the PATH that finds them first."""
    folder = home / "host"
    folder.mkdir()
    (folder / "refused").touch()
    socket = folder / "socket"
    for name in ("systemctl", "launchctl"):
        program = folder / name
        program.write_text(PROGRAM.format(python=PYTHON, name=name, socket=str(socket)))
        program.chmod(0o755)
    host = Host(home)

    class Asked(StreamRequestHandler):
        def handle(self) -> None:
            words = self.rfile.readline().decode().split("\037")[:-1]
            code, said = host.answer(*words)
            self.wfile.write(f"{code}\n{said}".encode())

    with ThreadingUnixStreamServer(str(socket), Asked) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield {"PATH": f"{folder}:{os.environ['PATH']}"}
        finally:
            server.shutdown()
            thread.join()


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

    def __init__(self, home: Path, name: str = "") -> None:
        folder = home / "host" / name
        folder.mkdir(exist_ok=True)
        self.home, self.folder, self.top = home, folder, home / "host"
        self.pid, self.ending = folder / "pid", folder / "ending"
        self.failed, self.loaded = folder / "failed", folder / "loaded"

    def answer(self, name: str, *words: str) -> tuple[int, str]:
        """Do what a program was asked for; return its code, and what it says."""
        with (self.folder / "asked").open("a") as log:
            log.write(f"{name} {' '.join(words)}\n")
        if set(words) & set((self.folder / "refused").read_text().split()):
            return 1, "Failed: the unit is masked."
        if (self.folder / "deaf").exists():
            return 1, "Failed to connect to bus: No medium found"
        beside = any("hookd-sync" in word for word in words)  # the service of the sync process
        host = Host(self.home, "sync") if beside else self
        return {"systemctl": _systemctl, "launchctl": _launchctl}[name](host, *words)

    def process(self) -> int:
        return int(self.pid.read_text() or 0) if self.pid.exists() else 0

    def begin(self, command: list[str], env: dict[str, str]) -> None:
        assert command[0] == str(HOOKD)
        self.failed.unlink(missing_ok=True)
        Thread(target=self.watch, args=(command[1:], env)).start()
        _until(lambda: self.process() or self.failed.exists())

    def watch(self, args: list[str], env: dict[str, str]) -> None:
        with (self.top / "journal").open("ab") as journal, Path(os.devnull).open("rb") as null:
            streams = null.fileno(), journal.fileno(), journal.fileno()
            for _ in range(3):
                service = forkserver.Child(args, env, "/", *streams)
                self.pid.write_text(str(service.pid))
                if service.wait() == 0 or self.ending.exists() or (self.top / "ending").exists():
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


def _until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + 30
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)


def _systemctl(host: Host, _user: str, verb: str, *words: str) -> tuple[int, str]:
    name = next((word for word in words if word.endswith(".service")), "")
    unit = host.home / ".config" / "systemd" / "user" / name
    link = unit.parent / "default.target.wants" / name
    if verb == "show":
        state = "active" if host.process() else "failed" if host.failed.exists() else "inactive"
        enabled = "enabled" if link.is_symlink() else "disabled"
        return 0, f"MainPID={host.process()}\nActiveState={state}\nUnitFileState={enabled}"
    if verb == "enable":
        link.parent.mkdir(exist_ok=True)
        link.unlink(missing_ok=True)
        link.symlink_to(unit)
    elif verb == "disable":
        link.unlink(missing_ok=True)
        with suppress(OSError):  # another one is enabled
            link.parent.rmdir()
        host.end()
    elif verb in ("start", "restart"):
        if verb == "restart":
            host.end()
        if not host.process():
            host.begin(*read_unit(unit.read_text()))
    return 0, ""


def _launchctl(host: Host, verb: str, *words: str) -> tuple[int, str]:
    if verb == "print-disabled":
        return 0, '\tdisabled services = {\n\t\t"com.example" => disabled\n\t}'
    if verb == "print":
        if not host.loaded.exists():
            return 113, f'Could not find service "{words[0]}"'
        running = host.process()
        said = f"{words[0]} = {{\n\tstate = {'running' if running else 'not running'}"
        return 0, f"{said}\n\tpid = {running}\n}}" if running else f"{said}\n}}"
    if verb in ("bootstrap", "kickstart"):
        if verb == "bootstrap":
            host.loaded.write_text(words[1])
        host.end()
        value = plistlib.loads(Path(host.loaded.read_text()).read_bytes())
        host.begin(value["ProgramArguments"], value["EnvironmentVariables"])
    elif verb == "bootout":
        host.end()
        host.loaded.unlink()
    return 0, ""
