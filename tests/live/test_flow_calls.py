"""Live: one tool call from its two ends, prompts without a sender, and the check by doctor."""

import json
from typing import Any
from uuid import uuid4

import pytest

from support.flows import has_read, has_run, put, skill, told, with_templates, within
from support.home import Home, Window, window_in
from support.payloads import context, verdict


def before(window: Window, **more: Any) -> dict[str, Any]:
    """Let a tool be about to run; return the method's whole result."""
    result: dict[str, Any] = window.rpc(
        "hooks.preToolUse", **window.event("PreToolUse.Bash", **more)
    )
    return result


def after(window: Window, tool: str = "Bash", **tool_input: Any) -> dict[str, Any]:
    """Let a tool have run; return the method's whole result."""
    more = {"tool_name": tool, "tool_input": tool_input, "tool_response": {}}
    result: dict[str, Any] = window.rpc("hooks.postToolUse", **window.event("PostToolUse", **more))
    return result


def test_a_call_is_counted_before_it_runs_and_only_read_after(window: Window) -> None:
    window.starts()
    counts = [(before(window)["heartbeatCount"], after(window)["heartbeatCount"]) for _ in range(3)]
    assert counts == [(1, 1), (2, 2), (3, 3)]


def test_the_result_tells_the_verdict_the_rule_and_the_reason(window: Window) -> None:
    window.starts(blockAfter=2)
    guard = (
        "guard",
        "add",
        "no-deploy",
        "Bash(make deploy)",
        "--deny",
        "Ask first.",
        "--scope",
        "project",
    )
    window.home.hookd(*guard, env=window.identity)
    denied = before(window, tool_input={"command": "make deploy"})
    assert (denied["allow"], denied["overflowWarning"]) == (False, False)
    assert "Ask first." in denied["reason"]
    assert [one["ruleId"] for one in denied["firedRules"]] == ["no-deploy"]
    held = before(window)
    assert (held["allow"], held["heartbeatCount"], held["firedRules"]) == (False, 2, [])
    assert "heartbeat: 2/2" in held["reason"]
    assert before(window, tool_input={"command": "hookd log x"})["heartbeatCount"] == 0


def test_what_waits_is_named_with_the_call_and_given_once(window: Window) -> None:
    folder = skill(window, "plan", with_templates("LOG.md", "long.md"))
    log = put(f"{folder}/LOG.md", "# The log")
    long = put(f"{folder}/long.md", "l" * 8_900)
    window.says("SessionStart")
    within(window, "effort.start", taskDir=f"{window.project}/t", skill="plan")
    first = before(window)
    assert first["pendingPreloads"][0] == log
    assert set(first["pendingPreloads"]) == {log, long}
    said = first["hookOutput"]["hookSpecificOutput"]["additionalContext"]
    rest = "\n".join([said, *told(window)])
    assert rest.count("# The log") == 1
    assert rest.count("l" * 4_000) >= 1
    assert sum(len(line) for line in rest.splitlines() if set(line) == {"l"}) == 8_900
    assert before(window)["pendingPreloads"] == []
    ((kept,),) = window.sessions("preloaded_files_json")
    assert json.loads(kept) == [log, long]


def test_files_that_were_read_are_kept_once(window: Window) -> None:
    for path in ("a.py", "b.py", "a.py"):
        has_read(window, f"{window.project}/{path}")
    has_run(window, "Edit", file_path=f"{window.project}/c.py")
    ((kept,),) = window.sessions("loaded_files_json")
    assert json.loads(kept) == [f"{window.project}/a.py", f"{window.project}/b.py"]


def test_a_reminder_and_a_file_go_together_with_one_call(window: Window) -> None:
    folder = skill(window, "plan", with_templates("LOG.md"))
    put(f"{folder}/LOG.md", "# The log")
    window.says("SessionStart")
    params = {"taskDir": f"{window.project}/t", "skill": "plan", "metadata": {"warnAfter": 1}}
    within(window, "effort.start", **params)
    window.rpc("session.updateContextUsage", claudeSessionId=window.id, usage=0.95)
    text = context(window.bash("ls"))
    for said in ("# The log", "1 tool call without a log entry", "95% full"):
        assert said in text


def test_a_denied_call_that_a_file_went_with_is_heard_all_the_same(window: Window) -> None:
    folder = skill(window, "plan", with_templates("LOG.md"))
    put(f"{folder}/LOG.md", "# The log")
    window.says("SessionStart")
    params = {"taskDir": f"{window.project}/t", "skill": "plan", "metadata": {"blockAfter": 1}}
    within(window, "effort.start", **params)
    answer = window.bash()
    assert verdict(answer)[0] == "deny"
    given = context(answer) + "\n".join(told(window))
    assert given.count("# The log") == 1


MACHINES = [
    "<task-notification>\n<task-id>b1</task-id>\n</task-notification>",
    '\n  <agent-message from="ann">Done.</agent-message>',
]


@pytest.mark.parametrize("prompt", MACHINES)
def test_a_prompt_that_is_not_the_user_s_is_kept_as_the_system_s(
    window: Window, prompt: str
) -> None:
    window.starts()
    assert context(window.says("UserPromptSubmit", prompt="Add pages."))
    assert window.says("UserPromptSubmit", prompt=prompt) is None
    assert window.says("UserPromptSubmit", prompt="x", source="schedule_wakeup") is None
    rows = window.home.rows(
        "SELECT m.role, m.content FROM messages m JOIN sessions s ON s.id = m.session_id"
        " WHERE s.claude_session_id = ? ORDER BY m.id",
        window.id,
    )
    assert rows == [("user", "Add pages."), ("system", prompt), ("system", "x")]


def test_a_prompt_that_only_speaks_of_them_is_the_user_s(window: Window) -> None:
    window.starts()
    assert context(window.says("UserPromptSubmit", prompt="What is <task-notification>?"))


def tables(window: Window) -> list[Any]:
    """Return how many rows there are of what a check must not move."""
    counts = ("sessions", "projects", "agents", "messages", "policy_state")
    return [window.home.rows(f"SELECT count(*) FROM {name}") for name in counts]


def announced(window: Window, nonce: str, answer: str) -> str:
    """Announce a check; return the session that its call is made in."""
    params = {"nonce": nonce, "answer": answer}
    session: str = window.home.rpc("daemon.canary", params)["sessionId"]
    return session


def test_an_announced_check_is_denied_once_and_counted_nowhere(window: Window) -> None:
    nonce, answer = uuid4().hex, uuid4().hex
    session = announced(window, nonce, answer)
    assert session == f"hookd-canary-{nonce}"
    probe = Window(window.home, window.project, id=session, env={"AGENT_ID": "new-agent"})
    rows, events = tables(window), window.home.rpc("daemon.status")["events"]
    decision, reason = verdict(probe.bash("hookd-canary"))
    assert (decision, answer in reason, nonce in reason) == ("deny", True, False)
    assert tables(window) == rows
    assert window.home.rpc("daemon.status")["events"] == events
    kept = window.home.rows("SELECT kind FROM events WHERE claude_session_id = ?", session)
    assert kept == [("canary",)]
    assert verdict(probe.bash("hookd-canary"))[0] == ""


def test_a_check_that_nobody_announced_is_a_call_like_any_other(window: Window) -> None:
    probe = Window(window.home, window.project, id=f"hookd-canary-{uuid4().hex}")
    assert probe.bash("hookd-canary") is None
    assert probe.count == 1


def test_an_announced_check_leaves_everybody_else_alone(window: Window) -> None:
    announced(window, uuid4().hex, uuid4().hex)
    assert window.bash("hookd-canary") is None
    assert window.count == 1


def test_the_oldest_of_many_announced_checks_is_forgotten(daemon: Home) -> None:
    window = window_in(daemon)
    sessions = [announced(window, uuid4().hex, uuid4().hex) for _ in range(17)]
    probes = [Window(daemon, window.project, id=session) for session in sessions]
    told = [verdict(probe.bash("hookd-canary"))[0] for probe in probes]
    assert told == ["", *["deny"] * 16]
