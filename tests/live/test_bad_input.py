"""Live: payloads that cannot be judged, and those that only look so, where a guard is set."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from hookd.core.model.fail_policy import CLOSABLE
from support.bad_payloads import BAD, DEEP, MIB, UNJUDGED, of
from support.home import Home, place
from support.payloads import header, payload, verdict

RM = {"command": "rm -rf x"}


@pytest.fixture(scope="module")
def guarded() -> Iterator[Home]:
    """A daemon with a guard against `rm -rf`."""
    with place() as home:
        home.serves()
        home.hookd("guard", "add", "no-rm", "Bash(rm -rf *)", "--deny", "No.")
        yield home


def alive(home: Home) -> None:
    """See that the daemon still judges."""
    assert verdict(home.said(of(tool_input=RM)))[0] == "deny"


def body(**more: Any) -> bytes:
    """Return a payload's bytes, as the client writes them."""
    return json.dumps(of(**more)).encode() + b"\n"


@pytest.mark.parametrize("name", BAD)
def test_a_payload_that_cannot_be_judged_is_asked_about(guarded: Home, name: str) -> None:
    before = len(guarded.logged(UNJUDGED))
    done = guarded.hook(BAD[name]())
    assert (done.returncode, done.stderr) == (0, b"")
    decision, reason = verdict(json.loads(done.stdout))
    assert decision == "ask"
    assert reason.startswith("hookd could not judge this call (")
    lines = guarded.logged(UNJUDGED)[before:]
    assert [line["event"] for line in lines] == ["PreToolUse"]
    assert lines[0]["why"] in reason
    alive(guarded)


@pytest.mark.parametrize("event", ["PreToolUse", "PermissionRequest"])
@pytest.mark.parametrize("name", ["not JSON", "half an object", "tool_input is a text"])
def test_with_fail_closed_it_is_denied_although_a_guard_would_ask(
    guarded: Home, event: str, name: str
) -> None:
    done = guarded.hook(BAD[name](), "--event", event, "--fail-closed")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b'"deny"' in done.stdout
    assert b"hookd could not judge this call" in done.stdout


@pytest.mark.parametrize("event", sorted({*CLOSABLE} - {"PreToolUse", "PermissionRequest"}))
def test_every_other_event_that_fails_closed_is_refused_as_well(guarded: Home, event: str) -> None:
    done = guarded.hook(BAD["half an object"](), "--event", event, "--fail-closed")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"hookd could not judge this call" in done.stdout


@pytest.mark.parametrize(
    ("event", "args"),
    [
        ("PermissionRequest", ()),
        ("PostToolUse", ("--fail-closed",)),
        ("Stop", ("--fail-closed",)),
        ("SessionEnd", ("--fail-closed",)),
    ],
)
@pytest.mark.parametrize("name", ["not JSON", "nothing", "a list", "half an object"])
def test_other_events_that_cannot_be_read_pass_in_silence(
    guarded: Home, name: str, event: str, args: tuple[str, ...]
) -> None:
    done = guarded.hook(BAD[name](), "--event", event, *args)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert guarded.rows("SELECT event FROM events ORDER BY id DESC LIMIT 1") == [(event,)]


ODD = {
    "pretty-printed": lambda: json.dumps(of(tool_input=RM), indent=4).encode(),
    "with a byte order mark": lambda: b"\xef\xbb\xbf" + body(tool_input=RM),
    "with CRLF": lambda: json.dumps(of(tool_input=RM), indent=1).replace("\n", "\r\n").encode(),
    "15 MiB of padding before": lambda: json.dumps(
        {"padding": "x" * 15 * MIB} | of(tool_input=RM)
    ).encode(),
    "15 MiB of padding behind": lambda: body(tool_input=RM, padding="x" * 15 * MIB),
    "15 MiB of padding in the input": lambda: body(tool_input=RM | {"why": "x" * 15 * MIB}),
    "10,000 levels beside": lambda: body(tool_input=RM)[:-2] + b',"deep":' + DEEP + b"}",
    "10,000 levels before": lambda: b'{"deep":' + DEEP + b"," + body(tool_input=RM)[1:],
    "10,000 levels in the input": lambda: (
        b'{"tool_input":{"command":"rm -rf x","deep":' + DEEP + b"}," + body(tool_input=...)[1:]
    ),
    "a lone surrogate beside": lambda: body(tool_input=RM, note="\ud800"),
    "a lone surrogate in the session": lambda: body(tool_input=RM, session_id="\udfff"),
    "bytes that are no UTF-8 beside": lambda: body(tool_input=RM)[:-2] + b',"note":"\xff\xfe\xc3"}',
    "duplicate keys": lambda: body()[:-2] + b',"tool_input":{"command":"rm -rf x"}}',
    "duplicate commands": lambda: (
        body(tool_input=...)[:-2] + b',"tool_input":{"command":"ls","command":"rm -rf x"}}'
    ),
    "an escaped key": lambda: body(tool_input=RM).replace(b'"command"', b'"\\u0063ommand"'),
    "huge integers": lambda: body(tool_input=RM)[:-2] + b',"n":' + b"9" * 5000 + b"}",
    "a huge integer in the input": lambda: (
        b'{"tool_input":{"command":"rm -rf x","timeout":'
        + b"9" * 400
        + b"},"
        + body(tool_input=...)[1:]
    ),
    "a huge exponent": lambda: body(tool_input=RM)[:-2] + b',"n":1e99999}',
    "a NUL beside": lambda: body(tool_input=RM, note="\0", tool_use_id="a\0b"),
    "another version of the client's keys": lambda: json.dumps(
        {"toolName": "Bash", "toolInput": RM, "sessionId": "s"}
    ).encode(),
}


@pytest.mark.parametrize("name", ODD)
def test_a_denied_command_is_denied_however_odd_its_payload(guarded: Home, name: str) -> None:
    made = ODD[name]().replace(b'"tool_input": "...", ', b"")
    done = guarded.hook(made)
    assert (done.returncode, done.stderr) == (0, b"")
    assert verdict(json.loads(done.stdout))[0] == "deny"


@pytest.mark.parametrize(
    "command", ["rm -rf \ud800", "rm -rf x\0", "x" * 70_000 + "; rm -rf x"], ids=ascii
)
def test_a_command_that_cannot_be_read_is_asked_about_or_denied(
    guarded: Home, command: str
) -> None:
    done = guarded.hook(body(tool_input={"command": command}))
    assert verdict(json.loads(done.stdout))[0] in ("ask", "deny")


def test_a_payload_of_17_mib_is_asked_about(guarded: Home) -> None:
    done = guarded.hook(body(tool_input=RM, padding="x" * 17 * MIB))
    decision, reason = verdict(json.loads(done.stdout))
    assert (done.returncode, done.stderr, decision) == (0, b"", "ask")
    assert "longer than 16 MiB" in reason
    alive(guarded)


def test_what_follows_the_end_of_a_payload_is_ignored(guarded: Home) -> None:
    answer = guarded.bare(body(tool_input=RM) + b"\x1e" + body())
    assert verdict(answer["result"])[0] == "deny"


def test_a_payload_whose_client_stops_in_the_middle_is_not_judged(guarded: Home) -> None:
    with guarded.link() as link:
        link.sendall(header("PreToolUse") + body()[:-20])
        link.shutdown(1)
        with link.makefile("rb") as answers:
            assert b"hooks.accepted" in answers.readline()
            decision, reason = verdict(json.loads(answers.readline())["result"])
    assert decision == "ask"
    assert "ended in its middle" in reason


def test_a_payload_in_small_pieces_is_judged_whole(guarded: Home) -> None:
    whole = header("PreToolUse") + body(tool_input=RM) + b"\x1e"
    with guarded.link() as link, link.makefile("rb") as answers:
        for at in range(0, len(whole), 7):
            link.sendall(whole[at : at + 7])
        assert b"hooks.accepted" in answers.readline()
        assert verdict(json.loads(answers.readline())["result"])[0] == "deny"


def test_a_malformed_call_is_kept_with_what_is_known_of_it(guarded: Home) -> None:
    event = payload("PreToolUse.Bash", session_id=str(uuid4()), tool_input="rm -rf x")
    guarded.hook(event)
    rows = guarded.rows(
        "SELECT event, tool_name, tool_use_id, decision, decided_by FROM events"
        " WHERE claude_session_id = ?",
        event["session_id"],
    )
    assert rows == [("PreToolUse", "Bash", event["tool_use_id"], "ask", "unreadable")]
