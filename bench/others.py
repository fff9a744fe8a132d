"""Guards that a user could take instead, from the registries, in environments of their own.

Each is started by the command that it registers with the client. What cannot be downloaded is left
out, and named.
"""

import json
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from builds import KEPT
from homes import Home
from process import Process

VERSIONS = {"cc-safety-net": "2.4.5", "nah": "0.11.0", "hcom": "0.7.31"}

DOWNLOAD = 120
"""Seconds for one installation."""


@dataclass(frozen=True)
class Other:
    """One of them: how it is installed, and its hook's command line.

    `command(folder, home)` returns the words that the client would start.
    """

    name: str
    install: Callable[[Path, str], None]
    command: Callable[[Path, Home], tuple[str, ...]]


def _by_npm(folder: Path, package: str) -> None:
    _run("npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), package)


def _by_pip(folder: Path, package: str) -> None:
    venv.create(folder, with_pip=True)
    _run(str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", package)


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True, timeout=DOWNLOAD)


def _safety_net(folder: Path, _home: Home) -> tuple[str, ...]:
    program = folder / "node_modules" / ".bin" / "cc-safety-net"
    return str(program), "hook", "--claude-code"


def _nah(folder: Path, home: Home) -> tuple[str, ...]:
    """Return what its own installation registers in the home, for Bash."""
    (home.path / ".claude").mkdir(exist_ok=True)
    env = home.env | {"PATH": f"{folder / 'bin'}:{home.env['PATH']}"}
    _ = subprocess.run(
        [folder / "bin" / "nah", "install", "claude"],
        env=env,
        check=True,
        capture_output=True,
        timeout=DOWNLOAD,
    )
    settings = json.loads((home.path / ".claude" / "settings.json").read_text("utf-8"))
    (entry,) = [one for one in settings["hooks"]["PreToolUse"] if one["matcher"] == "Bash"]
    return "/bin/sh", "-c", entry["hooks"][0]["command"]


def _hcom(folder: Path, _home: Home) -> tuple[str, ...]:
    return str(folder / "bin" / "hcom"), "pre"


OTHERS = (
    Other("cc-safety-net", _by_npm, _safety_net),
    Other("nah", _by_pip, _nah),
    Other("hcom", _by_pip, _hcom),
)


def processes(home: Home) -> Iterator[tuple[str, Process]]:
    """Yield name and hook of each that can be had, installed in the kept folder."""
    for other in OTHERS:
        label = f"{other.name} {VERSIONS[other.name]}"
        folder = KEPT / label.replace(" ", "-")
        try:
            if not (folder / ".installed").exists():
                print(f"downloading {label}", file=sys.stderr)
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir(parents=True)
                at = "@" if other.install is _by_npm else "=="
                other.install(folder, f"{other.name}{at}{VERSIONS[other.name]}")
                (folder / ".installed").touch()
            path, *args = other.command(folder, home)
        except (OSError, subprocess.SubprocessError) as error:
            print(f"bench: {label} is left out: {error}", file=sys.stderr)
            continue
        yield label, Process(path, tuple(args), home.env, codes=(0, 2))
