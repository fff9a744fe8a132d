"""Live: payloads that cannot be judged where no guard is set: the shim's fail policy decides."""

import json
from collections.abc import Iterator

import pytest

from support.bad_payloads import BAD, MIB, UNJUDGED, of
from support.home import Home, place, until
from support.payloads import header


@pytest.fixture(scope="module")
def unguarded() -> Iterator[Home]:
    """A daemon without any guard."""
    with place() as home:
        home.serves()
        yield home


def passes(home: Home) -> bool:
    """Say whether a sound call passes; that others could not be judged is reported once."""
    return set(home.said(of()) or {}) <= {"systemMessage"}


@pytest.mark.parametrize("name", BAD)
def test_by_default_the_call_goes_on_and_stderr_says_so(unguarded: Home, name: str) -> None:
    before = len(unguarded.logged(UNJUDGED))
    done = unguarded.hook(BAD[name]())
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.startswith(b"hookd: PreToolUse not judged: ")
    assert done.stderr.count(b"\n") == 1
    lines = unguarded.logged(UNJUDGED)[before:]
    assert [line["event"] for line in lines] == ["PreToolUse"]
    assert lines[0]["why"]
    assert passes(unguarded), "the daemon answers afterwards"


@pytest.mark.parametrize("name", BAD)
def test_with_fail_closed_a_tool_call_is_denied(unguarded: Home, name: str) -> None:
    done = unguarded.hook(BAD[name](), "--fail-closed")
    assert (done.returncode, done.stderr) == (0, b"")
    answer = json.loads(done.stdout)
    said = answer.pop("hookSpecificOutput")
    assert answer == {}
    assert said.pop("permissionDecisionReason").startswith("hookd could not judge this call")
    assert said == {"hookEventName": "PreToolUse", "permissionDecision": "deny"}


@pytest.mark.parametrize("name", ["not JSON", "nothing", "a list", "half an object"])
def test_with_fail_closed_a_permission_request_is_denied(unguarded: Home, name: str) -> None:
    done = unguarded.hook(BAD[name](), "--event", "PermissionRequest", "--fail-closed")
    assert (done.returncode, done.stderr) == (0, b"")
    said = json.loads(done.stdout)["hookSpecificOutput"]
    assert (said["hookEventName"], said["decision"]["behavior"]) == ("PermissionRequest", "deny")
    assert said["decision"]["message"].startswith("hookd could not judge this call")


def test_with_fail_closed_a_prompt_is_blocked(unguarded: Home) -> None:
    done = unguarded.hook(b"not JSON", "--event", "UserPromptSubmit", "--fail-closed")
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["decision"] == "block"
    assert unguarded.hook(b"not JSON", "--event", "UserPromptSubmit").stdout == b""


@pytest.mark.parametrize("args", [(), ("--fail-closed",)])
@pytest.mark.parametrize("event", ["PostToolUse", "Stop", "SessionStart"])
def test_other_events_pass_in_silence(unguarded: Home, event: str, args: tuple[str, ...]) -> None:
    for name in ("not JSON", "a list"):
        done = unguarded.hook(BAD[name](), "--event", event, *args)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_payload_of_17_mib_is_for_the_fail_policy(unguarded: Home) -> None:
    event = json.dumps(of(padding="x" * 17 * MIB)).encode()
    done = unguarded.hook(event)
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.startswith(b"hookd: PreToolUse not judged: ")
    assert b'"deny"' in unguarded.hook(event, "--fail-closed").stdout
    assert passes(unguarded)


def test_a_client_that_dies_in_its_payload_leaves_a_line_and_a_row(unguarded: Home) -> None:
    rows = "SELECT count(*) FROM events"
    before, lines = unguarded.rows(rows)[0][0], len(unguarded.logged(UNJUDGED))
    with unguarded.link() as link:
        link.sendall(header("PreToolUse") + b'{"tool_name": "Ba')
    until(lambda: unguarded.rows(rows)[0][0] == before + 1)
    (line,) = unguarded.logged(UNJUDGED)[lines:]
    assert line["why"] == "the payload ended in its middle"
    assert passes(unguarded)


@pytest.mark.parametrize(
    ("line", "number"),
    [
        (b"not JSON", -32700),
        (b"[]", -32600),
        (b'{"jsonrpc":"1.0","id":1,"method":"daemon.status"}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"no.such"}', -32601),
        (b'{"jsonrpc":"2.0","id":1,"method":"daemon.query","params":{"sqql":""}}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"hooks.dispatch","params":{"event":1}}', -32602),
        (b'"' + b"x" * 17 * MIB + b'"', -32600),
        (b"[" * 50_000, -32700),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_line_that_is_no_request_is_answered_by_its_error(
    unguarded: Home, line: bytes, number: int
) -> None:
    assert json.loads(unguarded.line(line))["error"]["code"] == number


def test_after_a_bad_line_the_connection_goes_on(unguarded: Home) -> None:
    good = b'{"jsonrpc":"2.0","id":7,"method":"daemon.status"}'
    with unguarded.link() as link, link.makefile("rb") as answers:
        for line in (b"{", b"", b"x" * 17 * MIB, good):
            link.sendall(line + b"\n")
        said = [json.loads(answers.readline()) for _ in range(3)]
    assert [one.get("error", {}).get("code") for one in said] == [-32700, -32600, None]
    assert said[2]["id"] == 7


@pytest.mark.parametrize("params", [b'{"body":true,"env":[]}', b'{"body":true,"event":7}'], ids=str)
def test_a_malformed_announcement_ends_in_an_error(unguarded: Home, params: bytes) -> None:
    request = b'{"jsonrpc":"2.0","id":1,"method":"hooks.dispatch","params":' + params + b"}\n"
    with unguarded.link() as link, link.makefile("rb") as answers:
        link.sendall(request)
        assert b"hooks.accepted" in answers.readline()
        assert json.loads(answers.readline())["error"]["code"] == -32602
        assert answers.read() == b""
