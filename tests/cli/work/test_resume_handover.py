"""`hookd handover resume`: a real process in place of a client; errors name the next step."""

import json
import os
from pathlib import Path

import pytest

from support.flows import hands_over
from support.home import Window

CLIENT = """#!/bin/bash
printf '%s\\n' "$PWD" "$HOOKD_RUN" "$@" > "$HOME/started"
"""


@pytest.fixture
def left(window: Window) -> tuple[Window, int]:
    """A session that left a handover, and its number."""
    window.says("SessionStart")
    return window, hands_over(window)["sessionId"]


def programs(window: Window, *names: str) -> dict[str, str]:
    """Return an environment in which only these clients are installed."""
    folder = window.home.path / "bin" / window.id
    folder.mkdir(parents=True)
    for name in names:
        (folder / name).write_text(CLIENT)
        (folder / name).chmod(0o755)
    return {"PATH": f"{folder}:/usr/bin:/bin"}


def registered(window: Window, *, project: bool = False) -> None:
    """Register hookd with Codex: for the user, or in the window's project."""
    folder = Path(window.project if project else window.home.path, ".codex")
    folder.mkdir(exist_ok=True)
    shim = window.home.path / "shims" / "codex-user-00000000" / "SessionStart"
    entry = {"hooks": [{"type": "command", "command": str(shim)}]}
    (folder / "hooks.json").write_text(json.dumps({"hooks": {"SessionStart": [entry]}}))


@pytest.mark.parametrize("project", [False, True])
def test_a_client_starts_in_the_project_with_the_prompt_and_gets_it_alone(
    left: tuple[Window, int], project: bool
) -> None:
    window, number = left
    registered(window, project=project)
    args = ("handover", "resume", "--client", "codex", "--", "--search", "-m", "o3")
    done = window.home.hookd(*args, cwd=window.project, env=programs(window, "codex"))
    assert f"codex continues the handover of session {number}" in done.stderr
    folder, run, *arguments = (window.home.path / "started").read_text().splitlines()
    assert os.path.realpath(folder) == os.path.realpath(window.project)
    assert len(run) == 36
    prompt = "Continue where the previous session stopped; its handover is in your context."
    assert arguments == ["--search", "-m", "o3", "--", prompt]
    assert window.sessions("handover_run") == [(None,)]  # no session took it: it waits for any


def test_the_text_is_printed_for_a_client_without_hooks(left: tuple[Window, int]) -> None:
    window, number = left
    done = window.home.hookd("handover", "resume", str(number), "--text", cwd=window.project)
    assert "### Next steps\n1. Document both.\n2. Ask for a review.\n" in done.stdout.replace(
        "\n\n", "\n"
    )


WRONG: list[tuple[tuple[str, ...], tuple[str, ...], str, str]] = [
    (("--client", "gemini"), ("codex", "qwen"), "Gemini CLI is not installed", "--client codex"),
    (("--client", "gemini"), (), "Gemini CLI is not installed", "--text"),
    ((), (), "Claude Code is not installed", "--text"),
    (("--client", "qwen"), ("qwen",), "not registered with Qwen Code", "install --client qwen"),
    (("999999",), (), "There is no handover of session 999999", "hookd handover list"),
    (("--client", "none"), (), "'none' is not one of", "resume --help"),
]


@pytest.mark.parametrize(("args", "installed", "sentence", "step"), WRONG)
def test_what_is_missing_is_told(
    left: tuple[Window, int],
    args: tuple[str, ...],
    installed: tuple[str, ...],
    sentence: str,
    step: str,
) -> None:
    window, _ = left
    env = programs(window, *installed)
    done = window.home.hookd("handover", "resume", *args, cwd=window.project, env=env, check=False)
    assert done.returncode in (1, 2)
    assert sentence in done.stderr
    assert step in done.stderr


def test_a_project_that_is_gone_is_told(left: tuple[Window, int]) -> None:
    window, number = left
    registered(window)
    Path(window.project).rename(f"{window.project}-moved")
    args = ("handover", "resume", str(number), "--client", "codex")
    done = window.home.hookd(*args, env=programs(window, "codex"), check=False)
    assert done.returncode == 1
    assert "does not exist any more" in done.stderr
    assert f"hookd handover resume --text {number}" in done.stderr
