"""Live: whole scenarios, from a fresh project to a crowd whose daemon dies in its midst."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from support.flows import has_run, kills, put
from support.home import Home, Window, window_in
from support.payloads import context, verdict

CALLS = 50


@pytest.mark.gate
def test_a_fresh_project_is_served_in_silence_by_one_daemon(home: Home) -> None:
    window = window_in(home)
    events = [window.event("SessionStart"), window.event("UserPromptSubmit")]
    for number in range(20):
        call = {"tool_input": {"command": f"echo {number}"}}
        events += [
            window.event("PreToolUse.Bash", **call),
            window.event("PostToolUse.Bash", **call),
        ]
    events += [window.event("Stop"), window.event("SessionEnd")]
    for event in events:
        done = home.hook(event, env=window.identity)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert len(home.logged("daemon serves")) == 1
    assert home.rows("SELECT count(*) FROM events") == [(len(events),)]
    assert home.rows("SELECT count(*), max(heartbeat_counter) FROM sessions") == [(1, 20)]
    assert not Path(window.project, "tasks").exists()


def test_from_the_terminal_to_a_log_entry(window: Window) -> None:
    window.says("SessionStart")
    done = window.home.hookd(
        "effort", "start", "demo", "implement", env=window.identity, cwd=window.project
    )
    assert "is active" in done.stdout
    line = context(window.says("UserPromptSubmit"))
    assert f"Session: {window.project}/demo | Skill: implement" in line
    assert line.endswith("Heartbeat: 0/10")
    answers = [window.bash(f"echo {number}") for number in range(10)]
    assert [bool(context(answer)) for answer in answers] == [False] * 2 + [True] + [False] * 7
    assert [verdict(answer)[0] for answer in answers] == [""] * 9 + ["deny"]
    assert "hookd log" in verdict(answers[-1])[1]
    assert verdict(window.bash("hookd log x; rm -rf y"))[0] == "deny"
    assert window.bash('hookd log "The parser is done."') is None
    session = window.identity | {"CLAUDE_CODE_SESSION_ID": window.id}
    window.home.hookd("log", "The parser is done.", env=session, cwd=window.project)
    assert window.count == 0
    log = Path(window.project, "demo", "1_IMPLEMENT_LOG.md").read_text()
    assert log.startswith("# implement log\n\n[20")
    assert log.endswith("] The parser is done.\n")
    assert window.bash("rm -rf build") is None


def test_two_agents_in_one_folder_have_each_their_own(window: Window) -> None:
    ann, bob = (Window(window.home, window.project, env={"AGENT_ID": name}) for name in "ab")
    efforts = [one.starts(skill) for one, skill in ((ann, "implement"), (bob, "review"))]
    for one, calls in ((ann, 4), (bob, 2)):
        one.says("SessionStart")
        for number in range(calls):
            one.bash(f"echo {number}")
    assert (ann.count, bob.count) == (4, 2)
    bob.says("SessionEnd", reason="other")
    rows = window.home.rows("SELECT id, status, effort_id FROM agents WHERE id IN ('a', 'b')")
    assert sorted(rows) == [
        ("a", "working", efforts[0]["effortId"]),
        ("b", "done", efforts[1]["effortId"]),
    ]
    window.home.hookd("log", "An entry.", env=ann.identity)
    assert (ann.count, bob.count) == (0, 2)
    assert Path(efforts[0]["logPath"]).exists()
    assert not Path(efforts[1]["logPath"]).exists()


def crowd(home: Home) -> tuple[list[Window], list[tuple[Window, dict[str, Any]]]]:
    """Return two agents in one folder, each with an effort, and their calls, one by turns."""
    project = window_in(home).project
    agents = [Window(home, project, env={"AGENT_ID": name}) for name in ("ann", "bob")]
    for one in agents:
        one.starts(blockAfter=1_000)
        one.says("SessionStart")
    calls = [
        (one, one.event("PreToolUse.Bash", tool_input={"command": f"echo {number}"}))
        for number in range(CALLS)
        for one in agents
    ]
    return agents, calls


def answered(call: tuple[Window, dict[str, Any]]) -> bool:
    """Send a call through the shim; return whether it was judged."""
    window, event = call
    done = window.home.hook(event, env=window.identity)
    assert done.returncode == 0
    return done.stderr == b""


def kept(window: Window) -> list[str]:
    """Return the ids of the calls of this conversation that are kept, oldest first."""
    sql = "SELECT tool_use_id FROM events WHERE claude_session_id = ? AND event = 'PreToolUse'"
    return [row[0] for row in window.home.rows(f"{sql} ORDER BY id", window.id)]


def test_a_hundred_calls_at_once_are_counted_exactly(daemon: Home) -> None:
    agents, calls = crowd(daemon)
    with ThreadPoolExecutor(10) as pool:
        assert all(pool.map(answered, calls))
    assert [one.count for one in agents] == [CALLS, CALLS]


@pytest.mark.gate
def test_a_daemon_that_is_killed_in_their_midst_loses_none_that_was_answered(daemon: Home) -> None:
    agents, calls = crowd(daemon)
    with ThreadPoolExecutor(8) as pool:
        running = [pool.submit(answered, call) for call in calls]
        running[len(running) // 2].result()
        kills(daemon)
        judged = [one.result() for one in running]
    assert daemon.rows("PRAGMA integrity_check") == [("ok",)]
    for agent in agents:
        ids = kept(agent)
        assert len(ids) == len(set(ids)) == agent.count
        mine = zip(calls, judged, strict=True)
        told = {event["tool_use_id"] for (one, event), well in mine if one is agent and well}
        assert told <= set(ids)
    assert len(daemon.logged("daemon serves")) == 2


def test_a_subagent_s_calls_never_hold_up_its_parent(window: Window) -> None:
    effort = window.starts()
    window.says("SessionStart")
    window.bash()
    window.says("SubagentStart", agent_id="a1")
    path = f"{window.project}/src/x.py"
    for number in range(12):
        window.bash(f"echo {number}", agent_id="a1")
    more = {"tool_name": "Read", "tool_input": {"file_path": path}, "tool_response": {}}
    window.says("PostToolUse", agent_id="a1", **more)
    assert verdict(window.bash("git status"))[0] == ""
    assert window.count == 2
    own = window.sessions("heartbeat_counter, ended_at IS NULL", "agent_id = 'a1'")
    assert own == [(12, 1)]
    window.says("SubagentStop", agent_id="")
    window.says("SubagentStop", agent_id="a1")
    assert window.sessions("end_reason", "agent_id = 'a1'") == [("finished",)]
    assert window.sessions("end_reason, heartbeat_counter") == [(None, 2)]
    sql = "SELECT metadata_json FROM efforts WHERE id = ?"
    ((kept,),) = window.home.rows(sql, effort["effortId"])
    assert json.loads(kept)["loadedFiles"] == [path]


def test_a_subagent_that_is_held_is_told_so_in_its_own_window(window: Window) -> None:
    window.starts(blockAfter=2)
    window.says("SessionStart")
    said = [verdict(window.bash(f"echo {n}", agent_id="a1"))[0] for n in range(3)]
    assert said == ["", "deny", "deny"]
    assert verdict(window.bash("ls")) == ("", "")


@pytest.mark.parametrize(
    ("tools", "denied", "told"), [("Grep", 0, False), ("Grep, Bash", 3, True), (None, 0, True)]
)
def test_a_subagent_that_cannot_log_is_not_held_for_it(
    window: Window, tools: str | None, denied: int, told: bool
) -> None:
    if tools:
        text = f"---\nname: searcher\ndescription: Looks.\ntools: {tools}\n---\nLook.\n"
        put(f"{window.project}/.claude/agents/searcher.md", text)
    window.starts(blockAfter=3)
    window.says("SessionStart")
    who = {"agent_id": "a1", "agent_type": "searcher"}
    assert ("hookd log" in context(window.says("SubagentStart", **who))) == told
    said = [verdict(window.calls("Grep", event=who, pattern="x"))[0] for _ in range(5)]
    assert said.count("deny") == denied
    assert window.count == 0
    # Whoever runs a command can log, whatever its definition says.
    said = [verdict(window.bash(f"echo {n}", **who))[0] for n in range(4)]
    assert said[-1] == "deny"
    assert window.bash('hookd log "looked"', **who) is None
    assert verdict(window.calls("Grep", event=who, pattern="x"))[0] == ""


QUESTION = "Which one?"
ASKED = {
    "questions": [
        {"question": QUESTION, "options": [{"label": "A"}, {"label": "B"}], "multiSelect": False}
    ]
}


@pytest.mark.parametrize(
    ("response", "said"),
    [
        ({"answers": {QUESTION: "A"}}, "A"),
        ({"answers": [{"question": QUESTION, "answer": "A"}]}, "A"),
        ([{"question": QUESTION, "answer": "A"}], "A"),
        (json.dumps({"answers": {QUESTION: "A"}}), "A"),
        (json.dumps([{"question": QUESTION, "answer": "A"}]), "A"),
        ({"answers": {QUESTION: ["A", "B"]}}, "A, B"),
        ({"answers": [{"question": QUESTION, "answer": ["A", "B"]}]}, "A, B"),
        ({"answers": {"Another?": "A"}}, ""),
        ({"answers": {QUESTION: 7}}, ""),
        ({"answers": [7, None, {"question": [1]}, {"answer": "A"}]}, ""),
        ({"answers": "A"}, ""),
        ('{"answers": {"Which', ""),
        ("", ""),
        (None, ""),
        (7, ""),
        ([[]], ""),
    ],
)
def test_an_answer_is_kept_in_whatever_shape_it_comes(
    window: Window, response: Any, said: str
) -> None:
    more = {"tool_name": "AskUserQuestion", "tool_input": ASKED, "tool_response": response}
    event = window.event("PostToolUse", **more)
    for _ in range(2):
        assert window.home.said(event, env=window.identity) is None
    rows = window.home.rows(
        "SELECT role, content FROM messages WHERE ref = ?", event["tool_use_id"]
    )
    ((role, content),) = rows
    assert role == "user"
    assert json.loads(content) == {
        "preamble": "",
        "questions": [
            {"question": QUESTION, "options": ["A", "B"], "multiSelect": False, "answer": said}
        ],
    }


def test_an_answer_may_stand_in_the_call_itself(window: Window) -> None:
    window.starts()
    event = window.event("PostToolUse", tool_name="AskUserQuestion", tool_response=None)
    event["tool_input"] = ASKED | {"answers": {QUESTION: "B"}}
    result = window.rpc("hooks.postToolUse", **event)
    assert result["dialogueEntry"]["questions"][0]["answer"] == "B"
    for odd in ({}, {"questions": "no list"}, {"questions": [7, {}]}):
        assert has_run(window, "AskUserQuestion", **odd) is None
