"""`hookd doctor --client`: the registration of a client, by its files."""

import json
from pathlib import Path

import pytest

from hookd.cli.doctor.checks.other_clients import check_other_client, registered_here
from hookd.cli.doctor.checks.result import State
from hookd.cli.install.clients import OTHER_CLIENTS
from support.installation import done, furnish, program


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return furnish(tmp_path, monkeypatch)


def found(client: str, project: Path) -> list[tuple[State, str, str | None]]:
    findings = check_other_client(OTHER_CLIENTS[client], project, listening=False)
    return [(one.state, one.what, one.next) for one in findings]


def test_a_client_without_hookd_fails_with_the_command(home: Path) -> None:
    assert registered_here(home) == []
    (absent, nothing) = found("gemini", home)
    assert absent[:2] == (State.WARN, "gemini is not on the PATH.")
    assert nothing == (
        State.FAIL,
        "hookd is registered in no file that Gemini CLI reads here.",
        "hookd install --client gemini",
    )


@pytest.mark.parametrize(
    ("printed", "state", "told"),
    [
        ("0.61.0", State.OK, "Gemini CLI 0.61.0 is on the PATH; hookd was tested with 0.61.0."),
        ("0.70.1", State.OK, "Gemini CLI 0.70.1 is on the PATH; hookd was tested with 0.61.0."),
        ("0.60.9", State.WARN, "Gemini CLI 0.60.9 is on the PATH; hookd was tested with 0.61.0."),
        ("none", State.WARN, "/bin/gemini --version printed no version"),
    ],
)
def test_the_version_is_compared_with_the_tested_one(
    printed: str, state: State, told: str, home: Path
) -> None:
    program(home, "gemini", f"#!/bin/sh\necho {printed}\n")
    first = found("gemini", home)[0]
    assert first[0] is state
    assert told in first[1]


def test_a_whole_registration_is_fine_and_says_that_nothing_was_tried(home: Path) -> None:
    done("install", "--client", "gemini")
    assert [client.name for client in registered_here(home)] == ["gemini"]
    _, whole, untried = found("gemini", home)
    assert whole[:2] == (State.OK, f"{home}/.gemini/settings.json: 8 of 8 events.")
    assert untried[2] == "hookd start, then hookd doctor --client gemini"


def test_what_is_missing_narrow_or_outdated_is_told(home: Path) -> None:
    done("install", "--client", "gemini", "--events", "PreToolUse,Stop")
    file = home / ".gemini" / "settings.json"
    value = json.loads(file.read_text())
    value["hooks"]["BeforeTool"][0]["matcher"] = "write_file"
    value["hooks"]["AfterAgent"][0]["hooks"][0]["timeout"] = 1
    file.write_text(json.dumps(value))
    told = [(state, what) for state, what, _ in found("gemini", home)[1:-2]]
    assert [state for state, _ in told] == [State.WARN] * 3
    assert told[0][1].startswith("6 of 8 events are not registered: SessionStart, ")
    assert told[1][1].startswith("BeforeTool: your matcher is kept")
    assert told[2][1] == f"{file} differs from what this version of hookd registers."


def test_without_tool_calls_nothing_is_guarded(home: Path) -> None:
    done("install", "--client", "codex", "--events", "Stop")
    assert (State.FAIL, "PreToolUse") in [
        (state, "PreToolUse") for state, what, _ in found("codex", home) if "PreToolUse" in what
    ]


def test_two_files_that_the_client_reads_run_hookd_twice(home: Path) -> None:
    project = home / "work"
    (project / ".git").mkdir(parents=True)
    done("install", "--client", "qwen", "--scope", "project", "--project-dir", str(project))
    assert not any("twice" in what for _, what, _ in found("qwen", project))
    done("install", "--client", "qwen")
    ((_, what, step),) = [one for one in found("qwen", project) if "twice" in one[1]]
    assert f"{home}/.qwen/settings.json and {project}/.qwen/settings.json" in what
    assert step == f"hookd uninstall --client qwen --settings {project}/.qwen/settings.json"


def test_a_project_elsewhere_is_looked_at_too(home: Path) -> None:
    project = home / "work"
    (project / ".git").mkdir(parents=True)
    done("install", "--client", "copilot", "--scope", "project", "--project-dir", str(project))
    done("install", "--client", "copilot")
    (project / ".github" / "hooks" / "hookd.json").unlink()
    assert any("has no entry of hookd" in what for _, what, _ in found("copilot", home))
    assert [client.name for client in registered_here(home)] == ["copilot"]
