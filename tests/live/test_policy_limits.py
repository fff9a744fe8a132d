"""Live: a policy that hangs or fails, or causes what cannot be done, is seen; others decide."""

import json
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from sqlite3 import connect

import pytest

from support.bad_payloads import of
from support.home import Home, serving
from support.payloads import verdict

pytestmark = pytest.mark.gate

ENTRY = """
import re, sys
from hookd import policies
from hookd.core.model.effects.after_commit import AskRestart, ReadTranscript
from hookd.config.models import PolicyOptions
from hookd.core.model.verdict import Opinion
from hookd.core.model.policy import Policy

def loops(event, facts, options):
    while "loop" in event.tool_input["command"]:
        pass

def backtracks(event, facts, options):
    if "backtrack" in event.tool_input["command"]:
        re.match("(a+)+$", "a" * 60 + "!")

def fails(event, facts, options):
    if "fail" in event.tool_input["command"]:
        raise ValueError("with the key sk-ant-api03-" + "Ab3dEf6hIj9" * 9)

def causes(event, facts, options):
    if "cause" in event.tool_input["command"]:
        return Opinion(effects=(ReadTranscript(0, None),))

def policy(place, opine, on_error):
    on = frozenset({"PreToolUse"})
    return Policy(opine.__name__, place, on, PolicyOptions, on_error, opine, ())

policies.POLICIES += (
    policy(91, loops, "ask"),
    policy(92, backtracks, "silence"),
    policy(93, fails, "silence"),
    policy(94, causes, "silence"),
)
from hookd.cli import main
main()
"""


@contextmanager
def odd(home: Home) -> Iterator[Home]:
    """A daemon with policies that hang and fail, among all the others."""
    with serving(home, sys.executable, "-P", "-c", ENTRY, "serve"):
        yield home


def call(home: Home, command: str) -> tuple[str, str]:
    """Let a command be about to run; return the decision and its reason."""
    return verdict(home.bare(json.dumps(of(tool_input={"command": command})).encode())["result"])


def faults(home: Home) -> dict[tuple[str, str], tuple[int, str]]:
    """Return what `daemon.status` reports of incidents."""
    told = home.rpc("daemon.status")["incidents"]
    return {(one["kind"], one["name"]): (one["count"], one["text"]) for one in told}


def test_an_endless_loop_is_interrupted_and_its_policy_suspended(home: Home) -> None:
    with odd(home):
        pid = home.rpc("daemon.status")["pid"]
        for _ in range(3):
            assert call(home, "echo loop")[0] == "ask"
        # A guard that is suspended asks about each call: it is never off in silence.
        decision, reason = call(home, "ls")
        assert (decision, "loops was suspended" in reason) == ("ask", True)
        assert call(home, "rm -rf /")[0] == "deny"
        status = home.rpc("daemon.status")
        assert (status["pid"], status["suspended"]) == (pid, ["loops"])
        assert faults(home)["policy over time", "loops"][0] == 3
        kept = home.rows("SELECT decision, decided_by, count(*) FROM events GROUP BY 2 ORDER BY 2")
        assert kept == [("deny", "destructive-guard", 1), ("ask", "loops", 4)]
        assert "loops" in home.hookd("status").stdout
        line = home.rpc("session.statusLine", {"status": {"session_id": "s"}})["line"]
        assert line.startswith("\x1b[31msuspended: loops\x1b[0m · ")
        doctor = home.hookd("doctor", "--json", check=False)
        found = [one for one in json.loads(doctor.stdout) if one["check"] == "policies"]
        assert [one["state"] for one in found] == ["fail", "warn"]
        assert "loops is suspended" in found[0]["what"]


def test_a_pattern_that_backtracks_is_interrupted_and_the_others_decide(home: Home) -> None:
    with odd(home):
        assert call(home, "echo backtrack") == ("", "")
        assert call(home, "echo backtrack; rm -rf /")[0] == "deny"
        assert faults(home)["policy over time", "backtracks"][0] == 2
        answer = home.bare(json.dumps(of(tool_input={"command": "backtrack"})).encode())["result"]
        assert "backtracks exceeded its time limit" in answer["systemMessage"]
        assert call(home, "echo backtrack") == ("", "")
        assert faults(home)["policy over time", "backtracks"][0] == 3
        assert len(home.rows("SELECT id FROM events")) == 4


def test_where_nothing_can_be_kept_it_is_interrupted_as_well(home: Home) -> None:
    with odd(home), closing(connect(home.database, isolation_level=None)) as other:
        call(home, "ls")
        other.execute("BEGIN IMMEDIATE")
        decision, reason = call(home, "echo loop")
        assert (decision, "loops took too long" in reason) == ("ask", True)
        assert faults(home)["policy over time", "loops"][0] == 1


def test_faults_of_policies_and_effects_are_counted_and_redacted(home: Home) -> None:
    with odd(home):
        for _ in range(2):
            assert call(home, "echo fail; echo cause") == ("", "")
        found = faults(home)
        count, text = found["policy failed", "fails"]
        assert (count, text) == (2, "ValueError: with the key [redacted:anthropic-key]")
        count, text = found["effect failed", "ReadTranscript"]
        assert (count, text.startswith("TypeError")) == (2, True)
        assert "The policy fails failed 2 times" in home.hookd("status").stdout
