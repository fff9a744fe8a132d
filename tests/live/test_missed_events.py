"""Live: a dead guard is never silent. Missed events are reported once, and recorded."""

import json
import os
import signal
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from hookd.core.evaluation.unjudged import MAX_FILE_BYTES, format_line, judged_alone
from hookd.system import stop_marker, unjudged_spool
from support.bad_payloads import of
from support.home import Home, Window, serving, until, window_in
from support.payloads import context, header

pytestmark = pytest.mark.gate


def spool(home: Home) -> Path:
    return home.socket.with_suffix(".unjudged")


def missed(home: Home, count: int = 3, event: str = "PreToolUse") -> None:
    """Let events pass by while there is no hookd to start."""
    for _ in range(count):
        done = home.hook(of(), "--hookd", "/nonexistent", "--event", event)
        assert b"not judged" in done.stderr


def told(answer: Any) -> str:
    text: str = (answer or {}).get("systemMessage", "")
    return text


def rows(home: Home) -> list[Any]:
    return home.rows("SELECT event, count, more, told_at IS NOT NULL FROM unjudged ORDER BY id")


def test_the_next_answer_tells_it_once_and_status_keeps_it(home: Home) -> None:
    missed(home)
    home.serves()
    assert not spool(home).exists()
    window = window_in(home)
    text = told(window.bash())
    assert text.startswith("hookd did not judge 3 events (PreToolUse) ")
    assert "no daemon is running, and there is no hookd to start" in text
    assert window.bash() is None
    assert rows(home) == [("PreToolUse", 3, 0, 1)]
    status = json.loads(home.hookd("status", "--json").stdout)["unjudged"]
    assert (status["count"], status["atLeast"]) == (3, False)
    assert status["reason"] == "no daemon is running, and there is no hookd to start"
    assert "3 events (PreToolUse)" in home.hookd("status").stdout


def test_what_was_judged_without_a_daemon_is_told_once_with_its_verdicts(home: Home) -> None:
    spool(home).parent.mkdir(parents=True)
    for verdict, rule in (("deny", "destructive-guard"), (None, None)):
        made = format_line(datetime.now(UTC).isoformat(), "PreToolUse", judged_alone(verdict, rule))
        unjudged_spool.leave(spool(home), made, MAX_FILE_BYTES)
    said = json.loads(home.hookd("status", "--json", check=False).stdout)
    assert (said["unjudged"], said["withoutDaemon"]["count"]) == (None, 2)
    window = window_in(home.serves())
    text = told(window.bash())
    assert text.startswith("Without its daemon hookd judged 2 events (PreToolUse) at ")
    assert "1 denied by destructive-guard, 1 passed" in text
    assert window.bash() is None
    assert "1 denied by destructive-guard" in home.hookd("status").stdout


def test_a_denial_carries_it_too(home: Home) -> None:
    missed(home, 1)
    window = window_in(home.serves())
    answer = window.bash("rm -rf /")
    assert told(answer).startswith("hookd did not judge 1 event ")
    assert answer["hookSpecificOutput"]["permissionDecision"] == "deny"
    number = home.rows("SELECT decided_by FROM events ORDER BY id DESC LIMIT 1")
    assert number == [("destructive-guard",)]


def test_an_answer_that_came_too_late_is_known_for_it(home: Home) -> None:
    with serving(home) as process:
        window = window_in(home)
        window.bash("rm -rf /tmp/../")
        process.send_signal(signal.SIGSTOP)
        try:
            done = home.hook(of(tool_input={"command": "rm -rf /"}))
        finally:
            process.send_signal(signal.SIGCONT)
        assert (done.stdout, b"passes unchecked" in done.stderr) == (b"", True)
        until(lambda: home.rows("SELECT 1 FROM events WHERE lost"))
        ((number, decision),) = home.rows("SELECT id, decision FROM events WHERE lost")
        assert decision == "deny"
        assert "deny, lost" in home.hookd("event").stdout
        assert "too late: the client had gone" in home.hookd("why", str(number)).stdout
        listed = json.loads(home.hookd("event", "--json").stdout)
        assert [one["lost"] for one in listed] == [False, True]
        assert home.logged("connection failed") == []


def test_hooks_that_gave_up_use_up_no_notice_and_no_text(home: Home) -> None:
    home.settings({"directives": {"when": "always"}})
    missed(home, 1)
    with serving(home) as process:
        window = window_in(home)
        (Path(window.project) / "AGENTS.md").write_text("text-of-the-folder\n")
        read = {"tool_name": "Read", "tool_input": {"file_path": f"{window.project}/x.py"}}
        process.send_signal(signal.SIGSTOP)
        try:
            reads = [window.event("PostToolUse.Bash", **read) for _ in range(4)]
            for event in (*reads, window.event("PreToolUse.Bash")):
                with home.link() as gone:
                    sends(gone, window, event)
            with home.link() as waits, waits.makefile("rb") as answers:
                sends(waits, window, window.event("UserPromptSubmit"))
                process.send_signal(signal.SIGCONT)
                assert b"hooks.accepted" in answers.readline()
                answer = json.loads(answers.readline())["result"]
        finally:
            process.send_signal(signal.SIGCONT)
    assert told(answer).startswith("hookd did not judge 1 event (PreToolUse) ")
    assert "text-of-the-folder" in context(answer)


def sends(link: Any, window: Window, event: dict[str, Any]) -> None:
    """Send an event as the shim does."""
    name = event["hook_event_name"]
    link.sendall(header(name, window.identity) + json.dumps(event).encode() + b"\x1e")


@pytest.mark.slow
def test_a_stop_that_fails_leaves_the_guards_on(home: Home) -> None:
    with serving(home) as process:
        process.send_signal(signal.SIGSTOP)
        try:
            done = home.hookd("stop", "--yes", check=False)
            assert "does not answer" in done.stderr
            assert b"deny" in home.hook(of(), "--fail-closed").stdout
            stop_marker.write(home.stopped)  # an earlier stop stays intentional
            home.hookd("stop", "--yes", check=False)
            assert home.stopped.exists()
        finally:
            process.send_signal(signal.SIGCONT)


def test_an_event_that_no_person_reads_of_leaves_it_for_the_next(home: Home) -> None:
    missed(home)
    window = window_in(home.serves())
    assert told(window.says("Notification")) == ""
    assert told(window.bash(agent_id="a1", agent_type="Explore")) == ""
    assert told(window.says("UserPromptSubmit")).startswith("hookd did not judge 3 events")


def test_while_hookd_is_paused_it_is_told_all_the_same(home: Home) -> None:
    missed(home)
    window = window_in(home.serves())
    home.rpc("daemon.pause", {"until": (datetime.now(UTC) + timedelta(minutes=5)).isoformat()})
    assert "hookd did not judge 3 events" in told(window.says("UserPromptSubmit"))
    assert "did not judge" not in told(window.says("UserPromptSubmit"))


def test_what_comes_while_the_daemon_runs_is_taken_over_at_the_next_event(daemon: Home) -> None:
    window = window_in(daemon)
    refused = daemon.hook(b"no JSON")
    assert b"its payload cannot be read as JSON" in refused.stderr
    assert spool(daemon).exists()
    window.says("Notification")
    until(lambda: rows(daemon) == [("PreToolUse", 1, 0, 0)])
    assert not spool(daemon).exists()
    assert told(window.bash()).startswith("hookd did not judge 1 event (PreToolUse)")


def test_without_a_daemon_status_reads_what_waits(home: Home) -> None:
    missed(home)
    done = home.hookd("status", check=False)
    assert done.returncode == 3
    assert "3 events (PreToolUse)" in done.stdout
    said = json.loads(home.hookd("status", "--json", check=False).stdout)
    assert said["unjudged"]["count"] == 3


def test_what_was_kept_but_not_yet_removed_is_not_kept_twice(home: Home) -> None:
    """As if the daemon had been killed between its commit and the end of the file."""
    missed(home)
    lines = spool(home).read_bytes()
    home.serves()
    ((source,),) = home.rows("SELECT source FROM unjudged")
    home.ends()
    taken = spool(home).with_name(source.partition("@")[0])
    assert not taken.exists()
    taken.write_bytes(lines)
    missed_later = home.hook(of(), "--hookd", "/nonexistent")
    assert missed_later.stderr == b""  # it was stopped intentionally
    home.serves()
    assert not taken.exists()
    assert rows(home) == [("PreToolUse", 3, 0, 0)]


def test_a_daemon_that_was_killed_while_it_served_loses_none(home: Home) -> None:
    missed(home, 2)
    with serving(home) as process:
        until(lambda: rows(home) == [("PreToolUse", 2, 0, 0)])
        process.kill()
        process.wait(30)
    missed(home, 2, "Stop")
    home.serves()
    assert rows(home) == [("PreToolUse", 2, 0, 0), ("Stop", 2, 0, 0)]
    text = told(window_in(home).bash())
    assert text.startswith("hookd did not judge 4 events (PreToolUse, Stop)")


def test_of_a_full_file_the_number_is_the_least(home: Home) -> None:
    missed(home, 1)
    line = spool(home).read_bytes()
    spool(home).write_bytes(line * (65_536 // len(line) + 1))
    home.serves()
    ((_, count, more, _),) = rows(home)
    assert (count > 500, more) == (True, 1)
    assert "at least " in told(window_in(home).bash())


@pytest.mark.parametrize(
    "content", [b"\xff\xfe\0\n", b"x" * 100_000, b"\n"], ids=["bytes", "long", "empty"]
)
def test_any_content_of_the_file_lets_the_daemon_serve(home: Home, content: bytes) -> None:
    spool(home).parent.mkdir(parents=True)
    spool(home).write_bytes(content)
    home.serves()
    assert told(window_in(home).bash()).startswith("hookd did not judge ")
    assert not spool(home).exists()


def test_what_is_no_file_there_is_left_alone(home: Home) -> None:
    spool(home).mkdir(parents=True)
    home.serves()
    assert window_in(home).bash() is None
    assert spool(home).is_dir()


def test_a_file_of_any_size_is_read_to_a_bound_and_removed(home: Home) -> None:
    spool(home).parent.mkdir(parents=True)
    spool(home).touch()
    os.truncate(spool(home), 1 << 40)
    assert "at least 1 event (unknown)" in home.hookd("status", check=False).stdout
    home.serves()
    assert list(spool(home).parent.glob("hookd.unjudged*")) == []
    assert rows(home) == [("unknown", 1, 1, 0)]


def test_status_does_not_wait_at_a_pipe_in_its_place(home: Home) -> None:
    spool(home).parent.mkdir(parents=True)
    os.mkfifo(spool(home))
    assert "unjudged" not in home.hookd("status", check=False).stdout
