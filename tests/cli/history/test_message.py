"""What `hookd message` and `hookd dialogue` tell of a conversation that a daemon has kept."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from support.home import HOOKD, Home, Window


def spoken(window: Window) -> int:
    """Let a window's user say something, answer a question and work; return its effort."""
    number: int = window.starts()["effortId"]
    window.says("UserPromptSubmit", prompt="Build the parser.")
    window.says("PostToolUse.AskUserQuestion")
    window.rpc("effort.log", text="## Parser\nIt is done.", effortId=number)
    return number


def listed(window: Window, *args: str) -> list[dict[str, Any]]:
    done = window.home.hookd("message", "list", "--json", *args, cwd=window.project)
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def test_messages_are_listed_by_effort_session_and_role(window: Window) -> None:
    effort = str(spoken(window))
    assert [one["role"] for one in listed(window, "--effort", effort)] == ["user", "user", "log"]
    first = listed(window, "--session", window.id, "--limit", "5")[0]
    assert first["content"] == "Build the parser."
    assert len(listed(window, "--effort", effort, "--role", "log")) == 1
    assert len(listed(window, "--effort", effort, "--limit", "1")) == 1
    assert listed(window, "--effort", effort, "--role", "system") == []


def test_the_table_shows_a_question_with_its_answer(window: Window) -> None:
    effort = str(spoken(window))
    lines = window.home.hookd("message", "list", "--effort", effort).stdout.splitlines()
    assert lines[0].split() == ["id", "time", "role", "session", "effort", "what"]
    assert lines[1].endswith("Build the parser.")
    assert lines[2].endswith("Which one? -> A")
    assert lines[3].endswith("## Parser It is done.")


def test_nothing_said_is_told_in_a_sentence(shared: Home) -> None:
    said = shared.hookd("message", "list", "--effort", "999999").stdout
    assert said.startswith("No messages.")


def test_a_dialogue_is_markdown_in_the_order_of_the_conversation(window: Window) -> None:
    effort = spoken(window)
    text = window.home.hookd("dialogue", "export", "--effort", str(effort)).stdout
    assert text.startswith(f"# Effort {effort}\n\n## [20")
    headings = [line.partition("] ")[2] for line in text.splitlines() if line.startswith("## [")]
    assert headings == ["User", "Question", "Log"]
    assert "\n\n**A**: Which one? — A / B\n**U**: A\n" in text
    assert text.endswith("> ## Parser\n> It is done.\n")


def test_without_an_option_it_is_the_effort_at_hand(window: Window) -> None:
    effort = spoken(window)
    text = window.home.hookd("dialogue", "export", cwd=window.project).stdout
    assert text.startswith(f"# Effort {effort}\n")


def test_without_an_effort_it_is_the_session_that_runs(window: Window) -> None:
    window.says("UserPromptSubmit", prompt="Only this.")
    env = {"CLAUDE_CODE_SESSION_ID": window.id}
    text = window.home.hookd("dialogue", "export", cwd=window.project, env=env).stdout
    assert text.startswith(f"# Session {window.id}\n")
    assert text.endswith("Only this.\n")
    done = window.home.hookd("dialogue", "export", cwd=window.project, check=False)
    assert done.returncode == 1
    assert "--session ID" in done.stderr


def test_a_long_conversation_is_whole(window: Window) -> None:
    effort = spoken(window)
    for turn in range(120):
        window.rpc("effort.log", text=f"entry {turn} ends", effortId=effort)
    text = window.home.hookd("dialogue", "export", "--effort", str(effort)).stdout
    assert all(f"entry {turn} ends\n" in text for turn in range(120))


def test_it_is_written_to_a_file_that_is_not_there_yet(window: Window, tmp_path: Path) -> None:
    effort, file = str(spoken(window)), tmp_path / "dialogue.md"
    command = ("dialogue", "export", "--effort", effort, "-o", str(file))
    assert str(file) in window.home.hookd(*command).stdout
    assert file.read_text("utf-8").startswith(f"# Effort {effort}\n")
    file.write_text("mine")
    done = window.home.hookd(*command, check=False)
    assert (done.returncode, file.read_text()) == (1, "mine")
    assert "already exists" in done.stderr
    assert "--force" in done.stderr
    window.home.hookd(*command, "--force")
    assert file.read_text("utf-8").startswith("# Effort")


def test_a_new_file_is_its_user_s_alone_and_one_that_is_there_keeps_its_mode(
    window: Window, tmp_path: Path
) -> None:
    effort, file = str(spoken(window)), tmp_path / "dialogue.md"
    command = ("dialogue", "export", "--effort", effort, "--force", "-o", str(file))
    subprocess.run([HOOKD, *command], env=window.home.env, umask=0o022, check=True, timeout=60)
    assert file.stat().st_mode & 0o777 == 0o600
    file.write_text("long" * 9_999)
    file.chmod(0o640)
    window.home.hookd(*command)
    assert file.stat().st_mode & 0o777 == 0o640
    assert "long" not in file.read_text("utf-8")


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_a_dialogue_is_not_written_through_a_link(
    window: Window, tmp_path: Path, force: tuple[str, ...]
) -> None:
    effort, link, file = str(spoken(window)), tmp_path / "link.md", tmp_path / "mine.md"
    file.write_text("mine")
    link.symlink_to(file)
    command = ("dialogue", "export", "--effort", effort, "-o", str(link), *force)
    done = window.home.hookd(*command, check=False)
    assert (done.returncode, file.read_text()) == (1, "mine")
    assert ("it is a link" if force else "already exists") in done.stderr


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (("--effort", "1", "--session", "1"), 2, "Choose one of --effort and --session"),
        (("--effort", "999999"), 1, "No messages"),
        (("--session", "nobody"), 1, "There is no session nobody."),
    ],
)
def test_a_dialogue_that_cannot_be_had_is_told(
    shared: Home, args: tuple[str, ...], code: int, said: str
) -> None:
    done = shared.hookd("dialogue", "export", *args, check=False)
    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr


def test_a_file_that_cannot_be_written_is_told(window: Window, tmp_path: Path) -> None:
    effort = str(spoken(window))
    command = ("dialogue", "export", "--effort", effort, "-o")
    for place in (tmp_path, tmp_path / "none" / "d.md"):
        done = window.home.hookd(*command, str(place), "--force", check=False)
        assert done.returncode == 1
        assert f"{place} cannot be written" in done.stderr
