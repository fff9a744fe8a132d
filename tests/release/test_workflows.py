"""The workflows: pinned actions, few permissions, and commands that the Makefile has."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from support.paths import ROOT

FOLDER = ROOT / ".github" / "workflows"
WORKFLOWS = {path.stem: yaml.safe_load(path.read_text("utf-8")) for path in FOLDER.glob("*.yml")}
JOBS = [(name, job) for name, workflow in WORKFLOWS.items() for job in workflow["jobs"]]
TARGETS = set(re.findall(r"(?m)^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8")))
WRITES = {
    ("release", "attest"): {"id-token": "write", "attestations": "write"},
    ("release", "publish"): {"id-token": "write"},
}
"""The only jobs that may do more than read the repository."""


def steps(name: str, job: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = WORKFLOWS[name]["jobs"][job].get("steps", [])
    return found


def test_there_are_two() -> None:
    assert set(WORKFLOWS) == {"ci", "release"}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yml")), ids=lambda path: path.stem)
def test_every_action_is_pinned_by_a_commit_and_names_its_version(path: Path) -> None:
    used = re.findall(r"uses: (.+)", path.read_text("utf-8"))
    assert used
    for action in used:
        local = re.fullmatch(r"\./\.github/workflows/[a-z]+\.yml", action)
        assert local or re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action)


def test_an_action_has_one_pin() -> None:
    texts = "".join(path.read_text("utf-8") for path in FOLDER.glob("*.yml"))
    pins: dict[str, set[str]] = {}
    for action, pin in re.findall(r"uses: ([\w./-]+)@(\S+)", texts):
        pins.setdefault(action, set()).add(pin)
    assert {action: pin for action, pin in pins.items() if len(pin) > 1} == {}


@pytest.mark.parametrize(("name", "job"), JOBS)
def test_only_what_signs_and_publishes_may_write(name: str, job: str) -> None:
    assert WORKFLOWS[name]["permissions"] == {"contents": "read"}
    granted = WORKFLOWS[name]["jobs"][job].get("permissions")
    assert granted == WRITES.get((name, job))


@pytest.mark.parametrize(("name", "job"), JOBS)
def test_every_command_is_there(name: str, job: str) -> None:
    for step in steps(name, job):
        command = step.get("run", "")
        for target in re.findall(r"\bmake ([a-z-]+)", command):
            assert target in TARGETS
        for file in re.findall(r"\bbash (\S+)", command):
            assert (ROOT / file).is_file()
        # A value of an event in a command is a way in: a branch may be named `$(...)`.
        assert "${{" not in command


@pytest.mark.parametrize(("name", "job"), JOBS)
def test_no_job_needs_a_secret_keeps_a_credential_or_runs_for_hours(name: str, job: str) -> None:
    found = WORKFLOWS[name]["jobs"][job]
    assert "secrets" not in str(found)
    assert found.get("timeout-minutes", 999) <= 90 or "uses" in found
    for step in steps(name, job):
        if "actions/checkout" in step.get("uses", ""):
            assert step["with"]["persist-credentials"] is False


def test_only_a_pushed_tag_is_published_after_the_tests() -> None:
    release = WORKFLOWS["release"]
    assert set(release[True]) == {"push", "workflow_dispatch"}  # YAML reads `on` as true
    assert set(release[True]["push"]) == {"tags"}
    jobs = release["jobs"]
    assert jobs["attest"]["needs"] == ["test", "build"]
    assert jobs["publish"]["needs"] == "attest"
    assert jobs["attest"]["if"] == jobs["publish"]["if"] == "github.event_name == 'push'"
    assert jobs["publish"]["environment"]["name"] == "pypi"
    assert jobs["publish"]["steps"][-1]["with"]["skip-existing"], "it cannot be run again"


def test_each_platform_of_the_docs_is_built() -> None:
    rows = WORKFLOWS["release"]["jobs"]["build"]["strategy"]["matrix"]["include"]
    runners = [row["runner"] for row in rows]
    assert runners == ["ubuntu-24.04", "ubuntu-24.04-arm", "macos-15", "macos-15-intel"]
    assert [row["files"] for row in rows].count("dist/*") == 1, "one sdist"
