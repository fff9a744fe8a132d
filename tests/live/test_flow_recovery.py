"""Live: without a handover the next window gets the content of the work's files."""

import os
from pathlib import Path

import pytest

from support.flows import after_clear, hands_over, has_read, put, within
from support.home import Window
from support.payloads import context

MARK = "## Session Recovery (Dehydrated Context), rebuilt from the effort's files"


def works(window: Window, skill: str = "implement") -> str:
    """Start an effort and its window; return the task's folder."""
    task: str = window.starts(skill)["taskDir"]
    window.says("SessionStart")
    return task


def parts(text: str) -> dict[str, str]:
    """Return the titled parts of a recovery."""
    _, _, said = text.partition(MARK)
    found = (part.partition("\n") for part in said.split("\n\n### ")[1:])
    return {title: body for title, _, body in found}


def test_the_log_s_end_the_plan_the_result_and_the_prompts_are_brought(window: Window) -> None:
    task = works(window)
    window.home.hookd("log", "First entry.", env=window.identity)
    window.home.hookd("log", "## Where it stands\n\nThe parser is done.", env=window.identity)
    put(f"{task}/1_IMPLEMENT_PLAN.md", "Parse, then page.")
    put(f"{task}/1_IMPLEMENT.md", "Half of it.")
    for number in range(7):
        window.says("UserPromptSubmit", prompt=f"request {number}")
    window.says("UserPromptSubmit", prompt="<task-notification>done</task-notification>")
    text = after_clear(window)[1]
    assert text.index("[Session Context]") < text.index(MARK)
    found = parts(text)
    assert list(found) == [
        "The log's end",
        "The plan",
        "The result so far",
        "The user's last requests",
        "Files in the task's folder",
    ]
    assert "First entry." in found["The log's end"]
    assert found["The log's end"].endswith("The parser is done.")
    assert (found["The plan"], found["The result so far"]) == ("Parse, then page.", "Half of it.")
    requests = [line.rpartition(": ")[2] for line in found["The user's last requests"].splitlines()]
    assert requests == [f"request {number}" for number in range(2, 7)]
    names = "1_IMPLEMENT.md, 1_IMPLEMENT_LOG.md, 1_IMPLEMENT_PLAN.md"
    assert found["Files in the task's folder"] == names


def test_of_a_long_log_the_end_is_brought_and_the_rest_is_named(window: Window) -> None:
    task = works(window)
    lines = "".join(f"- entry {number} 🚀\n" for number in range(2_000))
    path = put(f"{task}/1_IMPLEMENT_LOG.md", lines)
    brought = parts(after_clear(window)[1])["The log's end"]
    assert "- entry 1999 🚀" in brought
    assert "- entry 1000 🚀" not in brought
    assert f"[the rest is in {path}]" in brought
    assert len(brought) < 5_000


def test_secrets_in_the_log_are_not_brought(window: Window) -> None:
    task = works(window)
    put(f"{task}/1_IMPLEMENT_LOG.md", "the key is sk-ant-api03-" + "a1B2" * 24)
    window.home.rpc("effort.list")
    second, text = after_clear(window)
    assert MARK in text
    ((kept,),) = window.home.rows(
        "SELECT i.content FROM injections i JOIN sessions s ON s.id = i.session_id"
        " WHERE s.claude_session_id = ?",
        second.id,
    )
    assert "a1B2a1B2" not in kept


def test_a_link_out_of_the_task_s_folder_is_not_followed(window: Window) -> None:
    task = works(window)
    secret = put(window.home.path / "outside" / f"{window.id}.md", "the user's own")
    Path(task).mkdir(parents=True, exist_ok=True)
    Path(task, "1_IMPLEMENT_PLAN.md").symlink_to(secret)
    assert "the user's own" not in after_clear(window)[1]


def test_a_pipe_in_a_file_s_place_keeps_nobody_waiting(window: Window) -> None:
    task = works(window)
    for path in (f"{task}/1_IMPLEMENT_LOG.md", f"{window.project}/AGENTS.md"):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(path)
    assert has_read(window, f"{window.project}/x.py") == ""
    text = after_clear(window)[1]
    assert text.startswith("[Session Context]")
    assert "\n" not in text


def test_an_effort_without_anything_to_tell_brings_its_line_alone(window: Window) -> None:
    works(window)
    text = after_clear(window)[1]
    assert text.startswith("[Session Context]")
    assert "\n" not in text


@pytest.mark.parametrize("source", ["resume", "fork"])
def test_a_window_that_holds_the_conversation_still_is_brought_nothing(
    window: Window, source: str
) -> None:
    works(window)
    window.home.hookd("log", "An entry.", env=window.identity)
    assert "An entry." not in context(window.says("SessionStart", source=source))
    assert "An entry." in context(window.says("SessionStart", source="compact"))


def test_a_handover_is_brought_instead(window: Window) -> None:
    works(window)
    window.home.hookd("log", "An entry.", env=window.identity)
    hands_over(window)
    text = after_clear(window)[1]
    assert "handover of the previous session" in text
    assert MARK not in text
    assert "An entry." not in text


def test_while_it_hands_over_nothing_is_counted_until_the_next_window_or_entry(
    window: Window,
) -> None:
    works(window)
    window.bash()
    hands_over(window)
    window.bash("git status")
    assert window.count == 1
    second, _ = after_clear(window)
    second.bash("ls")
    assert second.count == 1
    hands_over(second)
    second.bash("git status")
    within(second, "effort.log", text="Not yet.")
    second.bash("git diff")
    assert second.count == 1
