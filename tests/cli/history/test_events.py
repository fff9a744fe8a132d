"""What `hookd event` and `hookd why` tell of events that a real daemon has judged."""

import json
import os
import re
import signal
import subprocess
from contextlib import closing
from sqlite3 import connect
from typing import Any

import pytest

from support.home import HOOKD, Home, Window, window_in
from support.payloads import verdict


def events(window: Window, *args: str) -> list[dict[str, Any]]:
    """Return the window's events, as JSON."""
    done = window.home.hookd("event", "--session", window.id, "--json", *args)
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def why(window: Window, number: int, *args: str) -> str:
    return window.home.hookd("why", str(number), *args).stdout


def last(window: Window) -> int:
    """Return the number of the window's last event."""
    number: int = events(window, "--limit", "1")[0]["id"]
    return number


def test_events_are_a_table_with_the_newest_at_the_bottom(window: Window) -> None:
    window.says("UserPromptSubmit", prompt="Build it.")
    window.bash("make -j4")
    lines = window.home.hookd("event", "--session", window.id).stdout.splitlines()
    assert lines[0].split() == ["id", "time", "event", "who", "tool", "decision", "rule", "about"]
    assert [line.split()[3] for line in lines[1:]] == ["UserPromptSubmit", "PreToolUse"]
    assert lines[1].endswith("Build it.")
    assert lines[2].endswith("make -j4")


def test_that_there_are_more_is_told_of_one_and_of_several(window: Window) -> None:
    for turn in range(3):
        window.bash(f"echo {turn}")
    for limit, said in (("1", "this is the last one; more"), ("2", "these are the last 2; more")):
        done = window.home.hookd("event", "--session", window.id, "--limit", limit)
        assert said in done.stderr


def test_events_are_chosen_by_what_they_are(window: Window) -> None:
    window.starts(blockAfter=2)
    window.says("UserPromptSubmit")
    for turn in range(3):
        window.bash(f"echo {turn}")
    assert len(events(window)) == 4
    assert [one["decision"] for one in events(window, "--decision", "deny")] == ["deny", "deny"]
    assert {one["rule"] for one in events(window, "--rule", "heartbeat")} == {"heartbeat"}
    assert len(events(window, "--event", "pretooluse")) == 3
    assert [one["payload"]["tool_input"]["command"] for one in events(window, "--limit", "1")] == [
        "echo 2"
    ]


def test_events_are_chosen_by_agent_and_by_time(shared: Home) -> None:
    window = window_in(shared, AGENT_ID="looking")
    window.bash()
    found = shared.hookd("event", "--agent", "looking", "--since", "1h", "--json")
    assert [one["agent"] for one in json.loads(found.stdout)] == ["looking"]
    later = shared.hookd("event", "--agent", "looking", "--since", "2999-01-01", "--json")
    assert later.stdout == "[]\n"
    table = shared.hookd("event", "--agent", "looking").stdout
    assert "looking" in table.splitlines()[1]


def test_a_session_is_meant_by_its_number_its_id_and_how_that_begins(window: Window) -> None:
    window.bash()
    ((number,),) = window.sessions("id")
    for key in (str(number), window.id, window.id[:9]):
        done = window.home.hookd("event", "--session", key, "--json")
        assert [one["sessionId"] for one in json.loads(done.stdout)] == [number], key


def test_a_beginning_that_two_sessions_have_is_refused(shared: Home) -> None:
    for end in ("one", "two"):
        window = window_in(shared)
        window.id = f"zz-common-{end}"
        window.bash()
    done = shared.hookd("event", "--session", "zz-common", check=False)
    assert done.returncode == 1
    assert "zz-common-one, zz-common-two" in done.stderr


@pytest.mark.parametrize(
    ("args", "sentence", "step"),
    [
        (("events", "--session", "nobody"), "There is no session nobody.", "hookd session list"),
        (("events", "--session", ""), "There is no session .", "hookd session list"),
        (("events", "--since", "soon"), "'soon' is neither an age nor a time.", "--since 10m"),
        (("why", "999999999"), "There is no event 999999999.", "hookd event"),
        (("why", "99999999999999999999"), "is not the number of an event.", "hookd why 4711"),
        (("why", "0"), "'0' is not the number of an event.", "hookd why 4711"),
        (("why", "seven"), "'seven' is not the number of an event.", "hookd why 4711"),
    ],
)
def test_what_is_not_there_is_told_in_a_sentence(
    shared: Home, args: tuple[str, ...], sentence: str, step: str
) -> None:
    done = shared.hookd(*args, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert sentence in done.stderr.splitlines()[0]
    assert step in done.stderr.splitlines()[1]


def test_a_misspelt_event_is_guessed(shared: Home) -> None:
    said = shared.hookd("event", "--event", "PreToolUs").stdout
    assert said.startswith("No events. Did you mean PreToolUse")


@pytest.mark.parametrize(
    "params",
    [{"since": "yesterday"}, {"kind": "other"}, {"after": -1}, {"id": 0}, {"session": "x"}],
)
def test_the_method_refuses_params_that_mean_nothing(shared: Home, params: Any) -> None:
    request = {"jsonrpc": "2.0", "id": 1, "method": "events.list", "params": params}
    answer = json.loads(shared.line(json.dumps(request).encode()))
    assert answer["error"]["code"] == -32602
    assert next(iter(params)) in answer["error"]["data"]["detail"]


def test_who_asks_for_the_oldest_first_misses_nothing(window: Window) -> None:
    for turn in range(5):
        window.bash(f"echo {turn}")
    after, seen = 0, []
    params = {"claudeSessionId": window.id, "oldestFirst": True, "limit": 2}
    while page := window.home.rpc("events.list", params | {"after": after})["events"]:
        seen += [one["payload"]["tool_input"]["command"] for one in page]
        after = page[-1]["id"]
    assert seen == [f"echo {turn}" for turn in range(5)]


def test_why_tells_which_guard_decided_and_how_to_take_it_away(window: Window) -> None:
    window.home.hookd("guard", "add", "no-why", "Bash(whywhy *)", "--deny", "Not here.")
    reason = verdict(window.bash("whywhy now"))[1]
    number = reason.rpartition("#")[2].rstrip(")")
    said = window.home.hookd("why", f"#{number}").stdout
    assert said.startswith(f"Event {number}: PreToolUse, denied by no-why\n")
    assert 'Bash {"command": "whywhy now"}' in said
    assert "no-why: deny\n  guard no-why: Not here.\n" in said
    assert "remove it: hookd guard remove no-why\n" in said
    assert f"(hookd #{number})" in said.partition("\nanswer\n")[2]
    window.home.hookd("guard", "remove", "no-why")
    assert "guard no-why has been removed since" in why(window, int(number))


def test_why_tells_where_a_guard_holds(window: Window) -> None:
    effort = window.starts()["effortId"]
    places = [
        ({"scope": "project"}, f"in {window.project}", "hookd guard remove here --scope local"),
        ({"scope": "effort", "effortId": effort}, f"in effort {effort}", f"--effort {effort}"),
    ]
    for scope, place, step in places:
        rule = {
            "id": "here",
            "urgency": "ask",
            "payload": {"text": "Sure?"},
            "toolFilter": {"include": ["Bash(herehere *)"]},
        }
        window.rpc("guards.add", rule=rule, **scope)
        window.bash(f"herehere {place}")
        said = why(window, last(window))
        assert "PreToolUse, asked about by here" in said
        assert f"guard here applies {place}" in said
        assert step in said
        window.rpc("guards.remove", ruleId="here", **scope)


def test_why_tells_what_was_known_when_a_policy_decided(window: Window) -> None:
    effort = window.starts(blockAfter=1)
    window.bash()
    number = last(window)
    said = why(window, number)
    assert "denied by heartbeat" in said
    assert "policy heartbeat: description and options: hookd policy show heartbeat" in said
    one = json.loads(why(window, number, "--json"))
    assert one["facts"]["effort"] == effort["effortId"]
    assert one["judges"][0] == "hooks.preToolUse"
    assert {"heartbeat", "guard-rules"} <= set(one["judges"])
    assert f"  task             {effort['taskDir']}\n" in said


def test_why_tells_of_silence_who_could_have_spoken(window: Window) -> None:
    window.bash()
    said = why(window, last(window))
    assert "PreToolUse; no decision" in said
    asked, _, off = said.partition("Evaluated: hooks.preToolUse")[2].partition("Off here")
    assert "guard-rules" in asked
    assert "non-interactive-env" in off
    assert "non-interactive-env" not in asked
    assert "calls since log" not in said, "a count is shown without an effort"
    window.says("MessageDisplay")
    assert "no policy applies to this event" in why(window, last(window))


def test_why_tells_of_an_event_that_could_not_be_read(home: Home) -> None:
    home.serves()
    nothing = home.hookd("why", check=False)
    assert (nothing.returncode, nothing.stderr.splitlines()[0]) == (
        1,
        "hookd: No event has a decision yet.",
    )
    home.hookd("guard", "add", "any", "Bash(any)", "--deny", "x")
    answer = home.bare(b"{")["result"]
    assert verdict(answer)[0] == "ask"
    said = home.hookd("why").stdout
    assert said.startswith("Event 1: PreToolUse, asked about by unreadable\n")
    assert "not JSON" in said


def test_a_check_by_doctor_is_no_event_of_the_list_but_why_knows_it(daemon: Home) -> None:
    nonce = "n" * 32
    daemon.rpc("daemon.canary", {"nonce": nonce, "answer": f"answer{nonce}"})
    event = {"session_id": f"hookd-canary-{nonce}", "hook_event_name": "PreToolUse"}
    daemon.hook(event | {"tool_name": "Bash", "tool_input": {"command": "true"}})
    rows = daemon.rows("SELECT id, kind FROM events")
    assert [kind for _, kind in rows] == ["canary"]
    assert daemon.rpc("events.list")["events"] == []
    assert len(daemon.rpc("events.list", {"kind": None})["events"]) == 1
    assert "a self test by hookd doctor" in daemon.hookd("why", str(rows[0][0])).stdout


def follow(home: Home, *args: str) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    command = [HOOKD, "events", "--follow", *args]
    return subprocess.Popen(command, env=home.env, stdout=pipe, stderr=pipe, text=True)


def test_following_prints_what_comes_and_ends_quietly_on_ctrl_c(window: Window) -> None:
    window.bash("echo one")
    with follow(window.home, "--session", window.id, "--json") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        seen = [json.loads(process.stdout.readline())]
        window.bash("echo two")
        window.says("UserPromptSubmit", prompt="three")
        seen += [json.loads(process.stdout.readline()) for _ in range(2)]
        process.send_signal(signal.SIGINT)
        rest = (process.stdout.read(), process.stderr.read())
    assert rest == ("", "")
    assert process.returncode == 130
    assert [one["event"] for one in seen] == ["PreToolUse", "PreToolUse", "UserPromptSubmit"]
    assert seen[0]["id"] < seen[1]["id"] < seen[2]["id"]


def test_following_begins_where_nothing_has_matched_yet(window: Window) -> None:
    window.bash()
    with follow(window.home, "--session", window.id, "--event", "Stop") as process:
        assert process.stdout is not None
        window.says("Stop", last_assistant_message="It is done.")
        assert process.stdout.readline().rstrip().endswith("It is done.")
        process.terminate()


def test_following_says_when_the_daemon_ends(daemon: Home) -> None:
    window = window_in(daemon)
    window.bash()
    with follow(daemon) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert "PreToolUse" in process.stdout.readline()
        os.kill(daemon.pid, signal.SIGKILL)
        assert process.stderr.readline().startswith("hookd: No more events come. ")
        assert process.wait(20) == 1
    daemon.serves()


def test_the_slowest_events_are_listed_first_with_their_longest_stage(window: Window) -> None:
    home = window.home
    window.bash("ls")
    window.says("Stop")
    with closing(connect(home.database)) as db, db:
        slow = """{"parse": 30, "user_hooks": 150000, "policy": ["self-guard", 74]}"""
        db.execute(
            "UPDATE events SET duration_us = 250000, stages = ? WHERE event = 'Stop'", [slow]
        )
    listed = home.hookd("event", "--slow", "100", "--session", window.id).stdout.splitlines()
    assert listed[0].split()[:6] == ["id", "time", "event", "tool", "ms", "mostly"]
    assert [line.split()[3:] for line in listed[1:]] == [
        ["Stop", "-", "250", "user", "hooks", "150", "self-guard", "0.1"]
    ]
    rows = json.loads(home.hookd("event", "--slow", "--json").stdout)
    took = [one["durationUs"] for one in rows]
    assert (took == sorted(took, reverse=True), len(took) >= 2) == (True, True)
    done = home.hookd("event", "--slow", "--follow", check=False)
    assert "--slow cannot be combined with --follow" in done.stderr


def test_why_shows_the_stages_of_an_event_and_status_the_latency(window: Window) -> None:
    window.bash("rm -rf /")
    number = last(window)
    told = why(window, number)
    assert re.search(r"took +\d+(\.\d)? ms, slowest policy [a-z-]+ \d+\.\d ms\n", told)
    assert re.search(r"stages +parse \d+\.\d, redact \d+\.\d, .*write \d+\.\d", told)
    assert json.loads(why(window, number, "--json"))["stages"]["policies"] >= 0
    status = window.home.hookd("status").stdout
    assert re.search(r"latency +p50 \S+ ms, p99 \S+ ms \(\d+ events of the last hour\)", status)


def test_of_an_event_that_cannot_be_read_no_policy_is_said_to_be_asked(home: Home) -> None:
    home.serves().bare(b"{no JSON")
    said = home.hookd("why", "1").stdout
    assert "No decision: the event could not be read, and no policy was evaluated." in said
    assert "destructive-guard" not in said
