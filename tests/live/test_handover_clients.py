"""Live: what a session of Claude Code leaves, a session of another client receives."""

import json
from typing import Any
from uuid import uuid4

import pytest

from support.flows import after_clear, hands_over
from support.home import Window
from support.payloads import context, payload

MARK = "## Session Recovery (Dehydrated Context), handover of the previous session"
STEPS = [
    f"Schritt {number}: " + "größere Bestellungen prüfen 漢字 🚀, " * 8 for number in range(90)
]
CLIENTS = {
    "codex": ("codex/SessionStart", "codex/PostToolUse"),
    "gemini": ("gemini/SessionStart", "gemini/AfterTool"),
}
LINKS = {"SessionStart": "SessionStart", "PostToolUse": "PostToolUse", "AfterTool": "PostToolUse"}


def size(client: str, text: str) -> int:
    return len(text.encode()) if client == "codex" else len(text.encode("utf-16-le")) // 2


class Other:
    """A conversation of another client in the window's project, in a run."""

    def __init__(self, window: Window, client: str, run: str = "") -> None:
        self.window, self.client, self.run, self.id = window, client, run, str(uuid4())

    def says(self, name: str) -> str:
        """Send a captured payload as the client's shim does; return the model's context."""
        ids = {"tool_use_id": uuid4().hex} if self.client == "codex" else {}
        more = {"timestamp": uuid4().hex} if self.client == "gemini" else {}
        event: dict[str, Any] = payload(
            name, session_id=self.id, cwd=self.window.project, **ids, **more
        )
        env = {"HOOKD_RUN": self.run} if self.run else {}
        link = LINKS[name.partition("/")[2]]
        home = self.window.home
        return context(home.bare(json.dumps(event).encode(), link, env, self.client)["result"])


def offered(window: Window, number: int, run: str) -> Any:
    """Reserve a handover as `hookd handover resume` does, in a terminal of a person."""
    params = json.dumps({"sessionId": number, "runId": run})
    return json.loads(window.home.hookd("rpc", "handover.offer", params).stdout)


@pytest.mark.parametrize("client", CLIENTS)
def test_it_arrives_in_another_client_whole_in_parts_that_fit(window: Window, client: str) -> None:
    window.says("SessionStart")
    number = hands_over(window, nextSteps=STEPS)["sessionId"]
    window.says("SessionEnd", reason="other")
    run = str(uuid4())
    assert "Continue where" in offered(window, number, run)["prompt"]

    start, later = CLIENTS[client]
    assert MARK not in Other(window, client).says(start)  # it is reserved for the run
    other = Other(window, client, run)
    parts = [other.says(start)]
    assert MARK in parts[0]
    while part := other.says(later):
        parts.append(part)
        assert len(parts) < 40
    assert all(size(client, part) <= 10_000 for part in parts)
    whole = "\n".join(parts)
    assert [step for step in STEPS if step not in whole] == []
    assert whole.index("### Handover instructions") > whole.index(STEPS[-1])
    rows = window.sessions("handover_delivered_at IS NOT NULL, handover_offers")
    assert rows == [(True, 1)]
    assert MARK not in Other(window, client, run).says(start)


def test_one_that_was_delivered_is_pending_again_for_the_run_alone(window: Window) -> None:
    window.says("SessionStart")
    number = hands_over(window)["sessionId"]
    second, text = after_clear(window)
    assert MARK in text
    second.says("UserPromptSubmit")
    assert window.sessions("handover_delivered_at IS NULL") == [(False,)]
    run = str(uuid4())
    offered(window, number, run)
    assert MARK not in after_clear(second)[1]
    assert MARK in Other(window, "codex", run).says("codex/SessionStart")


def test_a_client_that_gets_no_answer_leaves_it_to_another(window: Window) -> None:
    window.says("SessionStart")
    hands_over(window)
    window.says("SessionEnd", reason="other")
    assert Other(window, "unheard-of").says("codex/SessionStart") == ""
    assert window.sessions("handover_offers") == [(0,)]
    assert MARK in Other(window, "codex").says("codex/SessionStart")


def test_without_a_run_it_is_for_any_window_again(window: Window) -> None:
    window.says("SessionStart")
    number = hands_over(window)["sessionId"]
    offered(window, number, str(uuid4()))
    params = json.dumps({"sessionId": number})
    window.home.hookd("rpc", "handover.offer", params)
    assert MARK in after_clear(window)[1]


def test_a_client_may_offer_its_own_handover_and_no_other(window: Window) -> None:
    window.says("SessionStart")
    number = hands_over(window)["sessionId"]
    for own, allowed in ((window.id, True), (str(uuid4()), False)):
        env = window.identity | {"CLAUDE_CODE_SESSION_ID": own}
        request = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "handover.offer",
            "params": {"sessionId": number, "env": env},
        }
        answer = json.loads(window.home.line(json.dumps(request).encode()))
        assert ("result" in answer) == allowed, answer
