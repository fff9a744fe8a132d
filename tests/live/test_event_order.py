"""Live: the events of one session are decided in the order in which they arrived."""

import json
import os
import signal
import socket
from typing import Any

from support.home import Home, until, window_in
from support.payloads import header

LATE = "2026-01-31T08:00:00Z\tPreToolUse\tthe daemon did not acknowledge the call\n"


def left(home: Home, event: dict[str, Any], env: dict[str, str]) -> None:
    """Send an event as a shim that gives up: it does not wait for its answer."""
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(str(home.socket))
        link.sendall(header(event["hook_event_name"], env) + json.dumps(event).encode() + b"\x1e")


def test_what_piles_up_while_the_daemon_is_stopped_is_decided_in_its_order(daemon: Home) -> None:
    one, two = window_in(daemon), window_in(daemon)
    number = daemon.pid
    os.kill(number, signal.SIGSTOP)
    try:
        # What the shims leave behind has to be read first, by the event that finds it.
        spool = daemon.socket.with_suffix(".unjudged")
        spool.write_text(LATE)
        spool.chmod(0o600)
        for step in range(6):
            for window in (one, two):
                event = window.event("UserPromptSubmit", prompt=f"Step {step}")
                if step == 0:
                    event = window.event("SessionStart.startup")
                left(daemon, event, window.identity)
    finally:
        os.kill(number, signal.SIGCONT)
    until(lambda: daemon.rows("SELECT count(*) FROM events") == [(12,)])
    for window in (one, two):
        rows = daemon.rows(
            "SELECT json_extract(payload, '$.prompt') FROM events WHERE claude_session_id = ?"
            " ORDER BY id",
            window.id,
        )
        assert rows == [(None,), *((f"Step {step}",) for step in range(1, 6))]
        assert window.sessions("source") == [("startup",)]


def test_calls_of_one_session_that_are_made_at_once_are_all_decided(daemon: Home) -> None:
    window = window_in(daemon)
    links = []
    for number in range(20):
        event = window.event("PreToolUse.Bash", tool_input={"command": f"echo {number}"})
        link = socket.socket(socket.AF_UNIX)
        link.connect(str(daemon.socket))
        link.sendall(header("PreToolUse", window.identity) + json.dumps(event).encode() + b"\x1e")
        links.append(link)
    for link in links:
        with link, link.makefile("rb") as answers:
            assert json.loads(answers.read().splitlines()[-1])["result"] is None
    assert window.count == 20
