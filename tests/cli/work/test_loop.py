"""What the terminal does with loops: they are started, shown and ended, and errors teach."""

import json
from typing import Any
from uuid import uuid4

import pytest

from support.home import Home, Window, window_in


@pytest.fixture
def window(home: Home) -> Window:
    """A conversation where loops are on."""
    home.settings({"policies": {"profile": "workflow"}})
    return window_in(home.serves())


def loop(window: Window, *args: str, inside: bool = True, check: bool = True) -> Any:
    env = {"CLAUDE_CODE_SESSION_ID": window.id} if inside else {}
    env |= {"CLAUDE_PROJECT_DIR": window.project}
    return window.home.hookd("loop", *args, cwd=window.project, env=env, check=check)


def listed(window: Window) -> list[Any]:
    rows = json.loads(loop(window, "status", "--json").stdout)
    return [row for row in rows if row["claudeSessionId"] == window.id]


def test_a_loop_is_started_shown_and_ended(window: Window) -> None:
    window.says("SessionStart")
    ((number,),) = window.sessions("id")
    done = loop(window, "start", "Add\npages", "--promise", "ALL OK", "--max", "9")
    assert done.stdout.startswith(f"A loop is running in session {number}.\n")
    assert "<promise>ALL OK</promise>" in done.stdout
    (row,) = listed(window)
    assert (row["iteration"], row["max"], row["prompt"]) == (1, 9, "Add\npages")
    assert (row["project"], row["stale"]) == (window.project, False)
    (line,) = [
        line
        for line in loop(window, "status").stdout.splitlines()
        if line.startswith(f"{number} ") or f" {number} " in line[:12]
    ]
    assert "1/9" in line
    assert "active" in line
    assert "Add pages" in line
    again = loop(window, "start", "Something else", "--json")
    assert json.loads(again.stdout)["replaced"] is True
    assert loop(window, "cancel").stdout == f"The loop of session {number} has ended.\n"
    assert listed(window) == []


def test_from_outside_the_one_open_session_is_meant_or_the_one_that_is_named(
    window: Window,
) -> None:
    said = loop(window, "start", "Add pages", inside=False, check=False)
    assert (said.returncode, "No session is open here" in said.stderr) == (1, True)
    window.says("SessionStart")
    loop(window, "start", "Add pages", inside=False)
    assert len(listed(window)) == 1
    other = window_in(window.home)
    other.project = window.project
    other.says("SessionStart")
    said = loop(window, "start", "Add pages", inside=False, check=False)
    assert said.returncode == 1
    assert "Several sessions are open here" in said.stderr
    assert "--session ID" in said.stderr
    ((number,),) = other.sessions("id")
    loop(window, "start", "Add more", "--session", str(number), inside=False)
    assert [row["prompt"] for row in listed(other)] == ["Add more"]
    for key in (other.id, other.id[:12]):
        loop(window, "start", key, "--session", key, inside=False)
        assert [row["prompt"] for row in listed(other)] == [key]
    loop(window, "cancel", "--session", other.id, inside=False)
    assert listed(other) == []
    loop(window, "start", "Add more", "--session", other.id, inside=False)
    ended = json.loads(loop(window, "cancel", "--json", inside=False).stdout)["sessions"]
    assert len(ended) == 2
    assert listed(window) == listed(other) == []


def test_a_session_whose_id_begins_with_digits_is_named_by_them(window: Window) -> None:
    digits = str(uuid4().int)[:14]
    window.id = f"{digits[:8]}-{digits[8:]}"
    window.says("SessionStart")
    for key in (digits[:8], window.id[:11]):
        loop(window, "start", key, "--session", key, inside=False)
        assert [row["prompt"] for row in listed(window)] == [key]
    none = loop(window, "start", "Add pages", "--session", "1" + "0" * 12, check=False)
    assert (none.returncode, "There is no session 1000" in none.stderr) == (1, True)


def test_only_the_conversation_s_own_loop_is_ended(window: Window) -> None:
    window.says("SessionStart")
    loop(window, "start", "Add pages")
    other = window_in(window.home)
    other.says("SessionStart")
    said = loop(other, "cancel", check=False)
    assert (said.returncode, "No loop is running here." in said.stderr) == (1, True)
    assert len(listed(window)) == 1


WRONG = [
    (("start", " "), "TASK is empty."),
    (("start", "x" * 4_001), "at most 4,000 characters"),
    (("start", "x", "--promise", " "), "without < and >"),
    (("start", "x", "--promise", "<a>"), "without < and >"),
    (("start", "x", "--promise", "y" * 201), "at most 200 characters"),
    (("start", "x", "--max", "0"), "1<=x<=1000"),
    (("start", "x", "--session", "999999999"), "There is no session 999999999."),
    (("start", "x", "--session", "nobody"), "There is no session nobody."),
    (("cancel", "--session", "999999999"), "There is no session 999999999."),
]


@pytest.mark.parametrize(("args", "sentence"), WRONG)
def test_bad_input_is_refused_with_one_sentence(
    args: tuple[str, ...], sentence: str, window: Window
) -> None:
    done = loop(window, *args, inside=False, check=False)
    assert done.returncode in (1, 2)
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_a_session_that_has_ended_or_is_a_subagent_s_has_no_loop(window: Window) -> None:
    window.says("SessionStart")
    window.says("PreToolUse", agent_id="a1", agent_type="Explore")
    ((number,),) = window.sessions("id", "agent_id IS NOT NULL")
    said = loop(window, "start", "x", "--session", str(number), check=False)
    assert f"Session {number} is a subagent's" in said.stderr
    window.says("SessionEnd")
    ((number,),) = window.sessions("id")
    said = loop(window, "start", "x", "--session", str(number), check=False)
    assert f"Session {number} has ended already." in said.stderr
