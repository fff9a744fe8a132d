"""Live: the registered shim of another client, with the daemon, the judge or neither of them."""

import json
from typing import Any

import pytest

from support.home import Home, serving
from support.paths import TESTS
from support.registered_shims import Scope

pytestmark = pytest.mark.gate

COMMAND = "rm -rf ~"
NOWHERE = "/nonexistent/hookd"


def call(path: str, *keys: str) -> dict[str, Any]:
    """Return a captured payload of a call, with another command."""
    payload: dict[str, Any] = json.loads((TESTS / "payloads" / path).read_text())
    found = payload
    for key in keys:
        found = found[key]
    found["command"] = COMMAND
    return payload


CLIENTS = {
    "codex": call("codex/PreToolUse.json", "tool_input"),
    "gemini": call("gemini/BeforeTool.json", "tool_input"),
    "copilot": call("copilot/camel/preToolUse.json", "toolArgs"),
}


def reason(client: str, done: Any) -> str:
    """Check that a call was denied in the client's words, and nothing else was said."""
    assert (done.returncode, done.stderr) == (0, b"")
    said = json.loads(done.stdout)
    said = said if client in ("copilot", "gemini") else said["hookSpecificOutput"]
    decision, why = said.get("decision"), said.get("reason")
    if client != "gemini":
        decision, why = said["permissionDecision"], said["permissionDecisionReason"]
    assert decision == "deny"
    return str(why)


@pytest.mark.parametrize("client", CLIENTS)
def test_a_call_is_denied_in_the_client_s_words_whoever_judges_it(home: Home, client: str) -> None:
    scope, payload = Scope(home, client=client, program=NOWHERE, closed=True), CLIENTS[client]
    assert "destructive-guard" in reason(client, scope.runs(payload)), "by the judge"
    left = home.socket.with_suffix(".unjudged").read_text()
    assert "\tPreToolUse\tjudged without the daemon: denied by destructive-guard\n" in left
    with serving(home):
        assert "destructive-guard" in reason(client, scope.runs(payload)), "by the daemon"


@pytest.mark.parametrize("client", CLIENTS)
def test_without_daemon_and_judge_the_template_denies(home: Home, client: str) -> None:
    scope = Scope(home, client=client, program=NOWHERE, closed=True, python=NOWHERE)
    assert reason(client, scope.runs(CLIENTS[client])).endswith("Next: hookd status")


def test_an_unknown_client_s_call_is_recorded_and_passes(home: Home) -> None:
    scope = Scope(home, client="windsurf", program=NOWHERE)
    with serving(home):
        done = scope.runs(CLIENTS["codex"])
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert home.rows("SELECT count(*) FROM events") == [(1,)]


def test_a_hook_of_claude_code_that_another_client_runs_is_answered_in_its_words(
    home: Home,
) -> None:
    payload = call("copilot/pascal/PreToolUse.json", "tool_input")
    scope = Scope(home, program=NOWHERE)
    with serving(home):
        done = scope.runs(payload, COPILOT_PROJECT_DIR="/p")
        other = scope.runs(CLIENTS["gemini"], GEMINI_SESSION_ID="s")
    assert b"destructive-guard" in done.stdout
    assert "destructive-guard" in reason("gemini", other)
