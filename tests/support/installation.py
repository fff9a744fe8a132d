"""A home of a test's own to install hookd in: its program, its shims, an `nc` and a `claude`."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from hookd.cli import main
from hookd.cli.install import shims as installed_shims
from hookd.cli.lib import transport
from hookd.clients.hook_groups import Shim
from hookd.core.model import shim_config
from hookd.core.model.shim_config import ShimConfig
from hookd.events.protocol import EVENTS
from hookd.system import ancestry
from hookd.system.ancestry import Caller

EVERY = [name for name, spec in EVENTS.items() if spec.registered]
FOREIGN: dict[str, Any] = {"type": "command", "command": "/home/ana/bin/lint"}
SHIM = Shim("/data/shims/user")

FOLDERS = (
    *("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "QWEN_HOME", "COPILOT_HOME"),
    *("OPENCODE_CONFIG_DIR", "XDG_CONFIG_HOME"),
)
"""Variables that name the folder of a client."""

NC = """#!{python} -SEI
import _socket, posix, sys
assert sys.argv[1:4] == ["-U", "-w", sys.argv[3]]
wire = _socket.socket(_socket.AF_UNIX)
wire.connect(sys.argv[4])
wire.sendall(posix.read(0, 65536))
while chunk := wire.recv(65536):
    posix.write(1, chunk)
"""


CLAUDE = """#!/bin/sh
[ "$*" = --version ] || exit 1
echo '{}'
"""


def furnish(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make `home` the home, with only its `bin` on the PATH."""
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("HOOKD_HOME", str(home / "hookd-home"))
    monkeypatch.setenv("PATH", str(home / "bin"))
    for variable in FOLDERS:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys, "argv", [str(program(home, "hookd", "#!/bin/sh\n"))])
    monkeypatch.setattr(installed_shims, "PACKAGED", home / "packaged")
    monkeypatch.setattr(transport, "SLOW_MS", 60_000.0)  # however busy this machine is
    monkeypatch.setattr(ancestry, "caller_of", lambda _: Caller())  # though an agent runs the tests
    program(home, "nc", NC.format(python=sys.executable))
    program(home, "claude", CLAUDE.format("2.1.329 (Claude Code)"))
    (home / "packaged").mkdir()
    for name in ("hookd-hook", "hookd-cold", "hookd-alone"):
        (home / "packaged" / name).write_text("#!/bin/bash -p\n")
    return home


def program(home: Path, name: str, text: str) -> Path:
    (home / "bin").mkdir(exist_ok=True)
    (home / "bin" / name).write_text(text)
    (home / "bin" / name).chmod(0o755)
    return home / "bin" / name


def hookd(*arguments: str, **options: Any) -> Result:
    result = CliRunner().invoke(main, arguments, **options)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    return result


def done(*arguments: str) -> dict[str, Any]:
    result = hookd(*arguments, "--json")
    assert result.exit_code == 0, result.output
    facts: dict[str, Any] = json.loads(result.stdout)
    return facts


def refused(*arguments: str) -> str:
    result = hookd(*arguments)
    assert (result.exit_code, result.stdout) == (1, "")
    sentence, step = result.stderr.splitlines()
    assert sentence.startswith("hookd: ")
    assert step.startswith("  next: ")
    return sentence


def config(home: Path, scope: str = "user") -> ShimConfig:
    """Return the configuration of a scope's shims."""
    return shim_config.parse((shims(home) / scope / "config").read_text())


def shims(home: Path) -> Path:
    return home / "hookd-home" / "shims"


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def record(home: Path) -> Path:
    return home / "hookd-home" / "install.json"
