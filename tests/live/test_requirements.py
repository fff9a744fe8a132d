"""Live: promises that lie across several parts, each kept at the socket.

Where several policies speak of one call, they speak in the order of their priority, the lower
first: overflow (20), heartbeat (40), guard rules (80). What they tell is joined by blank lines.
The strongest verdict decides, and its reason is the reasons of all who gave it, in that order too;
what others tell besides still reaches the model.
"""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from support.flows import handover as leaving
from support.flows import has_read, put, skill, told, with_templates, within
from support.home import Home, Window
from support.payloads import context, verdict


def as_method(window: Window, method: str, event: str, **more: Any) -> dict[str, Any]:
    """Call the method of an event by its name; return its result."""
    params = window.event(event, **more) | {"env": window.identity}
    result: dict[str, Any] = window.home.rpc(method, params)
    return result


def refused(home: Home, method: str, **params: Any) -> str:
    """Return the code with which a call is refused, or where there is none, what is wrong."""
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    error = json.loads(home.line(json.dumps(request).encode()))["error"]
    said: str = error["data"].get("code") or error["data"]["detail"]
    return said


def guards(window: Window, name: str, **rule: Any) -> None:
    """Set a rule in the window's project."""
    window.rpc("guards.add", scope="project", rule={"id": name, **rule})


def fills(window: Window, usage: float) -> None:
    """Say how full the window is."""
    window.rpc("session.updateContextUsage", claudeSessionId=window.id, usage=usage)


def test_all_who_advise_are_heard_in_the_order_of_their_priority(window: Window) -> None:
    window.says("SessionStart")
    window.starts(warnAfter=1)
    fills(window, 0.95)
    guards(window, "style", payload={"text": "Mind the style."}, priority=1)
    answer = window.bash()
    assert verdict(answer) == ("", "")
    said = context(answer).split("\n\n")
    starts = ["[hookd:overflow] ", "[hookd:heartbeat] ", "[hookd:style] Mind the style."]
    assert len(said) == len(starts)
    assert all(text.startswith(start) for text, start in zip(said, starts, strict=True))


def test_all_who_deny_give_their_reasons_in_that_order_and_advice_still_arrives(
    window: Window,
) -> None:
    window.says("SessionStart")
    window.starts(blockAfter=1, warnAfter=0)
    fills(window, 0.95)
    guards(window, "no-ls", urgency="block", payload={"text": "No lists."}, priority=1)
    guards(window, "style", payload={"text": "Mind the style."}, priority=2)
    guards(window, "sure", urgency="ask", payload={"text": "Sure?"}, priority=3)
    answer = window.bash()
    decision, reason = verdict(answer)
    assert decision == "deny"
    assert reason.startswith("heartbeat: 1/1 ")
    assert reason.index("heartbeat") < reason.index("guard no-ls: No lists.")
    assert "Sure?" not in reason
    said = context(answer)
    assert said.startswith("[hookd:overflow] ")
    assert said.endswith("[hookd:style] Mind the style.")


def test_a_rule_can_hold_calls_back_while_directives_wait_and_no_longer(window: Window) -> None:
    for folder in ("", "src/", "src/deep/"):
        put(f"{window.project}/{folder}AGENTS.md", f"Rules of {folder}.\n" + "x" * 6_000)
    guards(
        window,
        "first-read",
        trigger={"type": "discovery", "condition": {"field": "pendingPreloads", "nonEmpty": True}},
        urgency="block",
        payload={"text": "Wait for: $pendingPreloads"},
        whitelist=["Read"],
    )
    window.says("SessionStart")
    window.starts()
    assert window.bash() is None
    source = put(f"{window.project}/src/deep/x.py", "x = 1")
    texts = [has_read(window, source)]
    reads = window.calls("Read", file_path=source)
    assert verdict(reads)[0] == ""
    denied = window.bash()
    decision, reason = verdict(denied)
    assert decision == "deny"
    assert reason.startswith(f"guard first-read: Wait for: {window.project}/src/deep/AGENTS.md")
    texts += [context(reads), context(denied)]
    for folder in ("", "src/", "src/deep/"):
        assert [f"Rules of {folder}." in text for text in texts].count(True) == 1
    assert window.bash() is None


def test_texts_that_wait_are_each_given_once_to_a_crowd_of_calls(window: Window) -> None:
    names = [f"T{number}.md" for number in range(8)]
    folder = skill(window, "plan", with_templates(*names))
    for name in names:
        put(f"{folder}/{name}", f"MARK-{name}\n" + "z" * 3_000)
    window.says("SessionStart")
    within(window, "effort.start", taskDir=f"{window.project}/t", skill="plan")

    def runs(number: int) -> str:
        more = {"tool_name": "Bash", "tool_input": {"command": f"echo {number}"}}
        body = json.dumps(window.event("PostToolUse", tool_response={}, **more)).encode()
        return context(window.home.bare(body, "PostToolUse", window.identity)["result"])

    with ThreadPoolExecutor(20) as pool:
        texts = list(pool.map(runs, range(60)))
    everything = "\n".join((*texts, *told(window)))
    assert [everything.count(f"MARK-{name}") for name in names] == [1] * len(names)


def test_a_prompt_as_a_method_tells_what_the_session_works_on(window: Window) -> None:
    skill(window)
    window.says("SessionStart")
    effort = window.starts()
    within(window, "effort.phase", phase="0: Setup")
    window.bash()
    result = as_method(window, "hooks.userPrompt", "UserPromptSubmit", prompt="Go on.")
    ((number,),) = window.sessions("id")
    line = result.pop("sessionContext")
    assert line.startswith("[Session Context] Time: ")
    assert f"| Session: {effort['taskDir']} | Skill: implement | Phase: 0: Setup |" in line
    assert line.endswith("| Heartbeat: 1/10")
    assert context(result.pop("hookOutput")) == line
    assert result == {
        "effortId": effort["effortId"],
        "sessionId": number,
        "taskDir": effort["taskDir"],
        "skill": "implement",
        "phase": "0: Setup",
        "heartbeat": "1/10",
    }


def test_a_prompt_without_an_effort_tells_of_nothing(window: Window) -> None:
    window.says("SessionStart")
    result = as_method(window, "hooks.userPrompt", "UserPromptSubmit", prompt="Hello.")
    nothing = dict.fromkeys(("effortId", "sessionId", "taskDir", "skill", "phase", "hookOutput"))
    assert result == nothing | {"sessionContext": "", "heartbeat": "0/10"}


def test_an_agent_that_registers_again_keeps_its_status_and_its_effort(window: Window) -> None:
    window.env["AGENT_ID"] = name = f"agent-{window.id[:8]}"
    effort = window.starts()["effortId"]
    window.rpc("agents.updateStatus", id=name, status="checked")
    assert window.rpc("agents.register", id=name, claims="src/*") == {"id": name, "known": True}
    again = {"id": name, "parent": "boss", "tmuxPane": "%7"}
    assert window.rpc("agents.register", **again) == {"id": name, "known": True}
    (row,) = window.rpc("agents.list", id=name)["agents"]
    kept = {key: row[key] for key in ("status", "effortId", "claims", "parent", "tmuxPane")}
    assert kept == {
        "status": "checked",
        "effortId": effort,
        "claims": "src/*",
        "parent": "boss",
        "tmuxPane": "%7",
    }


def test_an_agent_that_is_new_is_idle_and_has_no_effort(window: Window) -> None:
    name = f"agent-{window.id[:8]}"
    assert window.rpc("agents.register", id=name) == {"id": name, "known": False}
    (row,) = window.rpc("agents.list", id=name)["agents"]
    assert (row["status"], row["effortId"]) == ("idle", None)


def test_a_status_that_there_is_not_and_an_agent_that_is_not_known_are_refused(
    window: Window,
) -> None:
    name = f"agent-{window.id[:8]}"
    window.rpc("agents.register", id=name)
    told_of = refused(window.home, "agents.updateStatus", id=name, status="asleep")
    assert told_of.startswith("status: ")
    assert "idle" in told_of
    unknown = refused(window.home, "agents.updateStatus", id=f"{name}-x", status="idle")
    assert unknown == "NOT_FOUND"
    assert window.rpc("agents.list", id=f"{name}-x") == {"agents": []}
    (row,) = window.rpc("agents.list", id=name)["agents"]
    assert row["status"] == "idle"


def test_agents_are_found_by_the_effort_that_they_own(window: Window) -> None:
    names = [f"{name}-{window.id[:8]}" for name in ("ann", "bob")]
    workers = [Window(window.home, window.project, env={"AGENT_ID": name}) for name in names]
    efforts = [worker.starts()["effortId"] for worker in workers]
    for name, effort in zip(names, efforts, strict=True):
        found = window.rpc("agents.list", effortId=effort)["agents"]
        assert [one["id"] for one in found] == [name]
    assert window.rpc("agents.list", effortId=2**40) == {"agents": []}


def test_a_session_is_ended_with_what_it_leaves_and_only_once(window: Window) -> None:
    window.says("SessionStart")
    window.starts()
    ((number,),) = window.sessions("id")
    left = leaving(summary="Half of the pages.")
    done = within(window, "session.finish", dehydrationPayload=left)
    assert done == {"sessionId": number, "handover": True}
    ((reason, kept, at, ended),) = window.sessions(
        "end_reason, handover_json, handover_at, ended_at"
    )
    assert reason == "finished"
    assert json.loads(kept)["summary"] == "Half of the pages."
    assert at == ended is not None
    again = {"sessionId": number, "dehydrationPayload": leaving(summary="Another.")}
    assert refused(window.home, "session.finish", **again) == "ALREADY_ENDED"
    assert window.sessions("handover_json") == [(kept,)]
    following = Window(window.home, window.project)
    assert "Half of the pages." in context(following.says("SessionStart", source="clear"))


def test_a_session_that_there_is_not_cannot_be_ended(window: Window) -> None:
    assert refused(window.home, "session.finish", sessionId=2**40) == "NOT_FOUND"
    assert refused(window.home, "session.finish") == "NOT_FOUND"


@pytest.mark.parametrize(
    "payload", [{}, {"summary": 7}, {"summary": "x", "colour": "red"}], ids=str
)
def test_a_handover_that_is_refused_ends_nothing(window: Window, payload: dict[str, Any]) -> None:
    window.says("SessionStart")
    ((number,),) = window.sessions("id")
    params = {"sessionId": number, "dehydrationPayload": payload}
    assert refused(window.home, "session.finish", **params) == "INVALID_HANDOVER"
    assert window.sessions("ended_at, handover_json") == [(None, None)]
    assert within(window, "session.finish") == {"sessionId": number, "handover": False}


def test_a_subagent_s_end_as_a_method_tells_whether_its_row_was_open(window: Window) -> None:
    window.says("SessionStart")
    effort = window.starts()["effortId"]
    sub = {"agent_id": "sub-1", "agent_type": "general-purpose"}
    read = {"tool_name": "Read", "tool_input": {"file_path": f"{window.project}/a.py"}}
    window.says("PostToolUse", tool_response={}, **read, **sub)

    def ended(name: str) -> Any:
        more = sub | {"agent_id": name}
        result = as_method(window, "hooks.subagentStop", "SubagentStop", **more)
        assert result["hookOutput"] is None
        return result["sessionEnded"]

    assert ended("sub-1") is True
    assert ended("sub-2") is False
    assert window.sessions("end_reason", "agent_id = 'sub-1'") == [("finished",)]
    assert window.sessions("ended_at") == [(None,)]
    sql = "SELECT metadata_json FROM efforts WHERE id = ?"
    ((metadata,),) = window.home.rows(sql, effort)
    assert json.loads(metadata)["loadedFiles"] == [f"{window.project}/a.py"]


def test_a_typed_command_as_a_method_tells_which_effort_it_began(window: Window) -> None:
    skill(window)
    window.says("SessionStart")
    words = {"command_name": "implement", "command_args": "pages", "prompt": "/implement pages"}
    result = as_method(window, "hooks.userPromptExpansion", "UserPromptExpansion", **words)
    ((effort,),) = window.sessions("effort_id")
    assert (result["effortId"], result["skill"]) == (effort, "implement")
    assert "1: Build" in context(result["hookOutput"])
    other = words | {"command_name": "compact", "command_args": "", "prompt": "/compact"}
    silent = as_method(window, "hooks.userPromptExpansion", "UserPromptExpansion", **other)
    assert silent == {"effortId": effort, "skill": "implement", "hookOutput": None}


def test_two_commands_of_one_prompt_are_both_run(window: Window) -> None:
    skill(window)
    window.says("SessionStart")
    event = window.event("UserPromptExpansion", command_name="implement", command_args="pages")
    first = window.home.said(event, env=window.identity)
    other = event | {"command_args": "users"}
    second = window.home.said(other, env=window.identity)
    # By another registration, such as a project's: it is the same event.
    again = window.home.said(event, args=("--fail-closed",), env=window.identity)
    assert again == first
    assert second != first
