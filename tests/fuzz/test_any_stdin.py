"""The shims: whatever is on stdin or in the environment, code 0 and one answer or nothing."""

import json
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fuzz.answer_shape import line
from fuzz.fuzz_daemon import Watched, watched
from fuzz.odd_values import ODD, changed
from hookd.events.protocol import EVENTS
from support.home import HOOKD, SHIM, Home, place

FEWER = settings(
    max_examples=max(10, settings.default.max_examples // 2),
)
HOLDING = ("PreToolUse", "PermissionRequest")
LINE_SHIM = SHIM.with_name("hookd-statusline")

STDIN = (
    st.binary(max_size=200)
    | st.builds(lambda one, times: one * times, st.binary(min_size=1, max_size=3), st.just(40_000))
    | ODD.map(lambda value: json.dumps(value).encode())
    | changed().map(lambda case: json.dumps(case[1]).encode())
)
# What a process can be handed: any bytes but NUL, some kB of them.
VALUES = st.binary(max_size=60).map(lambda value: value.replace(b"\0", b"")) | st.sampled_from(
    [b"", b"\x1e", b'"}}}\n{"a":', b"\\", b"$(touch x)", b"`id`", b"'", b"\xff\xfe", b"x" * 9_000]
)
SENT = ["AGENT_ID", "AGENT_CLAIMS", "CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT", "CLAUDE_PID"]
SENT += ["CLAUDE_CODE_SESSION_ID", "TMUX", "TMUX_PANE", "HOOKD_RUN", "VIRTUAL_ENV", "MINE"]
SENT += ["QWEN_PROJECT_DIR", "GEMINI_SESSION_ID"]
# Variables that configure another user's bash.
HOSTS = [
    "BASH_ENV",
    "ENV",
    "POSIXLY_CORRECT",
    "IFS",
    "SHELLOPTS",
    "CDPATH",
    "BASH_FUNC_cat%%",
]
ENVS = st.dictionaries(st.sampled_from([*SENT, *HOSTS]), VALUES, max_size=4)


@pytest.fixture(scope="module")
def told() -> Iterator[Watched]:
    """A daemon that receives anything from the shim."""
    with watched(guard=True) as one:
        yield one


@pytest.fixture(scope="module")
def nobody() -> Iterator[Home]:
    """A place without a daemon, and nothing to start one."""
    with place() as home:
        yield home


def run(home: Home, event: str, stdin: bytes, env: dict[str, bytes], *args: str) -> Any:
    """Run the shim as the client does, with an environment of any bytes."""
    command = [SHIM, "--event", event, "--socket", home.socket, "--deadline", "20", *args]
    return subprocess.run(
        [*command, "--send", "MINE"],
        input=stdin,
        env={**home.env, **env},
        capture_output=True,
        timeout=60,
        check=False,
    )


def fits(event: str, stdin: bytes, printed: bytes) -> bool:
    """Whether this is a valid answer to the event, or to the payload's own event."""
    said = {event} | {one for one in EVENTS if one.encode() in stdin}
    return "" in {line(one, printed) for one in said}


@FEWER
@given(st.sampled_from(sorted(EVENTS)), STDIN, ENVS)
@example("PreToolUse", b"", {})
@example("PreToolUse", b"\n", {"IFS": b"{", "SHELLOPTS": b"nounset:errexit:posix"})
def test_with_a_daemon_any_stdin_has_one_answer_or_none(
    told: Watched, event: str, stdin: bytes, env: dict[str, bytes]
) -> None:
    done = run(told.home, event, stdin, env, "--hookd", str(HOOKD))
    assert done.returncode == 0
    assert fits(event, stdin, done.stdout), done.stdout
    if event in HOLDING:
        assert done.stderr == b"", "a guard is set, so what cannot be judged is asked about"
    assert told.lives()


@FEWER
@given(st.sampled_from(sorted(EVENTS)), STDIN, ENVS, st.booleans())
def test_without_a_daemon_any_stdin_is_left_to_the_fail_policy(
    nobody: Home, event: str, stdin: bytes, env: dict[str, bytes], closed: bool
) -> None:
    flag = ["--fail-closed"] if closed else []
    done = run(nobody, event, stdin, env, "--hookd", "/nowhere/hookd", *flag)
    assert done.returncode == 0
    assert line(event, done.stdout) == ""
    assert closed or not done.stdout
    if event in HOLDING and closed:
        assert b'"deny"' in done.stdout
    assert done.stdout or b"not judged" in done.stderr


OPTIONS = ["--event", "--socket", "--deadline", "--transport", "--hookd", "--send", "--new", "x"]
PLAIN = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=9)
WORDS = st.sampled_from([*OPTIONS, "--fail-closed", "08", "1.5", "-1", "nc:/nowhere", "", "$(id)"])


@FEWER
@given(st.lists(WORDS | PLAIN, max_size=5))
def test_whatever_it_was_registered_with_the_shim_ends_well(nobody: Home, words: list[str]) -> None:
    done = subprocess.run(
        [SHIM, *words],
        input=b"{}",
        env=nobody.env,
        cwd=nobody.path,
        capture_output=True,
        timeout=60,
        check=False,
    )
    ends_well(done)


def ends_well(done: subprocess.CompletedProcess[bytes]) -> None:
    """One answer or none; if not even the fail policy is known, an error that the client shows."""
    assert done.returncode == 0 or (done.stdout == b"" and b"not judged: " in done.stderr)
    assert done.stdout == b"" or (done.stdout[:1], done.stdout[-2:]) == (b"{", b"}\n")


LINES = st.sampled_from(
    [
        *(b"socket /dev/null/hookd.sock", b"socket x", b"socket", b"transport nc:/nowhere/nc"),
        *(b"transport nc:/bin/true", b"transport $(touch x)", b"hookd /bin/false", b"send MINE"),
        *(b"send `touch x`", b"events 13 closed PreToolUse", b"events 1 open PreToolUse Stop"),
        *(b"events $(touch x) closed *", b"events  ", b"event", b"*", b"later x", b"socket /\xff"),
    ]
)
CONFIGS = st.lists(LINES | st.binary(max_size=40), max_size=8).map(b"\n".join)


@FEWER
@given(CONFIGS, st.sampled_from(["PreToolUse", "Stop", "Other"]))
def test_whatever_its_configuration_holds_the_shim_ends_well(
    nobody: Home, config: bytes, name: str
) -> None:
    folder = nobody.path / "shims" / "user"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config").write_bytes(config)
    for one in (
        folder / name,
        folder.with_name("hookd-hook"),
        folder.with_name("hookd-cold"),
        folder.with_name("hookd-alone"),
    ):
        if not one.is_symlink():
            shim = SHIM.with_name(one.name) if one.name.startswith("hookd-") else SHIM
            one.symlink_to(shim)
    done = subprocess.run(
        [folder / name],
        input=b'{"hook_event_name": "PreToolUse"}',
        env=nobody.env,
        cwd=folder,
        capture_output=True,
        timeout=60,
        check=False,
    )
    ends_well(done)
    assert {path.name for path in folder.iterdir()} <= {"config", "PreToolUse", "Stop", "Other"}
    if name != "Stop" and b"events" not in config:
        assert b'"ask"' in done.stdout


@FEWER
@example(b"{\0}", {}, None)
@given(STDIN, ENVS, st.sampled_from([None, "cat", "false", "printf x", "exit 7"]))
def test_any_stdin_of_the_status_line_has_a_line_of_hookd_at_most(
    told: Watched, stdin: bytes, env: dict[str, bytes], own: str | None
) -> None:
    extra = ["--own", own] if own else []
    done = subprocess.run(
        [LINE_SHIM, "--socket", told.home.socket, *extra],
        input=stdin,
        env={**told.home.env, **env},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    alone = (
        b"",
        b"x",
    )  # of a window of which there is nothing to tell: the user's own line as it is
    assert done.stdout.endswith(b"\n") or done.stdout in alone
    last = done.stdout[:-1].rpartition(b"\n")[2].decode()
    assert not any(sign < " " and sign != "\x1b" for sign in last), last
    assert told.lives()
