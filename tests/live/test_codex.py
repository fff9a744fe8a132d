"""Live: every payload that Codex sent is kept once, with an answer that Codex accepts."""

import json
import re
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from sqlite3 import connect
from typing import Any
from uuid import uuid4

import pytest

from clients.codex.test_decode import FOLDER, NAMES
from clients.codex.test_encode import check
from support.home import HOOKD, Home, Window, until, window_in
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


def test_events_are_chosen_by_the_client(window: Window) -> None:
    window.bash("make all")
    home, other = window.home, str(uuid4())
    call = {"command": "rm -rf /"}
    sent(home, captured(window, "PreToolUse", session_id=other, tool_input=call))
    for words in (["event"], ["event", "export"]):
        json_lines = ["--json"] if len(words) == 1 else []
        out = home.hookd(*words, "--client", "codex", "--since", "1h", *json_lines).stdout
        rows = json.loads(out) if json_lines else list(map(json.loads, out.splitlines()))
        assert {row["client"] for row in rows} == {"codex"}
        assert other in {row["claudeSessionId"] for row in rows}
    with subprocess.Popen(
        [HOOKD, "event", "--follow", "--client", "codex", "--json", "--since", "1h"],
        env=home.env,
        stdout=subprocess.PIPE,
        text=True,
    ) as following:
        assert following.stdout is not None
        first = json.loads(following.stdout.readline())
        following.terminate()
    assert first["client"] == "codex"
    (row,) = rows_of(home, window)
    assert row["client"] == "claude-code"
    csv = home.hookd("event", "export", "--client", "codex", "--format", "csv").stdout
    assert ",codex," in csv
    assert ",claude-code," not in csv
    said = home.hookd("event", "--slow", "--client", "codex", check=False)
    assert "--slow cannot be combined with --client" in said.stderr


def facts_of(lines: list[str]) -> dict[str, str]:
    """Return the facts below a title, by their names."""
    pairs = (re.split(r" {2,}", line.strip(), maxsplit=1) for line in lines[1:])
    return {pair[0]: pair[1] for pair in pairs}


def rows_of(home: Home, window: Window) -> list[dict[str, Any]]:
    """Return the events of a window."""
    found: list[dict[str, Any]] = json.loads(
        home.hookd("event", "--session", window.id, "--json").stdout
    )
    return found


def test_why_without_a_number_explains_the_newest_decision_with_its_client(window: Window) -> None:
    call = {"command": "rm -rf /"}
    sent(window.home, captured(window, "PreToolUse", tool_input=call))
    window_in(window.home).says("Notification")
    (number,) = window.home.rows("SELECT max(id) FROM events WHERE decision IS NOT NULL")[0]
    lines = window.home.hookd("why").stdout.splitlines()
    assert lines[0] == f"Event {number}: PreToolUse, denied by destructive-guard"
    facts = facts_of(lines[:9])
    assert facts["client"].startswith("codex")
    assert facts["session"] == str(window.sessions("id")[0][0])
    assert facts["client session"] == window.id
    assert json.loads(window.home.hookd("why", "--json").stdout)["id"] == number


def test_a_session_is_shown_for_people(window: Window) -> None:
    sent(window.home, captured(window, "SessionStart"))
    number = window.sessions("id")[0][0]
    with closing(connect(window.home.database, timeout=30)) as db, db:
        amounts = "context_usage = 0.123456, window_tokens = 200000, cost = 1.23456"
        db.execute(f"UPDATE sessions SET {amounts} WHERE id = ?", (number,))
    lines = window.home.hookd("session", "show", str(number)).stdout.splitlines()
    assert lines[0] == f"Session {number}"
    shown = facts_of(lines)
    assert shown["client session"] == window.id
    assert (shown["context usage"], shown["window tokens"], shown["cost"]) == (
        "12%",
        "200,000",
        "$1.23",
    )
    assert (shown["loaded files"], shown["preloaded files"]) == ("-", "-")
    assert not any("[]" in line or "claude session" in line for line in lines)


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


@pytest.mark.gate
@pytest.mark.skipif(sys.platform != "linux", reason="a program is known by /proc")
@pytest.mark.parametrize("words", [["app-server"], ["resume"]])
def test_conversations_of_one_server_have_no_name_of_its_environment(
    home: Home, tmp_path: Path, words: list[str]
) -> None:
    """The server has the variables of the terminal that started it, not of each window."""
    scope = Scope(home, client="codex")
    (tmp_path / "codex").symlink_to("/bin/bash")
    script = tmp_path / "session.sh"
    script.write_text(
        'for payload in "$@"; do [ -f "$payload" ] && "$SHIM" < "$payload"; done\n:\n'
    )
    sessions = [str(uuid4()), str(uuid4())]
    payloads = []
    for session in sessions:
        event = json.loads((FOLDER / "PreToolUse.json").read_bytes())
        payloads.append(tmp_path / f"{session}.json")
        payloads[-1].write_text(json.dumps(event | {"session_id": session, "cwd": str(tmp_path)}))
    env = home.env | {"AGENT_ID": "orders", "SHIM": str(scope.folder / "PreToolUse")}
    command = [tmp_path / "codex", script, *payloads, *words]
    subprocess.run(command, env=env, check=True, timeout=60)
    rows = home.rows("SELECT claude_session_id, owner, ended_at FROM sessions ORDER BY id")
    owner = None if words == ["app-server"] else "orders"
    assert rows == [(session, owner, None) for session in sessions]
