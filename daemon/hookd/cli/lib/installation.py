"""Installation of this hookd: the tool that made it, and that tool's commands."""

import json
import os
import re
import shlex
import sys
from importlib import metadata
from pathlib import Path
from urllib.parse import unquote, urlsplit

from hookd.lazy_dataclass import dataclass

_KEG = re.compile(r"(.*)/Cellar/([^/]+)/[^/]+/(.*)")
"""An interpreter in Homebrew's folder of one version."""

_OF_EXTRA = re.compile(r"""([\w.-]+).*;\s*extra == ['"](\w+)['"]""")
"""A package of an extra in the metadata."""

_PIP = (sys.executable, "-m", "pip")


@dataclass(frozen=True)
class Installation:
    """`tool` is what installed hookd; the commands upgrade it and remove it."""

    tool: str
    upgrade: str
    remove: str


def read() -> Installation:
    """Return how the hookd that runs was installed."""
    prefix, source = Path(sys.prefix).as_posix(), _source()
    if source and source.editable:
        newer = f"{_pull(source)}{shlex.join([*_PIP, 'install', '--editable', source.path])}"
        return Installation("checkout", newer, shlex.join([*_PIP, "uninstall", "hookd"]))
    if "/plugins/data/hookd" in prefix:
        newer = "claude plugin marketplace update hookd, claude plugin update hookd@hookd"
        newer = f"{newer}, then /hookd:setup in Claude Code"
        return Installation("plugin", newer, "claude plugin uninstall hookd@hookd")
    if "/Cellar/hookd/" in f"{prefix}/":
        return Installation("Homebrew", "brew upgrade hookd", "brew uninstall hookd")
    if Path(prefix, "uv-receipt.toml").is_file() or "/uv/tools/" in prefix:
        words = ["uv", "tool", "upgrade", *["--reinstall"] * (source is not None), "hookd"]
        newer = _with_tool(source, words, ["uv", "tool", "install", "--force"])
        return Installation("uv tool", newer, "uv tool uninstall hookd")
    if "/pipx/venvs/" in prefix:
        newer = _with_tool(source, ["pipx", "upgrade", "hookd"], ["pipx", "install", "--force"])
        return Installation("pipx", newer, "pipx uninstall hookd")
    place = "hookd" if source is None else _file(source) if source.wheel else source.path
    newer = shlex.join([*_PIP, "install", "--upgrade", f"{place}{_extras()}"])
    newer = newer if source is None or source.wheel else f"{_pull(source)}{newer}"
    return Installation("pip", newer, shlex.join([*_PIP, "uninstall", "hookd"]))


def interpreter() -> str:
    """Return the path of the interpreter that stays where it is when a new version is installed.

    Homebrew has a folder for each version, and a link to the newest.
    """
    here = Path(sys.executable).absolute()
    found = _KEG.match(here.as_posix())
    link = Path(f"{found[1]}/opt/{found[2]}/{found[3]}") if found else here
    same = os.path.realpath(link.parent) == os.path.realpath(here.parent)
    return str(link if same and link.exists() else here)


@dataclass(frozen=True)
class _Source:
    """The wheel or folder that hookd was installed from, in place of an index."""

    path: str
    editable: bool

    @property
    def wheel(self) -> bool:
        return self.path.endswith(".whl")


def _source() -> _Source | None:
    """Return where hookd was installed from; None if that was an index, or is not recorded."""
    try:
        text = metadata.distribution("hookd").read_text("direct_url.json")
        value = json.loads(text or "null")
        url = urlsplit(value["url"])
        editable = bool(value.get("dir_info", {}).get("editable"))
    except (metadata.PackageNotFoundError, ValueError, TypeError, KeyError, AttributeError):
        return None
    return _Source(unquote(url.path), editable) if url.scheme == "file" else None


def _with_tool(source: _Source | None, upgrade: list[str], install: list[str]) -> str:
    """Return the command of a tool that keeps the source and the extras of a package.

    A newer wheel is another file, so it is installed over the old one.
    """
    if source and source.wheel:
        return shlex.join([*install, f"{_file(source)}{_extras()}"])
    return f"{_pull(source)}{shlex.join(upgrade)}"


def _pull(source: _Source | None) -> str:
    """Return the command that renews a clone, "" for another source."""
    if source is None or not Path(source.path, ".git").exists():
        return ""
    return f"{shlex.join(['git', '-C', source.path, 'pull'])} && "


def _file(source: _Source) -> str:
    """Return a placeholder for the next wheel, in the folder of this one."""
    return f"{Path(source.path).parent}/NEW.whl"


def _extras() -> str:
    """Return the extras whose packages are all installed, such as `[web]`, "" if none are."""
    found = dict[str, bool]()
    for line in metadata.requires("hookd") or ():
        if one := _OF_EXTRA.match(line):
            found[one[2]] = found.get(one[2], True) and _is_installed(one[1])
    names = [name for name in ("fast", "metrics", "web") if found.get(name)]
    return f"[{','.join(names)}]" if names else ""


def _is_installed(package: str) -> bool:
    try:
        metadata.version(package)
    except metadata.PackageNotFoundError:
        return False
    return True
