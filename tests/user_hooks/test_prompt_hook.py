"""A prompt hook asks a model, within its budget; the key goes to the endpoint and nowhere else."""

import asyncio
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from hookd.config.models import PromptOptions
from hookd.core.hook_rules.model import Hook, HookExecution, Source
from hookd.core.hook_rules.prompt_protocol import SYSTEM_PROMPT
from hookd.user_hooks.hook_output import refusal
from hookd.user_hooks.prompt_hook import PromptBackend, judge
from support.web_server import SECONDS, WebPeer, web_peer

SOURCE = Source("user", "/home/u/settings.json", "hooks.Stop[0].hooks[0]")
EVENT = b'{"hook_event_name": "Stop", "stop_hook_active": false}'
KEY = "key-27182818284590452353"
YES = '{"ok": true}'
NO = '{"ok": false, "reason": "The tests were not run."}'


@dataclass
class Lent:
    """What the daemon lends: a counter of its own, and a real program with its pipes."""

    left: int = 5
    ran: list[Hook] = field(default_factory=list)

    def spend(self) -> bool:
        self.left -= 1
        return self.left >= 0

    async def run(self, hook: Hook, text: bytes) -> HookExecution:
        self.ran.append(hook)
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            hook.command, *(hook.args or ()), stdin=pipe, stdout=pipe, stderr=pipe
        )
        out, err = await process.communicate(text)
        return HookExecution(hook, process.returncode, out.decode(), err.decode())

    @property
    def means(self) -> PromptBackend:
        return PromptBackend(self.spend, self.run, refusal)


@pytest.fixture
def peer() -> Iterator[WebPeer]:
    with web_peer() as one:
        yield one


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    path = tmp_path / "key"
    path.write_text(KEY + "\n")
    return path


def write(path: Path, text: str) -> None:
    path.write_text(text)


def hook(event: str = "Stop", **more: Any) -> Hook:
    return Hook("h1", event, "prompt", SOURCE, prompt="Were the tests run? $ARGUMENTS", **more)


def says(peer: WebPeer, text: str) -> None:
    peer.says(200, json.dumps({"type": "message", "content": [{"type": "text", "text": text}]}))


def at(peer: WebPeer, **more: Any) -> PromptOptions:
    given = {"endpoint": f"http://127.0.0.1:{peer.port}/v1/messages", "model": "small", **more}
    return PromptOptions.model_validate(given)


async def judged(
    options: PromptOptions,
    one: Hook | None = None,
    *,
    lent: Lent | None = None,
    seconds: float = SECONDS,
    event: bytes = EVENT,
) -> HookExecution:
    deadline = asyncio.get_running_loop().time() + seconds
    return await judge(one or hook(), event, deadline, options, (lent or Lent()).means)


async def test_the_endpoint_is_asked_with_the_event_and_the_key(
    peer: WebPeer, key_file: Path
) -> None:
    says(peer, NO)
    ran = await judged(at(peer, key_file=str(key_file), max_tokens=64))
    assert (ran.exit_code, ran.fault) == (0, "")
    assert json.loads(ran.stdout) == {"decision": "block", "reason": "The tests were not run."}
    [asked] = peer.asked
    assert (asked.method, asked.path) == ("POST", "/v1/messages")
    assert asked.headers["x-api-key"] == KEY
    assert asked.headers["anthropic-version"] == "2023-06-01"
    assert json.loads(asked.body) == {
        "model": "small",
        "max_tokens": 64,
        "system": SYSTEM_PROMPT,
        "messages": [{"role": "user", "content": f"Were the tests run? {EVENT.decode()}"}],
    }


async def test_a_yes_is_silence(peer: WebPeer) -> None:
    says(peer, YES)
    ran = await judged(at(peer))
    assert (ran.exit_code, ran.stdout, ran.fault) == (0, "", "")
    assert "x-api-key" not in peer.asked[0].headers


async def test_a_hook_may_name_its_own_model(peer: WebPeer) -> None:
    says(peer, YES)
    await judged(at(peer), hook(model="large"))
    assert json.loads(peer.asked[0].body)["model"] == "large"


FAULTS = [
    (401, "", "the endpoint answered 401: is user_hooks.prompt.key_file right?"),
    (429, "", "the endpoint answered 429"),
    (307, "", "the endpoint answered 307"),
    (200, "no JSON", "the endpoint's answer cannot be read: "),
    (200, "{}", "the endpoint's answer cannot be read: it holds no `content`"),
    (200, '{"content": []}', "the answer holds no JSON object, or more than one"),
    (
        200,
        '{"content": [{"type": "text", "text": "{\\"ok\\": "}], "stop_reason": "max_tokens"}',
        "the endpoint's answer cannot be read: it was cut: raise user_hooks.prompt.max_tokens",
    ),
]


@pytest.mark.parametrize(("status", "body", "fault"), FAULTS)
async def test_what_is_no_verdict_is_a_fault(
    status: int, body: str, fault: str, peer: WebPeer
) -> None:
    peer.says(status, body)
    ran = await judged(at(peer))
    assert (ran.exit_code, ran.stdout) == (None, "")
    assert ran.fault.startswith(fault)


async def test_a_model_that_does_not_answer_is_left_at_the_deadline(peer: WebPeer) -> None:
    peer.raw = None
    ran = await judged(at(peer), seconds=0.2)
    assert (ran.exit_code, ran.timed_out) == (None, True)
    # What is left of the time once the model is asked: a moment less, on a busy machine.
    assert re.fullmatch(r"timed out after 0\.(2|1\d*) s", ran.fault or ""), ran.fault
    assert await asyncio.to_thread(peer.left.wait, SECONDS)


UNSET = [
    ({}, "prompt hooks are off: set user_hooks.prompt.endpoint or user_hooks.prompt.command"),
    ({"endpoint": "http://127.0.0.1:1/"}, "no model is named: set user_hooks.prompt.model"),
    (
        {"endpoint": "https://u:p@127.0.0.1/", "model": "m"},
        "user_hooks.prompt.endpoint: the URL holds credentials: put them into a header",
    ),
]


@pytest.mark.parametrize(("given", "fault"), UNSET, ids=lambda told: str(told)[:30])
async def test_without_settings_a_fault_says_which_key_to_set(
    given: dict[str, str], fault: str
) -> None:
    lent = Lent()
    ran = await judged(PromptOptions.model_validate(given), lent=lent)
    assert (ran.exit_code, ran.fault, lent.left) == (None, fault, 5)


async def test_past_the_budget_nobody_is_asked(peer: WebPeer) -> None:
    says(peer, YES)
    lent = Lent(left=1)
    assert (await judged(at(peer), lent=lent)).fault == ""
    ran = await judged(at(peer), lent=lent)
    assert ran.fault == "the calls of this day are used up: user_hooks.prompt.budget_per_day"
    assert len(peer.asked) == 1


@pytest.mark.parametrize("event", ["SessionStart", "PermissionRequest", "SessionEnd", "PreCompact"])
async def test_where_a_no_could_not_be_said_nobody_is_asked(event: str, peer: WebPeer) -> None:
    ran = await judged(at(peer), hook(event))
    assert ran.fault == f"a prompt hook has no say on {event}"
    assert peer.asked == []


async def test_an_event_that_is_too_long_is_not_asked_about(peer: WebPeer) -> None:
    ran = await judged(at(peer, max_event=1_000), event=b"x" * 1_001)
    assert ran.fault.startswith("the event is too long to be judged: 1,001 bytes")
    assert peer.asked == []


async def test_a_key_may_stand_in_a_variable_of_the_daemon(
    peer: WebPeer, monkeypatch: pytest.MonkeyPatch
) -> None:
    says(peer, YES)
    monkeypatch.setenv("MODEL_KEY", KEY)
    assert (await judged(at(peer, key_env="MODEL_KEY"))).fault == ""
    assert peer.asked[0].headers["x-api-key"] == KEY


async def test_a_new_key_holds_from_the_next_call_on(peer: WebPeer, key_file: Path) -> None:
    says(peer, YES)
    await judged(at(peer, key_file=str(key_file)))
    write(key_file, "another-key")
    await judged(at(peer, key_file=str(key_file)))
    assert [asked.headers["x-api-key"] for asked in peer.asked] == [KEY, "another-key"]


WITHOUT_KEY = [
    ("", "user_hooks.prompt.key_file names nothing that holds a key"),
    (" \n", "user_hooks.prompt.key_file names nothing that holds a key"),
    (f"{KEY} {KEY}", "what user_hooks.prompt.key_file names is no key"),
    (f"{KEY}\nx-more: 1", "what user_hooks.prompt.key_file names is no key"),
    (f"{KEY}\u20ac", "what user_hooks.prompt.key_file names is no key"),
    (KEY * 1_000, "what user_hooks.prompt.key_file names is no key"),
]


@pytest.mark.parametrize(("text", "fault"), WITHOUT_KEY, ids=lambda told: repr(told)[:30])
async def test_what_is_no_key_is_not_sent(
    text: str, fault: str, peer: WebPeer, key_file: Path
) -> None:
    write(key_file, text)
    lent = Lent()
    ran = await judged(at(peer, key_file=str(key_file)), lent=lent)
    assert (ran.fault, peer.asked, lent.left) == (fault, [], 5)
    assert KEY not in repr(ran)


async def test_a_key_that_cannot_be_read_is_a_fault(peer: WebPeer, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path, tmp_path / "none"):
        ran = await judged(at(peer, key_file=str(path)))
        assert ran.fault == "user_hooks.prompt.key_file names nothing that holds a key"
    ran = await judged(at(peer, key_env="HOOKD_TEST_NO_SUCH_KEY"))
    assert ran.fault == "user_hooks.prompt.key_env names nothing that holds a key"


async def test_the_key_is_nowhere_in_what_is_kept(
    peer: WebPeer, key_file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    told = []
    options = at(peer, key_file=str(key_file))
    says(peer, json.dumps({"ok": False, "reason": f"you sent {KEY}"}))
    told.append(await judged(options))
    peer.says(401, f"{KEY} is unknown")
    told.append(await judged(options))
    peer.raw = f"{KEY} is no HTTP\r\n\r\n".encode()
    told.append(await judged(options))
    peer.says(200, f"{KEY} is no JSON")
    told.append(await judged(options))
    assert [asked.headers["x-api-key"] for asked in peer.asked] == [KEY] * 4
    assert KEY not in repr(told)
    assert KEY not in caplog.text


async def test_a_key_leaves_this_machine_by_https_only(key_file: Path) -> None:
    options = PromptOptions(endpoint="http://192.0.2.1/", model="m", key_file=str(key_file))
    ran = await judged(options)
    assert ran.fault == "192.0.2.1 leads to 192.0.2.1: the key is sent there by https only"


async def test_an_endpoint_is_no_way_to_a_clouds_metadata() -> None:
    ran = await judged(PromptOptions(endpoint="http://169.254.169.254/", model="m"))
    assert ran.fault.endswith("link-local or a cloud's metadata")


def program(path: Path, script: str) -> PromptOptions:
    path.write_text(f"#!/bin/bash\n{script}\n")
    path.chmod(0o700)
    return PromptOptions(command=(str(path), "--as", "judge"))


async def test_a_program_of_the_users_is_asked_instead(tmp_path: Path) -> None:
    asked, lent = tmp_path / "asked", Lent()
    options = program(tmp_path / "judge", f"cat >{asked}; echo '{NO}'")
    ran = await judged(options, hook("PreToolUse", matcher="Bash"), lent=lent)
    assert ran.hook.type == "prompt"
    said = json.loads(ran.stdout)["hookSpecificOutput"]
    assert said["permissionDecisionReason"] == "The tests were not run."
    assert asked.read_text() == f"{SYSTEM_PROMPT}\n\nWere the tests run? {EVENT.decode()}\n"
    [started] = lent.ran
    assert (started.type, started.args, lent.left) == ("command", ("--as", "judge"), 4)


async def test_a_program_that_fails_is_a_fault_whatever_it_printed(tmp_path: Path) -> None:
    options = program(tmp_path / "judge", f"cat >/dev/null; echo '{NO}'; exit 3")
    ran = await judged(options)
    assert (ran.exit_code, ran.stdout) == (None, "")
    assert ran.fault == "the program of user_hooks.prompt.command failed: exit code 3"
