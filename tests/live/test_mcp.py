"""Live: the MCP server, with the SDK's own client, and hook events that name the caller."""

import json
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path
from sqlite3 import connect
from typing import Any
from uuid import uuid4

import anyio
import pytest
from mcp.client.session import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client

from hookd.cli.mcp.tools import TOOLS
from hookd.core.sessions.own_tools import input_digest
from hookd.methods import METHODS
from support.home import Home, Window, window_in
from support.payloads import verdict

HANDOVER = {"summary": "Parsed.", "lastAction": "Tests.", "nextSteps": ["Docs."]}
PERSON_ONLY = ("allow", "approv", "pause", "stop", "setting", "polic", "query", "trust", "forget")


@asynccontextmanager
async def served(window: Window) -> AsyncIterator[ClientSession]:
    """Start the server as a client does; end it."""
    env = window.home.env | window.identity
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "hookd", "mcp"], env=env, cwd=window.project
    )
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        await session.initialize()
        yield session


async def calls(
    session: ClientSession, window: Window, tool: str, *, hook: bool = True, **given: Any
) -> Any:
    """Call a tool as a model does: first its PreToolUse event, then the server."""
    if hook:
        window.calls(f"mcp__hookd__{tool}", **given)
    result = await session.call_tool(tool, given)
    text = result.content[0].text
    return text if result.is_error else json.loads(text)


@pytest.fixture
def agent(window: Window) -> Window:
    window.env["AGENT_ID"] = f"ada-{uuid4().hex[:6]}"
    window.says("SessionStart", source="startup")
    return window


async def test_tools_and_resources_are_offered_and_nothing_for_persons(agent: Window) -> None:
    async with served(agent) as session:
        tools = (await session.list_tools()).tools
        resources = (await session.list_resources()).resources
    assert [one.name for one in tools] == [one.name for one in TOOLS if one.method in METHODS]
    assert not [one.name for one in tools if any(word in one.name for word in PERSON_ONLY)]
    assert all(one.input_schema["additionalProperties"] is False for one in tools)
    assert [str(one.uri) for one in resources] == ["hookd://session/context", "hookd://work"]


def test_no_tool_calls_what_is_for_persons_or_changes_guards() -> None:
    methods = {tool.method for tool in TOOLS}
    for method in methods & METHODS.keys():
        assert getattr(METHODS[method], "person", False) is not True, method
    groups = {"daemon", "guards", "allowances", "approvals", "userHooks", "session", "caller"}
    assert {one for one in methods if one.partition(".")[0] in groups} == {"guards.explain"}


PERSONS = [
    *("allowances.add", "allowances.remove", "approvals.answer", "daemon.pause", "daemon.resume"),
    *("daemon.stop", "mail.allow", "mail.drop", "guards.add", "guards.remove", "query.run"),
    *("policies.set", "settings.set", "session.forget", "userHooks.trust", "userHooks.untrust"),
]


@pytest.mark.gate
async def test_what_is_for_persons_is_no_tool_by_any_name(agent: Window) -> None:
    assert not {tool.method for tool in TOOLS} & set(PERSONS)
    names = {one.replace(".", "_") for one in PERSONS}
    names |= {"allow", "approve", "deny", "pause", "resume", "stop", "query", "policy", "settings"}
    async with served(agent) as session:
        for name in sorted(names):
            told = await session.call_tool(name, {})
            assert (told.is_error, told.content[0].text) == (True, f"There is no tool {name}.")


def mate(agent: Window) -> Window:
    """Return another agent of the same project."""
    other = replace(agent, id=str(uuid4()), env={"AGENT_ID": f"bob-{uuid4().hex[:6]}"})
    other.says("SessionStart", source="startup")
    return other


@pytest.mark.gate
async def test_mail_is_sent_and_read_without_a_shell(agent: Window) -> None:
    other = mate(agent)
    async with served(agent) as session:
        sent = await calls(
            session, agent, "send", to=other.env["AGENT_ID"], text="Parsed.", priority="high"
        )
        read = await calls(session, other, "inbox")
        again = await calls(session, other, "inbox")
        none = await calls(session, other, "inbox", id=99_999)
        await calls(session, other, "send", replyTo=sent["id"], text="Thanks.")
        nobody = await calls(session, agent, "send", to="nobody-here", text="Hello")
    (mail,) = read
    assert (mail["id"], mail["priority"]) == (sent["id"], "high")
    head = rf"\[hookd:mail\] Message {sent['id']} from agent {agent.env['AGENT_ID']} "
    assert re.match(rf"{head}.*\n> Parsed.\nEND", mail["framed"])
    assert again == []
    assert "hookd:mail" not in str(other.says("UserPromptSubmit")), "it came by the tool"
    assert "> Thanks." in str(agent.says("UserPromptSubmit"))
    assert "(NO_RECIPIENT)" in nobody
    assert none.startswith("There is no mail 99999 of yours.")
    assert nobody.endswith("next: the tool fleet, which lists the sessions")


@pytest.mark.gate
async def test_files_are_claimed_and_released_without_a_shell(agent: Window) -> None:
    other = mate(agent)
    async with served(agent) as session:
        claimed = await calls(
            session, agent, "claim", patterns=["resource:staging"], minutes=5, why="a test"
        )
        assert [one["pattern"] for one in claimed["claims"]] == ["staging"]
        taken = await calls(session, other, "claim", patterns=["resource:staging"])
        assert "(CLAIMED)" in taken
        unknown = await calls(session, agent, "claim", hook=False, patterns=["resource:other"])
        assert unknown.startswith("hookd saw no hook event of this call of claim")
        foreign = await calls(session, agent, "release", hook=False, all=True)
        assert foreign.startswith("hookd saw no hook event of this call of release")
        await calls(session, agent, "release", all=True)
        freed = await calls(session, other, "claim", patterns=["resource:staging"])
    assert [one["pattern"] for one in freed["claims"]] == ["staging"]


@pytest.mark.gate
async def test_an_effort_is_worked_on_without_a_shell(agent: Window) -> None:
    task = f"{agent.project}/task"
    async with served(agent) as session:
        effort = await calls(session, agent, "effort_start", task=task, skill="implement")
        number = effort["effortId"]
        phase = await calls(session, agent, "effort_phase", phase="1: Read")
        assert phase["effortId"] == number
        listed = await calls(session, agent, "effort_list", limit=5)
        assert number in [one["id"] for one in listed["efforts"]]
        tasks = await calls(session, agent, "task_list", limit=200)
        assert task in json.dumps(tasks)
        again = await calls(session, agent, "effort_resume", effortId=number)
        assert again["effortId"] == number
        await calls(session, agent, "effort_finish")
        finished = await calls(session, agent, "effort_finish")
        assert "next: the tool effort_start" in finished


@pytest.mark.gate
async def test_work_items_are_shared_without_a_shell(agent: Window) -> None:
    async with served(agent) as session:
        first = (await calls(session, agent, "work_add", title="Parse", key="call-mcp-1"))["id"]
        again = await calls(session, agent, "work_add", title="Parse", key="call-mcp-1")
        assert (again["id"], again["again"]) == (first, True)
        second = (await calls(session, agent, "work_add", title="Test", after=[first]))["id"]
        assert (await calls(session, agent, "work_take"))["id"] == first
        assert (await calls(session, agent, "work_done", id=first, result="ok"))["readyNow"] == [
            second
        ]
        await calls(session, agent, "work_take", id=second)
        blocked = await calls(session, agent, "work_block", id=second, why="no key")
        assert blocked["state"] == "blocked"
        await calls(session, agent, "work_release", id=second)
        listed = await calls(session, agent, "work_list", state="open")
    assert [one["id"] for one in listed["items"]] == [second]


@pytest.mark.gate
async def test_events_and_agents_are_shown_without_a_shell(agent: Window) -> None:
    agent.bash("rm -rf /")
    (number,) = agent.home.rows(
        "SELECT max(id) FROM events WHERE claude_session_id = ? AND decision = 'deny'", agent.id
    )[0]
    async with served(agent) as session:
        why = await calls(session, agent, "why", id=number)
        fleet = await calls(session, agent, "fleet")
    assert why["events"][0]["decision"] == "deny"
    assert agent.env["AGENT_ID"] in json.dumps(fleet)


@pytest.mark.gate
async def test_one_call_that_two_registrations_record_names_its_caller_once(agent: Window) -> None:
    given = HANDOVER | {"summary": uuid4().hex}
    call = {"tool_name": "mcp__hookd__handover_save", "tool_input": given}
    async with served(agent) as session:
        for _ in range(2):
            event = agent.event("PreToolUse", **call) | {"tool_use_id": "toolu_once"}
            agent.home.said(event, env=agent.identity)
        await calls(session, agent, "handover_save", hook=False, **given)
        second = await calls(session, agent, "handover_save", hook=False, **given)
    assert second.startswith("hookd saw no hook event")


@pytest.mark.gate
async def test_calls_at_once_with_equal_input_are_each_their_caller_s(agent: Window) -> None:
    given = HANDOVER | {"summary": uuid4().hex}
    for _ in range(4):
        agent.calls("mcp__hookd__handover_save", **given)
    async with served(agent) as session:
        results = []

        async def one() -> None:
            results.append(await session.call_tool("handover_save", given))

        async with anyio.create_task_group() as group:
            for _ in range(6):
                group.start_soon(one)
    assert sorted(bool(one.is_error) for one in results) == [False] * 4 + [True] * 2


@pytest.mark.parametrize(
    "text", ["é\u2028\U0001f600\x00", "\ud83d", 'a"b\\c\n', "1e2", "\u00e9 e\u0301"]
)
def test_any_text_of_an_input_is_recognised(text: str, agent: Window) -> None:
    given = HANDOVER | {"summary": f"x{text}"}
    agent.calls("mcp__hookd__handover_save", **given)
    rows = agent.home.rows("SELECT digest FROM own_calls WHERE conversation = ?", agent.id)
    assert rows == [(input_digest(given),)]


@pytest.mark.gate
async def test_a_huge_input_is_refused_in_a_sentence(agent: Window) -> None:
    async with served(agent) as session:
        for tool, given in (
            ("log", {"text": "x" * 3_000_000}),
            ("work_add", {"title": "x" * 100_000}),
        ):
            agent.starts()
            told = await calls(session, agent, tool, hook=False, **given)
            assert isinstance(told, dict) or len(told) < 2_000
        listed = await calls(session, agent, "work_list")
    assert listed["items"] == []


@pytest.mark.gate
async def test_a_server_goes_on_when_the_daemon_is_restarted(daemon: Home) -> None:
    window = window_in(daemon)
    window.says("SessionStart", source="startup")
    async with served(window) as session:
        first = (await calls(session, window, "work_add", title="Parse"))["id"]
        daemon.restarts()
        taken = await calls(session, window, "work_take")
    assert taken["id"] == first


@pytest.mark.gate
async def test_an_agent_without_bash_logs_and_its_heartbeat_is_reset(agent: Window) -> None:
    effort = agent.starts(blockAfter=3)
    for _ in range(3):
        agent.calls("Read", file_path=f"{agent.project}/a.py")
    assert verdict(agent.calls("Glob", pattern="*"))[0] == "deny"
    async with served(agent) as session:
        logged = await calls(session, agent, "log", text="Parsed. [needle]")
    assert (logged["effortId"], agent.count) == (effort["effortId"], 0)
    assert "[needle]" in Path(logged["logPath"]).read_text()  # noqa: ASYNC240 - nothing waits
    assert agent.calls("Glob", pattern="*") is None


@pytest.mark.gate
async def test_a_subagent_s_own_heartbeat_is_reset(agent: Window) -> None:
    agent.starts(blockAfter=3)
    sub = {"agent_id": "sub-1", "agent_type": "Explore"}
    async with served(agent) as session:
        agent.calls("mcp__hookd__fleet", event=sub)
        for _ in range(2):
            agent.calls("Read", file_path=f"{agent.project}/a.py", event=sub)
        where = "agent_id = 'sub-1'"
        assert agent.sessions("heartbeat_counter", where) == [(2,)], "it can log by the tool"
        agent.calls("mcp__hookd__log", text="Found.", event=sub)
        await calls(session, agent, "log", hook=False, text="Found.")
    assert agent.sessions("heartbeat_counter", where) == [(0,)]


@pytest.mark.gate
async def test_a_call_is_its_caller_s_whichever_server_is_asked(agent: Window) -> None:
    other = replace(agent, id=str(uuid4()), env={"AGENT_ID": f"bob-{uuid4().hex[:6]}"})
    other.says("SessionStart", source="startup")
    async with served(agent) as session:
        await calls(session, agent, "work_add", title="Parse")
        taken = await calls(session, other, "work_take")
        mine = await calls(session, agent, "work_take")
    number = taken["id"]
    (row,) = agent.home.rows("SELECT conversation, agent FROM work_items WHERE id = ?", number)
    assert row == (other.id, other.env["AGENT_ID"])
    assert f"item {number} is taken by {other.env['AGENT_ID']}" in mine
    assert mine.endswith("next: the tool work_list")


@pytest.mark.gate
async def test_a_handover_needs_the_event_of_the_very_call(agent: Window) -> None:
    async with served(agent) as session:
        for given in (HANDOVER, HANDOVER | {"summary": "Another."}):
            refused = await calls(session, agent, "handover_save", hook=False, **given)
            assert refused.startswith("hookd saw no hook event of this call of handover_save")
        saved = await calls(session, agent, "handover_save", **HANDOVER)
        again = await calls(session, agent, "handover_save", hook=False, **HANDOVER)
        assert again.startswith("hookd saw no hook event"), "an event names its caller once"
        agent.calls("mcp__other__handover_save", **HANDOVER)
        other = await calls(session, agent, "handover_save", hook=False, **HANDOVER)
        assert other.startswith("hookd saw no hook event"), "it is another server's tool"
        listed = await calls(session, agent, "handover_list")
    assert [(saved["sessionId"],)] == agent.sessions("id")
    assert [one["sessionId"] for one in listed["handovers"]] == [saved["sessionId"]]


@pytest.mark.gate
async def test_the_event_of_a_plugin_s_server_counts_and_an_old_one_does_not(
    daemon: Home,
) -> None:
    window = window_in(daemon)
    window.says("SessionStart", source="startup")
    async with served(window) as session:
        window.calls("mcp__plugin_hookd_hookd__handover_save", **HANDOVER)
        with closing(connect(daemon.database, timeout=30)) as db, db:
            db.execute(
                "UPDATE own_calls SET at = strftime('%Y-%m-%dT%H:%M:%fZ','now','-31 seconds')"
            )
        old = await calls(session, window, "handover_save", hook=False, **HANDOVER)
        window.calls("mcp__plugin_hookd_hookd__handover_save", **HANDOVER)
        saved = await calls(session, window, "handover_save", hook=False, **HANDOVER)
    assert old.startswith("hookd saw no hook event")
    assert saved["dropped"] == []


@pytest.mark.gate
async def test_a_denied_call_names_nobody(agent: Window) -> None:
    rule = ("guard", "add", "no-handover", "mcp__hookd__handover_save", "--deny", "No.")
    here = {"CLAUDE_PROJECT_DIR": agent.project}
    agent.home.hookd(*rule, "--scope", "project", cwd=agent.project, env=here)
    async with served(agent) as session:
        assert verdict(agent.calls("mcp__hookd__handover_save", **HANDOVER))[0] == "deny"
        refused = await calls(session, agent, "handover_save", hook=False, **HANDOVER)
    assert refused.startswith("hookd saw no hook event")


@pytest.mark.gate
async def test_a_dangerous_command_is_explained_and_not_denied(agent: Window) -> None:
    async with served(agent) as session:
        assert agent.calls("mcp__hookd__guard_explain", subject="rm -rf /") is None
        found = await calls(session, agent, "guard_explain", subject="rm -rf /")
    assert found["verdict"]["decision"] == "deny"


@pytest.mark.gate
async def test_wrong_input_is_named_and_no_daemon_is_an_error_with_a_step(home: Home) -> None:
    window = window_in(home)
    async with served(window) as session:
        wrong = await calls(session, window, "log", hook=False, txt="x")
        unknown = await calls(session, window, "allow", hook=False)
        down = await calls(session, window, "fleet", hook=False)
    assert wrong == "The input of log is wrong: text is missing; txt is unknown."
    assert unknown == "There is no tool allow."
    assert down.startswith("No daemon is running")
    assert "next: hookd start" in down


@pytest.mark.gate
async def test_the_context_of_the_session_is_a_resource(agent: Window) -> None:
    async with served(agent) as session:
        await calls(session, agent, "work_add", title="Parse")
        await calls(session, agent, "work_take")
        found = await session.read_resource("hookd://session/context")
        work = await session.read_resource("hookd://work")
    told = json.loads(found.contents[0].text)
    assert told["session"]["claudeSessionId"] == agent.id
    assert [one["title"] for one in told["workItems"]] == ["Parse"]
    assert [one["state"] for one in json.loads(work.contents[0].text)] == ["taken"]
