"""Live: every payload that Codex sent is kept once, with an answer that Codex accepts."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from clients.codex.test_decode import FOLDER, NAMES
from clients.codex.test_encode import check
from support.home import Home, Window, until, window_in
from support.registered_shims import Scope
from support.user_hooks import at_work, nested


def sent(home: Home, event: dict[str, Any], link: str = "PreToolUse") -> Any:
    """Send an event of Codex as its shim does; return the answer, None if it is silence."""
    body = json.dumps(event).encode()
    output = home.bare(body, event.get("hook_event_name", link), client="codex")["result"]
    check(event.get("hook_event_name", link), output)
    return output


def captured(window: Window, name: str, **more: Any) -> dict[str, Any]:
    payload = json.loads((FOLDER / f"{name}.json").read_bytes())
    return payload | {"session_id": window.id, "cwd": window.project} | more


def test_each_captured_payload_is_kept_once_with_its_client(shared: Home) -> None:
    for name in NAMES:
        event = json.loads((FOLDER / f"{name}.json").read_bytes())
        event["session_id"] = str(uuid4())
        sent(shared, event)
        rows = shared.rows(
            "SELECT event, prompt_id, tool_use_id, payload FROM events WHERE claude_session_id = ?",
            event["session_id"],
        )
        assert len(rows) == 1, name
        assert rows[0][:3] == (
            event["hook_event_name"],
            event.get("turn_id"),
            event.get("tool_use_id"),
        )
        assert json.loads(rows[0][3]).keys() >= event.keys() - {"tool_name", "tool_input"}
        # Other tests look at the fleet of this daemon.
        end = json.loads((FOLDER / "SessionEnd.json").read_bytes())
        sent(shared, end | {"session_id": event["session_id"]})


def test_a_risky_command_is_denied_and_a_question_is_left_to_the_user(window: Window) -> None:
    command = {"command": ["bash", "-lc", "rm -rf /"]}
    denied = sent(window.home, captured(window, "PreToolUse", tool_input=command))
    assert denied["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert "hookd #" in denied["hookSpecificOutput"]["permissionDecisionReason"]

    asked = sent(
        window.home,
        captured(window, "PreToolUse", tool_input={"command": "git reset --hard"}),
    )
    reason = asked["hookSpecificOutput"]["permissionDecisionReason"]
    assert asked["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert "let the user decide" in reason
    assert "hookd allow " in reason
    assert window.sessions("client") == [("codex",)]


def test_a_rule_for_codex_applies_to_its_calls_alone(window: Window) -> None:
    add = ("guard", "add", "mine", "Bash(make *)", "--client", "codex", "--deny", "Not in Codex.")
    window.home.hookd(*add, "--scope", "local", env=window.identity)
    assert window.bash("make all") is None
    call = captured(window, "PreToolUse", tool_input={"command": "make all"})
    answer = sent(window.home, call | {"session_id": str(uuid4())})
    assert "Not in Codex." in answer["hookSpecificOutput"]["permissionDecisionReason"]


def test_lists_show_the_client_and_filter_by_it(window: Window) -> None:
    window.says("SessionStart")
    home, other = window.home, str(uuid4())
    sent(home, captured(window, "SessionStart", session_id=other))
    only = json.loads(home.hookd("session", "list", "--client", "codex", "--json").stdout)
    assert {row["client"] for row in only} == {"codex"}
    assert other in {row["claudeSessionId"] for row in only}
    assert "codex" in home.hookd("session", "list", "--client", "codex").stdout
    fleet = json.loads(home.hookd("fleet", "--all", "--client", "codex", "--json").stdout)
    assert {row["client"] for row in fleet} == {"codex"}
    assert window.id[:8] not in {row["label"] for row in fleet}
    assert "codex" in home.hookd("fleet", "--all", "--client", "codex").stdout


def test_only_the_users_own_prompt_is_the_first_of_the_session(window: Window) -> None:
    sent(window.home, captured(window, "SessionStart"))
    child = {"agent_id": "a1", "agent_type": "worker", "prompt": "CHILD: run echo"}
    sent(window.home, captured(window, "UserPromptSubmit", **child))
    sent(window.home, captured(window, "UserPromptSubmit", prompt="Add pages"))
    assert window.sessions("first_prompt") == [("Add pages",)]
    roles = "SELECT role, content FROM messages m JOIN sessions s ON s.id = m.session_id"
    rows = window.home.rows(f"{roles} WHERE s.claude_session_id = ? ORDER BY m.id", window.id)
    assert [row for row in rows if row[1] in ("CHILD: run echo", "Add pages")] == [
        ("system", "CHILD: run echo"),
        ("user", "Add pages"),
    ]


def test_a_stop_is_blocked_no_longer_than_the_limit(home: Home) -> None:
    limit = {"user_hooks": {"max_consecutive_stop_blocks": 2}}
    window = at_work(home, limit | nested("Stop", "echo more >&2; exit 2"))
    turns = [f"turn-{at}" for at in range(4)]
    answers = [
        sent(home, captured(window, "Stop.active" if at else "Stop", turn_id=turn))
        for at, turn in enumerate(turns)
    ]
    assert [(one or {}).get("decision") for one in answers] == ["block", "block", None, None]
    assert answers[0]["reason"].startswith("more (hookd #")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="copies a shell")
def test_the_version_is_that_of_the_package_that_runs_the_hook(home: Home, tmp_path: Path) -> None:
    package = tmp_path / "node_modules/@openai/codex"
    program = package / "vendor/codex/codex"
    program.parent.mkdir(parents=True)
    shutil.copy(shutil.which("sh") or "/bin/sh", program)
    (package / "package.json").write_text('{"name": "@openai/codex", "version": "0.169.0"}')
    window = window_in(home.serves())
    link = Scope(home, client="codex").folder / "PreToolUse"
    payload = tmp_path / "payload.json"
    payload.write_text(json.dumps(captured(window, "PreToolUse")))
    script = f'sh -c "{link}" <{payload}; read end'
    with subprocess.Popen([program, "-c", script], stdin=subprocess.PIPE, env=home.env) as client:
        until(lambda: window.sessions("client, client_version") == [("codex", "0.169.0")])
        client.communicate()
