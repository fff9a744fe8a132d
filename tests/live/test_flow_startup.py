"""Live: a window starts, and its model learns where the work stands, with the files it needs."""

import json
from pathlib import Path
from typing import Any

import pytest

from support.flows import PHASED, handover, put, skill, with_templates, within
from support.home import Window
from support.payloads import context


@pytest.fixture
def agent(window: Window) -> Window:
    """A conversation of an agent, in a process of its own."""
    window.env |= {"AGENT_ID": f"agent-{window.id[:8]}", "CLAUDE_PID": "4711"}
    return window


def starts(window: Window, source: str = "startup") -> str:
    """Let the window start; return its model's context."""
    return context(window.says("SessionStart", source=source))


def test_an_agent_s_window_is_told_its_line_and_then_its_skill_s_templates(agent: Window) -> None:
    folder = skill(agent, text=with_templates("assets/LOG.md", "assets/PLAN.md"))
    log = put(f"{folder}/assets/LOG.md", "# The log\n")
    plan = put(f"{folder}/assets/PLAN.md", "# The plan\n")
    effort = agent.starts()
    line, first, second = starts(agent).split("\n\n")
    assert line.startswith("[Session Context] Time: ")
    assert f"Session: {effort['taskDir']} | Skill: implement | Phase: none" in line
    assert line.endswith("Heartbeat: 0/10")
    assert first == f"[Preloaded: {log}]\n# The log"
    assert second == f"[Preloaded: {plan}]\n# The plan"
    assert agent.sessions("owner, effort_id, source, pid") == [
        (agent.env["AGENT_ID"], effort["effortId"], "startup", 4711)
    ]
    ((kept,),) = agent.sessions("preloaded_files_json")
    assert json.loads(kept) == [log, plan]


def test_the_result_holds_the_skill_as_it_is_declared(agent: Window) -> None:
    folder = skill(agent, text=PHASED.replace("phases:", "logTemplate: LOG.md\nphases:"))
    effort = agent.starts()
    event = agent.event("SessionStart") | {"env": agent.identity}
    result = agent.home.rpc("hooks.sessionStart", event)
    assert (result["found"], result["effortId"]) == (True, effort["effortId"])
    assert result["filesToPreload"] == [f"{folder}/LOG.md"]
    phases = [(one["label"], one["proof"]) for one in result["skillConfig"]["phases"]]
    assert phases == [("0", []), ("1", ["files", "tests"]), ("2", [])]
    assert result["dehydratedContext"] is None
    assert result["sessionContext"].startswith("[Session Context]")


def test_a_file_beyond_the_budget_is_named_and_one_that_is_not_there_is_called_missing(
    agent: Window,
) -> None:
    names = ("a.md", "long.md", "b.md", "none.md")
    folder = skill(agent, text=with_templates(*names))
    put(f"{folder}/a.md", "a" * 4_000)
    put(f"{folder}/long.md", "l" * 6_000)
    put(f"{folder}/b.md", "b" * 100)
    agent.starts()
    text = starts(agent)
    assert len(text) <= 9_000
    assert f"[Preloaded: {folder}/a.md]\n{'a' * 4_000}" in text
    assert f"[Preloaded: {folder}/b.md]\n{'b' * 100}" in text
    listed = text.partition("[Files to preload]:\n")[2].splitlines()
    assert listed == [f"  - {folder}/none.md (missing)", f"  - {folder}/long.md"]


def test_one_file_by_many_names_comes_once(agent: Window) -> None:
    names = ("LOG.md", "./assets/../LOG.md", "linked.md", "hard.md")
    folder = skill(agent, text=with_templates(*names))
    put(f"{folder}/LOG.md", "only once\n")
    Path(folder, "assets").mkdir()
    Path(folder, "linked.md").symlink_to("LOG.md")
    Path(folder, "hard.md").hardlink_to(f"{folder}/LOG.md")
    agent.starts()
    text = starts(agent)
    assert text.count("only once") == 1
    assert "[Files to preload]" not in text


def test_what_lies_outside_is_not_read_by_whatever_road_it_is_named(agent: Window) -> None:
    secret = put(agent.home.path / "outside" / f"{agent.id}.md", "the user's own")
    around = f"../../../../../outside/{agent.id}.md"
    folder = skill(agent, text=with_templates(around, secret, "linked.md", "dir/x.md"))
    Path(folder, "linked.md").symlink_to(secret)
    Path(folder, "dir").symlink_to(Path(secret).parent)
    put(Path(secret).parent / "x.md", "the user's own")
    agent.starts()
    text = starts(agent)
    assert "the user's own" not in text
    listed = text.partition("[Files to preload]:\n")[2].splitlines()
    assert listed == [
        f"  - {secret} (missing)",
        f"  - {folder}/linked.md (missing)",
        f"  - {folder}/dir/x.md (missing)",
    ]


@pytest.mark.parametrize("source", ["startup", "clear", "compact", "resume", "fork"])
def test_every_start_opens_a_row_that_follows_the_one_before(agent: Window, source: str) -> None:
    effort = agent.starts()
    starts(agent)
    agent.bash()
    within(agent, "handover.save", payload=handover())
    text = starts(agent, source)
    assert f"Session: {effort['taskDir']}" in text
    recovers = source in ("startup", "clear", "compact")
    assert ("## Session Recovery" in text) == recovers
    columns = "id, prev_session_id, source, end_reason, effort_id, heartbeat_counter"
    (before, *rest), after = agent.sessions(columns)
    end = "compact" if source == "compact" else "superseded"
    assert rest == [None, "startup", end, effort["effortId"], 1]
    kept = 1 if source == "compact" else 0  # a person had it compacted: the client's own ends a row
    assert after[1:] == (before, source, None, effort["effortId"], kept)


@pytest.mark.parametrize("source", ["startup", "clear", "compact", "resume", "fork"])
def test_a_start_that_is_delivered_again_is_the_same_window(agent: Window, source: str) -> None:
    folder = skill(agent, text=with_templates("LOG.md"))
    put(f"{folder}/LOG.md", "# The log")
    agent.starts()
    event = agent.event("SessionStart", source=source)
    answers: list[Any] = [agent.home.said(event, env=agent.identity) for _ in range(3)]
    assert "# The log" in context(answers[0])
    assert answers == [answers[0]] * 3
    assert agent.sessions("source") == [(source,)]
    rows = agent.home.rows(
        "SELECT count(*) FROM injections i JOIN sessions s ON s.id = i.session_id"
        " WHERE s.claude_session_id = ?",
        agent.id,
    )
    assert rows == [(1,)]


def test_a_window_without_an_effort_is_told_nothing(agent: Window) -> None:
    skill(agent, text=with_templates("LOG.md"))
    assert agent.says("SessionStart") is None
    assert agent.sessions("effort_id, prev_session_id") == [(None, None)]
