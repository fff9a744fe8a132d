"""An http hook is posted where it may be, and nowhere else; what comes back is silence or JSON."""

import asyncio
import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from hookd.core.hook_rules.model import Hook, HookExecution, Source
from hookd.user_hooks.http_hook import KEPT, AllowList, post
from support.web_server import CERTIFICATE, SECONDS, WebPeer, web_peer

SOURCE = Source("user", "/home/u/settings.json", "hooks.PreToolUse[0].hooks[0]")
EVENT = b'{"hook_event_name": "PreToolUse", "tool_name": "Bash"}'
DENY = '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}'
TOKEN = "tok-31415926535897932384"


@pytest.fixture
def peer() -> Iterator[WebPeer]:
    with web_peer() as one:
        yield one


def hook(url: str, **more: Any) -> Hook:
    return Hook("h1", "PreToolUse", "http", SOURCE, url=url, **more)


async def posted(
    one: Hook,
    *,
    urls: tuple[str, ...] = ("*",),
    env: dict[str, str] | None = None,
    names: tuple[str, ...] = (),
    seconds: float = SECONDS,
    event: bytes = EVENT,
) -> HookExecution:
    deadline = asyncio.get_running_loop().time() + seconds
    return await post(one, event, deadline, AllowList(urls, names), env or {})


async def test_the_event_is_posted_as_json_and_the_connection_closed(peer: WebPeer) -> None:
    peer.says(200, DENY)
    one = hook(f"http://127.0.0.1:{peer.port}/hooks/pre?team=a#part")
    ran = await posted(one)
    assert (ran.hook, ran.exit_code, ran.stdout, ran.fault) == (one, 0, DENY, "")
    assert ran.milliseconds >= 0
    [asked] = peer.asked
    assert (asked.method, asked.path, asked.body) == ("POST", "/hooks/pre?team=a", EVENT)
    assert asked.headers["Content-Type"] == "application/json"
    assert asked.headers["Connection"] == "close"
    assert asked.headers["Host"] == f"127.0.0.1:{peer.port}"


HEARD = [
    (200, "", ""),
    (204, "", ""),
    (200, " \r\n", ""),
    (200, "{}", "{}"),
    (201, '{"decision": "block"}', '{"decision": "block"}'),
    (200, '\ufeff {"a": 1}\n', '{"a": 1}'),
    (200, '{"reason": "\\ud800"}', '{"reason": "\\ud800"}'),
]


@pytest.mark.parametrize(("status", "body", "stdout"), HEARD, ids=repr)
async def test_a_success_is_silence_or_stands_in_stdout(
    status: int, body: str, stdout: str, peer: WebPeer
) -> None:
    peer.says(status, body)
    ran = await posted(hook(f"http://127.0.0.1:{peer.port}/"))
    assert (ran.exit_code, ran.stdout, ran.fault) == (0, stdout, "")


FAULTS: list[tuple[bytes | int, str, str]] = [
    (400, DENY, "answered 400"),
    (500, "", "answered 500"),
    (302, "", "answered 302: a redirect is not followed"),
    (304, "", "answered 304: a redirect is not followed"),
    (200, "all fine", "the answer is no JSON object"),
    (200, "[]", "the answer is no JSON object"),
    (200, "null", "the answer is no JSON object"),
    (200, '{"a": 1} {"b": 2}', "the answer is no JSON object"),
    (200, '{"a": ' + '"' + "x" * KEPT + '"}', "the answer is longer than 30 KiB"),
    (b"SSH-2.0-none\r\n", "", "the answer is no HTTP, or breaks off"),
    (b"", "", "the answer is no HTTP, or breaks off"),
    (b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n", "", "the answer breaks off"),
    (b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{}", "", "the answer breaks off"),
    (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{}",
        "",
        "the answer is no HTTP, or breaks off",
    ),
    (
        b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 300 + b"\r\n",
        "",
        "the answer is no HTTP, or breaks off",
    ),
]


@pytest.mark.parametrize(("status", "body", "fault"), FAULTS, ids=lambda told: repr(told)[:40])
async def test_anything_else_is_a_fault_and_decides_nothing(
    status: int | bytes, body: str, fault: str, peer: WebPeer
) -> None:
    if isinstance(status, int):
        peer.says(status, body, Location=f"http://127.0.0.1:{peer.port}/elsewhere")
    else:
        peer.raw = status
    ran = await posted(hook(f"http://127.0.0.1:{peer.port}/"))
    assert (ran.exit_code, ran.stdout, ran.fault, ran.timed_out) == (None, "", fault, False)
    assert len(peer.asked) == 1


async def test_an_answer_in_chunks_is_put_together(peer: WebPeer) -> None:
    peer.raw = (
        b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{"a"\r\n4\r\n: 1}\r\n0\r\n\r\n'
    )
    ran = await posted(hook(f"http://127.0.0.1:{peer.port}/"))
    assert (ran.exit_code, ran.stdout) == (0, '{"a": 1}')


async def test_an_answer_that_is_too_long_is_marked(peer: WebPeer) -> None:
    peer.says(200, json.dumps({"a": "x" * KEPT}))
    assert (await posted(hook(f"http://127.0.0.1:{peer.port}/"))).truncated


async def test_an_event_of_megabytes_arrives_whole(peer: WebPeer) -> None:
    peer.says(204)
    event = json.dumps({"tool_response": "x" * 3_000_000}).encode()
    ran = await posted(hook(f"http://127.0.0.1:{peer.port}/"), event=event)
    assert ran.fault == ""
    assert peer.asked[0].body == event


async def test_where_nobody_listens_it_is_a_fault() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        ran = await posted(hook(f"http://127.0.0.1:{port}/"))
    assert (ran.exit_code, ran.fault) == (None, "no connection: Connection refused")


async def test_a_peer_that_hangs_is_left_at_the_deadline(peer: WebPeer) -> None:
    peer.raw = None
    ran = await posted(hook(f"http://127.0.0.1:{peer.port}/"), seconds=0.2)
    assert (ran.exit_code, ran.timed_out, ran.fault) == (None, True, "timed out after 0.2 s")
    assert await asyncio.to_thread(peer.left.wait, SECONDS)


async def test_a_call_that_is_given_up_is_ended(peer: WebPeer) -> None:
    peer.raw = None
    running = asyncio.gather(posted(hook(f"http://127.0.0.1:{peer.port}/")))
    assert await asyncio.to_thread(peer.came.wait, SECONDS)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert await asyncio.to_thread(peer.left.wait, SECONDS)


async def test_past_the_deadline_nothing_is_sent(peer: WebPeer) -> None:
    ran = await posted(hook(f"http://127.0.0.1:{peer.port}/"), seconds=-1)
    assert ran.timed_out
    assert peer.asked == []


async def test_the_certificate_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    with web_peer(tls=True) as peer:
        peer.says(200, DENY)
        ran = await posted(hook(f"https://localhost:{peer.port}/"))
        assert ran.exit_code is None
        assert ran.fault.startswith("TLS failed: self-signed certificate")
        monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
        ran = await posted(hook(f"https://127.0.0.1:{peer.port}/"))
        assert ran.fault.startswith("TLS failed: ip address mismatch")
        assert peer.asked == []
        assert (await posted(hook(f"https://localhost:{peer.port}/"))).stdout == DENY


async def test_a_peer_without_tls_is_a_fault(peer: WebPeer) -> None:
    ran = await posted(hook(f"https://127.0.0.1:{peer.port}/"))
    assert ran.exit_code is None
    assert ran.fault.startswith(("TLS failed: ", "no connection: "))
    assert peer.asked == []


LED_AWAY = [
    "169.254.169.254",
    "2852039166",
    "0xA9FEA9FE",
    "0251.0376.0251.0376",
    "169.16689662",
    "[::ffff:169.254.169.254]",
    "[::ffff:a9fe:a9fe]",
    "[::169.254.169.254]",
    "[64:ff9b::a9fe:a9fe]",
    "[2002:a9fe:a9fe::]",
    "[fe80::1]",
    "[fd00:ec2::254]",
    "100.100.100.200",
    "168.63.129.16",
    "0.0.0.0",
    "0",
    "0.0.0.1",
    "[::]",
    "224.0.0.1",
    "255.255.255.255",
    "[ff02::1]",
]


@pytest.mark.parametrize("host", LED_AWAY)
async def test_no_hook_is_sent_to_link_local_or_metadata(
    host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket.socket, "connect", lambda *_: pytest.fail("it was sent"))
    ran = await posted(hook(f"http://{host}/latest/meta-data/"))
    assert ran.exit_code is None
    assert ran.fault.endswith((": link-local or a cloud's metadata", ": no address of one machine"))


@pytest.mark.parametrize("host", ["127.0.0.1", "2130706433", "127.1", "localhost"])
async def test_loopback_is_allowed_however_it_is_written(host: str, peer: WebPeer) -> None:
    peer.says(204)
    ran = await posted(hook(f"http://{host}:{peer.port}/"))
    assert (ran.exit_code, ran.fault) == (0, "")


def resolved(*addresses: str) -> Any:
    """Return a name server that gives these addresses once, and metadata from then on."""
    left = [addresses]

    def answer(_host: str, port: int, **_: Any) -> list[Any]:
        said = left.pop() if left else ("169.254.169.254",)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in said]

    return answer


async def test_a_name_is_resolved_once_and_what_was_checked_is_connected(
    peer: WebPeer, monkeypatch: pytest.MonkeyPatch
) -> None:
    peer.says(200, DENY)
    monkeypatch.setattr(socket, "getaddrinfo", resolved("127.0.0.1"))
    ran = await posted(hook(f"http://rebound.example:{peer.port}/"))
    assert ran.stdout == DENY
    assert peer.asked[0].headers["Host"] == f"rebound.example:{peer.port}"


async def test_one_refused_address_refuses_the_name(
    peer: WebPeer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", resolved("127.0.0.1", "169.254.169.254"))
    ran = await posted(hook(f"http://two-faced.example:{peer.port}/"))
    said = "two-faced.example leads to 169.254.169.254: link-local or a cloud's metadata"
    assert ran.fault == said
    assert peer.asked == []


async def test_the_next_address_is_tried_where_one_does_not_answer(
    peer: WebPeer, monkeypatch: pytest.MonkeyPatch
) -> None:
    peer.says(204)
    monkeypatch.setattr(socket, "getaddrinfo", resolved("127.0.0.2", "127.0.0.1"))
    ran = await posted(hook(f"http://two.example:{peer.port}/"))
    assert (ran.exit_code, ran.fault) == (0, "")


async def test_a_name_that_nobody_knows_is_a_fault() -> None:
    ran = await posted(hook(f"http://{'x' * 64}.invalid/"))
    assert ran.fault.endswith("cannot be resolved")


async def test_http_hooks_are_off_until_a_url_is_allowed(peer: WebPeer) -> None:
    ran = await posted(hook(f"http://127.0.0.1:{peer.port}/secret-path"), urls=())
    host = f"127.0.0.1:{peer.port}"
    assert ran.fault == f"{host} is not allowed: user_hooks.http_allow lists no such URL"
    assert peer.asked == []


async def test_headers_hold_the_allowed_variables_and_no_others(peer: WebPeer) -> None:
    peer.says(204)
    one = hook(
        f"http://127.0.0.1:{peer.port}/",
        headers=(
            ("Authorization", "Bearer $HOOK_TOKEN"),
            ("X-Both", "${HOOK_TOKEN}/$OTHER/$home/$HOOK_TOKENS"),
        ),
        allowed_env=("HOOK_TOKEN", "OTHER", "home"),
    )
    env = {"HOOK_TOKEN": TOKEN, "OTHER": "other-secret", "home": "/h", "HOOK_TOKENS": "more"}
    ran = await posted(one, env=env, names=("HOOK_TOKEN", "home", "HOOK_TOKENS"))
    assert peer.asked[0].headers["Authorization"] == f"Bearer {TOKEN}"
    assert peer.asked[0].headers["X-Both"] == f"{TOKEN}//$home/"
    assert ran.notes == (
        "the header X-Both lacks $OTHER: it is not allowed",
        "the header X-Both lacks $HOOK_TOKENS: it is not allowed",
    )


async def test_what_was_put_into_a_header_is_nowhere_in_what_is_kept(
    peer: WebPeer, caplog: pytest.LogCaptureFixture
) -> None:
    one = hook(
        f"http://127.0.0.1:{peer.port}/",
        headers=(("Authorization", "Bearer $HOOK_TOKEN"),),
        allowed_env=("HOOK_TOKEN",),
    )
    told = []
    for value in (TOKEN, f"{TOKEN}\r\nX-More: 1", f"{TOKEN}\u20ac"):
        peer.says(200, json.dumps({"systemMessage": f"you sent Bearer {TOKEN}"}))
        told.append(await posted(one, env={"HOOK_TOKEN": value}, names=("HOOK_TOKEN",)))
        peer.raw = f"{TOKEN} is no HTTP\r\n\r\n".encode()
        told.append(await posted(one, env={"HOOK_TOKEN": value}, names=("HOOK_TOKEN",)))
    assert TOKEN not in repr(told)
    assert TOKEN not in caplog.text
    assert told[0].stdout == '{"systemMessage": "you sent Bearer [redacted]"}'
    refused = "the header Authorization holds characters that a header cannot hold"
    assert [one.fault for one in told[2:]] == [refused] * 4
    assert len(peer.asked) == 2


@pytest.mark.parametrize("name", ["Host", "content-length", "Transfer-Encoding", "Content-Type"])
async def test_what_frames_the_request_is_not_the_hooks_to_set(name: str) -> None:
    ran = await posted(hook("http://127.0.0.1:1/", headers=((name, "x"),)))
    assert ran.fault == f"the header {name} is not the hook's to set"


def test_a_daemon_that_posts_nothing_loads_no_http_client() -> None:
    code = (
        "import sys, hookd.daemon.app, hookd.user_hooks.http_hook, hookd.user_hooks.prompt_hook;"
        "print('http.client' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "False\n"
