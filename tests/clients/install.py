"""Installer of named client versions from the npm registry, and of hookd from this checkout.

Both are stored in `.clients/` of the checkout, which git ignores, and reused by later runs.
"""

import json
import platform
import shutil
import subprocess
import sys
import venv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
CACHE = ROOT / ".clients"
PACKAGE = "@anthropic-ai/claude-code"
PATIENCE = 300
"""Seconds that one installation may take."""


class MissingError(Exception):
    """A program that the run needs is absent; the text names the next step."""


@dataclass(frozen=True)
class Programs:
    """The client of one version, and hookd."""

    version: str
    claude: Path
    hookd: Path


def require(*programs: str) -> None:
    """Raise MissingError where a program is not on the PATH."""
    if absent := [name for name in programs if not shutil.which(name)]:
        raise MissingError(
            f"not on the PATH: {', '.join(absent)}. Next: apt-get install nodejs npm tmux git"
        )


def newest() -> str:
    """Return the newest version in the npm registry."""
    return _run("npm", "view", PACKAGE, "version").strip()


def install_client(version: str) -> Path:
    """Install a version of Claude Code unless the cache has it; return its program."""
    modules = install_packages(version, {f"{PACKAGE}@{version}": {}}) / "@anthropic-ai"
    native = modules / f"claude-code-{platform_name()}/claude"
    script = modules / "claude-code/cli.js"
    program = native if native.exists() else script
    program.chmod(0o755)
    return program


def platform_name() -> str:
    """Return the end of the names of npm packages for this machine, as in `linux-x64`."""
    system = {"Linux": "linux", "Darwin": "darwin"}[platform.system()]
    machine = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}
    return f"{system}-{machine.get(platform.machine(), platform.machine())}"


def install_packages(name: str, packages: Mapping[str, Mapping[str, str]]) -> Path:
    """Install npm packages into `.clients/NAME` unless they are there; return node_modules.

    `packages` has for each package, as in `codex@1.2.3`, the integrity that its folders in
    node_modules have to have: npm checks what it downloads against the registry, and this against
    what was tested. Raise MissingError where one differs.
    """
    folder = CACHE / name
    if not (folder / ".ready").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / "package.json").write_text(json.dumps({"private": True}))
        quiet = ("--no-audit", "--no-fund", "--loglevel=error")
        _run("npm", "i", "--force", "--ignore-scripts", *quiet, *packages, cwd=folder)
        installed = json.loads((folder / "package-lock.json").read_text())["packages"]
        expected = [item for one in packages.values() for item in one.items()]
        for part, integrity in expected:
            got = installed.get(f"node_modules/{part}", {}).get("integrity")
            if got not in (None, integrity):  # None: a part for another system
                raise MissingError(
                    f"{part} in {folder} has the integrity {got}, not {integrity}."
                    " Next: compare with the registry before you run it"
                )
        (folder / ".ready").touch()
    return folder / "node_modules"


def install_hookd() -> Path:
    """Install this checkout with pip into a virtual environment; return the program."""
    folder = CACHE / "hookd"
    if not (folder / "bin/pip").exists():
        venv.create(folder, clear=True, with_pip=True, symlinks=True)
    quiet = ("--quiet", "--disable-pip-version-check")
    _run(str(folder / "bin/python"), "-m", "pip", "install", *quiet, f"{ROOT}[mcp]")
    return folder / "bin/hookd"


def _run(*command: str, cwd: Path = ROOT) -> str:
    done = subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    if done.returncode:
        raise MissingError(f"{' '.join(command)} failed:\n{done.stderr.strip()[-2000:]}")
    return done.stdout


if __name__ == "__main__":
    sys.exit("run: make clients")
