"""Optional packages of hookd: whether they are installed, and the line that installs them."""

import shlex
import sys
from collections.abc import Mapping
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from hookd.cli.lib.errors import Problem


def expect(command: str, extra: str, modules: Mapping[str, str]) -> None:
    """Raise Problem with the line that installs an extra, if a package of it is missing.

    `modules` has the packages that the command imports, and the module by which each is found.
    """
    missing = [name for name, module in modules.items() if find_spec(module) is None]
    if missing:
        sentence = f"{command} needs packages that are not installed: {', '.join(missing)}."
        raise Problem(sentence, install_line(extra))


def install_line(extra: str) -> str:
    """Return the command that adds the packages of an extra to this installation.

    It names the packages, so it works for an installation from a clone, too.
    """
    packages = [shlex.quote(one) for one in requirements(extra)]
    place = Path(sys.prefix)
    if place.parent.name == "venvs" and "pipx" in place.parts:
        return shlex.join(["pipx", "inject", place.name]) + f" {' '.join(packages)}"
    if (place / "uv-receipt.toml").exists() or find_spec("pip") is None:
        command = ["uv", "pip", "install", "--python", sys.executable]
    else:
        command = [sys.executable, "-m", "pip", "install"]
    return f"{shlex.join(command)} {' '.join(packages)}"


def requirements(extra: str) -> list[str]:
    """Return the packages of an extra with their versions, such as uvicorn>=0.35."""
    found = metadata.requires("hookd") or []
    mark = f'extra == "{extra}"'
    same = (line.replace("'", '"').partition(";") for line in found)
    return [package.strip() for package, _, marker in same if mark in marker]
