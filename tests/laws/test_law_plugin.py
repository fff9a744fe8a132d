"""Laws of the Claude Code plugin: its files are of this version, and name what exists."""

import json
import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import hookd
from hookd.cli.install.options import DEFAULT
from hookd.clients.claude_code.plugin_hooks import PROGRAM

ROOT = Path(__file__).parents[2]
PLUGIN = ROOT / "plugin"
FOR_PEOPLE = ("allow", "pause", "setup")
"""Commands that a model must not call."""


def read(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def test_the_plugin_is_of_the_project_s_version() -> None:
    assert read(PLUGIN / ".claude-plugin/plugin.json")["version"] == hookd.__version__


def test_the_marketplace_is_this_repository() -> None:
    (entry,) = read(ROOT / ".claude-plugin/marketplace.json")["plugins"]
    assert (ROOT / entry["source"]).samefile(PLUGIN)
    assert entry["name"] == read(PLUGIN / ".claude-plugin/plugin.json")["name"] == "hookd"


def test_the_plugin_registers_what_install_registers() -> None:
    hooks = read(PLUGIN / "hooks/hooks.json")["hooks"]
    assert list(hooks) == DEFAULT
    for event, groups in hooks.items():
        ((hook,),) = (group["hooks"] for group in groups)
        assert (hook["command"], hook["args"]) == (PROGRAM, [event])
    program = PROGRAM.replace("${CLAUDE_PLUGIN_ROOT}", str(PLUGIN))
    assert os.access(program, os.X_OK)


def test_the_plugin_has_the_whole_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    package = PLUGIN / "package"
    for name in ("pyproject.toml", "daemon", "requirements/plugin.txt", "docs/man/hookd.1"):
        assert (package / name).samefile(ROOT / name)
    for name in (project["readme"], *project["license-files"]):
        assert (package / name).samefile(ROOT / name)
    assert (PLUGIN / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_a_source_distribution_has_the_plugin_without_a_copy_of_itself() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    sdist = project["tool"]["hatch"]["build"]["targets"]["sdist"]
    assert {"/plugin", "/.claude-plugin", "/requirements"} <= set(sdist["include"])
    assert "/plugin/package" in sdist["exclude"]
    assert sdist["skip-excluded-dirs"], "the links would replace the originals"


def test_what_the_plugin_installs_is_locked_with_hashes() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    locked = (ROOT / "requirements/plugin.txt").read_text("utf-8")
    needed = project["project"]["dependencies"] + project["build-system"]["requires"]
    for text in needed:
        name = re.split(r"[^\w-]", text)[0]
        found = re.search(rf"(?m)^{name}==\S+.*((?:\\\n +--hash=\S+ ?)+)", locked)
        assert found, f"requirements/plugin.txt lacks {name}; run: make update"


def test_a_model_cannot_call_what_is_for_people() -> None:
    for name in FOR_PEOPLE:
        head = (PLUGIN / f"commands/{name}.md").read_text("utf-8").split("---")[1]
        assert "\ndisable-model-invocation: true\n" in head


def test_no_file_names_the_npm_package_of_another_owner() -> None:
    said = subprocess.run(
        ["git", "grep", "-lIE", r"npx( -y| --yes)? hookd|npm (i|install)( -g)? hookd"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert set(said.stdout.split()) <= {"tests/laws/test_law_plugin.py"}
