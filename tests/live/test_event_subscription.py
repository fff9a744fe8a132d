"""Live: subscribers of events get each one once it is committed, whatever else happens."""

import json
import socket
from contextlib import suppress
from pathlib import Path

from support.home import Home, until, window_in
from support.payloads import payload
from support.subscription import Ear, listening

FIELDS = {
    *("id", "at", "event", "sessionId", "claudeSessionId", "agent", "agentId", "project"),
    *("toolName", "decision", "rule", "text", "durationUs", "pending"),
}


def rows(ear: Ear) -> list[dict[str, object]]:
    """Return the events of the next notification that has any."""
    while True:
        method, params = ear.next()
        assert method == "events.added"
        if params["events"]:
            return list(params["events"])


def test_an_event_arrives_with_its_decision_and_the_call_without_secrets(daemon: Home) -> None:
    window = window_in(daemon, AGENT_ID="orders")
    window.bash("ls before")
    with listening(daemon, "events.subscribe") as ear:
        assert ear.answer == {"jsonrpc": "2.0", "id": 7, "result": {"subscribed": True}}
        assert ear.next() == ("events.added", {"events": [], "skipped": 0, "last": 1})
        window.bash("rm -rf ~; echo AKIAIOSFODNN7EXAMPLE " + "x" * 300)
        (row,) = rows(ear)
        assert row.keys() == FIELDS
        told = {name: row[name] for name in ("event", "toolName", "decision", "agent", "project")}
        assert told == {
            "event": "PreToolUse",
            "toolName": "Bash",
            "decision": "deny",
            "agent": "orders",
            "project": str(Path(window.project).resolve()),
        }
        assert (row["id"], row["claudeSessionId"], row["rule"]) == (
            2,
            window.id,
            "destructive-guard",
        )
        assert str(row["text"]).startswith("rm -rf ~; echo ")
        assert len(str(row["text"])) == 200
        assert "AKIA" not in str(row["text"])


def test_a_new_subscriber_gets_what_it_missed_and_the_others_nothing_twice(daemon: Home) -> None:
    window = window_in(daemon)
    for number in range(3):
        window.bash(f"echo {number}")
    with listening(daemon, "events.subscribe") as early:
        assert early.next()[1]["last"] == 3
        with listening(daemon, "events.subscribe", after=1) as late:
            _, params = late.next()
            assert [row["text"] for row in params["events"]] == ["echo 1", "echo 2"]
            assert (params["skipped"], params["last"]) == (0, 3)
            window.bash("echo 3")
            assert [row["text"] for row in rows(late)] == ["echo 3"]
            assert [row["text"] for row in rows(early)] == ["echo 3"]


def test_a_number_of_a_database_that_was_replaced_hides_nothing_new(daemon: Home) -> None:
    window = window_in(daemon)
    with listening(daemon, "events.subscribe", after=4711) as ear:
        assert ear.next()[1]["last"] == 0
        window.bash("ls")
        assert [row["id"] for row in rows(ear)] == [1]


def test_an_event_is_sent_while_its_user_hooks_run_and_once_they_have_run(home: Home) -> None:
    command = 'while [ ! -e "$HOME/go" ]; do sleep 0.05; done; echo no >&2; exit 2'
    home.settings({"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": command}]}]}})
    home.serves()
    window = window_in(home)
    with listening(home, "events.subscribe") as ear, home.link() as link:
        ear.next()
        event = json.dumps(window.event("PreToolUse")).encode()
        asked = {"event": json.loads(event), "env": window.identity}
        request = {"jsonrpc": "2.0", "id": 1, "method": "hooks.dispatch", "params": asked}
        link.sendall(json.dumps(request).encode() + b"\n")
        _, begun = ear.next()
        (row,) = begun["events"]
        assert (row["id"], row["pending"], row["decision"]) == (1, True, None)
        assert begun["last"] == 0, "whoever subscribes again needs the end of it"
        (home.path / "go").touch()
        _, ended = ear.next()
        (row,) = ended["events"]
        assert (row["id"], row["pending"], row["decision"]) == (1, False, "deny")
        assert ended["last"] == 1


def test_an_event_that_could_not_be_judged_arrives_too(daemon: Home) -> None:
    with listening(daemon, "events.subscribe") as ear:
        ear.next()
        daemon.bare(b"{no json", "PreToolUse")
        (row,) = rows(ear)
        assert row["event"] == "PreToolUse"
        assert "not JSON" in str(row["text"])


def test_the_self_test_of_doctor_is_left_out(daemon: Home) -> None:
    with listening(daemon, "events.subscribe") as ear:
        ear.next()
        canary = daemon.rpc("daemon.canary", {"nonce": "0f3a9c21", "answer": "77b0d4e8"})
        event = payload("PreToolUse") | {"session_id": canary["sessionId"]}
        daemon.bare(json.dumps(event).encode())
        assert daemon.rows("SELECT count(*) FROM events WHERE kind = 'canary'") == [(1,)]
        window_in(daemon).bash("ls")
        assert [row["id"] for row in rows(ear)] == [2]


def test_a_subscriber_that_does_not_read_is_dropped_and_told_how_to_continue(daemon: Home) -> None:
    long, window = "x" * 1_000, window_in(daemon)
    for _ in range(20):
        event = window.event("PreToolUse", tool_name=long, session_id=long, agent_id=long)
        daemon.bare(json.dumps(event).encode(), env={"AGENT_ID": long})
    with daemon.link() as slow, slow.makefile("rb") as lines:
        again = {"jsonrpc": "2.0", "method": "events.subscribe", "params": {"after": 0}}

        def dropped() -> bool:
            slow.sendall(json.dumps(again).encode() + b"\n")
            return bool(daemon.logged("slow subscriber disconnected"))

        until(dropped)
        read = []
        with suppress(ConnectionResetError):  # its last requests were not read any more
            read.extend(iter(lines.readline, b""))
        last = json.loads(read[-1])
    assert last["method"] == "events.dropped"
    assert "`after`" in last["params"]["reason"]


def test_subscribers_that_leave_at_once_disturb_no_other(daemon: Home) -> None:
    request = b'{"jsonrpc":"2.0","id":1,"method":"events.subscribe","params":{"after":0}}\n'
    with listening(daemon, "events.subscribe") as ear:
        ear.next()
        for _ in range(100):
            with socket.socket(socket.AF_UNIX) as link:
                link.connect(str(daemon.socket))
                link.sendall(request)
                link.shutdown(socket.SHUT_RDWR)
        window_in(daemon).bash("ls after")
        assert rows(ear)[0]["text"] == "ls after"
    log = (daemon.path / "hookd.log").read_text("utf-8")
    assert "subscribers not notified" not in log
