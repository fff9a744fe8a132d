"""Live: many agents at once, and nothing of one is seen by another."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from support.home import Home, window_in
from support.payloads import verdict

AGENTS, CALLS = 50, 20


def limit(agent: int) -> int:
    """Return after how many calls this agent has to log: each has a number of its own."""
    return 1 + agent % CALLS


async def talk(home: Home, agent: int, project: str) -> list[dict[str, Any]]:
    """Be one agent on a connection of its own; return the results of its calls."""
    reader, writer = await asyncio.open_unix_connection(home.socket)
    results = []
    for turn in range(CALLS):
        params = {
            "session_id": f"window-{agent}",
            "tool_name": "Bash",
            "tool_input": {"command": f"echo {turn}"},
            "tool_use_id": f"toolu_{agent}_{turn}",
            "cwd": project,
            "env": {"AGENT_ID": f"agent-{agent}", "AGENT_CLAIMS": f"claim-{agent}"},
        }
        request = {"jsonrpc": "2.0", "id": turn, "method": "hooks.preToolUse", "params": params}
        writer.write(json.dumps(request).encode() + b"\n")
        answer = json.loads(await reader.readline())
        assert answer["id"] == turn
        results.append(answer["result"])
    writer.close()
    await writer.wait_closed()
    return results


@pytest.mark.gate
async def test_fifty_agents_at_once_are_counted_exactly_and_never_mixed_up(daemon: Home) -> None:
    project = window_in(daemon).project
    for agent in range(AGENTS):
        identity = {"AGENT_ID": f"agent-{agent}", "CWD": project, "CLAUDE_PROJECT_DIR": project}
        params = {
            "taskDir": f"{project}/{agent}",
            "skill": "implement",
            "metadata": {"blockAfter": limit(agent)},
            "env": identity,
        }
        daemon.rpc("effort.start", params)
    everything = await asyncio.gather(*(talk(daemon, one, project) for one in range(AGENTS)))
    for agent, results in enumerate(everything):
        assert [one["heartbeatCount"] for one in results] == list(range(1, CALLS + 1))
        denied = [turn + 1 for turn, one in enumerate(results) if not one["allow"]]
        assert denied == list(range(limit(agent), CALLS + 1))
        assert all(
            f"{project}/{agent}/1_IMPLEMENT_LOG.md" in results[n - 1]["reason"] for n in denied
        )
    rows = daemon.rows(
        "SELECT s.claude_session_id, s.owner, s.heartbeat_counter, a.claims, e.task_dir,"
        " (SELECT count(*) FROM events v WHERE v.session_id = s.id)"
        " FROM sessions s JOIN agents a ON a.id = s.owner JOIN efforts e ON e.id = s.effort_id"
    )
    assert sorted(rows) == sorted(
        (f"window-{n}", f"agent-{n}", CALLS, f"claim-{n}", f"{project}/{n}", CALLS)
        for n in range(AGENTS)
    )


@pytest.mark.slow
async def test_a_slow_query_does_not_stand_in_the_road(daemon: Home) -> None:
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    request = {"jsonrpc": "2.0", "id": 1, "method": "daemon.query", "params": {"sql": endless}}
    reader, writer = await asyncio.open_unix_connection(daemon.socket)
    writer.write(json.dumps(request).encode() + b"\n")
    project = window_in(daemon).project
    results = await talk(daemon, 1, project)
    assert results[-1]["heartbeatCount"] == CALLS
    answer = json.loads(await reader.readline())
    assert answer["error"]["data"]["code"] == "QUERY_FAILED"
    writer.close()
    await writer.wait_closed()


async def test_large_queries_leave_the_daemon_small_and_the_guards_on(daemon: Home) -> None:
    large = [f"SELECT hex(zeroblob({number}000000))" for number in (1_000, 7, 500, 3)]
    before = memory(daemon)
    asked = (asyncio.to_thread(query, daemon, sql) for sql in large)
    judged = (asyncio.to_thread(window_in(daemon).bash, "rm -rf /") for _ in range(4))
    *failed, last, _, _, _, judgement = await asyncio.gather(*asked, *judged)
    assert [one["error"]["data"]["code"] for one in failed] == ["QUERY_FAILED"] * 3
    assert len(last["result"]["rows"][0][0]) == 6_000_000
    assert verdict(judgement)[0] == "deny"
    assert memory(daemon) - before < 64_000


def query(home: Home, sql: str) -> Any:
    request = {"jsonrpc": "2.0", "id": 1, "method": "daemon.query", "params": {"sql": sql}}
    return json.loads(home.line(json.dumps(request).encode()))


def memory(home: Home) -> int:
    """Return the most kB that the daemon ever had; 0 where there is no /proc."""
    status = Path(f"/proc/{home.pid}/status")
    lines = status.read_text().splitlines() if status.exists() else ()
    return next((int(one.split()[1]) for one in lines if one.startswith("VmHWM")), 0)
