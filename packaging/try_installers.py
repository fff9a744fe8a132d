"""Install hookd as users do, with pip, uv and pipx, each in an empty home, and upgrade it there.

Usage: try_installers.py [--only TOOL] [--wheel FILE], with the Python that has hatchling. It builds
the wheels of this version and of a next one, unless FILE is given, which is not upgraded.
The package index must be within reach: each tool resolves the dependencies, and pip fetches uv and
pipx by name. Each step prints a line; the exit code is 1 if one fails.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
NEXT = "9999.0.0"
"""The version that is upgraded to."""

TOOLS = ("pip", "uv", "pipx")
EXTRAS = "web,metrics"
_PAYLOAD = {
    "hook_event_name": "PreToolUse",
    "session_id": "0b3c1e0e-0000-4000-8000-000000000001",
    "transcript_path": "/nowhere",
    "cwd": "/",
    "tool_name": "Bash",
    "tool_input": {"command": "rm -rf /"},
    "tool_use_id": "toolu_1",
}


class Failed(Exception):  # noqa: N818 - it is no error of the program
    """A step did not do what it must."""


@dataclass
class Trial:
    """One tool in a home of its own; `bin` has the tool, `name` is that of the tool."""

    name: str
    home: Path
    bin: Path

    @property
    def environment(self) -> dict[str, str]:
        """The variables of a new user, and those by which pip and uv find the index."""
        kept = {key: os.environ[key] for key in os.environ if re.match("(PIP|UV|SSL)_", key)}
        config = Path.home() / ".config" / "pip" / "pip.conf"
        if config.is_file():
            kept["PIP_CONFIG_FILE"] = str(config)
        local = self.home / ".local" / "bin"
        return kept | {
            "HOME": str(self.home),
            "PATH": f"{local}:{self.bin}:/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
        }

    def run(self, *words: object, code: int = 0, given: str = "", **more: str) -> str:
        """Run a program of this home; return what it printed. Raise Failed for another code."""
        done = subprocess.run(
            list(map(str, words)),
            env=self.environment | more,
            cwd=self.home,
            input=given,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        if done.returncode != code:
            command = " ".join(map(str, words))
            raise Failed(f"{command}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def hookd(self, *words: str, code: int = 0, **more: str) -> Any:
        """Run hookd with --json, as it is found on the PATH; return the value."""
        return json.loads(self.run("hookd", *words, "--json", code=code, **more))

    def install(self, wheel: Path, **more: str) -> None:
        """Install a wheel with the extras over what is there."""
        wanted = f"hookd[{EXTRAS}] @ {wheel.as_uri()}"
        if self.name == "uv":
            self.run("uv", "tool", "install", "--force", wanted, **more)
        elif self.name == "pipx":
            self.run("pipx", "install", "--force", wanted, **more)
        else:
            venv = Path(more.get("VENV", self.home / ".hookd"))
            self.run(sys.executable, "-m", "venv", venv)
            self.run(venv / "bin" / "python", "-m", "pip", "install", "--upgrade", wanted)
            link = self.home / ".local" / "bin" / "hookd"
            link.parent.mkdir(parents=True, exist_ok=True)
            link.unlink(missing_ok=True)
            link.symlink_to(venv / "bin" / "hookd")

    def remove(self) -> None:
        """Remove the package with the tool."""
        if self.name == "uv":
            self.run("uv", "tool", "uninstall", "hookd")
        elif self.name == "pipx":
            self.run("pipx", "uninstall", "hookd")
        else:
            shutil.rmtree(self.home / ".hookd")
            (self.home / ".local" / "bin" / "hookd").unlink()


def expect(true: object, what: str) -> None:
    """Print a step that is as it must be. Raise Failed if it is not."""
    if not true:
        raise Failed(what)
    print(f"  {what}", flush=True)


def failures(trial: Trial) -> dict[str, str]:
    """Return the failed checks of `hookd doctor`, each with its next step."""
    done = subprocess.run(
        ["hookd", "doctor", "--json"],
        env=trial.environment,
        cwd=trial.home,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return {row["check"]: row["next"] for row in json.loads(done.stdout) if row["state"] == "fail"}


def guards(trial: Trial) -> bool:
    """Return whether the registered hook denies a deletion of everything."""
    hook = trial.home / ".local" / "share" / "hookd" / "shims" / "user" / "PreToolUse"
    # By a process of its own: what fires hooks is a client, which may not run hookd upgrade.
    client = "import subprocess, sys; subprocess.run(sys.argv[1:], check=True)"
    answer = trial.run(sys.executable, "-c", client, hook, given=json.dumps(_PAYLOAD))
    return '"permissionDecision":"deny"' in answer.replace(" ", "")


def installed(trial: Trial, wheel: Path) -> None:
    """Install, register and start; the hook guards, doctor finds nothing, the extras are there."""
    trial.install(wheel)
    version = wheel.name.split("-")[1]
    expect(trial.hookd("version")["version"] == version, f"hookd {version} is on the PATH")
    shim = trial.hookd("install")["shim"]
    expect(shim["used"] == "native", f"install takes the native shim: {shim['built']}")
    trial.hookd("start")
    expect(guards(trial), "the registered hook denies rm -rf /")
    found = failures(trial)
    expect(not found, f"no check of doctor fails {found or ''}")
    python = trial.hookd("version")["interpreter"]
    trial.run(python, "-c", "import jinja2, prometheus_client, starlette, uvicorn")
    expect("hookd_" in trial.run("hookd", "metrics"), f"the extras {EXTRAS} are there")


def upgraded(trial: Trial, wheel: Path, tool: str) -> None:
    """Install the next version; `hookd upgrade` puts it to use."""
    before = trial.hookd("version")["version"]
    trial.install(wheel)
    expect(guards(trial), "after the new version is installed, the hook still guards")
    found = trial.hookd("upgrade")
    expect((found["before"], found["version"]) == (before, NEXT), f"upgrade: {before} to {NEXT}")
    expect(found["installation"]["tool"] == tool, f"next: {found['installation']['upgrade']}")
    expect(found["new"][0]["version"] == NEXT, "it says what is new")
    # The older daemon makes way once it sees the new files; the hook above may start the new one.
    serves = ("restarted", "started", "current")
    expect(found["daemon"] in serves, f"the daemon: {found['daemon']}")
    status = trial.hookd("status")
    expect((status["version"], status["upgrade"]) == (NEXT, []), "status names nothing older")
    expect(guards(trial), "the hook guards")
    expect(not (left := failures(trial)), f"no check of doctor fails {left or ''}")


def moved(trial: Trial, wheel: Path) -> None:
    """Move the environment; doctor names the step that has the hooks run the new one."""
    other = trial.home / "moved"
    trial.remove()
    found = {"UV_TOOL_DIR": str(other), "PIPX_HOME": str(other), "VENV": str(other)}
    trial.install(wheel, **found)
    lost = failures(trial)
    warned = trial.run("hookd", "doctor", "-v", code=1 if lost else 0)
    expect("hookd install" in warned, f"moved: doctor says hookd install {lost or '(a warning)'}")
    trial.hookd("install")
    trial.hookd("restart")
    expect(guards(trial), "after that the hook guards")
    expect(not (left := failures(trial)), f"no check of doctor fails {left or ''}")
    if trial.name == "pip":
        shutil.rmtree(other)
        (trial.home / ".local" / "bin" / "hookd").unlink()
    else:
        words = ["uv", "tool"] if trial.name == "uv" else ["pipx"]
        trial.run(*words, "uninstall", "hookd", **found)


def uninstalled(trial: Trial) -> None:
    """Uninstall everything; the settings are as before, and hookd's files are gone."""
    trial.hookd("stop", "--yes")
    facts = trial.hookd("uninstall", "--purge", "--yes")
    expect(facts["restored"], "uninstall restores the settings byte for byte")
    left = [path for path in trial.home.rglob("*hookd*") if path.parts[-2:] == ("share", "hookd")]
    expect(not left, "its files are gone")


def try_tool(tool: str, home: Path, programs: Path, wheels: list[Path]) -> None:
    """Try one tool in a home. Raise Failed at the first step that fails."""
    trial = Trial(tool, home, programs)
    steps: list[Callable[[], None]] = [lambda: installed(trial, wheels[0])]
    try:
        for step in steps:
            step()
        if len(wheels) > 1:
            upgraded(trial, wheels[1], {"uv": "uv tool"}.get(tool, tool))
            uninstalled(trial)
            trial.remove()
            installed(trial, wheels[0])
            moved(trial, wheels[0])
        else:
            uninstalled(trial)
    finally:
        with suppress(Failed, OSError, subprocess.SubprocessError):
            trial.run("hookd", "stop", "--yes")


def build(folder: Path, version: str | None = None) -> Path:
    """Build a wheel for this machine from a copy of the project; `version` is another one."""
    tree = folder / (version or "this")
    skipped = shutil.ignore_patterns(".*", "tests", "__pycache__", "dist", "build")
    shutil.copytree(ROOT, tree, symlinks=True, ignore=skipped)
    if version:
        code = tree / "daemon" / "hookd" / "__init__.py"
        text = re.sub('__version__ = ".*"', f'__version__ = "{version}"', code.read_text("utf-8"))
        code.write_text(text, "utf-8")
        log = tree / "docs" / "changelog.md"
        text = log.read_text("utf-8")
        entry = f"# Changelog\n\n## {version} (2026-01-31)\n\n- Something new.\n"
        log.write_text(text.replace("# Changelog\n", entry, 1), "utf-8")
    out = folder / f"dist-{version}"
    subprocess.run([sys.executable, tree / "packaging" / "build.py", out], check=True)
    (made,) = out.glob("*-none-m*.whl")
    return made


def programs(folder: Path, wanted: list[str]) -> Path:
    """Install the tools themselves into an environment; return the folder of their programs."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    if names := [one for one in wanted if one != "pip"]:
        words = [folder / "bin" / "python", "-m", "pip", "install", "--quiet", *names]
        subprocess.run(words, check=True)
    return folder / "bin"


def main() -> int:
    """Try the tools; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=TOOLS)
    parser.add_argument("--wheel", type=Path)
    options = parser.parse_args()
    tools = [options.only] if options.only else list(TOOLS)
    failed = []
    with tempfile.TemporaryDirectory(prefix="hookd-installers-") as name:
        folder = Path(name)
        given = options.wheel
        wheels = [given.resolve()] if given else [build(folder), build(folder, NEXT)]
        found = programs(folder / "tools", tools)
        for tool in tools:
            print(f"{tool}:", flush=True)
            home = folder / f"home-{tool}"
            home.mkdir()
            try:
                try_tool(tool, home, found, wheels)
            except Failed as problem:
                print(f"  FAILED: {problem}", flush=True)
                failed.append(tool)
    print(f"failed: {', '.join(failed)}" if failed else f"{len(tools)} passed, 0 failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
