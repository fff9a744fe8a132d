"""Live: a person pauses hookd; all hooks pass, records are kept, and it ends automatically."""

import json
from contextlib import closing
from datetime import UTC, datetime, timedelta
from sqlite3 import connect
from typing import Any

import pytest

from support import forkserver
from support.flows import handover
from support.home import Home, until, window_in
from support.payloads import context, verdict

HOUR = timedelta(hours=1)


@pytest.fixture
def guarded(daemon: Home) -> Home:
    daemon.hookd("guard", "add", "no-rm", "Bash(rm -rf *)", "--deny", "Use the trash.")
    return daemon


def pause(home: Home, span: timedelta = HOUR) -> Any:
    """Pause for so long from the daemon's own now on."""
    now = datetime.fromisoformat(home.rpc("daemon.status")["now"])
    return home.rpc("daemon.pause", {"until": (now + span).isoformat()})["pausedUntil"]


def at_a_terminal(home: Home, *args: str, **env: str) -> tuple[int, str]:
    """Run the command line with a terminal for all its streams; return its end and what it said."""
    return forkserver.at_a_terminal(args, home.env | env)


def test_a_guard_is_silent_while_a_pause_lasts_and_holds_after_it(guarded: Home) -> None:
    window = window_in(guarded)
    assert verdict(window.bash("rm -rf x"))[0] == "deny"
    pause(guarded)
    assert window.bash("rm -rf x") is None
    guarded.rpc("daemon.resume")
    assert verdict(window.bash("rm -rf x"))[0] == "deny"


def test_a_pause_ends_by_itself(guarded: Home) -> None:
    window = window_in(guarded)
    pause(guarded)
    assert window.bash("rm -rf x") is None
    pause(guarded, timedelta(milliseconds=300))
    until(lambda: verdict(window.bash("rm -rf x"))[0] == "deny")
    assert guarded.rpc("daemon.status")["pausedUntil"] is None
    assert guarded.rpc("daemon.resume") == {"wasPaused": False}


def test_a_pause_outlives_a_daemon_and_the_one_that_a_hook_starts_keeps_to_it(
    guarded: Home,
) -> None:
    window = window_in(guarded)
    end = pause(guarded)
    guarded.restarts()
    assert window.bash("rm -rf x") is None
    guarded.ends()
    guarded.stopped.unlink()
    assert window.bash("rm -rf x") is None, "the shim has started it"
    assert guarded.rpc("daemon.status")["pausedUntil"] == end


def test_what_happens_meanwhile_is_recorded_as_paused(guarded: Home) -> None:
    window = window_in(guarded)
    window.starts(blockAfter=3)
    window.says("SessionStart", source="startup")
    pause(guarded)
    for _ in range(4):
        assert window.bash("rm -rf x") is None
    sql = "SELECT event, decision, decided_by FROM events WHERE answer IS NULL"
    assert guarded.rows(sql) == [("PreToolUse", None, "pause")] * 4
    assert window.count == 4
    (number,) = guarded.rows("SELECT max(id) FROM events")[0]
    assert (
        "hookd was paused, and no policy was evaluated." in guarded.hookd("why", str(number)).stdout
    )
    assert guarded.hookd("event", "--rule", "pause").stdout.count("rm -rf x") == 4
    guarded.rpc("daemon.resume")
    assert "no-rm" in verdict(window.bash("rm -rf x"))[1]


def test_no_hook_of_the_user_s_runs_meanwhile(home: Home) -> None:
    mark = home.path / "ran"
    hook = {"type": "command", "command": f"echo x >> {mark}; echo no >&2; exit 2"}
    home.settings({"hooks": {"PreToolUse": [{"hooks": [hook]}]}})
    home.serves()
    window = window_in(home)
    pause(home)
    assert window.bash("ls") is None
    assert not mark.exists()
    home.rpc("daemon.resume")
    assert verdict(window.bash("ls"))[0] == "deny"
    assert mark.read_text() == "x\n"


def test_each_window_is_told_once(guarded: Home) -> None:
    first, second = window_in(guarded), window_in(guarded)
    first.says("SessionStart", source="startup")
    pause(guarded)
    for window in (first, second):
        told = window.says("UserPromptSubmit", prompt="Go on")
        assert told.keys() == {"systemMessage"}
        assert "paused for 60 more minutes" in told["systemMessage"]
        assert window.says("UserPromptSubmit", prompt="Go on") is None
    third = window_in(guarded)
    assert "paused" in third.says("SessionStart", source="startup")["systemMessage"]
    assert third.says("UserPromptSubmit", prompt="Go on") is None
    assert "paused" in third.says("SessionStart", source="clear")["systemMessage"]
    assert third.says("UserPromptSubmit", prompt="Go on") is None
    pause(guarded, 2 * HOUR)
    assert "paused for 120" in first.says("UserPromptSubmit", prompt="x")["systemMessage"]


def test_what_waits_for_a_model_goes_on_waiting(guarded: Home) -> None:
    window = window_in(guarded)
    window.says("SessionStart", source="startup")
    left = handover(summary="The parser is done.")
    window.rpc("handover.save", sessionId=window.sessions("id")[-1][0], payload=left)
    pause(guarded)
    window.says("SessionStart", source="clear")
    assert window.says("UserPromptSubmit", prompt="Go on") is None
    guarded.rpc("daemon.resume")
    assert "The parser is done." in context(window.says("UserPromptSubmit", prompt="Go on"))


def test_a_payload_that_cannot_be_read_passes_too(guarded: Home) -> None:
    assert verdict(guarded.bare(b"{")["result"])[0] == "ask"
    pause(guarded)
    assert guarded.bare(b"{")["result"] is None
    assert guarded.hook(b"{", "--fail-closed").stdout == b""


@pytest.mark.parametrize(
    ("span", "why"),
    [
        (timedelta(0), "is over"),
        (-HOUR, "is over"),
        (timedelta(hours=8, seconds=5), "a pause has at most 8 hours"),
    ],
)
def test_a_pause_has_an_end_that_is_near(shared: Home, span: timedelta, why: str) -> None:
    at = (datetime.fromisoformat(shared.rpc("daemon.status")["now"]) + span).isoformat()
    done = shared.hookd("rpc", "daemon.pause", json.dumps({"until": at}), check=False)
    assert why in done.stderr.lower()
    assert shared.rpc("daemon.status")["pausedUntil"] is None


@pytest.mark.parametrize("value", ["9999-01-01T00:00:00.000Z", "tomorrow", "2026-01-31T08:00:00"])
def test_a_row_that_is_no_pause_pauses_nothing(guarded: Home, value: str) -> None:
    window = window_in(guarded)
    pause(guarded)
    guarded.ends()
    with_sqlite(guarded, value)
    guarded.serves()
    assert verdict(window.bash("rm -rf x"))[0] == "deny"
    assert guarded.rpc("daemon.status")["pausedUntil"] is None


def with_sqlite(home: Home, value: str) -> None:
    """Write a row like another program that has the file open."""
    with closing(connect(home.database)) as db, db:
        db.execute("UPDATE meta SET value = ? WHERE key = 'paused_until'", (value,))


def test_a_person_pauses_sees_it_everywhere_and_resumes(daemon: Home) -> None:
    code, said = at_a_terminal(daemon, "pause", "10m", TZ="UTC")
    end = datetime.fromisoformat(daemon.rpc("daemon.status")["pausedUntil"])
    assert (code, said) == (
        0,
        f"hookd is paused until {end:%Y-%m-%d %H:%M:%S}+00:00: no guard applies, in any session.\n"
        "  hookd resume ends it early.\n",
    )
    here = end.astimezone().isoformat(sep=" ", timespec="seconds")
    assert f"paused until  {here}\n" in daemon.hookd("status").stdout
    assert "next          hookd resume" in daemon.hookd("status").stdout
    finding = [one for one in doctor(daemon) if one["check"] == "pause"]
    assert [(one["state"], one["next"]) for one in finding] == [("warn", "hookd resume")]
    line = daemon.rpc("session.statusLine", {"status": {"session_id": "x"}})["line"]
    assert line.startswith("\x1b[31mpaused, 10 min\x1b[0m · ")
    assert at_a_terminal(daemon, "resume") == (0, "Guards apply again.\n")
    assert at_a_terminal(daemon, "resume") == (0, "hookd was not paused.\n")
    pause(daemon)
    assert daemon.hookd("resume", "--yes").stdout == "Guards apply again.\n", "a script says so"
    assert "paused" not in daemon.hookd("status").stdout
    assert not [one for one in doctor(daemon) if one["check"] == "pause"]


def doctor(home: Home) -> Any:
    return json.loads(home.hookd("doctor", "--json", check=False).stdout)


def test_a_clock_on_the_wall_is_that_of_the_terminal(daemon: Home) -> None:
    for zone, hours in (("UTC", 0), ("XXX-3", 3), ("XXX+5", -5)):
        now = datetime.fromisoformat(daemon.rpc("daemon.status")["now"])
        then = now.astimezone(UTC) + timedelta(hours=hours, minutes=30)
        code, said = at_a_terminal(daemon, "pause", "--until", f"{then:%H:%M}", TZ=zone)
        assert (code, f" {then:%H:%M}:00" in said) == (0, True), said
        end = datetime.fromisoformat(daemon.rpc("daemon.status")["pausedUntil"])
        assert timedelta(minutes=28) < end - now <= timedelta(minutes=30)


@pytest.mark.parametrize("command", [("pause", "10m"), ("resume",), ("stop",)])
def test_who_has_no_terminal_is_refused(shared: Home, command: tuple[str, ...]) -> None:
    sentence = f"hookd: hookd {command[0]} is for a person at a terminal, and there is none here.\n"
    done = shared.hookd(*command, check=False)
    assert (done.returncode, done.stderr.startswith(sentence)) == (1, True)
    if command[0] != "pause":
        assert f"; a script says hookd {command[0]} --yes" in done.stderr
    for mark in ("CLAUDECODE", "GEMINI_CLI"):
        code, said = at_a_terminal(shared, *command, **{mark: "1"})
        assert (code, said.startswith(sentence)) == (1, True), "an agent can make a terminal"
    assert shared.rpc("daemon.status")["pausedUntil"] is None


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        ((), "The duration is missing."),
        (("10m", "--until", "18:00"), "The duration is missing."),
        (("0m",), "'0m' is not a duration."),
        (("10",), "'10' is not a duration."),
        (("soon",), "'soon' is not a duration."),
        (("9h",), "A pause lasts at most 8 hours."),
        (("--until", "24:00"), "'24:00' is not a time of day."),
        (("--until", "six"), "'six' is not a time of day."),
    ],
)
def test_what_is_no_pause_is_refused_with_the_way_to_say_it(
    shared: Home, args: tuple[str, ...], sentence: str
) -> None:
    code, said = at_a_terminal(shared, "pause", *args)
    assert code == 1
    assert said.startswith(f"hookd: {sentence}\n  next: ")
    assert shared.rpc("daemon.status")["pausedUntil"] is None
