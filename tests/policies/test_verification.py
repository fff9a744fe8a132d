"""A subagent's work is a claim until it is checked, and that is said in time and not too often."""

from typing import Any

from hookd.core.model.effects.sessions import Remember
from hookd.core.model.facts import Facts, Session
from hookd.core.model.verdict import Opinion
from hookd.events.model import PostToolUse
from hookd.policies.verification import Options, opine
from support.parametrize import parametrize_all

DONE = {"status": "completed", "content": [{"type": "text", "text": "All done."}]}
EDITED = {"bashCount": 0, "editFileCount": 2, "linesAdded": 1_200, "linesRemoved": 3}


def said(response: Any = None, state: Any = None, tool: str = "Agent", **options: Any) -> Opinion:
    event = PostToolUse(tool_name=tool, tool_input={}, tool_response=response or DONE)
    known = {"verification": state} if state is not None else {}
    facts = Facts(session=Session(1, "s"), policy_state=known)
    return opine(event, facts, Options(**options)) or Opinion()


@parametrize_all("tool", ["Agent", "Task"])
def test_a_result_is_followed_by_the_verification_steps(tool: str) -> None:
    opinion = said(tool=tool)
    assert opinion.context.startswith("[hookd:verification] The subagent's report is not verified")
    for step in ("diagnostics (no errors", "tests (all pass)", "exit code 0)", "review ("):
        assert step in opinion.context
    assert opinion.effects == (Remember(1, "verification", {"at": "2026-01-31T08:00:00.000Z"}),)


def test_the_steps_are_the_users_to_set() -> None:
    context = said(steps={"lint": "make lint is silent"}).context
    assert "lint (make lint is silent). If a check fails" in context
    assert "diagnostics" not in context
    assert len(said(steps={str(at): "x" * 90 for at in range(900)}).context) < 2_500


def test_what_the_client_has_counted_of_the_change_is_told_with_it() -> None:
    context = said({**DONE, "toolStats": EDITED, "agentId": "a1"}).context
    assert "It made 2 edits (+1,200 -3 lines)." in context
    assert context.endswith("The same subagent can be asked again: its id is a1.")
    one = {"editFileCount": 1, "linesAdded": "odd", "linesRemoved": True}
    assert "It made 1 edit (+0 -0 lines)." in said({**DONE, "toolStats": one}).context


@parametrize_all(
    ("stats", "silent"),
    [
        ({"bashCount": 0, "editFileCount": 0, "readCount": 9}, True),
        ({"bashCount": 2, "editFileCount": 0}, False),
        ({"editFileCount": 0}, False),
        ({}, False),
        (None, False),
    ],
)
def test_a_subagent_that_has_changed_nothing_needs_no_check(stats: Any, silent: bool) -> None:
    assert (said({**DONE, "toolStats": stats}) == Opinion()) == silent


@parametrize_all(
    "response",
    [
        {"status": "async_launched", "agentId": "a1"},
        {"status": "remote_launched"},
        {"status": "failed", "content": []},
        {"status": "completed", "content": "API Error: 529"},
        "Error: timeout",
        {"something": "new"},
        {"status": "completed", "content": [{"type": "text", "text": " "}]},
    ],
)
def test_a_launch_and_a_failure_bring_nothing_to_check(response: Any) -> None:
    assert said(response) == Opinion()


@parametrize_all(
    ("at", "every", "silent"),
    [
        ("2026-01-31T07:50:00.001Z", 10, True),
        ("2026-01-31T07:50:00.000Z", 10, False),
        ("2026-01-31T07:59:59.999Z", 0, False),
        (7, 10, False),
    ],
)
def test_a_reminder_comes_once_in_so_many_minutes(at: Any, every: int, silent: bool) -> None:
    assert (said(state={"at": at}, every=every) == Opinion()) == silent


def test_without_a_session_and_for_other_tools_it_is_silent() -> None:
    event = PostToolUse(tool_name="Agent", tool_input={}, tool_response=DONE)
    assert opine(event, Facts(), Options()) is None
    assert said(tool="Bash") == Opinion()
