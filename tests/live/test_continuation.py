"""Live: an agent with open items continues, is never trapped, and obeys the user."""

from typing import Any

import pytest

from support.home import Home, Window, window_in

TODOS = [
    {"content": "Plan", "status": "completed"},
    {"content": "Build", "status": "in_progress"},
    {"content": "Test", "status": "pending"},
]
STATUS = "[Status: 1/3 completed, 2 remaining]"


@pytest.fixture
def enforcing(home: Home) -> Home:
    """A daemon that has agents work their lists off."""
    options = {"todo-continuation-enforcer": {"mode": "enforce"}}
    home.settings({"policies": {"profile": "workflow", "options": options}})
    return home.serves()


def listed(home: Home) -> Window:
    """Return a window with one item done and two open."""
    window = window_in(home)
    window.says("SessionStart")
    window.says("PostToolUse", tool_name="TodoWrite", tool_input={"todos": TODOS}, tool_response={})
    return window


def stops(window: Window, prompt: str, **more: Any) -> str:
    """Let the agent stop; return the instruction to continue, "" if it may stop."""
    answer = window.says("Stop", prompt_id=prompt, **more) or {}
    assert answer.get("decision") in (None, "block")
    return str(answer["reason"]) if answer.get("decision") else ""


def compacts(window: Window) -> None:
    window.says("PreCompact.auto")
    window.says("SessionStart.compact")


def test_an_agent_with_open_items_goes_on_and_is_let_go_after_five_holds(enforcing: Home) -> None:
    window = listed(enforcing)
    window.says("UserPromptSubmit", prompt_id="p1", prompt="Work the list off")
    assert stops(window, "p1", background_tasks=[{"id": "b1", "status": "running"}]) == ""
    assert stops(window, "p1", permission_mode="plan") == ""
    held = [stops(window, "p1")]
    assert STATUS in held[0]
    for number in range(5):
        window.bash(f"make {number}")
        if number == 1:
            compacts(window)
        if number == 3:
            enforcing.restarts()
        held.append(stops(window, "p1", stop_hook_active=True))
    assert [bool(reason) for reason in held] == [True] * 5 + [False]
    window.says("UserPromptSubmit", prompt_id="p2", prompt="And now?")
    assert STATUS in stops(window, "p2")


def test_once_the_user_has_said_stop_nothing_goes_on_until_it_is_lifted(enforcing: Home) -> None:
    window = listed(enforcing)
    assert stops(window, "p1")
    answer = window.says("UserPromptSubmit", prompt_id="p2", prompt="Fine. Stop continuing!")
    assert "stop continuing" in answer["hookSpecificOutput"]["additionalContext"]
    assert stops(window, "p2") == ""
    compacts(window)
    window.says("UserPromptSubmit", prompt_id="p3", prompt="What is left?")
    assert stops(window, "p3") == ""
    enforcing.restarts()
    window.says("UserPromptSubmit", prompt_id="p4", prompt="What is left?")
    assert stops(window, "p4") == ""
    assert stops(listed(enforcing), "p4"), "another conversation continues"
    window.says("UserPromptSubmit", prompt_id="p5", prompt="OK, continue working.")
    assert STATUS in stops(window, "p5")


def test_a_compaction_that_nobody_was_told_of_the_end_of_holds_nobody(enforcing: Home) -> None:
    window = listed(enforcing)
    window.says("UserPromptSubmit", prompt_id="p1", prompt="stop continuing")
    window.says("PreCompact.auto")
    assert stops(window, "p1") == ""
    assert stops(window, "p1") == ""


def test_a_loop_goes_over_a_compaction_and_ends_at_its_promise(enforcing: Home) -> None:
    window = window_in(enforcing)
    window.says("SessionStart")
    started = window.says("UserPromptSubmit", prompt="/ralph-loop Add pages --max-iterations 9")
    assert "/cancel-ralph" in started["systemMessage"]
    assert stops(window, "p1", last_assistant_message="Half").startswith("ralph-loop: round 2/9")
    compacts(window)
    window.bash()
    assert stops(window, "p1", last_assistant_message="More").startswith("ralph-loop: round 3/9")
    done = window.says("Stop", last_assistant_message="<promise>DONE</promise>")
    assert done == {"systemMessage": "hookd: loop ended in round 3/9: the agent gave the promise."}
    assert stops(window, "p2") == ""


def test_what_is_kept_goes_with_the_conversation(enforcing: Home) -> None:
    window = window_in(enforcing)
    window.says("SessionStart")
    window.says("UserPromptSubmit", prompt="/ralph-loop Add pages")
    assert stops(window, "p1")
    window.says("SessionEnd")
    sql = (
        "SELECT count(*) FROM policy_state k JOIN sessions s ON s.id = k.session_id"
        " WHERE s.claude_session_id = ?"
    )
    assert window.home.rows(sql, window.id) == [(0,)]
